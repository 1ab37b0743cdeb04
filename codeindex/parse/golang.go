package parse

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"sync"
)

// parseGo reads Go by the standard library's parser, which follows the language and is
// eight times as fast as a grammar. Where a file has errors, as while somebody writes it, one
// hides all that follows: then each declaration is read by itself.
func parseGo(source []byte) (File, error) {
	g := &goReader{source: source, lines: linesOf(source), out: File{Language: "go"}, lastSplit: -1}
	tree, err := g.parse(source)
	if tree == nil {
		return File{}, err
	}
	if g.out.Errors == 0 {
		g.read(tree)
		return g.out, nil
	}
	g.out.Errors = 0
	const head = "package p\n"
	for _, piece := range pieces(source) {
		g.shift = piece.Start - len(head)
		if tree, _ := g.parse(append([]byte(head), source[piece.Start:piece.End]...)); tree != nil {
			g.read(tree)
		}
	}
	return g.out, nil
}

// pieces are the declarations of a file with the comments before them, as gofmt lays them out.
func pieces(source []byte) (out []Span) {
	from, comment := -1, -1
	for at := 0; at < len(source); {
		line := source[at:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		switch word, _, _ := bytes.Cut(line, []byte(" ")); string(word) {
		case "func", "type", "const", "var", "import":
			start := at
			if comment >= 0 {
				start = comment
			}
			if from >= 0 {
				out = append(out, Span{from, start})
			}
			from, comment = start, -1
		default:
			if !bytes.HasPrefix(line, []byte("//")) {
				comment = -1
			} else if comment < 0 {
				comment = at
			}
		}
		at += len(line)
	}
	if from >= 0 {
		out = append(out, Span{from, len(source)})
	}
	return out
}

// parse returns the syntax of a source, and counts its errors.
func (g *goReader) parse(source []byte) (*ast.File, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if tree == nil {
		return nil, err
	}
	g.file = fset.File(tree.FileStart)
	var list scanner.ErrorList
	if errors.As(err, &list) {
		g.out.Errors += len(list)
	}
	return tree, nil
}

// read adds what a syntax tree declares.
func (g *goReader) read(tree *ast.File) {
	for _, imp := range tree.Imports {
		if path, err := strconv.Unquote(imp.Path.Value); err == nil {
			g.out.Imports = append(g.out.Imports, path)
		}
	}
	for _, decl := range tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.declaration(d)
		}
	}
}

type goReader struct {
	file      *token.File
	shift     int // from an offset in it to one in source
	source    []byte
	lines     lineTable
	out       File
	lastSplit int // line
}

func (g *goReader) offset(p token.Pos) int {
	if !p.IsValid() || int(p) < g.file.Base() {
		return 0
	}
	return max(0, min(g.file.Offset(p)+g.shift, len(g.source)))
}

// line is the number of the line that a position is in.
func (g *goReader) line(p token.Pos) int { return g.lines.line(g.offset(p)) }

func (g *goReader) span(n ast.Node) Span { return Span{g.offset(n.Pos()), g.offset(n.End())} }

// define adds a definition from its doc comment to its end, and what is called in it.
func (g *goReader) define(d Definition, name *ast.Ident, doc *ast.CommentGroup, from, to token.Pos) {
	d.Name, d.Parent = name.Name, -1
	d.Span = Span{g.offset(from), g.offset(to)}
	start := d.Start
	if doc != nil {
		d.Doc = g.docSpan(doc)
		d.Start = min(d.Start, g.offset(doc.Pos()))
	}
	d.FirstLine, d.LastLine, d.Line = g.lines.line(d.Start), g.lines.line(max(d.Start, d.End-1)), g.line(name.Pos())
	d.Signature = signature(g.source, d, start)
	g.out.Definitions = append(g.out.Definitions, d)
}

// docSpan is the part of comments that is text: neither directives, such as //go:nosplit, nor
// empty lines around it.
func (g *goReader) docSpan(doc *ast.CommentGroup) (s Span) {
	for _, c := range doc.List {
		if c.Text == "//" || goDirective().MatchString(c.Text) {
			continue
		}
		if s.End == 0 {
			s.Start = g.offset(c.Pos())
		}
		s.End = g.offset(c.End())
	}
	return s
}

var goDirective = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^//(?:line |extern |export |[a-z0-9]+:[a-z0-9])`) })

func (g *goReader) function(f *ast.FuncDecl) {
	d := Definition{Kind: "function"}
	if f.Recv != nil && len(f.Recv.List) > 0 {
		d.Kind, d.Container = "method", receiver(f.Recv.List[0].Type)
	} else if isGoTest(f.Name.Name) {
		d.Kind = "test"
	}
	if f.Body != nil {
		d.Body = g.span(f.Body)
	}
	g.split(f.Doc, f, 1)
	g.define(d, f.Name, f.Doc, f.Pos(), f.End())
	if f.Body != nil {
		g.inside(f.Body, 1)
	}
}

func isGoTest(name string) bool {
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if len(name) > len(prefix) && name[:len(prefix)] == prefix && (name[len(prefix)] < 'a' || name[len(prefix)] > 'z') {
			return true
		}
	}
	return false
}

// receiver is the name of the type whose method a function is.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// declaration adds the types, constants and variables of a declaration. A single one
// has the whole of it, one in brackets its own lines.
func (g *goReader) declaration(d *ast.GenDecl) {
	g.split(d.Doc, d, 1)
	for _, spec := range d.Specs {
		doc, from, to := d.Doc, d.Pos(), d.End()
		if d.Lparen.IsValid() {
			doc, from, to = nil, spec.Pos(), spec.End()
		}
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if d.Lparen.IsValid() {
				doc = s.Doc
				g.split(doc, s, 2)
			}
			def := Definition{Kind: "type"}
			switch t := s.Type.(type) {
			case *ast.StructType:
				def.Kind, def.Body = "struct", g.span(t.Fields)
			case *ast.InterfaceType:
				def.Kind, def.Body = "interface", g.span(t.Methods)
			}
			g.define(def, s.Name, doc, from, to)
		case *ast.ValueSpec:
			if d.Lparen.IsValid() {
				doc = s.Doc
				g.split(doc, s, 2)
			}
			kind := Kind("variable")
			if d.Tok == token.CONST {
				kind = "constant"
			}
			for _, name := range s.Names {
				if name.Name != "_" {
					g.define(Definition{Kind: kind}, name, doc, from, to)
				}
			}
		}
		g.inside(spec, 2)
	}
}

// inside notes the calls and splits in a node.
func (g *goReader) inside(root ast.Node, depth int) {
	from := len(g.out.Definitions) - 1
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			depth--
			return false
		}
		depth++
		if n != root {
			g.split(nil, n, depth)
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if name := callee(call.Fun); name != nil {
				g.out.References = append(g.out.References, Reference{name.Name, from, g.line(name.Pos())})
			}
		}
		return true
	})
}

func callee(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return callee(e.X)
	case *ast.IndexListExpr:
		return callee(e.X)
	case *ast.ParenExpr:
		return callee(e.X)
	}
	return nil
}

// split notes where a node begins a line, or the comment before it.
func (g *goReader) split(doc *ast.CommentGroup, n ast.Node, depth int) {
	at := g.offset(n.Pos())
	if doc != nil {
		at = min(at, g.offset(doc.Pos()))
	}
	line := g.lines.line(at)
	if line <= g.lastSplit {
		return
	}
	for i := at; i > 0 && g.source[i-1] != '\n'; i-- {
		if c := g.source[i-1]; c != ' ' && c != '\t' {
			return
		}
	}
	g.lastSplit = line
	g.out.Splits = append(g.out.Splits, Split{at, depth})
}
