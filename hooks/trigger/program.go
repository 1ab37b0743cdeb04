package trigger

import (
	"strings"

	"github.com/git-sage/git-sage/prose"
)

// mostSteps are those of a pattern: with the end they fit a machine word.
const mostSteps = 63

// A program runs all patterns over a sentence at once, each as an automaton whose states
// are the bits of a word: bit i says that i steps are done. The time is that of the number
// of words times that of patterns, whatever the words are.
type program struct {
	patterns []*pattern
	exact    map[string][]steps
	prefixes map[string][]steps  // of words that stand with * in patterns
	sets     map[string][]string // by word, as patterns have them: "@be"
	begins   map[string][]string // and by the beginning of a word
	longest  int                 // prefix, in bytes
	gaps     []uint64            // by pattern: the steps that take any word
	anys     []uint64            // and those that take any mark, too
	skips    []uint64            // and those that may be left out
}

// steps are those of one pattern that take a word.
type steps struct {
	pattern int
	bits    uint64
}

func compile(list []*pattern, sets map[string][]string) *program {
	p := &program{
		patterns: list, exact: map[string][]steps{}, prefixes: map[string][]steps{}, sets: map[string][]string{}, begins: map[string][]string{},
	}
	for name, words := range sets {
		for _, w := range words {
			table, w := table(p, w, p.sets, p.begins)
			table[w] = append(table[w], "@"+name)
		}
	}
	p.gaps, p.anys, p.skips = make([]uint64, len(list)), make([]uint64, len(list)), make([]uint64, len(list))
	for i, pat := range list {
		for j, s := range pat.steps {
			bit := uint64(1) << j
			if s.gap || s.any {
				p.gaps[i] |= bit
			}
			if s.any {
				p.anys[i] |= bit
			}
			if s.optional {
				p.skips[i] |= bit
			}
			for _, w := range s.words {
				p.take(w, i, bit)
			}
		}
	}
	return p
}

// table is the one of two that a word belongs into, whole or by its beginning, and what it is
// there.
func table[T any](p *program, w string, whole, beginning map[string]T) (map[string]T, string) {
	if head, ok := strings.CutSuffix(w, "*"); ok && head != "" {
		p.longest = max(p.longest, len(head))
		return beginning, head
	}
	return whole, w
}

func (p *program) take(w string, pattern int, bit uint64) {
	table, w := table(p, w, p.exact, p.prefixes)
	list := table[w]
	if n := len(list); n > 0 && list[n-1].pattern == pattern {
		list[n-1].bits |= bit
		return
	}
	table[w] = append(list, steps{pattern, bit})
}

// lookup adds the steps that take a word to into, by pattern, and names the patterns.
func (p *program) lookup(w word, into []uint64, touched []int) []int {
	add := func(list []steps) {
		for _, s := range list {
			if into[s.pattern] == 0 {
				touched = append(touched, s.pattern)
			}
			into[s.pattern] |= s.bits
		}
	}
	all := func(sets []string) {
		for _, s := range sets {
			add(p.exact[s])
		}
	}
	add(p.exact[w.text])
	all(p.sets[w.text])
	switch w.kind {
	case number:
		add(p.exact["9"])
		all(p.sets["9"])
	case name:
		add(p.exact["X"])
	}
	for n := 2; n <= min(len(w.text), p.longest); n++ {
		add(p.prefixes[w.text[:n]])
		all(p.begins[w.text[:n]])
	}
	return touched
}

// A match is a pattern that was found in a sentence.
type match struct {
	pattern  *pattern
	from, to int // words
}

// run finds each pattern once at most in a sentence: where it ends first, not negated
// unless its sign takes that.
func (p *program) run(s sentence) (out []match) {
	n := len(p.patterns)
	states, takes, done := make([]uint64, n), make([]uint64, n), make([]bool, n)
	starts := beginnings(s.words)
	var touched []int
	for i, w := range s.words {
		touched = p.lookup(w, takes, touched[:0])
		last := atEnd(s.words, i)
		for j, pat := range p.patterns {
			if done[j] {
				continue
			}
			state := states[j]
			if !pat.begins || starts[i] {
				state = closure(state|1, p.skips[j])
			}
			state = p.step(j, state, takes[j], w)
			states[j] = state
			if state>>len(pat.steps)&1 == 0 || pat.ends && !last {
				continue
			}
			m := match{pat, p.origin(j, s.words, starts, i), i}
			if done[j] = true; pat.sign.how != tellsFor || !negated(s.words, m.from) {
				out = append(out, m)
			} else {
				done[j] = false // it may come again
				states[j] = 0
			}
		}
		for _, j := range touched {
			takes[j] = 0
		}
	}
	return out
}

// step is the state behind a word.
func (p *program) step(j int, state, takes uint64, w word) uint64 {
	switch {
	case w.kind == mark:
		takes |= p.anys[j]
	case !nots()[w.text] || p.patterns[j].sign.how != tellsFor: // a gap that holds a "not" would tell the contrary
		takes |= p.gaps[j]
	}
	return closure((state&takes)<<1, p.skips[j])
}

// closure adds what is reached by leaving steps out.
func closure(state, skips uint64) uint64 {
	for {
		next := state | (state&skips)<<1
		if next == state {
			return state
		}
		state = next
	}
}

// origin is where a match that ends with word to begins: as late as it can.
func (p *program) origin(j int, words []word, starts []bool, to int) int {
	pat := p.patterns[j]
	takes := make([]uint64, len(p.patterns))
	for from := to; from >= 0 && to-from < mostSteps; from-- {
		if pat.begins && !starts[from] {
			continue
		}
		state := closure(1, p.skips[j])
		for i := from; i <= to && state != 0; i++ {
			for _, k := range p.lookup(words[i], takes, nil) {
				if k != j {
					takes[k] = 0
				}
			}
			state = p.step(j, state, takes[j], words[i])
			takes[j] = 0
		}
		if state>>len(pat.steps)&1 == 1 {
			return from
		}
	}
	return to
}

// leads are words that a sentence may have before it begins.
var leads = prose.WordSet(`ok so and well yes right alright now then but thanks thank you great good perfect sure fine cool nice hm hmm oh ah btw also please hey actually anyway
	no - , ! . again still finally first once absolutely exactly listen look agreed indeed fyi hello hi morning just therefore thus hence unfortunately sorry though however yet
	ps p.s for me maybe perhaps next super excellent lol :`)

// beginnings are the words where a sentence begins, or a part of it does: behind words
// that only lead in, and behind a colon, a dash or a bracket.
func beginnings(list []word) []bool {
	out := make([]bool, len(list))
	lead := true
	for i, w := range list {
		lead = lead || list[i-1].kind == mark && strings.Contains(":-(,", list[i-1].text)
		out[i] = lead
		lead = lead && (leads()[w.text] || w.text == prose.QuoteWord || requested(list, i))
	}
	return out
}

// requested reports whether word i is one of "could you", "let's" and the like, which make a
// request of what follows.
func requested(list []word, i int) bool {
	pair := func(i int) bool {
		if i < 0 || i+1 >= len(list) {
			return false
		}
		a, b := list[i].text, list[i+1].text
		return b == "you" && (a == "can" || a == "could" || a == "would" || a == "will") || a == "let" && b == "'s"
	}
	return pair(i) || pair(i-1)
}

// atEnd reports whether nothing but marks follow word i.
func atEnd(list []word, i int) bool {
	for _, w := range list[i+1:] {
		if w.kind != mark {
			return false
		}
	}
	return true
}

// nots are the words that turn what follows into its contrary, for as many words as reach says
// and up to the next mark.
var nots = prose.WordSet("not no never without neither nor hardly cannot")

const reach = 3

func negated(list []word, from int) bool {
	for i := from - 1; i >= max(0, from-reach) && list[i].kind != mark; i-- {
		if nots()[list[i].text] && !(i+1 < len(list) && list[i+1].text == "only") {
			return true
		}
	}
	return false
}
