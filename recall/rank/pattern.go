package rank

import (
	"regexp/syntax"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/validate"
)

// patterns are those of items, each held against one prompt once. Those of items for which nobody
// here stands may be made to be slow: 20 that repeat a class 990 times take 3 seconds of a
// prompt of 2 kB.
type patterns struct {
	prompt string

	mu    sync.Mutex
	known map[string]bool
	own   int           // that were tried
	spent time.Duration // on those from elsewhere
}

const (
	// mostTried is how many patterns of this user's own a prompt is held against: 1,000
	// take a tenth of a second.
	mostTried = 1000
	// patternTime is for all that come from elsewhere, and patternSize how large one of them may
	// be, so that it takes no more by itself.
	patternTime = 20 * time.Millisecond
	patternSize = 200

	mostMatched = 2000 // bytes of a prompt; what somebody pastes is longer
)

// Once is the question, against which each pattern is held once.
func (q Question) Once() Question {
	q.patterns = newPatterns(q.Text)
	return q
}

// Matches reports whether a pattern is one, and in a question that is asked once. Items are
// checked when they are saved; those of others may hold anything.
func (q Question) Matches(pattern string, foreign bool) bool {
	return q.patterns.match(pattern, foreign)
}

func newPatterns(prompt string) *patterns {
	return &patterns{prompt: prompt[:min(mostMatched, len(prompt))], known: map[string]bool{}}
}

func (p *patterns) match(pattern string, foreign bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ok, tried := p.known[pattern]; tried {
		return ok
	}
	if foreign {
		if p.spent > patternTime {
			return false
		}
		defer func(began time.Time) { p.spent += time.Since(began) }(time.Now())
	} else if p.own++; p.own > mostTried {
		return false
	}
	ok := !foreign || isSmall(pattern)
	if ok {
		re, err := validate.CompilePattern(pattern)
		ok = err == nil && re.MatchString(p.prompt)
	}
	p.known[pattern] = ok
	return ok
}

// isSmall reports whether a pattern has few parts, each counted as often as it is repeated.
func isSmall(pattern string) bool {
	const longest = 500 // as validate has it
	if len(pattern) > longest {
		return false
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	return err == nil && sizeOf(re) <= patternSize
}

func sizeOf(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)/8 // of a class they are ranges
	for _, sub := range re.Sub {
		n += sizeOf(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return n
}
