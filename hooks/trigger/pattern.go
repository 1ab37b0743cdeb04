package trigger

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed patterns.txt
var patterns string

// A sign tells for some kinds, or against them, by what one of its patterns finds.
type sign struct {
	name   string
	weight float64 // 0..1
	kinds  []Kind
	how    how
}

type how uint8

const (
	tellsFor    how = iota
	againstHere     // takes from what its sentence tells
	againstTurn     // takes from all that the turn tells
	againstRest     // the same, but not where a sentence says it plainly
	forNegated      // tells for, and a "not" before it changes nothing
)

// A pattern is a row of words, in the form of patterns.txt.
type pattern struct {
	sign   *sign
	source string
	line   int
	yes    string // an example that it finds
	no     string // one that it does not
	steps  []step
	begins bool // only where a sentence or a part of one begins
	ends   bool // only where a sentence ends
}

// A step of a pattern is one word, or none if it may be left out.
type step struct {
	words    []string // that it may be; one with * at its end begins so, with @ before it is of a set
	gap      bool     // any word, and no mark
	any      bool     // any word or mark
	optional bool
}

// A grammar is all signs and patterns.
type grammar struct {
	signs    []*sign
	patterns []*pattern
	program  *program
}

var theGrammar = sync.OnceValue(func() *grammar {
	g, err := parseGrammar(patterns)
	if err != nil {
		panic(err) // it is built in, and a test reads it
	}
	return g
})

// parseGrammar reads the form that the head of patterns.txt describes.
func parseGrammar(text string) (*grammar, error) {
	g := &grammar{}
	p := grammarParser{grammar: g, sets: map[string][]string{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if err := p.line(strings.TrimSpace(line), n); err != nil {
			return nil, fmt.Errorf("patterns.txt:%d: %w", n, err)
		}
	}
	g.program = compile(g.patterns, p.sets)
	return g, nil
}

type grammarParser struct {
	*grammar
	sets map[string][]string
}

func (p *grammarParser) line(s string, n int) error {
	head, rest, _ := strings.Cut(s, " ")
	switch {
	case s == "" || head == "#":
		return nil
	case head == "set":
		return p.set(rest)
	case head == "sign":
		return p.sign(strings.Fields(rest))
	case head == "+" || head == "-":
		return p.example(head, rest)
	case len(p.signs) == 0:
		return fmt.Errorf("a pattern before the first sign")
	}
	pat := &pattern{sign: p.signs[len(p.signs)-1], source: s, line: n}
	p.patterns = append(p.patterns, pat)
	return p.parse(pat)
}

// set gives a name to words: "set thing = idea ideas plan*".
func (p *grammarParser) set(s string) error {
	name, words, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("a set has the form: set <name> = <words>")
	}
	p.sets[strings.TrimSpace(name)] = strings.Fields(words)
	return nil
}

// sign begins a sign: "sign <name> <weight> for|against|against-turn|against-rest|for-negated <kinds>".
func (p *grammarParser) sign(f []string) error {
	if len(f) < 4 {
		return fmt.Errorf("a sign has the form: sign <name> <weight> for <kinds>")
	}
	w, err := strconv.ParseFloat(f[1], 64)
	i := slices.Index([]string{"for", "against", "against-turn", "against-rest", "for-negated"}, f[2])
	if err != nil || w <= 0 || w > 1 || i < 0 {
		return fmt.Errorf("bad sign '%s'", strings.Join(f, " "))
	}
	s := &sign{name: f[0], weight: w, how: how(i)}
	for _, k := range f[3:] {
		if k == "all" {
			s.kinds = append(s.kinds, Kinds...)
			continue
		}
		if !slices.Contains(Kinds, Kind(k)) {
			return fmt.Errorf("unknown kind '%s'", k)
		}
		s.kinds = append(s.kinds, Kind(k))
	}
	p.signs = append(p.signs, s)
	return nil
}

func (p *grammarParser) example(head, text string) error {
	if len(p.patterns) == 0 {
		return fmt.Errorf("an example before the first pattern")
	}
	if last := p.patterns[len(p.patterns)-1]; head == "+" {
		last.yes = text
	} else {
		last.no = text
	}
	return nil
}

// The gaps of patterns, in words.
const (
	shortGap = 3
	longGap  = 12
)

func (p *grammarParser) parse(pat *pattern) error {
	for f := range strings.FieldsSeq(pat.source) {
		switch f {
		case "^":
			pat.begins = true
		case "$":
			pat.ends = true
		case "..":
			pat.steps = append(pat.steps, slices.Repeat([]step{{gap: true, optional: true}}, shortGap)...)
		case "...":
			pat.steps = append(pat.steps, slices.Repeat([]step{{any: true, optional: true}}, longGap)...)
		case "_":
			pat.steps = append(pat.steps, step{gap: true})
		default:
			rest, optional := strings.CutSuffix(f, "?")
			if rest == "" {
				rest, optional = f, false
			}
			words, err := p.words(rest)
			if err != nil {
				return err
			}
			pat.steps = append(pat.steps, step{words: words, optional: optional})
		}
	}
	if len(pat.steps) == 0 || len(pat.steps) > mostSteps {
		return fmt.Errorf("a pattern of %d steps", len(pat.steps))
	}
	return nil
}

// words are the words of "a|@set|b*".
func (p *grammarParser) words(s string) (out []string, err error) {
	for w := range strings.SplitSeq(s, "|") {
		set, ok := strings.CutPrefix(w, "@")
		if !ok {
			out = append(out, w)
			continue
		}
		if p.sets[set] == nil {
			return nil, fmt.Errorf("unknown set '%s'", set)
		}
		out = append(out, w)
	}
	return out, nil
}
