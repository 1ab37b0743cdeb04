package parse

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
)

// notCalled are words that stand before a bracket without a call, and name methods elsewhere.
var notCalled = map[string]bool{
	"and": true, "assert": true, "await": true, "defined": true, "delete": true, "do": true, "in": true, "is": true,
	"match": true, "new": true, "not": true, "or": true, "raise": true, "sizeof": true, "throw": true, "typeof": true,
	"with": true, "yield": true,
}

// findCalls notes the names before brackets.
func (r *patternReader) findCalls(lines lineTable) {
	caller := callers{definitions: r.out.Definitions}
	names := 0
	for i, c := range r.Code {
		if c != '(' || i == 0 || !r.Name[r.Code[i-1]] {
			continue
		}
		start := i
		for start > 0 && r.Name[r.Code[start-1]] {
			start--
		}
		for names < len(r.names) && r.names[names].Start < start {
			names++
		}
		if names < len(r.names) && r.names[names].Start < i {
			continue // it is defined here
		}
		r.refer(lines, &caller, start, i)
	}
}

// findForms notes the names behind brackets, as Lisp has them.
func (r *patternReader) findForms(lines lineTable) {
	caller := callers{definitions: r.out.Definitions}
	names := 0
	last := byte('\n') // before the bracket, but for blanks
	parameters := 0
	for i, c := range r.Code {
		for names < len(r.names) && r.names[names].End <= i {
			parameters = r.names[names].End
			names++
		}
		if c != '(' || last == '\'' || last == '(' || i+1 == len(r.Code) ||
			names < len(r.names) && r.names[names].Start == i+1 ||
			parameters > 0 && i-parameters < 80 && len(bytes.TrimSpace(r.Code[parameters:i])) == 0 {
			if c != ' ' {
				last = c
			}
			continue
		}
		last = c
		end := i + 1
		for end < len(r.Code) && r.Name[r.Code[end]] {
			end++
		}
		if name := r.Code[i+1 : end]; !bytes.HasPrefix(name, []byte("def")) && !bytes.HasPrefix(name, []byte("&")) {
			r.refer(lines, &caller, i+1, end)
		}
	}
}

func (r *patternReader) refer(lines lineTable, caller *callers, start, end int) {
	for start < end && (r.Code[start] == ':' || r.Code[start] == '-') {
		start++
	}
	if r.isQuiet(lines, start) {
		return
	}
	name := string(r.Code[start:end])
	if end-start > 200 || name == "" || name[0] >= '0' && name[0] <= '9' || r.Reserved[name] || notCalled[name] || strings.ContainsAny(name, "\"'`\r\t") {
		return
	}
	from := caller.at(start)
	if from >= 0 {
		switch r.out.Definitions[from].Kind {
		case "interface", "type", "enum", "struct": // which declare
			return
		}
	}
	r.out.References = append(r.out.References, Reference{name, from, lines.line(start)})
}

// isQuiet reports whether nothing is called in the line of an offset.
func (r *patternReader) isQuiet(lines lineTable, offset int) bool {
	_, found := slices.BinarySearch(r.quiet, lines[lines.line(offset)-1])
	return found
}

// callers finds the innermost definition at offsets that only grow.
type callers struct {
	definitions []Definition
	next        int
	open        []int
}

func (c *callers) at(offset int) int {
	for ; c.next < len(c.definitions) && c.definitions[c.next].Start <= offset; c.next++ {
		c.leave(c.definitions[c.next].Start)
		c.open = append(c.open, c.next)
	}
	c.leave(offset)
	if n := len(c.open); n > 0 {
		return c.open[n-1]
	}
	return -1
}

func (c *callers) leave(offset int) {
	for n := len(c.open); n > 0 && c.definitions[c.open[n-1]].End <= offset; n-- {
		c.open = c.open[:n-1]
	}
}

// split notes that a line begins something, less deep if a blank line is before it.
func (r *patternReader) split(l *patterns.Line, blank bool) {
	depth := 2 + 2*min(len(r.open)+l.Indent/8, 20)
	if blank {
		depth--
	}
	r.splitAt(l.First, l.First, depth)
}

// splitAt notes that something begins in the line of an offset, or with a comment before
// that.
func (r *patternReader) splitAt(line, start, depth int) {
	for n := len(r.out.Splits); n > 0 && r.out.Splits[n-1].Offset >= start; n-- {
		r.out.Splits = r.out.Splits[:n-1] // of a prefix
	}
	r.out.Splits = append(r.out.Splits, Split{min(start, line), depth})
}
