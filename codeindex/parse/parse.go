// Package parse finds what source files define: functions, types and variables with the
// bytes of their comments, signatures and bodies, what they call and import, and where a
// long text is best split.
//
// docs/languages.md lists the languages. Those without a grammar are read by patterns for
// their lines (package patterns).
//
// Go is read by go/parser. Other languages are read by tree-sitter grammars that were
// compiled to WebAssembly (`make grammars`) and run in wazero: without cgo, and in a
// sandbox without files or a clock, with a limit of memory, where a hostile file costs
// its own result and no more. A grammar is compiled for the machine when its language is
// first met, in 0.1 to 0.6 s; from the folder where that is kept it is there in 10 to 50
// ms. One core reads 1.2 to 3 MB a second, of which the rules cost a tenth; of Go 14 MB.
//
// To add a language with a grammar, name its source in cmd/internal/lab/grammars, write
// its rules, a sample and its names in Detect. One without a grammar needs a description
// in internal/patterns/languages, or is a case of reader.
package parse

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sort"
)

// Errors of Parse. None affects the next file.
var (
	ErrLanguage = errors.New("no parser for this language")
	ErrTooLarge = errors.New("file too large to parse")
	ErrTooSlow  = errors.New("parsing takes too long") // for the file's size, or the scanner runs away
	ErrMemory   = errors.New("parsing takes too much memory")
	ErrCrash    = errors.New("the parser crashed") // a fault of a grammar, which the file provokes
)

// MaxSize is the largest source that Parse takes: what is larger was hardly written by
// hand. Where a file of that size is nothing but short statements, it takes more than the
// 256 MB that a parser may have.
const MaxSize = 4 << 20

// A Kind says what a definition is: one of Kinds.
type Kind string

var kinds = [...]Kind{
	"function", "method", "class", "struct", "interface", "trait", "enum", "type",
	"constant", "variable", "field", "module", "macro", "test", "extension",
	"section", "block", "table",
}

// Kinds returns all kinds of definition. An extension adds to a type that is declared
// elsewhere, as an impl of Rust does. A section is a part of a document or a table of a
// configuration, a block what a configuration or style sheet declares, a table one of a
// database or a view.
func Kinds() []Kind { return kinds[:] }

// conceals reports whether variables in a definition of this kind are local.
func conceals(k Kind) bool {
	switch k {
	case "function", "method", "macro", "test":
		return true
	}
	return false
}

// holdsMethods reports whether a function in a definition of this kind is its method.
func holdsMethods(k Kind) bool {
	switch k {
	case "class", "struct", "interface", "trait", "enum", "extension":
		return true
	}
	return false
}

// A Span is bytes of a source, from Start up to End.
type Span struct{ Start, End int }

// A File is what a source defines and refers to.
type File struct {
	Language    string
	Definitions []Definition // in the order in which they begin
	References  []Reference
	Imports     []string
	Splits      []Split
	Errors      int // bytes that are no syntax; what the rest defines is still there
}

// A Definition is something with a name that others can refer to.
type Definition struct {
	Kind      Kind
	Name      string
	Container string // what it is in, or what it is a method of: outer.inner
	Parent    int    // index of the definition around it, or -1
	Span             // all of it, with the comments and decorators before it
	Signature Span   // the declaration without its body
	Doc       Span   // comments before it, or a documentation string in it
	Body      Span
	FirstLine int // of Span, from 1
	LastLine  int
	Line      int // of the name
}

func (d *Definition) spans() [4]*Span { return [...]*Span{&d.Span, &d.Signature, &d.Doc, &d.Body} }

// A Reference is a name that is called.
type Reference struct {
	Name string
	From int // index of the definition that calls, or -1
	Line int
}

// A Split is where a line begins a new piece of syntax. The less deep it is, the better
// a text can be divided there.
type Split struct {
	Offset, Depth int
}

// Parse parses a source of a language that Detect named. It ends with the context's error
// when that is done, and by itself with ErrTooSlow when a source takes several times as
// long as code does, which happens where almost nothing of a large file is syntax.
func (p *Parser) Parse(ctx context.Context, language string, source []byte) (File, error) {
	if len(source) > MaxSize {
		return File{}, ErrTooLarge
	}
	text, from := toUTF8(source)
	f, err := p.parse(ctx, language, text)
	f.skipInterpreter(text)
	if from != nil {
		f.moveTo(from)
	}
	return f, err
}

func (p *Parser) parse(ctx context.Context, language string, source []byte) (File, error) {
	if read := reader(language); read != nil {
		return read(source)
	}
	if !hasGrammar(language) {
		return p.parseLines(ctx, language, source)
	}
	g := p.grammar(language)
	f, embedded, err := g.parse(ctx, source)
	switch {
	case err != nil || f.Errors == 0:
	case language == "c", language == "cpp":
		f.complete(source)
	default:
		err = g.recover(ctx, &f, source)
	}
	for _, s := range embedded {
		inner, err := p.Parse(ctx, "typescript", source[s.Start:s.End])
		if err != nil {
			return File{}, err
		}
		f.embed(inner, s.Start, linesOf(source).line(s.Start)-1, 2)
	}
	return f, err
}

// reader returns what reads a language without a grammar; nil for any other.
func reader(language string) func(source []byte) (File, error) {
	switch language {
	case "go":
		return parseGo
	case "markdown":
		return parseMarkdown
	}
	return nil
}

// embed adds what a part of the source that was read by itself defines: where it begins, and
// how much deeper it is split.
func (f *File) embed(inner File, offset, lines, deeper int) {
	definitions := len(f.Definitions)
	index := func(i int) int {
		if i >= 0 {
			i += definitions
		}
		return i
	}
	for _, d := range inner.Definitions {
		d.Parent = index(d.Parent)
		for _, s := range d.spans() {
			if s.End > 0 {
				s.Start, s.End = s.Start+offset, s.End+offset
			}
		}
		d.FirstLine, d.LastLine, d.Line = d.FirstLine+lines, d.LastLine+lines, d.Line+lines
		f.Definitions = append(f.Definitions, d)
	}
	for _, r := range inner.References {
		r.From, r.Line = index(r.From), r.Line+lines
		f.References = append(f.References, r)
	}
	for _, s := range inner.Splits {
		f.Splits = append(f.Splits, Split{s.Offset + offset, s.Depth + deeper})
	}
	slices.SortFunc(f.Splits, func(a, b Split) int { return a.Offset - b.Offset })
	f.Splits = slices.CompactFunc(f.Splits, func(a, b Split) bool { return a.Offset == b.Offset })
	f.Imports = append(f.Imports, inner.Imports...)
	f.Errors += inner.Errors
}

// lineTable holds the offsets at which lines begin.
type lineTable []int

func linesOf(source []byte) lineTable {
	t := append(make(lineTable, 0, bytes.Count(source, []byte("\n"))+1), 0)
	for at := 0; ; {
		n := bytes.IndexByte(source[at:], '\n') + 1
		if at += n; n == 0 {
			return t
		}
		t = append(t, at)
	}
}

// line returns the number of the line, from 1, that holds an offset.
func (t lineTable) line(offset int) int {
	return sort.Search(len(t), func(i int) bool { return t[i] > offset })
}
