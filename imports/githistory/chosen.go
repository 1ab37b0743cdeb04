package githistory

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose"
)

// A subject is a decision if it tells what to use, to drop, or not to do, and it or the beginning
// of the message says why.

// about is the part of the code at the beginning of a subject.
const about = `(?:(?:(?:[\w./*()<>{},\x60!-]+(?:, [\w./*-]+)*):|(?:\[[^\]]+\])+:?) )?`

var (
	// chooses is a subject, behind the part of the code that it is about.
	chooses = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^` + about + `(?:(?:use|using|prefer|switch(?:es|ed)?|migrate|move|replace[sd]?|convert|drop(?:s|ped)?|removed?|removes|disable[sd]?|stop(?:s|ped)?|do(?:n't|nt| not)|never|avoid(?:s|ed)?|requires?|deprecate[sd]?|pin|keep|retain|forbid|disallow|default|only|always|get rid of|revert(?:s|ed)?|go back to)|make \S+ (?:an? )?(?:optional|private|required|the default|immutable|internal))\b`)
	})
	// alters is one that more often tells how than what: it has to say why by itself.
	alters = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^` + about + `(?:(?:rename|change|allow|export|set|increase|reduce|limit|return|store|treat|wait|run)[sd]?\b|[^:]*\b(?:should|must)\b)`)
	})
	// cleans is a subject of which nothing outlives the commit.
	cleans = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:unused|stray|duplicated?|redundant|unnecessary|unneeded|dead|obsolete|debug|superfluous|excessive|useless|doc\w*|mentions?|references? to|no longer used|not used|does(?:n't| not) exist|quickstart|tutorials?|outdated|stale|leftover|typos?|grammar|wording|instructions?|comments?|whitespace|changelogs?|readme|copyright|formatting|\w*tests?(?:_\w+)?|testing|example|examples|fixme|todo|wip)\b|(?:that|which) (?:is|are|was|were) $|^(?:docs?|tests?|style|lint|fmt|readme|changelog|release)\b`)
	})
	// why are the words of a reason, where it stands beside a choice.
	why = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:because|since (?:it|they|we|this|that|these|those|the|a|an|there|our|its|some|many|most|people|go|python|rust)\b|so that|so as to|as (?:it|they|this|that|we|there) (?:would|is|are|was|were|has|have|does|do|can|could|may|might|only|causes?|breaks?|no)|to (?:avoid|prevent|ensure|reduce|stay|not|speed up)|in order (?:not )?to|due to|(?:for|is|was) (?:\w+ )?(?:reasons?|simplicity|consistency|compatibility|performance)|otherwise|which (?:would|can|could|causes?)|unmaintained|abandoned|end[- ]of[- ]life|no longer|(?:is|was|are|were|got|been|instead of|instead of the|replaces?|replaced|stop using|drop|dropped) deprecated|insecure|the problem (?:is|was) that|(?:is|are|was|were) (?:\w+ )?not (?:supported|stable|safe|maintained|portable|available|needed|necessary|useful)|too (?:slow|old|large|big|hard|many|much|long|expensive|complex\w*|strict|easy|noisy|costly|brittle|fragile|heavy)|slower|faster|does nothing|meaningless|breaking changes?|easier|harder|simpler|simplif(?:y|ies) (?:the|our|a)|more (?:consistent|intuitive|readable|portable|predictable)|(?:lets?|allows?|enables?) (?:us|users|people|callers)|(?:motivation|purpose|rationale|reason|drawback)s? (?:for|of|behind|is|was|being)\b|will break|(?:can|could|may|might|would) (?:not )?(?:break|cause|lead|result|fail|conflict|confuse|block|leak|race|deadlock)\w*|broke|breaks|false positives?|wast(?:es?|ing)|hazard)\b`)
	})
	// plainly names a reason whatever stands before it.
	plainly = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:because|since (?:it|they|we|this|that|the|a|an|some|most|people)|so that|so as to|in order to|due to|to (?:avoid|prevent)|otherwise)\b`)
	})
	// because of what stands behind a colon: "Switch to sqlite: postgres was too slow".
	explained = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^` + about + `[^:]{6,80}\S: (?:.* )?(?:is|are|was|were|has|had|it|they|broke|breaks|does|did|cannot|can't|no)\b`)
	})
	// unsure leaves open whether it holds, or for how long.
	unsure = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:for now|temporar\w+|for the time being|(?:not|n't) (?:quite )?(?:sure|clear|know)|trying|workaround|hopefully|assum\w+|i guess|this means|that means|prepar\w+ for|whoops|oops|in a later|will be re-?added|add (?:it|them|this) back|next (?:step|commit|patch))\b`)
	})
)

// How much of a message is read for the reason of its subject, in sentences, and how short a
// subject is at least that holds both, in words.
const (
	mostReasons = 3
	leastChoice = 6
)

// chosen is what a subject chooses, with the reason that it or the beginning of the message
// gives; "" if it chooses nothing or nobody says why.
func chosen(subject, body string) string {
	s := choice(subject)
	if strings.HasPrefix(s, `Revert "`) {
		return ""
	}
	why, what := why(), s
	if at := why.FindStringIndex(s); at != nil {
		what = s[:at[0]]
	}
	if cleans().MatchString(what) || faulty().MatchString(what) || elsewhere().MatchString(s) || unsure().MatchString(s) {
		return ""
	}
	text := s + "."
	if !chooses().MatchString(s) {
		if words(s) >= leastChoice && alters().MatchString(s) && plainly().MatchString(s) {
			return text
		}
		return ""
	}
	if words(s) >= leastChoice && (what != s || explained().MatchString(s)) {
		return text
	}
	list := prose.Read(unwrapped(body))
	for i, x := range list {
		if i == mostReasons || x.Asks || strings.HasSuffix(x.Text, ":") || repeats(x.Text, s) || !opensReason(x, i+1 == len(list) || list[i+1].Block != x.Block) || elsewhere().MatchString(x.Text) || unsure().MatchString(x.Text) || words(text+" "+x.Text) > mostContext {
			return ""
		}
		text += " " + x.Text
		if why.MatchString(x.Text) || contrast().MatchString(s) && words(x.Text) >= leastChoice {
			return text
		}
	}
	return ""
}

// opensReason reports whether a sentence is whole; the last of a paragraph may lack its end.
func opensReason(x prose.Sentence, last bool) bool {
	return whole().MatchString(x.Text) || last && words(x.Text) >= leastChoice && whole().MatchString(x.Text+".")
}

// choice is a subject as the beginning of what it chooses.
func choice(subject string) string { return strings.TrimRight(plainSubject(subject), " .") }

// repeats reports whether most words of a sentence stand in a subject.
func repeats(text, subject string) bool {
	said := strings.Fields(strings.ToLower(strings.TrimRight(text, ".")))
	n := 0
	for _, w := range said {
		if strings.Contains(strings.ToLower(subject), w) {
			n++
		}
	}
	return 2*n > len(said)
}
