package salience

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/recall"
)

// mostOpen is how many open questions are kept of each sort: what is left of a day of
// work is no list of wishes.
const mostOpen = 5

// openQuestions are what nobody answered: what the agent's last answer asks, what it
// says is not known, what failed and was not seen to work, and what the person said
// last, if nobody answered.
func openQuestions(texts []transcript.Text, failures []transcript.Failure) (out []string) {
	n := len(texts)
	if n > 0 && texts[n-1].Person {
		out = append(out, "Asked last, and not answered: "+clip(texts[n-1].Text, maxRequest))
	}
	answers := 0
	for i := n - 1; i >= 0 && answers < 3; i-- {
		if texts[i].Person {
			continue
		}
		out = append(out, asked(texts[i].Text, answers == 0 && i == n-1)...)
		answers++
	}
	for i, kept := len(failures)-1, 0; i >= 0 && kept < mostOpen; i-- {
		if f := failures[i]; f.Fixed == 0 && (f.Test || f.Tool == "Bash") {
			out = append(out, "Failed, and was not seen to work since: "+told(f))
			kept++
		}
	}
	return out
}

// asked are the sentences of an answer that leave something open; questions count where
// nobody had the time to answer them.
func asked(text string, last bool) (out []string) {
	for _, s := range recall.Sentences(text) {
		question := strings.HasSuffix(strings.TrimRight(s.Text, `"'*_)`), "?")
		if len(out) < mostOpen && (question && last && !offers().MatchString(s.Text) || !question && unknown().MatchString(s.Text)) {
			out = append(out, clip(s.Text, maxSentence))
		}
	}
	return out
}

var (
	// offers ask what to do next; nothing is unknown.
	offers = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:so,? |ok(?:ay)?,? )*(?:shall i|should i|want me|do you want|would you like|may i|can i|could i|anything else|ready|does (?:that|this) (?:work|look|sound)|sounds? good|what would you like|what's next|how (?:can|may) i|is there anything)`)
	})
	unknown = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:still open|open question|remains? (?:open|unclear|to be)|(?:it is|it's|is) (?:still )?(?:unclear|unknown|undecided|not clear)|not yet (?:known|clear|decided|tested|measured|verified)|to be decided|(?:we|i) (?:still )?(?:do not|don't) (?:yet )?know|have(?: not|n't) (?:yet )?(?:tested|measured|verified|checked|decided)|still (?:need|needs|have|has) to)\b`)
	})
)

// told says of a failure what was tried and what came of it.
func told(f transcript.Failure) string {
	what := f.What
	if what == "" {
		what = f.Tool
	}
	return clip(what, maxRequest) + because(f)
}

// because is the line of an error that says most: the first that is no exit code.
func because(f transcript.Failure) string {
	for line := range strings.Lines(f.Text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "Exit code ") && !strings.HasPrefix(line, "===") {
			return ": " + clip(line, maxRequest)
		}
	}
	return ""
}
