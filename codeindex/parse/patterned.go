package parse

import (
	"bytes"
	"slices"
	"strings"
)

const (
	mostOpen    = 40   // definitions in one another; those in deeper ones are not found
	mostMatched = 1000 // bytes of a line that rules look at
	mostHeader  = 4000 // bytes between a name and the bracket that begins the body
)

// parse finds what a source defines. It takes time in proportion to the source, whatever
// that holds: lines are cut, and expressions of package regexp do not backtrack.
func (p *patterns) parse(source []byte) File {
	r := &patternReader{patterns: p, source: source, masked: p.mask(source), lastCode: -1, lastIndex: -1}
	r.out.Language = p.language
	r.matchBrackets()
	before := -1 // the first line of comments that end just above
	prefix := -1 // and of prefixes
	blank := true
	for i := range r.lines {
		l := &r.lines[i]
		if l.first == l.end { // no code
			switch {
			case l.comment && before < 0 && prefix < 0:
				before = i
			case !l.comment:
				before, prefix, blank = -1, -1, true
			}
			continue
		}
		defined := false
		if !l.inside {
			r.closeBefore(l)
			switch rule, groups := r.match(l, i); {
			case rule == nil:
			case rule.kind == "none":
				r.quiet = append(r.quiet, l.start)
			case rule.kind == "import":
				r.quiet = append(r.quiet, l.start)
				r.out.Imports = append(r.out.Imports, cleanName(r.text(l, groups, rule.name)))
			case rule.kind == "prefix":
				r.quiet = append(r.quiet, l.start)
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
				r.define(rule, groups, i, start, before)
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
	*patterns
	masked
	source    []byte
	out       File
	open      []openDefinition
	pairs     []int32 // the offset of the bracket that ends what one begins; 0 if none does
	depths    []int   // brackets that are open before a line
	lastCode  int     // line
	lastIndex int     // definition that was closed last
	names     []Span  // of definitions
	quiet     []int   // where lines begin in which nothing is called
}

// An openDefinition is one that the lines read so far did not end.
type openDefinition struct {
	*pattern
	index   int
	indent  int
	level   int
	header  int // where its first line ends, or the brackets that this opens
	fixed   int // where it ends, -1 if that is unknown
	deeper  int // where the lines end that follow it and are indented deeper
	settled bool
}

// matchBrackets pairs brackets. One that closes none is passed over; a brace that closes
// one takes with it what is open in it.
func (r *patternReader) matchBrackets() {
	r.pairs = make([]int32, len(r.code))
	r.depths = make([]int, len(r.lines))
	var open []int
	braces, line := 0, 0
	for i, c := range r.code {
		for line < len(r.lines) && r.lines[line].start <= i {
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
			if n := len(open); n > 0 && r.code[open[n-1]] == opening(c) {
				r.pairs[open[n-1]] = int32(i)
				open = open[:n-1]
			}
		case '}':
			for braces > 0 && r.code[open[len(open)-1]] != '{' {
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

// match returns the first rule that applies to a line.
func (r *patternReader) match(l *maskedLine, line int) (*pattern, []int) {
	text := r.code[l.first:min(l.end, l.first+mostMatched)]
	var lower []byte
	within := Kind("")
	if n := len(r.open); n >= mostOpen {
		return nil, nil
	} else {
		for n > 0 && r.open[n-1].givesWay(l.indent) {
			n--
		}
		if n > 0 {
			within = r.open[n-1].kind
		}
	}
	for i := range r.rules {
		rule := &r.rules[i]
		if rule.margin && l.indent > 0 ||
			rule.depth >= 0 && rule.depth != r.depths[line] ||
			rule.in != nil && !slices.Contains(rule.in, within) ||
			rule.top && r.concealed() {
			continue
		}
		searched := text
		if rule.folds {
			if lower == nil {
				lower = bytes.ToLower(text)
			}
			searched = lower
		}
		if rule.needs != nil && !hasOne(searched, rule.needs) {
			continue
		}
		groups := rule.exp.FindSubmatchIndex(text)
		if groups == nil || rule.name >= 0 && !r.isName(text, groups[2*rule.name], groups[2*rule.name+1]) {
			continue
		}
		if rule.body {
			if body, _ := r.endOfBraces(r.behind(rule, l, groups)); body.End == 0 {
				continue
			}
		}
		return rule, groups
	}
	return nil, nil
}

func (r *patternReader) concealed() bool {
	for _, o := range r.open {
		if conceals(o.kind) {
			return true
		}
	}
	return false
}

func hasOne(text []byte, words []string) bool {
	for _, w := range words {
		if bytes.Contains(text, []byte(w)) {
			return true
		}
	}
	return false
}

func (r *patternReader) isName(text []byte, from, to int) bool {
	return from >= 0 && from < to && !r.reserved[string(text[from:to])]
}

// text is what a group of a rule stands for.
func (r *patternReader) text(l *maskedLine, groups []int, group int) string {
	if group < 0 || groups[2*group] < 0 {
		return ""
	}
	return string(r.source[l.first+groups[2*group] : l.first+groups[2*group+1]])
}

// define adds the definition that a rule found in a line. It starts in an earlier one, if
// there are prefixes, or with the comments before that.
func (r *patternReader) define(rule *pattern, groups []int, line, start, doc int) {
	l := &r.lines[line]
	r.giveWay(rule, l.indent)
	name := cleanName(r.text(l, groups, rule.name))
	d := Definition{Kind: rule.kind, Name: name, Parent: -1, Line: line + 1, FirstLine: start + 1}
	d.Start = r.lines[start].first
	if doc >= 0 {
		from := r.lines[doc].start
		from += len(r.source[from:d.Start]) - len(bytes.TrimLeft(r.source[from:d.Start], " \t\r\n\f"))
		d.Doc = trimmed(r.source, Span{from, r.lines[start].start})
		d.Start, d.FirstLine = d.Doc.Start, doc+1
	}
	if n := len(r.open); n > 0 {
		d.Parent = r.open[n-1].index
	}
	qualifier := r.text(l, groups, rule.of)
	r.out.place(&d, qualifier)
	at := l.first + groups[2*rule.name+1]
	r.names = append(r.names, Span{l.first + groups[2*rule.name], at})
	o := openDefinition{pattern: rule, index: len(r.out.Definitions), indent: l.indent, level: rule.level, fixed: -1}
	o.header = r.endOfHeader(at, l)
	o.deeper = o.header
	body := Span{}
	switch rule.end {
	case endLine:
		o.fixed = o.header
	case endGroup:
		o.header, o.fixed = l.end, l.end
		if n := bytes.IndexAny(r.code[l.first:l.end], "([{"); n >= 0 && r.pairs[l.first+n] > 0 {
			o.fixed = int(r.pairs[l.first+n]) + 1
			o.header = min(o.header, o.fixed)
		}
	case endBraces:
		body, o.fixed = r.endOfBraces(r.behind(rule, l, groups))
	case endUntil:
		o.fixed = r.endOfStatement(at, rule.until)
	case endCloser:
		last := bytes.TrimRight(r.code[l.first:o.header], " \t\r\n;")
		if n := bytes.LastIndexAny(last, " \t;"); n > 0 && rule.closer.Match(last[n+1:]) {
			o.fixed = o.header
		}
	}
	if n := r.lastIndex; rule.merging && n >= 0 {
		if last := r.out.Definitions[n]; last.Name == d.Name && last.Parent == d.Parent && last.Kind == d.Kind {
			if o.index = n; last.Body.End == 0 {
				r.out.Definitions[n].Body = Span{l.first, l.end}
			}
			r.open = append(r.open, o)
			return
		}
	}
	d.Body = body
	d.End = max(o.header, d.Start)
	d.Signature = Span{l.first, d.End}
	r.out.Definitions = append(r.out.Definitions, d)
	r.open = append(r.open, o)
	r.splitAt(l.first, d.Start, 1+2*len(r.open)-2)
}

// behind is the offset from which a rule looks for a body.
func (r *patternReader) behind(rule *pattern, l *maskedLine, groups []int) int {
	if rule.past {
		return l.first + groups[1]
	}
	return l.first + groups[2*rule.name+1]
}

// giveWay ends what a definition in a line with this indentation cannot be in.
func (r *patternReader) giveWay(rule *pattern, indent int) {
	for n := len(r.open); n > 0; n = len(r.open) {
		o := &r.open[n-1]
		switch {
		case o.end == endNext && (rule.level <= o.level && (rule.end == endNext || rule.level > 0) || o.level == 0 && indent <= o.indent):
			r.closeLast(r.lastEnd())
		case o.givesWay(indent):
			r.closeLast(o.deeper) // it was only declared
		default:
			return
		}
	}
}

// givesWay reports whether what a line with this indentation defines cannot be in it.
func (o *openDefinition) givesWay(indent int) bool {
	return o.end == endCloser && !o.holds && indent <= o.indent && o.fixed < 0
}

// lastEnd is where the last line of code ends.
func (r *patternReader) lastEnd() int {
	if r.lastCode < 0 {
		return 0
	}
	return r.lines[r.lastCode].end
}

// endOfHeader is where a line ends behind a name, or the line with the last bracket that
// it opens.
func (r *patternReader) endOfHeader(at int, l *maskedLine) int {
	end := l.end
	for i := at; i < min(end, at+mostHeader); i++ {
		if to := int(r.pairs[i]); to > 0 && r.code[i] != '{' {
			if i = to; to >= end {
				end = r.endOfLine(to)
			}
		}
	}
	return end
}

// endOfLine is where the code of the line at an offset ends.
func (r *patternReader) endOfLine(at int) int {
	n := bytes.IndexByte(r.code[at:], '\n')
	if n < 0 {
		n = len(r.code) - at
	}
	return at + len(bytes.TrimRight(r.code[at:at+n], " \t\r\f"))
}

// endOfBraces finds the body of what was named before an offset, and its end: -1 if there
// is a bracket that nothing closes.
func (r *patternReader) endOfBraces(at int) (body Span, end int) {
	for i, steps := at, 0; i < len(r.code) && steps < mostHeader; i, steps = i+1, steps+1 {
		switch r.code[i] {
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
			for end < len(r.code) && (r.code[end] == ' ' || r.code[end] == '\t') {
				end++
			}
			if end < len(r.code) && r.code[end] == ';' {
				return Span{i, to}, end + 1
			}
			return Span{i, to}, to
		case ';':
			return Span{}, i + 1
		case ')', ']', '}':
			return Span{}, i
		case '\n':
			if !r.newline {
				continue
			}
			if rest := bytes.TrimLeft(r.code[i:min(i+200, len(r.code))], " \t\r\n"); len(rest) == 0 || rest[0] != '{' {
				return Span{}, i
			}
		}
	}
	return Span{}, r.endOfLine(at)
}

// endOfStatement is behind the sign that ends what was named before an offset, outside of
// brackets.
func (r *patternReader) endOfStatement(at int, sign byte) int {
	for i, steps := at, 0; i < len(r.code) && steps < 16*mostHeader; i, steps = i+1, steps+1 {
		switch c := r.code[i]; {
		case c == sign && (sign != '.' || i+1 == len(r.code) || isSpace(r.code[i+1])):
			return i + 1
		case r.pairs[i] > 0:
			i = int(r.pairs[i])
		}
	}
	return r.endOfLine(at)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// closeBefore ends the definitions that do not reach a line of code.
func (r *patternReader) closeBefore(l *maskedLine) {
	for n := 0; n < len(r.open); n++ {
		o := &r.open[n]
		ended := o.fixed >= 0 && l.first >= o.fixed
		if o.settled = o.settled || l.indent <= o.indent && l.first >= o.header; !o.settled {
			o.deeper = max(o.deeper, l.end)
		}
		if !ended && (o.end == endIndent || o.fixed == -1 && o.end == endBraces) && l.first >= o.header {
			closing := strings.IndexByte(")]}", r.code[l.first]) >= 0
			more := o.more != nil && o.more.Match(r.code[l.first:min(l.end, l.first+mostMatched)])
			ended = l.indent < o.indent || l.indent == o.indent && !closing && !more
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
func (r *patternReader) closeAfter(l *maskedLine) {
	for n := len(r.open) - 1; n >= 0; n-- {
		o := &r.open[n]
		if o.end != endCloser || o.fixed >= 0 || l.first < o.header || l.indent > o.indent {
			continue
		}
		if o.closer.Match(r.code[l.first:min(l.end, l.first+mostMatched)]) {
			for len(r.open) > n {
				r.closeLast(l.end)
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
	case o.end == endLine || whole && o.end == endBraces:
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
	switch r.calls {
	case "(":
		r.findCalls(lines)
	case "((":
		r.findForms(lines)
	}
}
