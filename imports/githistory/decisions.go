package githistory

import (
	"regexp"
	"strings"

	"github.com/git-sage/git-sage/prose"
	"sync"
)

// A decision is what a text lays down for later: what was decided, and why.
type decision struct {
	text string // the sentence, with those beside it that it needs
	rank int    // 0 says outright that it decides; 1 has to be read for that
}

// A sentence decides something if it names a choice and the reason for it, speaks for the
// project, can be understood by itself, and tells no story of a fault. The kinds of choices, and
// what only looks like one.
//
// Of histories on which nothing was tuned, read by a person who did not see which rules had
// proposed what: 21 of all 30 proposals of Redis (12,272 commits) and 19 of all 29 of libgit2
// (16,450) were decisions with their reason.
var (
	// outright: somebody decided.
	outright = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:we|i|team|maintainers|everybody|everyone|project)(?: have|'ve| had| finally| then| also| therefore| thus)* (?:decided|chose|opted|agreed|concluded|rejected|went with|settled on|stick with|intentionally|deliberately|specifically (?:do not|don't))\b|\bi'm (?:intentionally|deliberately)\b|^(?:decided|chose|opted|agreed) (?:to|not to|against|for)\b|\bdecision (?:was|is) (?:to|not to|that)\b|\bruled out\b`)
	})
	// purpose: it is so on purpose.
	purpose = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:is|are|being) (?:intentionally|deliberately)\b|\b(?:by design|on purpose)\b`)
	})
	// rule: what has to be so, or must not.
	rule = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:must|should|shall) (?:not|never|always) (?:use|call|add|rely|write|allow|depend|touch|change|be (?:used|called|added|changed|set|exposed|relied))\b|\bshould not be \w+|^(?:always|only|never|do not|don't|also, do not|also, don't|avoid) \w+|\bwe (?:do not|don't) (?:want to|use|allow|support)\b`)
	})
	// contrast: one thing and not another.
	contrast = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:instead of|rather than|as opposed to|in favou?r of)\b`)
	})
	// now: what is done from here on.
	now = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[.;:,] |\b(?:so|and|thus|therefore) )we (?:now|no longer)\b`)
	})
	// prefer: "to" is followed by what is preferred less, not by what it is for.
	prefer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?i)(?:^|\\b(?:we|i|always|generally|let's) )prefer (?:to )?\\S.{3,80}\\b(?:over|rather than|instead of|because|since|to (?:an?|the|any|`\\S+))\\b")
	})
	because = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:because|so that|since (?:it|they|we|this|that|these|those|the|a|an|there|our|its)|as (?:it|they|this|that|we) (?:would|can|could|may|might)|which would)\b|[,;.] otherwise,? (?:it|we|they|the|this|that|a|an|there|you)\b`)
	})
	// grounds are weaker: they do where somebody says outright that it was decided.
	grounds = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:since|so|thus|therefore|hence|due to|given (?:that|the)|to (?:avoid|prevent|keep|allow|ensure|reduce|simplify|stay)|in order to|for (?:\w+ )?(?:sake|reasons?|clarity|simplicity|consistency|compatibility|performance|safety))\b`)
	})
	// deprecates: what is to be used no longer, and what in its place.
	deprecates = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bdeprecat(?:e|es|ed|ing)\b.*\b(?:in favou?r of|instead|because|replaced by)\b|\bdeprecated\b[^.]*[-,;:.] (?:please )?use\b|\b(?:use|prefer)\b.*\binstead\b.*\bdeprecated\b`)
	})
	// deprecated is what somebody else gave up, or what was given up before.
	deprecated = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:got|has|had|have|having|being|been|the|an?|this|these|its|any|some|all|of|using|uses?|now-|will|even if|although|if) ?deprecated?\b|\pL+ v?\d[\d.]*\+? (?:has |have )?deprecate[sd]\b`)
	})

	// lateral is about a caller of a function, a case in the code, or a person's choice.
	lateral = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:if|in case|when|unless|whether|once|until|since|after|before|now that|where|which|what|why|how|who|that) (?:the |an? )?\w+(?:'ve| have| had|'d| has)? (?:decided?|decides|chose|chooses?|picked|adopted|concluded)\b|\b(?:to|can|could|may|might|would|must|should|will|let|lets) (?:decide|choose|pick)\b|\b(?:was|were|is|are|being|be|get|gets) (?:decided|chosen|picked)\b|\b(?:user|users|caller|callers|someone|somebody|people|you|they|he|she|function|code|compiler|shell|server|client)\b[^.]{0,20}\b(?:decides?|decided|chose|chooses?|opted|opts?|agreed|intentionally|deliberately)\b`)
	})
	// elsewhere needs what stands in another place: an option of a list, another commit.
	elsewhere = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^for (?:example|instance)\b|\b(?:the (?:former|latter)|(?:first|second|third|last|other|latter|former|above|following|this|that|same|these|those|obvious|simple|easy|safe) (?:option|approach|approaches|solution|one|ones|way|route|alternative|answer|choice|choices|reasons?)|(?:option|approach|alternative|solution) (?:\(?\d\)?|[A-C]\b)|(?:previous|preceding|next|later|earlier|last|upcoming|subsequent|future|following) (?:commits?|patch|patches|series|step|release)|a few commits|this (?:series|patch)|at (?:that|the) time|back then|ago\b|originally|initially|for now|historical)|\b(?:above|below|earlier)(?:[.,;:)]|$)|\blines? (?:above|below)\b|\(\d\)|\b[0-9a-f]{7,40}\b|\bpatch (?:series|\d)`)
	})
	// reports tells of a fault, of what was, or of somebody's question.
	reports = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:bugs?|bogus|fix|fixes|fixed|segfault\w*|crash\w*|leak\w*|typos?|oops|mistak\w+|accidental\w*|unfortunate\w*|misleading|regress\w*|broken|broke|incorrect\w*|wrong\w*|fails|failed|failing|failure|error(?:s|ed)?|hangs?|complain\w*|warning|warnings|noticed|reported|report|suggested|wonder\w*|think|experiment\w*|guess|suspect|perhaps|probably|maybe|seems?|surpris\w+|strange|weird|confus\w+|tests?|used to|was|were|had|did|happen\w*)\b|\b(?:does|do|did|is|are|was|were)(?: not|n't) (?:work|exist|handle)\b`)
	})

	// whole begins and ends as a sentence does: none that code interrupts.
	whole = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^[\\pL`\"'].*[.!][\"')\\]`]*$")
	})
	anaphora = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:it|this|that|they|these|those|both|so|then|therefore|thus|hence|instead|consequently|however|but|also|additionally|in addition|in (?:such|that|this|these|those) cases?|the same goes|for the same reason|as such|and|or|which)\b|\b(?:here|there|that)[.]$|\b(?:do|doing|did) (?:so|that|this|it)\b`)
	})
	reasoned = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:because|the reason|that is because|that's because|this is because|otherwise|this way|that way|the (?:idea|point|rationale) )`)
	})
	// opens are the words that begin a sentence which is written in small letters; with any other
	// it is the rest of one.
	opens = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[^\p{Ll}]|(?:we|i|i'm|we've|the|an?|it|this|that|these|those|there|let's|use|prefer|do|don't|never|always|if|in|for|as|since|because|when|while|although|instead|rather|so|therefore|thus|by|to|all|no|our)\b)`)
	})
	// faulty are subjects of commits that correct something: what they choose is how.
	faulty = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:fix\w*|bugs?|typos?|crash\w*|leaks?|regressions?|warnings?|broken|correct(?:ed|s)?|flaky)\b`)
	})
	// passing is what makes somebody take a change back until it is better: nothing for later.
	passing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:tests?|ci|jenkins|travis|appveyor|buildbots?|(?:github|gh) actions|builds?|fuzzers?|release branch|next release|apparently|for now|temporar\w+|until|re-?apply|reland|reproduce)\b`)
	})
	revert = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^Revert .{10,}`)
	})
	reverts = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bthis reverts commit\b`)
	})
)

// The words of a sentence that decides something: fewer name no reason, more tell a story.
const leastWords, mostWords = 8, 80

// mostContext is how long a text is at most with the sentences beside it, in words.
const mostContext = 120

// decisions are what a text decides, in its order. A sentence that leans on the one before, as
// "Therefore we stay with v1", has that one in front, and a reason has the one behind. What a
// commit says that corrects a fault counts only if it was decided outright.
func decisions(text string, corrects bool) (out []decision) {
	list := prose.Read(unwrapped(text))
	taken := -1
	for i, s := range list {
		if i <= taken || !stands(s) {
			continue
		}
		said, last := s.Text, i
		if anaphora().MatchString(s.Said) {
			if i == 0 || list[i-1].Block != s.Block || i-1 <= taken || words(list[i-1].Text+said) > mostContext {
				continue
			}
			said = list[i-1].Text + " " + said
		}
		if i+1 < len(list) && list[i+1].Block == s.Block && reasoned().MatchString(list[i+1].Text) && words(said+list[i+1].Text) <= mostContext {
			said += " " + list[i+1].Text
			last = i + 1
		}
		if rank, ok := weigh(s, said, corrects); ok {
			taken = last
			out = append(out, decision{said, rank})
		}
	}
	return out
}

// stands reports whether a sentence is whole and says something by itself.
func stands(s prose.Sentence) bool {
	n := words(s.Text)
	return !s.Asks && n >= leastWords && n <= mostWords && whole().MatchString(s.Text) && opens().MatchString(s.Text) &&
		!lateral().MatchString(s.Text) && !elsewhere().MatchString(s.Text)
}

// weigh says how plainly a sentence decides something that outlives its commit; ok is false if
// it does not. said is the sentence with those beside it, which may name the reason.
func weigh(s prose.Sentence, said string, corrects bool) (rank int, ok bool) {
	strict := because().MatchString(said)
	if outright().MatchString(s.Text) || s.Role() == prose.Decision {
		return 0, strict || contrast().MatchString(said) || grounds().MatchString(said)
	}
	if corrects || reports().MatchString(s.Text) {
		return 0, false
	}
	if prefer().MatchString(s.Text) || deprecates().MatchString(s.Text) && !deprecated().MatchString(s.Text) {
		return 1, true
	}
	return 1, strict && (rule().MatchString(s.Text) || contrast().MatchString(s.Text) || purpose().MatchString(s.Text) || now().MatchString(s.Text))
}

func words(text string) int { return len(strings.Fields(text)) }

// reverted is why a commit took something back, which its subject names, from the first sentence
// that says so; "" if it took nothing back, does not say why, or only until something works.
func reverted(subject, body string) string {
	if !revert().MatchString(subject) {
		return ""
	}
	var why []string
	n := 0
	for _, s := range prose.Read(unwrapped(body)) {
		if reverts().MatchString(s.Text) {
			continue
		}
		k := words(s.Text)
		if !whole().MatchString(s.Text) || !opens().MatchString(s.Text) || n+k > mostContext {
			break
		}
		why, n = append(why, s.Text), n+k
		if because().MatchString(s.Text) {
			break
		}
	}
	text := strings.Join(why, " ")
	if n < leastWords || !because().MatchString(text) || passing().MatchString(text) {
		return ""
	}
	return text
}

var (
	// starts is a line that begins something of its own: a point of a list, a heading, code, a
	// quotation, a table, a label.
	starts = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^\\s*(?:[-*+•–] |\\d{1,3}[.)] |#{1,6} |>|\\||```|~~~|=+$|-+$|[A-Z][\\w-]{1,30}: )")
	})
	// titles stand alone: a heading, the row of a table, what is bold or announces.
	titles = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[#|].*|\*\*.*\*\*:?|.*:|[=~-]{3,})$`) })
	fence  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^\\s*(?:```|~~~)") })
)

// unwrapped is a text in which each paragraph and each point of a list is on one line, as
// Markdown has it however narrow the lines are. Code stays as it is.
func unwrapped(text string) string {
	var out []string
	goesOn, inCode := false, false
	for _, line := range strings.Split(text, "\n") {
		bare := strings.TrimSpace(line)
		if fence().MatchString(line) {
			inCode = !inCode
		}
		code := inCode || fence().MatchString(line) || !goesOn && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"))
		if goesOn && bare != "" && !code && !starts().MatchString(line) {
			out[len(out)-1] += " " + bare
			continue
		}
		out = append(out, line)
		goesOn = bare != "" && !code && !titles().MatchString(bare)
	}
	return strings.Join(out, "\n")
}
