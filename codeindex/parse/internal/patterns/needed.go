package patterns

import (
	"regexp/syntax"
	"strings"
)

// needed returns texts of which every match of an expression holds at least one, or nil.
// To look for them is many times faster than to try the expression. Those of one that
// ignores case are in lower case.
func needed(exp string) []string {
	tree, err := syntax.Parse(exp, syntax.Perl)
	if err != nil {
		return nil
	}
	return literals(tree)
}

func literals(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 {
			text = strings.ToLower(text)
		}
		return []string{text}
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literals(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if l := literals(sub); l != nil && (best == nil || rarer(l, best)) {
				best = l
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			l := literals(sub)
			if l == nil {
				return nil
			}
			all = append(all, l...)
		}
		return all
	}
	return nil
}

// rarer reports whether fewer lines have one of these: the shortest of them is longer, or
// they are fewer.
func rarer(a, b []string) bool {
	shortest := func(list []string) int {
		n := len(list[0])
		for _, s := range list {
			n = min(n, len(s))
		}
		return n
	}
	if x, y := shortest(a), shortest(b); x != y {
		return x > y
	}
	return len(a) < len(b)
}
