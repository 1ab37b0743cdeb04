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

// The kinds of sentences that decide something, and what only looks like one.
//
// They were chosen by reading what they find in git's own history: 35 of 50, drawn at random
// from the 97 proposals of 16,000 commits, were decisions with their reason. Of all 8 of Flask's
// history 5 were, of all 23 of Hugo's 15.
var (
	// outright: somebody decided.
	outright = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:we|i|team|maintainers|everybody|everyone|project)(?: have|'ve| had| finally| then| also| therefore| thus)* (?:decided|chose|opted|agreed|concluded|rejected|went with|settled on|stick with|intentionally|deliberately)\b|\bi'm (?:intentionally|deliberately)\b|\b(?:decision (?:was|is) (?:to|not to|that)|(?:decided|agreed) (?:to|that|not to|against))\b|\bruled out\b`)
	})
	// purpose: it is so on purpose; it counts with its reason.
	purpose = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:is|are|being) (?:intentionally|deliberately)\b|\b(?:by design|on purpose)\b`)
	})
	// rule: what has to be so, or must not; it counts with its reason.
	rule = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:must|should|shall) (?:not|never|always) (?:use|call|add|rely|write|allow|depend|touch|change|be (?:used|called|added|changed|set|exposed|relied))\b|^(?:always|only|never) \w+|\bwe (?:do not|don't) (?:want to|use|allow|support)\b`)
	})
	// contrast: one thing and not another.
	contrast = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:instead of|rather than|as opposed to|in favou?r of)\b`)
	})
	prefer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|\b(?:we|i|always|generally|let's) )prefer (?:to )?\S.{3,80}\b(?:over|rather than|instead of|because|since|to)\b`)
	})
	because = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:because|since (?:it|they|we|this|that|these|those|the|a|an|there|our|its)|as (?:it|they|this|that|we) would|which would)\b|[,;.] otherwise,? (?:it|we|they|the|this|that|a|an|there|you)\b`)
	})
	// deprecates: what is to be used no longer, and what in its place.
	deprecates = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bdeprecat(?:e|es|ed|ing)\b.*\b(?:in favou?r of|instead|because|will be (?:removed|an error)|use)\b|\b(?:use|prefer)\b.*\binstead\b.*\bdeprecated\b`)
	})

	// lateral is about a caller of a function, a case in the code, or a person's choice.
	lateral = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:if|in case|when|unless|whether|once|until|since|after|before|now that|where|which|what|why|how|who|that) (?:the |an? )?\w+(?:'ve| have| had|'d| has)? (?:decided?|decides|chose|chooses?|picked|adopted|concluded)\b|\b(?:to|can|could|may|might|would|must|should|will|let|lets) (?:decide|choose|pick)\b|\b(?:was|were|is|are|being|be|get|gets) (?:decided|chosen|picked)\b|\b(?:user|users|caller|callers|someone|somebody|people|you|they|he|she|function|code|compiler|shell|server|client)\b[^.]{0,20}\b(?:decides?|decided|chose|chooses?|opted|opts?|agreed|intentionally|deliberately)\b`)
	})
	// elsewhere needs what stands in another place: an option of a list, another commit.
	elsewhere = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:the (?:former|latter)|(?:first|second|third|last|other|latter|former|above|following|this|that|same|these|those|obvious|simple|easy|safe) (?:option|approach|approaches|solution|one|ones|way|route|alternative|answer|choice|choices|reasons?)|(?:option|approach|alternative|solution) (?:\(?\d\)?|[A-C]\b)|(?:previous|preceding|next|later|earlier|last|upcoming|subsequent|future|following) (?:commits?|patch|patches|series|step|release)|a few commits|this (?:series|patch)|at (?:that|the) time|back then|ago\b|originally|initially|for now|historical)|\(\d\)|\b[0-9a-f]{7,40}\b|\bpatch (?:series|\d)`)
	})
	// reports tells of a fault, of what was, or of somebody's question.
	reports = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:bugs?|bogus|segfault\w*|crash\w*|leak\w*|typos?|oops|mistak\w+|accidental\w*|unfortunate\w*|misleading|regress\w*|broken|broke|incorrect\w*|wrong\w*|fails|failed|failing|failure|error(?:s|ed)?|hangs?|complain\w*|warning|warnings|noticed|reported|report|suggested|wonder\w*|guess|suspect|perhaps|probably|maybe|seems?|surpris\w+|strange|weird|confus\w+|tests?|used to|was|were|had|did|happen\w*)\b|\b(?:does|do|did|is|are|was|were)(?: not|n't) (?:work|exist|handle)\b`)
	})

	// whole begins and ends as a sentence does: none that code interrupts.
	whole = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^[\\pL`\"'].*[.!][\"')\\]`]*$")
	})
	anaphora = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:it|this|that|they|these|those|both|so|then|therefore|thus|hence|instead|consequently|however|but|also|in addition|for the same reason|as such|and|or|which)\b|\b(?:here|there|that)[.]$|\b(?:do|doing|did) (?:so|that|this|it)\b`)
	})
	reasoned = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:because|the reason|that is because|that's because|this is because|otherwise|this way|that way|the (?:idea|point|rationale) )`)
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
// "Therefore we stay with v1", has that one in front, and a reason has the one behind.
func decisions(text string) (out []decision) {
	list := prose.Read(unwrapped(text))
	taken := -1
	for i, s := range list {
		rank, ok := weigh(s)
		if !ok || i <= taken {
			continue
		}
		said := s.Text
		alone := !anaphora().MatchString(s.Said)
		if !alone {
			if i == 0 || list[i-1].Block != s.Block || i-1 <= taken || words(list[i-1].Text+said) > mostContext {
				continue
			}
			said = list[i-1].Text + " " + said
		}
		taken = i
		if i+1 < len(list) && list[i+1].Block == s.Block && reasoned().MatchString(list[i+1].Text) && words(said+list[i+1].Text) <= mostContext {
			said += " " + list[i+1].Text
			taken = i + 1
		}
		if rank == 0 && !because().MatchString(said) && !contrast().MatchString(said) { // the reason is told elsewhere
			rank = 1
		}
		out = append(out, decision{said, rank})
	}
	return out
}

// weigh says how plainly a sentence decides something that outlives its commit; ok is false if
// it does not.
func weigh(s prose.Sentence) (rank int, ok bool) {
	n := words(s.Text)
	switch {
	case s.Asks, n < leastWords, n > mostWords, !whole().MatchString(s.Text), lateral().MatchString(s.Text), elsewhere().MatchString(s.Text):
		return 0, false
	case outright().MatchString(s.Text), s.Role() == prose.Decision:
		return 0, true
	case reports().MatchString(s.Text):
		return 0, false
	case deprecates().MatchString(s.Text), prefer().MatchString(s.Text):
		return 1, true
	}
	return 1, because().MatchString(s.Text) && (rule().MatchString(s.Text) || contrast().MatchString(s.Text) || purpose().MatchString(s.Text))
}

func words(text string) int { return len(strings.Fields(text)) }

// reverted is why a commit took something back, which its subject names; "" if it took nothing
// back, or does not say why.
func reverted(subject, body string) string {
	if !revert().MatchString(subject) {
		return ""
	}
	var why []string
	n := 0
	for _, s := range prose.Read(unwrapped(body)) {
		if k := words(s.Text); !reverts().MatchString(s.Text) && whole().MatchString(s.Text) && k >= leastWords && n+k <= mostContext {
			why, n = append(why, s.Text), n+k
		}
	}
	text := strings.Join(why, " ")
	if !because().MatchString(text) && !reports().MatchString(text) {
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
