package chunk

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/codeindex/parse"
)

const (
	// MaxSize is how many bytes a file has at most to be cut: what is larger was hardly
	// written by hand.
	MaxSize = 1 << 20
	// longest is how many lines a chunk has at most, and window how many of a file whose
	// syntax is unknown; overlap of them the next one repeats.
	longest, window, overlap = 80, 40, 8
	// small is up to how many lines a constant or variable has no vector: what surrounds it,
	// with it, has one.
	small = 3
)

// A Cutter cuts files. It is for one goroutine; several may share a Parser.
type Cutter struct {
	parser *parse.Parser
	words  *words.Reader
	tally  *tally
	own    []int  // lines
	wrote  []byte // what is embedded
}

// NewCutter returns a Cutter that parses with p.
func NewCutter(p *parse.Parser) *Cutter {
	return &Cutter{parser: p, words: words.NewReader(), tally: newTally()}
}

// Cut cuts a file. An error is the context's: what cannot be parsed is cut by lines.
func (c *Cutter) Cut(ctx context.Context, path string, id segment.ID, source []byte) (segment.File, error) {
	f := segment.File{ID: id, State: StateOf(source)}
	if f.State != segment.Read {
		return f, nil
	}
	f.Language = parse.Detect(path, source)
	text := string(source)
	k := &cutting{Cutter: c, source: text, lines: lineStarts(text)}
	f.Lines = len(k.lines) - 1
	if f.Language != "" {
		parsed, err := c.parser.Parse(ctx, f.Language, source)
		switch {
		case ctx.Err() != nil:
			return f, ctx.Err()
		case err != nil && !errors.Is(err, parse.ErrLanguage):
			f.State = segment.Unparsed
		default:
			k.file = parsed
		}
	}
	if len(k.file.Definitions) == 0 {
		k.windows()
	} else {
		k.definitions()
		k.gaps()
	}
	f.Chunks = k.out
	return f, nil
}

// cutting is one file while it is cut.
type cutting struct {
	*Cutter
	source string
	lines  []int // where each begins; the last one is the end
	file   parse.File
	place  []int  // of each definition: its chunk, or that of what it is in, or -1
	taken  []bool // by line from 0: it belongs to a definition with a vector
	out    []segment.Chunk
}

func lineStarts(s string) []int {
	out := append(make([]int, 0, strings.Count(s, "\n")+2), 0)
	for at := 0; ; {
		n := strings.IndexByte(s[at:], '\n') + 1
		if at += n; n == 0 || at == len(s) {
			return append(out, len(s))
		}
		out = append(out, at)
	}
}

// text is that of lines from 1, both included.
func (k *cutting) text(first, last int) string {
	first, last = max(first, 1), min(last, len(k.lines)-1)
	if first > last {
		return ""
	}
	return k.source[k.lines[first-1]:k.lines[last]]
}

func (k *cutting) span(s parse.Span) string { return k.source[s.Start:s.End] }

// definitions makes a chunk of each definition, or several of a long one.
func (k *cutting) definitions() {
	defs := k.file.Definitions
	k.place = make([]int, len(defs))
	k.taken = make([]bool, len(k.lines))
	inner := make([][][2]int, len(defs)) // lines of what is defined in one, which has its own chunk
	for i := range defs {
		d := &defs[i]
		if d.Parent >= 0 && isChunk(d) {
			inner[d.Parent] = append(inner[d.Parent], [2]int{d.FirstLine, d.LastLine})
		}
	}
	calls := k.calls()
	for i := range defs {
		d := &defs[i]
		k.place[i] = -1
		switch {
		case isChunk(d):
			k.place[i] = len(k.out)
			k.define(d, inner[i], calls[i])
		case d.Parent >= 0:
			k.place[i] = k.place[d.Parent]
		}
	}
}

// isChunk reports whether a definition is found by itself. Fields, and what is local to a
// function, are found with it.
func isChunk(d *parse.Definition) bool { return d.Name != "" && d.Kind != "field" }

// calls are those of each definition.
func (k *cutting) calls() [][]segment.Call {
	out := make([][]segment.Call, len(k.file.Definitions))
	for _, r := range k.file.References {
		i := r.From
		for i >= 0 && !isChunk(&k.file.Definitions[i]) {
			i = k.file.Definitions[i].Parent
		}
		if i >= 0 {
			out[i] = append(out[i], segment.Call{Name: r.Name, Line: r.Line})
		}
	}
	return out
}

// define adds the chunks of a definition: the lines in inner are not its own.
func (k *cutting) define(d *parse.Definition, inner [][2]int, calls []segment.Call) {
	c := segment.Chunk{
		Kind: string(d.Kind), Name: d.Name, Container: d.Container, First: d.FirstLine, Last: d.LastLine,
		Signature: oneLine(k.span(d.Signature), 240), Doc: docOf(k.span(d.Doc)),
	}
	lone := (d.Kind == "constant" || d.Kind == "variable") && d.LastLine-d.FirstLine < small
	if !lone {
		for l := d.FirstLine; l <= d.LastLine && l < len(k.taken); l++ {
			k.taken[l-1] = true
		}
	}
	own := k.ownLines(d.FirstLine, d.LastLine, inner)
	for n, part := range k.parts(own) {
		p := c
		p.Part = n
		if n > 0 {
			p.Doc = ""
		}
		if len(own) > longest { // of a class all lines are shown, of a part its own
			p.First, p.Last = part[0], part[len(part)-1]
		}
		for _, call := range calls {
			if n == 0 && call.Line < p.First || call.Line >= p.First && call.Line <= p.Last {
				p.Calls = append(p.Calls, call)
			}
		}
		var body []run
		if !lone {
			body = runs(part)
			p.Text = k.textID(&p)
		}
		p.Terms = k.terms(&p, body, k.span(d.Doc))
		k.out = append(k.out, p)
	}
}

// ownLines are the lines of a definition without those of what is defined in it. They hold
// until the next call.
func (k *cutting) ownLines(first, last int, inner [][2]int) []int {
	k.own = k.own[:0]
	for l := first; l <= last; l++ {
		for len(inner) > 0 && inner[0][1] < l { // they are in order
			inner = inner[1:]
		}
		if len(inner) == 0 || l < inner[0][0] {
			k.own = append(k.own, l)
		}
	}
	return k.own
}

// A run is lines that follow each other.
type run struct{ first, last int }

func runs(lines []int) (out []run) {
	for _, l := range lines {
		if n := len(out); n > 0 && out[n-1].last == l-1 {
			out[n-1].last = l
		} else {
			out = append(out, run{l, l})
		}
	}
	return out
}

// parts divides lines where there are too many, before the line at which the least deep
// piece of syntax begins in the second half of what fits.
func (k *cutting) parts(lines []int) (out [][]int) {
	if len(lines) <= longest {
		return [][]int{lines}
	}
	depth := map[int]int{} // by line; 0 is none
	for _, s := range k.file.Splits {
		l, _ := slices.BinarySearch(k.lines, s.Offset+1)
		depth[l] = s.Depth + 1
	}
	for len(lines) > longest {
		at, best := longest, 1<<30
		for i := longest; i > longest/2; i-- {
			if d := depth[lines[i]]; d > 0 && d < best {
				at, best = i, d
			}
		}
		out, lines = append(out, lines[:at]), lines[at:]
	}
	return append(out, lines)
}

// gaps makes chunks of what no definition with a vector holds: the head of the file, its
// imports, statements and groups of small declarations.
func (k *cutting) gaps() {
	n := len(k.lines) - 1
	for from := 1; from <= n; from++ {
		if k.taken[from-1] {
			continue
		}
		to := from
		for to < n && !k.taken[to] {
			to++
		}
		k.gap(from, to)
		from = to
	}
}

func (k *cutting) gap(from, to int) {
	for from <= to && strings.TrimSpace(k.text(from, from)) == "" {
		from++
	}
	for from <= to && strings.TrimSpace(k.text(to, to)) == "" {
		to--
	}
	if from > to || from > 1 && to-from < small-1 { // a bracket, a lone comment
		return
	}
	for first := from; first <= to; first += longest {
		k.piece("module", first, min(to, first+longest-1))
	}
}

// windows cuts lines that overlap.
func (k *cutting) windows() {
	n := len(k.lines) - 1
	for first := 1; first <= n; first += window - overlap {
		last := min(n, first+window-1)
		if strings.TrimSpace(k.text(first, last)) != "" {
			k.piece("fallback", first, last)
		}
		if last == n {
			return
		}
	}
}

// piece adds lines that define nothing. Their signature is the first one with a letter.
func (k *cutting) piece(kind string, first, last int) {
	c := segment.Chunk{Kind: kind, First: first, Last: last}
	text := k.text(first, last)
	for line := range strings.Lines(text) {
		if strings.IndexFunc(line, isLetter) >= 0 {
			c.Signature = oneLine(line, 160)
			break
		}
	}
	c.Text = k.textID(&c)
	c.Terms = k.terms(&c, []run{{first, last}}, "")
	k.out = append(k.out, c)
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r > 0x7f }

// terms counts those of all fields. The body is that of some lines.
func (k *cutting) terms(c *segment.Chunk, body []run, doc string) []segment.Count {
	count := func(text string, field func(*segment.TF) *uint8) {
		k.words.Each(text, func(list []words.Term) {
			for _, t := range list {
				if n := field(k.tally.of(t)); *n < 255 {
					*n++
				}
			}
		})
	}
	for _, r := range body {
		count(k.text(r.first, r.last), func(c *segment.TF) *uint8 { return &c.Body })
	}
	count(c.Name+" "+c.Container, func(c *segment.TF) *uint8 { return &c.Name })
	count(c.Signature, func(c *segment.TF) *uint8 { return &c.Signature })
	count(doc, func(c *segment.TF) *uint8 { return &c.Doc })
	return k.tally.take()
}

// textID names the text by which a chunk is embedded.
func (k *cutting) textID(c *segment.Chunk) segment.ID {
	k.wrote = appendEmbedded(k.wrote[:0], c, k.text(c.First, c.Last))
	sum := sha256.Sum256(k.wrote)
	return segment.ID(sum[:16])
}

// mostEmbedded is from how many bytes on the model is given no other line of a chunk:
// all-MiniLM-L6-v2 takes 256 tokens.
const mostEmbedded = 900

// Embedded is what a model reads of a chunk with the lines text: what defines it, its
// signature where the lines do not begin with it, and the lines.
func Embedded(c *segment.Chunk, text string) string { return string(appendEmbedded(nil, c, text)) }

func appendEmbedded(b []byte, c *segment.Chunk, text string) []byte {
	if c.Container != "" {
		b = append(append(b, c.Container...), ' ')
	}
	if c.Name != "" {
		for i, part := range words.Parts(c.Name) {
			if i > 0 {
				b = append(b, ' ')
			}
			b = append(b, part...)
		}
		b = append(b, '\n')
	}
	if c.Part > 0 {
		b = append(append(b, c.Signature...), '\n')
	}
	for line := range strings.Lines(text) {
		if len(b) > mostEmbedded {
			break
		}
		b = append(append(b, strings.TrimSpace(line[:min(len(line), mostEmbedded)])...), '\n')
	}
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, nil)
	}
	return b
}
