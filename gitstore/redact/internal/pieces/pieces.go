// Package pieces cuts values out of a text, in quotation marks or up to the end of a word.
package pieces

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// Marks are pairs of quotation marks.
var Marks = [...][2]string{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"»", "«"}, {"‘", "’"}, {"‚", "‘"}, {"‹", "›"},
}

// A Piece is a value in a text: what stands between marks or the end of a word.
type Piece struct {
	From, To, End int
	Quoted        bool
}

// In is the text of the piece, which is one of s.
func (p Piece) In(s string) string { return s[p.From:p.To] }

// MaxLength bounds what is read of a value.
const MaxLength = 512

// At returns the value at s[at]; of one that has none, end is at.
func At(s string, at int) Piece {
	stop := min(len(s), at+MaxLength)
	slashes := words.RunOf(s[:stop], at, `\`) - at
	for _, m := range Marks {
		if !strings.HasPrefix(s[at+slashes:stop], m[0]) {
			continue
		}
		from := at + slashes + len(m[0])
		line := s[from:stop]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		closer := s[at:at+slashes] + m[1]
		if i := strings.Index(line, closer); i > 0 {
			inner := line[:i]
			left := len(inner) - len(strings.TrimLeft(inner, " \u00a0"))
			right := len(strings.TrimRight(inner, " \u00a0"))
			if right > left {
				return Piece{from + left, from + right, from + i + len(closer), true}
			}
		}
		if m[0] != "„" {
			return Piece{at, at, at, false}
		}
	}
	if slashes > 0 && at+slashes < len(s) && strings.IndexByte("nrt", s[at+slashes]) >= 0 {
		return Piece{at, at, at, false}
	}
	end := at
	for end < stop && !Stops(s, end) {
		if s[end] == '[' && spans.Placeholder(s[end:]) > 0 {
			end += spans.Placeholder(s[end:])
			continue
		}
		end++
	}
	if end == stop && stop < len(s) {
		end = at + len(words.HeadOf(s[at:stop], stop-at))
	}
	to := end
	for to > at && strings.IndexByte(".,;:)]}*?", s[to-1]) >= 0 {
		if s[to-1] == ']' && strings.LastIndex(s[at:to], spans.PlaceholderStart) >= 0 {
			break
		}
		to--
	}
	return Piece{at, to, end, false}
}

// Stops reports whether s[at] ends a value without marks.
func Stops(s string, at int) bool {
	switch c := s[at]; c {
	case '\'': // not that of d'ordine
		return at == 0 || words.Letter(s, at+1) == 0 || !chars.In(s[at-1], chars.Lower|chars.Upper)
	case '"', '`', '<', '>', '|':
		return true
	case '\\':
		return at+1 < len(s) && strings.IndexByte("nrt\"'", s[at+1]) >= 0
	case 0xc2:
		return at+1 < len(s) && (s[at+1] == 0xa0 || s[at+1] == 0xbb || s[at+1] == 0xab)
	case 0xe2:
		return at+1 < len(s) && s[at+1] == 0x80
	default:
		return c <= ' '
	}
}

// maxValue bounds the search for the quote that ends a value.
const maxValue = 64 << 10

// Quoted returns the text between the quote s[at], which n backslashes precede,
// and its twin on the same line, or zeros.
func Quoted(s string, at, n int) (from, to, end int) {
	q := s[at]
	if strings.HasPrefix(s[at:], `"""`) || strings.HasPrefix(s[at:], `'''`) {
		if i := strings.Index(s[at+3:min(len(s), at+3+maxValue)], s[at:at+3]); i >= 0 {
			return at + 3, at + 3 + i, at + 6 + i
		}
	}
	slashes := 0
	for i := at + 1; i < len(s) && i < at+maxValue; i++ {
		switch c := s[i]; {
		case c == '\\':
			slashes++
			continue
		case c == '\n' && q != '`':
			return 0, 0, 0
		case c == q && q == '\'' && n == 0 && slashes == 0 && i > at+1 && i+1 < len(s) && s[i+1] == q: // 'it''s' of YAML and SQL
			i++
		case c == q && (slashes == n || n == 0 && slashes%2 == 0):
			return at + 1, i - n, i + 1
		}
		slashes = 0
	}
	return 0, 0, 0
}

// Trimmed moves end back over punctuation that closes a sentence.
func Trimmed(s string, from, end int) int {
	for end > from && strings.IndexByte(".,;:!?", s[end-1]) >= 0 {
		end--
	}
	return end
}
