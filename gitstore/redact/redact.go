// Package redact takes secrets out of text before an object is written.
//
// It knows three kinds of secrets, in the order in which they name a finding:
// shapes that vendors give their tokens (tokens.go), shapes of standards such
// as PEM, JWT and URLs with a password (shapes.go), and values that stand after
// a key such as DB_PASSWORD (assign.go). A user's own rules add to them.
//
// Everything built in is a hand-written scanner over bytes: a program that
// starts hundreds of times a day must not compile a hundred regular
// expressions, and hostile text must not be able to make a scan slow. A clean
// text of 4 kB costs about 60 µs in a fresh process, and 10 MB of hostile text
// stay linear. Only a user's rules are regular expressions (RE2), compiled when
// first needed.
//
// What it does not find, on purpose or for now: random text without a key and
// without a known shape (a bare 64-digit hex number is as likely a checksum), an
// unquoted passphrase of several words after a colon, or one in quotes that reads
// like prose ("the cat came home"), and tokens that were taken apart: split over
// lines, by invisible characters, or encoded once more.
package redact

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A Redactor knows what a secret looks like. The zero value and nil know the
// built-in rules. It is safe for concurrent use.
type Redactor struct {
	finders []finder // nil for the built-in ones
}

// A Finding says what was taken out, never its value.
type Finding struct {
	Rule  string // name of the rule that fired
	Count int    // how often; a secret that two rules know counts once
}

// A Rule is a user's own idea of a secret.
type Rule struct {
	Name    string // lower-case letters, digits and dashes, at most 64
	Pattern string // RE2, at most 1,000 bytes; a first group, if any, is the secret, else the whole match
}

// A finder reports the secrets of one kind in a text.
type finder func(s string, found *spans)

// builtin are the finders in order of precedence: of two that overlap, the
// earlier one gives its name.
var builtin = []finder{findTokens, findShapes, findAssigned}

// Default returns the redactor with the built-in rules.
func Default() *Redactor { return &Redactor{} }

const (
	maxPattern = 1000
	maxRules   = 100
	// Each round only finds what the replacements of the round before brought
	// to light. Two settle all known text; more is somebody's attempt.
	maxRounds = 16
)

var ruleName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`) })

// New returns a redactor with the built-in rules and the given ones. The error
// of a bad rule names it.
func New(rules []Rule) (*Redactor, error) {
	if len(rules) > maxRules {
		return nil, fmt.Errorf("%d redaction rules: at most %d are allowed", len(rules), maxRules)
	}
	r := &Redactor{finders: append([]finder(nil), builtin...)}
	for _, rule := range rules {
		f, err := rule.finder()
		if err != nil {
			return nil, fmt.Errorf("redaction rule '%s': %w", rule.Name, err)
		}
		r.finders = append(r.finders, f)
	}
	return r, nil
}

func (rule Rule) finder() (finder, error) {
	if !ruleName().MatchString(rule.Name) {
		return nil, fmt.Errorf("a name is made of lower-case letters, digits and dashes, at most 64")
	}
	if rule.Pattern == "" {
		return nil, fmt.Errorf("the pattern is empty")
	}
	if len(rule.Pattern) > maxPattern {
		return nil, fmt.Errorf("the pattern has %d bytes, at most %d are allowed", len(rule.Pattern), maxPattern)
	}
	re, err := regexp.Compile(rule.Pattern)
	if err != nil {
		return nil, err
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("the pattern matches nothing at all, and so everywhere")
	}
	return func(s string, found *spans) {
		for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
			if len(m) > 2 && m[2] >= 0 {
				m = m[2:]
			}
			found.add(rule.Name, m[0], m[1])
		}
	}, nil
}

// Text returns s with every secret replaced by a placeholder [redacted:<rule>],
// and what was found, in the order of first appearance. It is idempotent. An
// error means that nothing may be written.
func (r *Redactor) Text(s string) (string, []Finding, error) {
	return r.settle(s, r.round)
}

// settle repeats a round until it finds nothing more. It turns a panic into an
// error: the text of one that went wrong must not be written.
func (r *Redactor) settle(s string, round func(string) *spans) (out string, findings []Finding, err error) {
	defer func() {
		if p := recover(); p != nil {
			// The value is left out: it may quote the text.
			out, findings, err = "", nil, fmt.Errorf("redact: internal error (%T)", p)
		}
	}()
	for range maxRounds {
		found := round(s)
		if len(found.list) == 0 {
			return s, findings, nil
		}
		s, findings = found.replace(s, findings)
	}
	return "", nil, fmt.Errorf("redact: text does not settle after %d rounds", maxRounds)
}

func (r *Redactor) round(s string) *spans {
	found := newSpans(s)
	finders := builtin
	if r != nil && r.finders != nil {
		finders = r.finders
	}
	for i, find := range finders {
		found.rank = i
		find(s, found)
	}
	found.merge()
	return found
}

// Merge adds up findings of several texts by rule, in order of first appearance.
func Merge(lists ...[]Finding) []Finding {
	var all []Finding
	for _, list := range lists {
		for _, f := range list {
			all = count(all, f.Rule, f.Count)
		}
	}
	return all
}

func count(list []Finding, rule string, n int) []Finding {
	for i := range list {
		if list[i].Rule == rule {
			list[i].Count += n
			return list
		}
	}
	return append(list, Finding{Rule: rule, Count: n})
}

const placeholderStart = "[redacted:"

// placeholder returns the length of the placeholder that s starts with, or 0.
func placeholder(s string) int {
	if !strings.HasPrefix(s, placeholderStart) {
		return 0
	}
	for i := len(placeholderStart); i < len(s) && i < len(placeholderStart)+65; i++ {
		switch c := s[i]; {
		case c == ']' && i > len(placeholderStart):
			return i + 1
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
		default:
			return 0
		}
	}
	return 0
}
