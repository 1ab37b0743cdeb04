package parse

import (
	"bytes"
	"strings"
)

// Words of walker.c's Definition, Reference and Split.
const (
	definitionWords = 13
	referenceWords  = 4
	splitWords      = 2
)

// An output is what a module found, as it left it.
type output struct {
	errors                          int
	definitions, references, splits []uint32
}

// file turns the words of a module into values. The module ran hostile input: whatever
// it says is held to the source. Parts in another language are left to be read.
func (o *output) file(source []byte) (f File, embedded []Span) {
	f.Errors = min(o.errors, len(source))
	lines := linesOf(source)
	span := func(start, end uint32) Span {
		e := min(int(end), len(source))
		return Span{min(int(start), e), e}
	}
	text := func(start, end uint32) string {
		s := span(start, end)
		return string(source[s.Start:s.End])
	}
	last := map[int]int{} // the last definition in each parent
	for w := o.definitions; len(w) >= definitionWords; w = w[definitionWords:] {
		d := Definition{
			Kind:   kinds[min(int(w[0]), len(kinds)-1)],
			Name:   cleanName(text(w[4], w[5])),
			Parent: -1,
			Span:   trimmed(source, span(w[2], w[3])),
			Body:   span(w[9], w[10]),
			Doc:    trimmed(source, span(w[11], w[12])),
		}
		if w[4] <= w[9] && w[9] < w[10] && w[10] <= w[5] { // the name has the body in it
			d.Name = "default"
		}
		if w[1] < uint32(len(f.Definitions)) {
			d.Parent = int(w[1])
		}
		d.FirstLine, d.LastLine = lines.line(d.Start), lines.line(max(d.End-1, d.Start))
		d.Line = lines.line(min(int(w[4]), len(source)))
		d.Signature = signature(source, d, min(int(w[8]), d.End))
		before := source[d.Start:max(d.Start, min(int(w[4]), len(source)))]
		if d.Kind == "class" && lastWord(before) == "interface" { // Kotlin's grammar has one node for both
			d.Kind = "interface"
		}
		f.place(&d, cleanName(text(w[6], w[7])))
		if isTest(d, before) {
			d.Kind = "test"
		}
		if i, ok := last[d.Parent]; ok { // a comment at its end belongs to the next
			f.Definitions[i].endBefore(d.Start, source, lines)
		}
		last[d.Parent] = len(f.Definitions)
		f.Definitions = append(f.Definitions, d)
	}
	for w := o.references; len(w) >= referenceWords; w = w[referenceWords:] {
		if w[0] == roleEmbed {
			if s := span(w[2], w[3]); s.Start < s.End {
				embedded = append(embedded, s)
			}
			continue
		}
		name := cleanName(text(w[2], w[3]))
		if name == "" {
			continue
		}
		if w[0] == roleImport {
			f.Imports = append(f.Imports, strings.TrimPrefix(strings.Trim(name, "<>;"), "import "))
			continue
		}
		r := Reference{Name: name, From: -1, Line: lines.line(min(int(w[2]), len(source)))}
		if w[1] < uint32(len(f.Definitions)) {
			r.From = int(w[1])
		}
		f.References = append(f.References, r)
	}
	for w := o.splits; len(w) >= splitWords; w = w[splitWords:] {
		if w[0] < uint32(len(source)) {
			f.Splits = append(f.Splits, Split{int(w[0]), int(w[1])})
		}
	}
	return f, embedded
}

// place says what a definition is in, and what that makes of it.
func (f *File) place(d *Definition, qualifier string) {
	if d.Parent >= 0 {
		parent := f.Definitions[d.Parent]
		d.Container = join(parent.Container, parent.Name)
		if holdsMethods(parent.Kind) {
			switch d.Kind {
			case "function":
				d.Kind = "method"
			case "variable":
				d.Kind = "field"
			}
		}
	}
	if qualifier != "" {
		d.Container = join(d.Container, qualifier)
		if d.Kind == "function" {
			d.Kind = "method"
		}
	}
}

// isTest reports whether a function is a test by its name, or by an attribute or
// annotation among the words before it.
func isTest(d Definition, before []byte) bool {
	if d.Kind != "function" && d.Kind != "method" {
		return false
	}
	for _, mark := range []string{"#[test]", "::test]", "@Test", "[Test]", "[Fact]", "[Theory]", "[TestMethod]"} {
		if bytes.Contains(before, []byte(mark)) {
			return true
		}
	}
	return strings.HasPrefix(d.Name, "test_")
}

func lastWord(text []byte) string {
	text = bytes.TrimRight(text, " \t\r\n")
	return string(text[bytes.LastIndexAny(text, " \t\r\n")+1:])
}

// join joins the names of containers. Of those that are nested too deep for a reader, or
// to be harmful, the innermost remain.
func join(outer, inner string) string {
	if outer == "" || len(outer) > 160 {
		return inner
	}
	return outer + "." + inner
}

// cleanName takes quotes and line breaks from the text of a name.
func cleanName(s string) string {
	s = strings.Trim(s, " \t\r\n\"'`")
	if strings.ContainsAny(s, "\r\n\t") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}

// trimmed leaves the white space at the end of a span to what follows.
func trimmed(source []byte, s Span) Span {
	s.End = s.Start + len(bytes.TrimRight(source[s.Start:s.End], " \t\r\n"))
	return s
}

// withoutEnd takes from a declaration what opens its body, and comments before that.
func withoutEnd(source []byte, s Span) Span {
	for {
		s.End = s.Start + len(bytes.TrimRight(source[s.Start:s.End], " \t\r\n{=:"))
		line := s.Start + bytes.LastIndexByte(source[s.Start:s.End], '\n') + 1
		text := bytes.TrimLeft(source[line:s.End], " \t")
		if line == s.Start || (!bytes.HasPrefix(text, []byte("#")) && !bytes.HasPrefix(text, []byte("//"))) {
			return s
		}
		s.End = line
	}
}

// mostLines is how many lines of a declaration without a body are its signature.
const mostLines = 10

// signature is a declaration from where it starts up to its body, or all of it if it is
// one line; without a body, its first lines.
func signature(source []byte, d Definition, start int) Span {
	whole := trimmed(source, Span{start, d.End})
	if len(source[start:whole.End]) <= 160 && bytes.IndexByte(source[start:whole.End], '\n') < 0 {
		return whole
	}
	if d.Body.Start > start && d.Body.Start <= d.End {
		s := trimmed(source, Span{start, d.Body.Start})
		return withoutEnd(source, s)
	}
	end := start
	for range mostLines {
		n := bytes.IndexByte(source[end:d.End], '\n')
		if n < 0 {
			return whole
		}
		end += n + 1
	}
	return trimmed(source, Span{start, end})
}
