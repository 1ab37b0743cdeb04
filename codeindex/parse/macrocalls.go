package parse

import (
	"bytes"
	"slices"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
)

// callInMacros notes what Rust calls in the arguments of macros, as assert_eq!(f(1), 2) does:
// these are tokens for the grammar, no expressions. A name before a bracket is called, and so
// is a macro in another one.
func (f *File) callInMacros(source []byte) {
	if !bytes.ContainsRune(source, '!') {
		return
	}
	set := patterns.Of("rust")
	code := set.Mask(source).Code
	lines, caller := linesOf(source), callers{definitions: f.Definitions}
	var inMacro []bool // by open bracket
	for i, c := range code {
		switch c {
		case ')', ']', '}':
			inMacro = inMacro[:max(len(inMacro)-1, 0)]
		case '(', '[', '{':
			end := i
			isMacro := i > 1 && code[i-1] == '!' && set.Name[code[i-2]]
			within := len(inMacro) > 0 && inMacro[len(inMacro)-1]
			inMacro = append(inMacro, isMacro || within)
			if isMacro {
				end--
			} else if c == '(' {
				end = beforeTypes(code, i)
			}
			start := end
			for start > 0 && set.Name[code[start-1]] {
				start--
			}
			name := string(code[start:end])
			if !within || !isMacro && c != '(' || name == "" || name[0] <= '9' || set.Reserved[name] || notCalled[name] ||
				lastWord(code[max(start-20, 0):start]) == "fn" {
				continue
			}
			f.References = append(f.References, Reference{name, caller.at(start), lines.line(start)})
		}
	}
	slices.SortStableFunc(f.References, func(a, b Reference) int { return a.Line - b.Line })
}

// beforeTypes is the offset before the types with which a function is called: f::<T>(x).
func beforeTypes(code []byte, at int) int {
	if at == 0 || code[at-1] != '>' {
		return at
	}
	if n := bytes.LastIndex(code[max(at-80, 0):at], []byte("::<")); n >= 0 {
		return max(at-80, 0) + n
	}
	return at
}
