package suspect

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"strings"
)

const (
	leastWord = 3  // how many letters a word must have to say much of a text
	mostWords = 40 // in one set
	mostSets  = 3  // of a form, the longest words first
)

// required are sets of words of which a folded text must have one each for a form to stand in
// it: to look for words takes a tenth of what it takes to look for the form, and few texts
// have them.
func required(form string) [][]string {
	re, err := syntax.Parse(form, syntax.Perl)
	if err != nil { // which who compiles it tells
		return nil
	}
	sets := requiredBy(re.Simplify())
	return sets[:min(len(sets), mostSets)]
}

// requiredBy is required of a part, the set that says most first.
func requiredBy(re *syntax.Regexp) (all [][]string) {
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		all = requiredBy(re.Sub[0])
	case syntax.OpConcat:
		for i, sub := range re.Sub {
			all = append(all, requiredBy(sub)...)
			words, _ := begins(&syntax.Regexp{Op: syntax.OpConcat, Sub: re.Sub[i:]})
			all = append(all, words)
		}
	case syntax.OpAlternate:
		var any []string
		for _, sub := range re.Sub {
			sets := requiredBy(sub)
			if len(sets) == 0 {
				return nil
			}
			any = append(any, sets[0]...)
		}
		all = [][]string{any}
	default:
		words, _ := begins(re)
		all = [][]string{words}
	}
	all = slices.DeleteFunc(all, func(set []string) bool { return shortest(set) < leastWord || len(set) > 2*mostWords })
	slices.SortStableFunc(all, func(a, b []string) int {
		return cmp.Or(min(shortest(b), 8)-min(shortest(a), 8), len(a)-len(b))
	})
	return slices.CompactFunc(all, slices.Equal)
}

func shortest(set []string) int {
	n := len(set[0])
	for _, w := range set {
		n = min(n, len(w))
	}
	return n
}

// begins are the words of which one stands where a part does; whole is that this is all of it.
func begins(re *syntax.Regexp) (words []string, whole bool) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}, true
		}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary:
		return []string{""}, true
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune) && len(words) <= 4; i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1] && len(words) <= 4; r++ {
				if !strings.ContainsRune("\t\f\r", r) { // a folded text has none
					words = append(words, string(r))
				}
			}
		}
		if len(words) > 0 && len(words) <= 4 {
			return words, true
		}
	case syntax.OpCapture, syntax.OpPlus:
		words, whole = begins(re.Sub[0])
		return words, whole && re.Op == syntax.OpCapture
	case syntax.OpQuest:
		words, whole = begins(re.Sub[0])
		return append(words, ""), whole
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			more, all := begins(sub)
			words, whole = append(words, more...), whole && all
		}
		return words, whole
	case syntax.OpConcat:
		words = []string{""}
		for _, sub := range re.Sub {
			more, all := begins(sub)
			if len(words)*len(more) > mostWords && len(words) > 1 {
				return words, false
			}
			var longer []string
			for _, w := range words {
				for _, m := range more {
					longer = append(longer, w+m)
				}
			}
			if words = longer; !all {
				return words, false
			}
		}
		return words, true
	}
	return []string{""}, false
}
