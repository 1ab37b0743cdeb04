package patterns

import (
	"bytes"
	"unicode/utf8"
)

// A Masked source is one with blanks in place of comments and of what is in strings. Each
// byte stands where it stood.
type Masked struct {
	Code  []byte
	Lines []Line
}

// A Line is a line without its line break.
type Line struct {
	Start, End int
	First      int  // where its code begins; End if it has none
	Indent     int  // columns before that
	Comment    bool // it has a comment
	Inside     bool // it begins in a string or comment
}

// Mask finds comments and strings. Each byte is looked at once, or twice where a quote
// turns out to be none.
func (p *Set) Mask(source []byte) Masked {
	m := masker{Set: p, source: source, Masked: Masked{Code: bytes.Clone(source)}}
	m.newLine(0)
	fresh := true // nothing but white space is before it in its line
	for i := 0; i < len(source); {
		c := source[i]
		if c == '\n' {
			if i = m.heredocs(i); source[i-1] == '\n' {
				m.newLine(i)
			}
			fresh = true
			continue
		}
		if p.heredoc != "" && c == p.heredoc[0] && m.startHeredoc(i) {
			i += len(p.heredoc)
			continue
		}
		next := i + 1
		if p.signs[c] != nil {
			next = m.sign(i, fresh)
		}
		if next == i+1 && c != ' ' && c != '\t' {
			fresh = false
		}
		i = next
	}
	m.endLine(len(source))
	for i := range m.Lines {
		m.measure(&m.Lines[i])
	}
	return m.Masked
}

type masker struct {
	*Set
	Masked
	source  []byte
	pending []string // words that end heredocs
	lost    bool     // one did not end: the sign means something else here
}

func (m *masker) endLine(at int) {
	m.Lines[len(m.Lines)-1].End = at
}

// newLine begins a line at an offset, behind a line break unless it is the first.
func (m *masker) newLine(at int) {
	if n := len(m.Lines); n > 0 && m.Lines[n-1].End == 0 {
		m.endLine(at - 1)
	}
	m.Lines = append(m.Lines, Line{Start: at})
}

func (m *masker) measure(l *Line) {
	text := bytes.TrimRight(m.Code[l.Start:max(l.Start, l.End)], " \t\r\f")
	l.End = l.Start + len(text)
	l.First = l.End
	for i, c := range text {
		switch c {
		case ' ', '\f':
			l.Indent++
		case '\t':
			l.Indent += 4 - l.Indent%4
		default:
			l.First = l.Start + i
			return
		}
	}
}

// sign masks what begins at an offset, and returns where it ends: the next byte if nothing
// begins there.
func (m *masker) sign(i int, fresh bool) int {
	for _, s := range m.signs[m.source[i]] {
		if !bytes.HasPrefix(m.source[i:], []byte(s.open)) {
			continue
		}
		margin := i == 0 || m.source[i-1] == '\n'
		if (s.place == '^' && !fresh) || (s.place == '|' && !margin) {
			continue
		}
		afterWord := i > 0 && m.Name[m.source[i-1]]
		if afterWord && (m.Name[s.open[0]] || s.kind == signChar || s.open == "?") {
			continue
		}
		if s.apart && i > 0 && (afterWord || bytes.IndexByte([]byte(")]}'."), m.source[i-1]) >= 0) {
			continue
		}
		from := i + len(s.open)
		if s.open[len(s.open)-1] == '=' && s.close == "]=" {
			n := 0
			for from+n < len(m.source) && m.source[from+n] == '=' {
				n++
			}
			if from+n == len(m.source) || m.source[from+n] != '[' {
				continue
			}
			s.close = "]" + string(m.source[from-1:from+n]) + "]"
			from += n + 1
		}
		switch s.kind {
		case signComment:
			end := m.endOfLine(from)
			m.Lines[len(m.Lines)-1].Comment = true
			m.blank(i, end)
			return end
		case signBlock:
			end := m.endOfBlock(from, s)
			m.blankLines(i, end, true)
			return end
		case signString:
			inner, end := m.endOfString(from, s)
			m.blankLines(from, inner, false)
			return end
		case signChar:
			if end := m.endOfChar(from, s.open[0]); end > 0 {
				m.blank(from, end-1)
				return end
			}
		case signPlain:
			return from
		case signLiteral:
			_, size := utf8.DecodeRune(m.source[from:])
			if size == 0 || m.source[from] == '\n' {
				return from
			}
			m.blank(i, from+size)
			return from + size
		}
	}
	return i + 1
}

func (m *masker) blank(from, to int) {
	for i := from; i < to; i++ {
		m.Code[i] = ' '
	}
}

// blankLines blanks what may have line breaks, which stay.
func (m *masker) blankLines(from, to int, comment bool) {
	last := &m.Lines[len(m.Lines)-1]
	last.Comment = last.Comment || comment
	for i := from; i < to; i++ {
		if m.source[i] != '\n' {
			m.Code[i] = ' '
			continue
		}
		m.newLine(i + 1)
		last := &m.Lines[len(m.Lines)-1]
		last.Inside, last.Comment = true, comment
	}
}

func (m *masker) endOfLine(from int) int {
	if n := bytes.IndexByte(m.source[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(m.source)
}

func (m *masker) endOfBlock(from int, s sign) int {
	if s.place == '|' { // so does its end
		n := bytes.Index(m.source[from:], []byte("\n"+s.close))
		if n < 0 {
			return len(m.source)
		}
		return m.endOfLine(from + n + 1)
	}
	if !s.nested {
		if n := bytes.Index(m.source[from:], []byte(s.close)); n >= 0 {
			return from + n + len(s.close)
		}
		return len(m.source)
	}
	for depth := 1; from < len(m.source); {
		switch rest := m.source[from:]; {
		case rest[0] == s.close[0] && bytes.HasPrefix(rest, []byte(s.close)):
			from += len(s.close)
			if depth--; depth == 0 {
				return from
			}
		case rest[0] == s.open[0] && bytes.HasPrefix(rest, []byte(s.open)):
			from += len(s.open)
			depth++
		default:
			from++
		}
	}
	return from
}

// endOfString returns where the closing sign of a string begins, and where it ends.
func (m *masker) endOfString(from int, s sign) (inner, end int) {
	for i := from; i < len(m.source); i++ {
		switch c := m.source[i]; {
		case c == s.escape && c != 0 && i+1 < len(m.source) && (m.source[i+1] != '\n' || s.lines):
			i++
		case c == s.close[0] && bytes.HasPrefix(m.source[i:], []byte(s.close)) && (s.place != '|' || m.source[i-1] == '\n'):
			return i, i + len(s.close)
		case c == '\n' && !s.lines:
			return i, i
		}
	}
	return len(m.source), len(m.source)
}

// endOfChar returns the offset behind a quoted character, 0 if it is none.
func (m *masker) endOfChar(from int, quote byte) int {
	rest := m.source[from:min(from+12, len(m.source))]
	if len(rest) > 2 && rest[0] == '\\' {
		if n := bytes.IndexByte(rest[2:], quote); n >= 0 && !bytes.ContainsAny(rest[:n+2], "\n") {
			return from + n + 3
		}
		return 0
	}
	_, size := utf8.DecodeRune(rest)
	if size > 0 && size < len(rest) && rest[0] != '\n' && rest[0] != quote && rest[size] == quote {
		return from + size + 1
	}
	return 0
}

// startHeredoc notes the word behind the sign of one.
func (m *masker) startHeredoc(i int) bool {
	if m.lost || !bytes.HasPrefix(m.source[i:], []byte(m.heredoc)) {
		return false
	}
	rest := bytes.TrimLeft(m.source[i+len(m.heredoc):min(i+80, len(m.source))], m.before)
	quote := byte(0)
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		quote, rest = rest[0], rest[1:]
	}
	n := 0
	for n < len(rest) && (rest[n] == '_' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || n > 0 && rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	if n == 0 || quote != 0 && (n == len(rest) || rest[n] != quote) || len(m.pending) > 8 {
		return false
	}
	m.pending = append(m.pending, string(rest[:n]))
	return true
}

// heredocs masks those that were begun in the line that ends at an offset, and returns
// where the code goes on: behind a line break, or at the end.
func (m *masker) heredocs(i int) int {
	at := i + 1
	for _, word := range m.pending {
		from, end := at, at
		for found := false; !found; from = end + 1 {
			if from >= len(m.source) {
				m.lost, m.pending = true, nil
				return at
			}
			end = m.endOfLine(from)
			found = string(bytes.TrimSpace(m.source[from:end])) == word
		}
		m.newLine(at)
		m.Lines[len(m.Lines)-1].Inside = true
		m.blankLines(at, end, false)
		if at = end + 1; at > len(m.source) {
			m.pending = nil
			return len(m.source)
		}
	}
	m.pending = nil
	return at
}
