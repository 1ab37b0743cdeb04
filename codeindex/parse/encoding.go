package parse

import (
	"bytes"
	"unicode/utf8"
)

// toUTF8 returns a source with each byte that is no UTF-8 as the character that it is in
// Latin-1, so that names are whole; and where the bytes of that text come from, nil if they are
// the same.
func toUTF8(source []byte) (text []byte, from []int) {
	if utf8.Valid(source) {
		return source, nil
	}
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRune(source[i:])
		if r == utf8.RuneError && size == 1 {
			r = rune(source[i])
		}
		text = utf8.AppendRune(text, r)
		for len(from) < len(text) {
			from = append(from, i)
		}
		i += size
	}
	return text, append(from, len(source))
}

// moveTo replaces offsets in a text by those that its bytes come from.
func (f *File) moveTo(from []int) {
	for i := range f.Definitions {
		for _, s := range f.Definitions[i].spans() {
			s.Start, s.End = from[s.Start], from[s.End]
		}
	}
	for i := range f.Splits {
		f.Splits[i].Offset = from[f.Splits[i].Offset]
	}
}

// skipInterpreter takes the line that names an interpreter, #!/bin/sh, from the comments before
// the first definition.
func (f *File) skipInterpreter(source []byte) {
	if !bytes.HasPrefix(source, []byte("#!")) {
		return
	}
	next := bytes.IndexByte(source, '\n') + 1
	next += len(source[next:]) - len(bytes.TrimLeft(source[next:], " \t\r\n"))
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if d.Start > 0 {
			return
		}
		if d.Doc.End == 0 || next > d.Signature.Start {
			continue
		}
		d.Start = next
		if d.Doc.Start = next; d.Doc.Start >= d.Doc.End {
			d.Doc = Span{}
		}
		d.FirstLine = 1 + bytes.Count(source[:next], []byte("\n"))
	}
}
