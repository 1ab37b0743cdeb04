package cleanse

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// Most files hold nothing that a pattern matches, and to read the YAML and Markdown
// of each takes a hundred times as long as to search what is written. But a value
// may be written otherwise than it reads: quoted, folded, with a part of its line
// before it. So what is searched for is the longest part of the pattern that
// matches within one word: a word is written as it is where nothing is escaped.

// leastHint is how long the words are at least that are searched for. Shorter ones
// are in most texts.
const leastHint = 3

// HintOf is a pattern that matches in every text in which re matches, within one
// word. It is nil if there is none.
func HintOf(re *regexp.Regexp) *regexp.Regexp {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil
	}
	h, n := hint(tree)
	if n < leastHint {
		return nil
	}
	out, err := regexp.Compile(h.String())
	if err != nil {
		return nil
	}
	return out
}

// hint finds the part of a pattern that any match holds and that matches the
// longest words, and how long these are at least.
func hint(re *syntax.Regexp) (part *syntax.Regexp, n int) {
	if w, n, ok := word(re); ok {
		return w, n
	}
	switch re.Op {
	case syntax.OpLiteral:
		return longestWord(re)
	case syntax.OpCapture, syntax.OpPlus:
		return hint(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return hint(re.Sub[0])
		}
	case syntax.OpConcat:
		return hintIn(re.Sub)
	case syntax.OpAlternate:
		return hintOfAll(re.Sub)
	}
	return nil, 0
}

// longestWord is that of a literal.
func longestWord(re *syntax.Regexp) (*syntax.Regexp, int) {
	var best []rune
	for from, i := 0, 0; i <= len(re.Rune); i++ {
		if i < len(re.Rune) && ofWord(re.Rune[i]) {
			continue
		}
		if i-from > len(best) {
			best = re.Rune[from:i]
		}
		from = i + 1
	}
	return &syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: best}, len(best)
}

// hintIn is the best hint of what follows each other.
func hintIn(subs []*syntax.Regexp) (best *syntax.Regexp, most int) {
	run, length := []*syntax.Regexp{}, 0
	better := func(re *syntax.Regexp, n int) {
		if n > most {
			best, most = re, n
		}
	}
	for _, sub := range subs {
		w, n, ok := word(sub)
		if !ok {
			run, length = nil, 0
			better(hint(sub))
			continue
		}
		run, length = append(run[:len(run):len(run)], w), length+n
		better(&syntax.Regexp{Op: syntax.OpConcat, Sub: run}, length)
	}
	return best, most
}

// hintOfAll is a hint for whichever of several matches.
func hintOfAll(subs []*syntax.Regexp) (*syntax.Regexp, int) {
	all, least := &syntax.Regexp{Op: syntax.OpAlternate}, 0
	for i, sub := range subs {
		h, n := hint(sub)
		if n == 0 {
			return nil, 0
		}
		if all.Sub = append(all.Sub, h); i == 0 || n < least {
			least = n
		}
	}
	return all, least
}

// word is the pattern without what it says of its surroundings, and how many
// characters it matches at least, if all these are of words.
func word(re *syntax.Regexp) (out *syntax.Regexp, n int, ok bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return &syntax.Regexp{Op: syntax.OpEmptyMatch}, 0, true
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if !ofWord(r) {
				return nil, 0, false
			}
		}
		return re, len(re.Rune), true
	case syntax.OpCharClass:
		return re, 1, classOfWords(re.Rune)
	case syntax.OpCapture, syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat, syntax.OpConcat, syntax.OpAlternate:
		return words(re)
	}
	return nil, 0, false
}

// words is word of a pattern that is made of others.
func words(re *syntax.Regexp) (*syntax.Regexp, int, bool) {
	out := *re
	out.Sub, out.Sub0 = nil, [1]*syntax.Regexp{}
	sum, least := 0, -1
	for _, sub := range re.Sub {
		w, n, ok := word(sub)
		if !ok {
			return nil, 0, false
		}
		out.Sub, sum = append(out.Sub, w), sum+n
		if least < 0 || n < least {
			least = n
		}
	}
	switch re.Op {
	case syntax.OpStar, syntax.OpQuest:
		sum = 0
	case syntax.OpRepeat:
		sum *= re.Min
	case syntax.OpAlternate:
		sum = least
	}
	return &out, sum, true
}

// maxClass bounds how many characters of a class are looked at.
const maxClass = 2000

func classOfWords(ranges []rune) bool {
	seen := 0
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if seen++; seen > maxClass || !ofWord(r) {
				return false
			}
		}
	}
	return seen > 0
}

func ofWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// verbatim reports whether every word of a text, in whatever form it is read, is
// written as it reads: YAML escapes by backslashes, our Markdown by references too.
func verbatim(data []byte) bool {
	return bytes.IndexByte(data, '\\') < 0 && !bytes.Contains(data, []byte("&#")) && !bytes.Contains(data, []byte("&amp;")) && utf8.Valid(data)
}
