package parse

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
)

const (
	mostOpen   = 40   // definitions in one another; those in deeper ones are not found
	mostHeader = 4000 // bytes between a name and the bracket that begins the body
	mostSteps  = 64   // for each byte of a source, to look for ends of definitions
)

// parsePatterns finds what a source defines by the patterns of its language, at 20 MB/s or more
// (BenchmarkPatterns). It takes time in proportion to the source, whatever
// that holds: lines are cut, and expressions of package regexp do not backtrack.
func parsePatterns(p *patterns.Set, source []byte) File {
	r := &patternReader{Set: p, source: source, Masked: p.Mask(source), lastCode: -1, lastIndex: -1, steps: mostSteps * len(source)}
	r.out.Language = p.Language
	r.matchBrackets()
	before := -1 // the first line of comments that end just above
	prefix := -1 // and of prefixes
	blank := true
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.First == l.End { // no code
			switch {
			case l.Comment && before < 0 && prefix < 0:
				before = i
			case !l.Comment:
				before, prefix, blank = -1, -1, true
			}
			continue
		}
		defined := false
		if !l.Inside {
			r.closeBefore(l)
			switch rule := r.match(l, i); {
			case rule.Rule == nil:
			case rule.Kind == "none":
				r.quiet = append(r.quiet, l.Start)
			case rule.Kind == "import":
				r.quiet = append(r.quiet, l.Start)
				r.out.Imports = append(r.out.Imports, r.text(rule.Name))
			case rule.Kind == "prefix":
				r.quiet = append(r.quiet, l.Start)
				if r.split(l, blank); prefix < 0 {
					prefix = i
				}
				blank = false
				r.lastCode = i
				continue
			default:
				start := i
				if prefix >= 0 {
					start = prefix
				}
				r.define(&rule, i, start, before)
				defined = true
			}
			if !defined {
				r.split(l, blank)
			}
		}
		before, prefix, blank = -1, -1, false
		r.lastCode = i
		r.closeAfter(l)
	}
	for len(r.open) > 0 {
		r.closeLast(len(source))
	}
	r.finish()
	return r.out
}

type patternReader struct {
	*patterns.Set
	patterns.Masked
	source    []byte
	out       File
	open      []openDefinition
	pairs     []int32 // the offset of the bracket that ends what one begins; 0 if none does
	depths    []int   // brackets that are open before a line
	lastCode  int     // line
	lastIndex int     // definition that was closed last
	names     []Span  // of definitions
	steps     int     // that are left to look for ends of definitions
	quiet     []int   // where lines begin in which nothing is called
}

// An openDefinition is one that the lines read so far did not end.
type openDefinition struct {
	*patterns.Rule
	index   int
	indent  int
	level   int
	name    int // where that ends
	header  int // where its first line ends, or the brackets that this opens
	fixed   int // where it ends, -1 if that is unknown
	deeper  int // where the lines end that follow it and are indented deeper
	settled bool
}

// matchBrackets pairs brackets. One that closes none is passed over; a brace that closes
// one takes with it what is open in it.
func (r *patternReader) matchBrackets() {
	r.pairs = make([]int32, len(r.Code))
	r.depths = make([]int, len(r.Lines))
	var open []int
	braces, line := 0, 0
	for i, c := range r.Code {
		for line < len(r.Lines) && r.Lines[line].Start <= i {
			r.depths[line] = len(open)
			line++
		}
		switch c {
		case '(', '[', '{':
			open = append(open, i)
			if c == '{' {
				braces++
			}
		case ')', ']':
			if n := len(open); n > 0 && r.Code[open[n-1]] == opening(c) {
				r.pairs[open[n-1]] = int32(i)
				open = open[:n-1]
			}
		case '}':
			for braces > 0 && r.Code[open[len(open)-1]] != '{' {
				open = open[:len(open)-1]
			}
			if braces > 0 {
				braces--
				r.pairs[open[len(open)-1]] = int32(i)
				open = open[:len(open)-1]
			}
		}
	}
}

func opening(c byte) byte {
	if c == ')' {
		return '('
	}
	return '['
}

// match returns the rule that applies to a line, by what that is in.
func (r *patternReader) match(l *patterns.Line, line int) patterns.Match {
	n := len(r.open)
	if n >= mostOpen {
		return patterns.Match{}
	}
	for n > 0 && r.open[n-1].givesWay(l.Indent) {
		n--
	}
	within := ""
	if n > 0 {
		within = r.open[n-1].Kind
	}
	may := func(rule *patterns.Rule) bool {
		return (!rule.Margin || l.Indent == 0) &&
			(rule.Depth < 0 || rule.Depth == r.depths[line]) &&
			(rule.In == nil || slices.Contains(rule.In, within)) &&
			!(rule.Top && r.concealed())
	}
	return r.Match(&r.Masked, l, may, func(m *patterns.Match) bool {
		if m.Body {
			body, _ := r.endOfBraces(behind(m), m.Second)
			return body.End > 0
		}
		return true
	})
}

func (r *patternReader) concealed() bool {
	for _, o := range r.open {
		if conceals(Kind(o.Kind)) {
			return true
		}
	}
	return false
}

// text is what a group of a rule stands for, without quotes around it.
func (r *patternReader) text(group [2]int) string {
	s := strings.Join(strings.Fields(string(r.source[group[0]:group[1]])), " ")
	if n := len(s) - 1; n > 1 && s[0] == s[n] && strings.IndexByte("\"'`", s[0]) >= 0 {
		s = s[1:n]
	}
	return s
}

// define adds the definition that a rule found in a line. It starts in an earlier one, if
// there are prefixes, or with the comments before that.
func (r *patternReader) define(rule *patterns.Match, line, start, doc int) {
	l := &r.Lines[line]
	r.giveWay(rule.Rule, l.Indent)
	name := r.text(rule.Name)
	d := Definition{Kind: Kind(rule.Kind), Name: name, Parent: -1, Line: line + 1, FirstLine: start + 1}
	d.Start = r.Lines[start].First
	if doc >= 0 {
		from := r.Lines[doc].Start
		from += len(r.source[from:d.Start]) - len(bytes.TrimLeft(r.source[from:d.Start], " \t\r\n\f"))
		d.Doc = trimmed(r.source, Span{from, r.Lines[start].Start})
		d.Start, d.FirstLine = d.Doc.Start, doc+1
	}
	if n := len(r.open); n > 0 {
		d.Parent = r.open[n-1].index
	}
	qualifier := r.text(rule.Qualifier)
	if r.out.place(&d, qualifier); rule.Package {
		d.Kind = Kind(rule.Kind)
	}
	at := rule.Name[1]
	r.names = append(r.names, Span{rule.Name[0], at})
	o := openDefinition{Rule: rule.Rule, index: len(r.out.Definitions), indent: l.Indent, level: rule.Level, fixed: -1}
	o.name, o.header = at, r.endOfHeader(at, l)
	o.deeper = o.header
	body := Span{}
	switch rule.End {
	case patterns.Itself:
		o.fixed = o.header
	case patterns.Group:
		o.header, o.fixed = l.End, l.End
		if n := bytes.IndexAny(r.Code[l.First:l.End], "([{"); n >= 0 && r.pairs[l.First+n] > 0 {
			o.fixed = int(r.pairs[l.First+n]) + 1
			o.header = min(o.header, o.fixed)
		}
	case patterns.Braces:
		body, o.fixed = r.endOfBraces(behind(rule), rule.Second)
	case patterns.Until:
		o.fixed = r.endOfStatement(at, len(r.Code), rule.Until)
	case patterns.Closer:
		last := bytes.TrimRight(r.Code[l.First:o.header], " \t\r\n;")
		if n := bytes.LastIndexAny(last, " \t;"); n > 0 && rule.Closer.Match(last[n+1:]) {
			o.fixed = o.header
		}
	}
	if n := r.lastIndex; rule.Merge && n >= 0 {
		if last := r.out.Definitions[n]; last.Name == d.Name && last.Parent == d.Parent && last.Kind == d.Kind {
			if o.index = n; last.Body.End == 0 {
				r.out.Definitions[n].Body = Span{l.First, l.End}
			}
			r.open = append(r.open, o)
			return
		}
	}
	d.Body = body
	d.End = max(o.header, d.Start)
	d.Signature = Span{l.First, d.End}
	r.out.Definitions = append(r.out.Definitions, d)
	r.open = append(r.open, o)
	r.splitAt(l.First, d.Start, 1+2*len(r.open)-2)
}

// behind is the offset from which a body is looked for.
func behind(m *patterns.Match) int {
	if m.Past {
		return m.Behind
	}
	return m.Name[1]
}

// giveWay ends what a definition in a line with this indentation cannot be in.
func (r *patternReader) giveWay(rule *patterns.Rule, indent int) {
	for n := len(r.open); n > 0; n = len(r.open) {
		o := &r.open[n-1]
		switch {
		case o.End == patterns.Next && (rule.Level <= o.level && (rule.End == patterns.Next || rule.Level > 0) || o.level == 0 && indent <= o.indent):
			r.closeLast(r.lastEnd())
		case o.givesWay(indent):
			r.closeLast(max(o.deeper, r.endOfStatement(o.name, r.lastEnd(), ';'))) // it was only declared
		default:
			return
		}
	}
}

// givesWay reports whether what a line with this indentation defines cannot be in it.
func (o *openDefinition) givesWay(indent int) bool {
	return o.End == patterns.Closer && !o.Holds && indent <= o.indent && o.fixed < 0
}

// lastEnd is where the last line of code ends.
func (r *patternReader) lastEnd() int {
	if r.lastCode < 0 {
		return 0
	}
	return r.Lines[r.lastCode].End
}

// endOfHeader is where a line ends behind a name, or the line with the last bracket that
// it opens.
func (r *patternReader) endOfHeader(at int, l *patterns.Line) int {
	end := l.End
	for i := at; i < min(end, at+mostHeader); i++ {
		if to := int(r.pairs[i]); to > 0 && r.Code[i] != '{' {
			if i = to; to >= end {
				end = r.endOfLine(to)
			}
		}
	}
	return end
}

// endOfLine is where the code of the line at an offset ends.
func (r *patternReader) endOfLine(at int) int {
	n := bytes.IndexByte(r.Code[at:], '\n')
	if n < 0 {
		n = len(r.Code) - at
	}
	return at + len(bytes.TrimRight(r.Code[at:at+n], " \t\r\f"))
}

// endOfBraces finds the body of what was named before an offset, and its end: -1 if there
// is a bracket that nothing closes. The body may be the second pair of braces.
func (r *patternReader) endOfBraces(at int, second bool) (body Span, end int) {
	for i, last := at, r.steps-mostHeader; i < len(r.Code) && r.steps > max(last, 0); i++ {
		r.steps--
		switch r.Code[i] {
		case '(', '[':
			if r.pairs[i] == 0 {
				return Span{}, r.endOfLine(i)
			}
			i = int(r.pairs[i])
		case '{':
			to := int(r.pairs[i]) + 1
			if to == 1 {
				return Span{i, i}, -1
			}
			end = to
			for end < len(r.Code) && (r.Code[end] == ' ' || r.Code[end] == '\t') {
				end++
			}
			switch {
			case end < len(r.Code) && r.Code[end] == ';':
				return Span{i, to}, end + 1
			case second && end < len(r.Code) && r.Code[end] == '{' && r.pairs[end] > 0:
				return Span{end, int(r.pairs[end]) + 1}, int(r.pairs[end]) + 1
			}
			return Span{i, to}, to
		case ';':
			return Span{}, i + 1
		case ')', ']', '}':
			return Span{}, i
		case '\n':
			if !r.Newline {
				continue
			}
			if rest := bytes.TrimLeft(r.Code[i:min(i+200, len(r.Code))], " \t\r\n"); len(rest) == 0 || rest[0] != '{' {
				return Span{}, i
			}
		}
	}
	return Span{}, r.endOfLine(at)
}

// endOfStatement is behind the sign that ends what was named before an offset, outside of
// brackets and before another offset; or else where its line ends.
func (r *patternReader) endOfStatement(at, most int, sign byte) int {
	for i := at; i < most && r.steps > 0; i++ {
		r.steps--
		switch c := r.Code[i]; {
		case c == sign && (sign != '.' || i+1 == len(r.Code) || isSpace(r.Code[i+1])):
			return i + 1
		case r.pairs[i] > 0:
			i = int(r.pairs[i])
		}
	}
	return r.endOfLine(at)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// closeBefore ends the definitions that do not reach a line of code.
func (r *patternReader) closeBefore(l *patterns.Line) {
	for n := 0; n < len(r.open); n++ {
		o := &r.open[n]
		ended := o.fixed >= 0 && l.First >= o.fixed
		if o.settled = o.settled || l.Indent <= o.indent && l.First >= o.header; !o.settled {
			o.deeper = max(o.deeper, l.End)
		}
		if !ended && (o.End == patterns.Indent || o.fixed == -1 && o.End == patterns.Braces) && l.First >= o.header {
			closing := strings.IndexByte(")]}", r.Code[l.First]) >= 0
			more := o.More != nil && o.More.Match(r.Text(l))
			ended = l.Indent < o.indent || l.Indent == o.indent && !closing && !more
		}
		if ended {
			for len(r.open) > n {
				r.closeLast(r.lastEnd())
			}
			return
		}
	}
}

// closeAfter ends the definitions whose last line this is.
func (r *patternReader) closeAfter(l *patterns.Line) {
	for n := len(r.open) - 1; n >= 0; n-- {
		o := &r.open[n]
		if o.End != patterns.Closer || o.fixed >= 0 || l.First < o.header || l.Indent > o.indent {
			continue
		}
		if o.Closer.Match(r.Text(l)) {
			for len(r.open) > n {
				r.closeLast(l.End)
			}
			return
		}
	}
}

// closeLast ends the innermost definition at an offset, unless its end is known.
func (r *patternReader) closeLast(at int) {
	o := &r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	d := &r.out.Definitions[o.index]
	if o.fixed >= 0 {
		at = o.fixed
	}
	d.Span = trimmed(r.source, Span{d.Start, max(at, d.End, o.header)})
	switch whole := d.Body.End > d.Body.Start; {
	case o.End == patterns.Itself || whole && o.End == patterns.Braces:
	case d.Body.Start > 0:
		d.Body.End = d.End
	case d.End > o.header:
		d.Body = Span{o.header, d.End}
	}
	r.lastIndex = o.index
}

// finish completes the definitions, and finds what they call.
func (r *patternReader) finish() {
	lines := linesOf(r.source)
	for i := range r.out.Definitions {
		d := &r.out.Definitions[i]
		if d.Parent >= 0 { // whose end a bracket may have told
			parent := r.out.Definitions[d.Parent]
			d.End = max(min(d.End, parent.End), min(d.Start+1, len(r.source)))
		}
		d.Body.End = min(d.Body.End, d.End)
		if d.Body.Start >= d.Body.End {
			d.Body = Span{}
		}
		d.LastLine = lines.line(max(d.End-1, d.Start))
		d.Signature = signature(r.source, *d, min(d.Signature.Start, d.End))
	}
	switch r.Calls {
	case "(":
		r.findCalls(lines)
	case "((":
		r.findForms(lines)
	}
}
