package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Split takes a paragraph apart into its sentences, verbatim. A full stop within code, a
// quotation, an aside, a number or a name ends none, nor does that of an abbreviation; a
// line of emphasis that is cut in two loses the mark that has no partner.
func Split(s string, l Lang) (out []string) {
	p := splitter{text: s, language: l}
	for p.at < len(s) {
		if end := p.next(); end > 0 {
			out = p.cut(out, end)
		}
	}
	return p.cut(out, len(s))
}

// A splitter walks through a paragraph.
type splitter struct {
	text     string
	language Lang
	from, at int  // where the sentence begins, and how far it is read
	before   rune // the character read last
}

// cut appends the sentence that ends here, if it holds a letter or a digit.
func (p *splitter) cut(out []string, end int) []string {
	s := strings.TrimRightFunc(p.text[p.from:end], unicode.IsSpace)
	p.from = end
	if strings.IndexFunc(s, wordRune) >= 0 {
		return append(out, balanced(strings.TrimSpace(s)))
	}
	if s != "" && len(out) > 0 && utf8.RuneCountInString(s) < 4 { // a mark that trails, or a smiley
		out[len(out)-1] += s
	}
	return out
}

// next reads one character, or what counts as one, and returns where a sentence ends
// behind it; 0 if none does.
func (p *splitter) next() int {
	s := p.text
	if n := span(s[p.at:], p.before); n > 0 {
		return p.jump(n)
	}
	r, n := utf8.DecodeRuneInString(s[p.at:])
	i := p.at
	p.at, p.before = p.at+n, r
	if r != '.' && !ends(r) {
		return 0
	}
	end := p.closed()
	switch {
	case wide(r) || r == '。':
	case end < len(s) && !blank(s[end:]) && (r == '.' || !isWide(s[end:])), r == '.' && end == i+1 && p.shortened(i):
		return 0
	case strings.HasSuffix(s[:end], "..") || strings.HasSuffix(s[:end], "…"):
		if !p.startsAnew(end) {
			return 0
		}
	}
	p.at = end
	return end
}

// jump reads a piece of n bytes whose marks count for nothing, but for the last mark of a
// quotation or of an aside that is a sentence of its own.
func (p *splitter) jump(n int) int {
	s := p.text[p.at : p.at+n]
	own := s[0] != '`' && (brackets[rune(s[0])] == 0 || strings.TrimSpace(p.text[p.from:p.at]) == "")
	inner, size := utf8.DecodeLastRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s[:n-size])
	p.at, p.before = p.at+n, inner
	if own && (ends(last) || last == '.') && p.startsAnew(p.at) {
		return p.at
	}
	return 0
}

// ends reports whether a mark ends sentences wherever it stands.
func ends(r rune) bool { return strings.ContainsRune("!?。！？｡…", r) }

// closed is where the marks end that belong to the end of a sentence: more of them, and
// what closes a quotation or emphasis.
func (p *splitter) closed() int {
	end := p.at
	for end < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[end:])
		if !strings.ContainsRune(".!?。！？…\"'*_)”’»」』）]", r) {
			break
		}
		end += n
	}
	return end
}

// isWide reports whether a text begins with a character of a script without blanks, which may
// follow a mark of another script at once: "好!谢谢".
func isWide(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return wide(r)
}

func blank(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

// startsAnew reports whether a sentence may begin at a place: the text ends there, or a
// blank and a capital follow, or a character of a script that has no capitals. What a
// Japanese or Chinese clause goes on with is none.
func (p *splitter) startsAnew(at int) bool {
	rest := strings.TrimLeft(p.text[at:], " \t\u3000\"'*_([`«“„「")
	r, _ := utf8.DecodeRuneInString(rest)
	if rest == "" || wide(r) {
		return rest == "" || !strings.ContainsRune("とはがのをにでもやっな，、。：的地得这這就了", r)
	}
	return blank(p.text[at:]) && (unicode.IsUpper(r) || unicode.IsDigit(r))
}

// balanced is a sentence without a mark of emphasis that has no partner in it.
func balanced(s string) string {
	for _, m := range []string{"**", "__"} {
		if strings.Count(s, m)%2 == 0 {
			continue
		}
		if rest, ok := strings.CutPrefix(s, m); ok {
			s = rest
		} else if rest, ok := strings.CutSuffix(s, m); ok {
			s = rest
		}
	}
	return s
}
