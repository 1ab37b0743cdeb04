package propose

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose"
)

// A rule is what people say of one kind of things.
type rule struct {
	kind string
	re   *regexp.Regexp
}

// The rules, the most telling first: the first that fits counts.
var rules = sync.OnceValue(func() []rule {
	var out []rule
	for _, r := range []struct{ kind, re string }{
		// a failure: something was tried, and did not work
		{failure, `\b(?:tried|attempted|experimented with|attempt(?:ing|s)? (?:to|at))\b.*(?:\bbut\b|\bhowever\b|\bfail|\bbroke|\bdid not\b|\bdidn't\b|\bmade\b.*\bworse|\bwas too\b|\bturned out\b|\bcaused\b|\bonly to\b)`},
		{failure, `\b(?:did not|didn't|does not|doesn't) (?:work|help|fix it|fix the|solve|scale)\b`},
		{failure, `\bfailed (?:because|due to|when|with|since|on|for)\b|\b(?:dead end|red herring|backfired|made (?:it|things|matters) worse)\b|\bhad to (?:revert|roll (?:it )?back|back (?:it )?out|abandon)\b|\b(?:reverted|rolled back|abandoned)\b.*\b(?:because|since|after|as it)\b`},
		// a preference: how somebody wants things done
		{Preference, `\b(?:i|we|users?|team|you|s?he|they|[a-z]+) (?:strongly |really |much |usually |generally |clearly )?prefers?\b`},
		{Preference, `\b(?:i|we|the user|the team|user) (?:always|never) (?:use|want|write|put|keep|name|run|commit|like|squash|rebase|log)`},
		{Preference, `\b(?:i|the user|user) (?:(?:also |really |still )?(?:(?:do not|don't|does not|doesn't) (?:like|want)|dislikes?|hates?|likes|wants? (?:you|it|them|all|every|each|no|to see)\b))|\bthe user (?:also |really |still )?wants [\w-]+(?: [\w-]+)? (?:on|in|for|with|from) (?:every|each|all|any)\b`},
		{Preference, `^(?:and |so |also,? )*please (?:always|never|do not ever|don't ever)\s+\w+|\byou (?:always|never) want\b.*\b(?:me|i|code|tests?|commits?|comments?|names?|style|force-push(?:es)?)\b`},
		{Preference, `\bfrom now on\b|\b(?:i'd|we'd|i would|we would) (?:much )?rather\b|\bmy preference is\b|\bi(?:'d like| would like| want| need) you to (?:always|never|stop|avoid|keep|use|prefer)\b|\bi(?:'d like| would like| want| need) you to\b.*\b(?:all|every|each|any|whenever|always|never|from now|going forward)\b|\bplease (?:always|never|make sure|do not|don't|keep|stop)\b`},
		// a constraint: what has to hold, or cannot be had
		{Constraint, `\bmust (?:not |never |always |only |be |have |stay |remain |run |use |come |go |keep |support |return |start |end |fit |match |work |pass |contain |include |hold |wait |call |name |exist )`},
		{Constraint, `^(?:and |so |also,? )*(?:always|never|do not ever|don't ever)\s+\w+`}, // a rule of the place, unless somebody says whose
		{Constraint, `\b(?:keep|keeps|kept|stay|stays|remain|remains)\b.{0,60}\b(?:below|above|under|over|within) [$€£~]?\d|\bknown limitation\b|\bthe only (?:safe |supported |possible |allowed )?way\b`},
		{Constraint, `\b(?:cannot|can't|can not|may not)\b.*\b(?:because|without|until|unless|more than|while|due to|since|before|than)\b`},
		{Constraint, `\bonly\b.{1,40}\b(?:is|are) (?:available|allowed|supported|permitted)\b|\b(?:we|you|they) may not\b|\bonly (?:works?|runs?|supports?|allowed|allows|accepts?|available|valid|possible)\b|\b(?:is|are) (?:not|only) (?:supported|allowed|permitted|available|thread-safe|possible)\b|\b(?:isn't|aren't) (?:supported|allowed|permitted|available|thread-safe)\b`},
		{Constraint, `\b(?:at most|no more than|at least|not more than|limited to|limits? (?:is|of|are)|capped at|maximum (?:of|is)|up to a maximum of|no longer than|within) [$€£~]?(?:\d|one |two |three |ten )`},
		{Constraint, `\b(?:hard (?:limit|requirement|constraint|deadline)|rate limit|forbidden|prohibited|mandatory|has to (?:be|stay|remain|run|use)|have to (?:be|stay|remain)|breaks if|will break (?:if|when)|requires? (?:at least|version|python|go |node|java|a |an |that |[\d]))`},
		// a conclusion: what was decided or found out
		{conclusion, `\b(?:we|i|the team) (?:have |'ve |'ll |finally |therefore |then |will )*(?:decided|chose|concluded?|agreed|settled on|went with|picked|opted|adopt(?:ed)?|stick with|go with|standardi[sz]ed)\b|\bagreed (?:that|to|on)\b`},
		{conclusion, `\b(?:root cause|actual cause|real cause|real problem|real issue|actual problem|actual issue|culprit|underlying (?:cause|issue|problem)|cause|reason|fix|solution|answer|problem|bottleneck|decision|conclusion|takeaway|key insight|key finding)(?: of [^.,]{3,60}?| for [^.,]{3,60}?| here)? (?:is|was|were|turned out|turns out|lies|lay)\b`},
		{conclusion, `^(?:so,? |therefore,? |thus,? |hence,? |in short,? |for now,? )?(?:` + weDecide + `)`},
		{conclusion, `^(?:therefore|thus|hence|consequently|in conclusion|in short|to sum up|bottom line|the upshot)[,: ]`},
		{conclusion, `\bturn(?:s|ed) out (?:that|to|the|it|to be)\b|\bturns out\b`},
		{conclusion, `\b(?:confirmed|verified|measured|found|discovered|learned|realized|realised|established|shows?|proved|proves|demonstrates?|indicates?) (?:that|out that)\b|\bwe measured [$€£~.]?\d`},
	} {
		out = append(out, rule{r.kind, regexp.MustCompile(`(?i)` + r.re)})
	}
	return out
})

// What is no claim: questions, what somebody is about to do, what they guess.
var (
	plans = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:ok(?:ay)?,? |now,? |first,? |next,? |then,? |so,? )*(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|i'm about to|i need to (?:check|look|see|find|verify|understand|read)|we should (?:probably|maybe)|should (?:we|i)|could (?:we|you)|can you|would you|do you|shall|if you(?:'d)? (?:want|like|need|prefer)|want me to|feel free|thanks|thank you|sure|great|here(?:'s| is| are)|hello|hi )\b`)
	})
	hedged = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:might|maybe|perhaps|possibly|not sure|unsure|unclear|i think|i guess|i suspect|i assume|probably|could be|seems? (?:like|to)|appears? to|hypothes[ie]s|presumably|(?:confirmed|verified|measured|found|checked|learned) that (?:with|by|on|in|for|too|using))\b`)
	})
	backward = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:it|this|that|they|these|those|he|she|which|both|so|then|therefore|thus|hence|instead)\b`)
	})
	reasons = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:because|the reason|that is because|that's because|this is because|otherwise|since then|this way|that way)\b`)
	})
	lessons = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:instead|so\b|lesson|we now|we ended|now we|the fix|therefore|use |in the end|eventually|what worked|we went|we switched|better|it |this |that |the reason|because)`)
	})
)

// The lengths of a sentence that says something by itself, in columns: below it is
// an aside, above it nobody kept to one thing.
const (
	leastSentence = 18
	mostSentence  = 600
)

// sentenceKind says what a sentence is, "" if it is not worth keeping. section is what
// it stands under: findings tell of failures and constraints, too.
func sentenceKind(s, section string) string {
	if !plain(s) {
		return ""
	}
	kind := ruleKind(s)
	if section != "" && !guesses(s) && (kind == "" || section != conclusion) {
		return section
	}
	return kind
}

// plain reports whether a sentence claims something.
func plain(s string) bool {
	n := prose.Width(s)
	return n >= leastSentence && n <= mostSentence && !prose.Asks(s) && !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, "：") &&
		(!plans().MatchString(s) || decidesPlainly(s))
}

// guesses reports whether somebody does not know what they say.
func guesses(s string) bool {
	return hedged().MatchString(s) || foreign(s).Has(prose.Doubts)
}

// ruleKind says what a sentence is by its words.
func ruleKind(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "’", "'"), "**", "")
	guess := hedged().MatchString(s)
	for _, r := range rules() {
		if r.re.MatchString(s) && (!guess || r.kind == Preference) {
			return r.kind
		}
	}
	if decidesPlainly(s) {
		return conclusion
	}
	return signKind(foreign(s))
}

// decidesPlainly reports whether a sentence says what is decided without a word for it:
// "let's go with 1 GiB then".
func decidesPlainly(s string) bool {
	l := prose.Language(s)
	signs := prose.SignsOf(s, l)
	return signs.Has(prose.Decides) && !signs.Has(prose.Doubts|prose.Plans|prose.Routine|prose.Reports)
}

// foreign are the signs of a sentence that is not English, for which there are rules.
func foreign(s string) prose.Signs {
	if l := prose.Language(s); l != "" && l != prose.English {
		return prose.SignsOf(s, l)
	}
	return 0
}

// signKind says what a sentence is by its signs, the most telling first.
func signKind(s prose.Signs) string {
	switch {
	case s.Has(prose.Doubts | prose.Plans | prose.Reports | prose.Routine):
		return ""
	case s.Has(prose.Fails):
		return failure
	case s.Has(prose.Prefers | prose.Always):
		return Preference
	case s.Has(prose.Limits) && !s.Has(prose.Decides):
		return Constraint
	case s.Has(prose.Decides | prose.Concludes | prose.Causes):
		return conclusion
	}
	return ""
}

// pointsBack reports whether a sentence needs the one before to be understood.
func pointsBack(s string) bool { return backward().MatchString(s) }

func givesReason(s string) bool { return reasons().MatchString(s) }

func followsFailure(s string) bool {
	return utf8.RuneCountInString(s) <= mostSentence && !strings.HasSuffix(s, "?") && lessons().MatchString(s)
}

var (
	triedBut = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:.*?\b(?:we|i|the team|they)\b\s+(?:first |also |then |had |have |initially )*)?(?:tried|attempted|experimented with)(?: to)?\s+(.+?)(?:[,;]? (?:but|however|which|though|only to)\b|[,;] (?:and |it |this |that )|; | — | - |: )\s*(.+)$`)
	})
	failedAs = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(.+?)\s+((?:(?:did not|didn't|does not|doesn't) (?:work|help|fix|solve|scale)|failed|backfired|was (?:reverted|rolled back|abandoned)|made (?:it|things|matters) worse|broke)\b.*)$`)
	})
)

// saidWhy takes apart what stands in a list of failures: what was tried, and behind a
// colon, a dash or a "but" what became of it.
var saidWhy = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.{4,140}?)(?:: | — | – | - |; |,? but )(.{8,})$`)
})

// failureParts says what was tried, why it did not work, and what that taught, as far
// as a text tells them apart.
func failureParts(text, more string) (approach, why, learned string) {
	clean := func(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".;, ") }
	if m := triedBut().FindStringSubmatch(text); m != nil {
		approach, why = clean(m[1]), clean(m[2])
	} else if m := failedAs().FindStringSubmatch(text); m != nil {
		approach, why = clean(m[1]), clean(m[2])
	} else if m := saidWhy().FindStringSubmatch(text); m != nil {
		approach, why = clean(m[1]), clean(m[2])
	} else {
		approach = clean(text)
	}
	if approach == "" {
		approach, why = clean(text), ""
	}
	if more == "" {
		return upper(approach), upper(why), ""
	}
	if why == "" || givesReason(more) {
		return upper(approach), upper(strings.TrimSpace(why + " " + clean(more))), ""
	}
	return upper(approach), upper(why), clean(more)
}

// upper begins a text with a capital, unless it begins with a name of code.
func upper(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if word != strings.ToLower(word) || strings.ContainsAny(word, "._/()`") {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || r == utf8.RuneError {
		return s
	}
	return strings.ToUpper(string(r)) + s[n:]
}

// ParseFailure takes out of the content of a failure what was tried and why it did not
// work, if it says so: "tried to lock the table, but writers waited". It reports whether
// it does.
func ParseFailure(it *sage.Item) bool {
	text, more, _ := strings.Cut(strings.TrimSpace(it.Content), "\n\n")
	if triedBut().FindStringSubmatch(text) == nil && failedAs().FindStringSubmatch(text) == nil {
		return false
	}
	approach, why, _ := failureParts(text, "")
	if why == "" {
		return false
	}
	it.Approach, it.WhyFailed, it.Content = approach, cmp.Or(it.WhyFailed, why), strings.TrimSpace(more)
	return true
}
