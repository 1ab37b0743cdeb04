package assign

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// maxBare bounds what is looked at of a value without quotes. One that is
// longer is taken to its end by extend, once it is known to be a secret.
const maxBare = 128

// value returns where the value at s[at] lies and where to go on behind it.
func (a *Assignment) value(s string, at int) (from, to, end int) {
	i := at
	for i < len(s) && s[i] == '\\' {
		i++
	}
	if i < len(s) && i-at < 8 && strings.IndexByte("\"'`", s[i]) >= 0 {
		if from, to, end = pieces.Quoted(s, i, i-at); end > 0 {
			a.Quote = s[i]
			return from, to, end
		}
		at = i + 1                                                     // the quote is never closed: take what there is
		if at < len(s) && strings.IndexByte("+),;]} \n", s[at]) >= 0 { // "PASSWORD="+p
			return at, at, at
		}
	}
	a.Quote = 0
	if end = a.bareEnd(s, at); a.isHeader() && end > at && end < len(s) && s[end] == ' ' && chars.Run(s, at, chars.Word) == end {
		at = end + 1 // the scheme of Authorization: Bearer ...
		end = a.bareEnd(s, at)
	}
	rest := strings.TrimLeft(s[end:min(len(s), end+200)], " \t,;")
	a.Last = end >= len(s) || s[end] != ',' || a.tight
	a.Last = a.Last && (rest == "" || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "\\n"))
	return at, end, end
}

func (a *Assignment) isHeader() bool {
	return strings.EqualFold(a.Key[strings.LastIndexAny(a.Key, "-_.")+1:], "authorization")
}

// bareEnd returns the end of a value without quotes: the end of the word, with
// the punctuation of its surroundings left out.
func (a *Assignment) bareEnd(s string, at int) int {
	if at < len(s) && s[at] == '<' { // <your token>
		if i := strings.IndexAny(s[at:min(len(s), at+80)], ">\n"); i > 0 && s[at+i] == '>' {
			return at + i + 1
		}
	}
	end := at
	for end < len(s) && end < at+maxBare {
		if s[end] == '[' && spans.Placeholder(s[end:]) > 0 {
			end += spans.Placeholder(s[end:])
		} else if a.stops(s, end) {
			break
		} else {
			end++
		}
	}
	if a.whole() {
		return end
	}
	for end > at && strings.IndexByte(",;)}", s[end-1]) >= 0 {
		end--
	}
	return pieces.Trimmed(s, at, end)
}

// stops reports whether a value without quotes ends before s[i].
func (a *Assignment) stops(s string, i int) bool {
	switch c := s[i]; c {
	case '"', '\'', '`', '<':
		return true
	case '\\':
		return i+1 < len(s) && strings.IndexByte("nrt\"", s[i+1]) >= 0
	case '#': // a fragment; a comment has a blank before it
		return a.joined
	case '&':
		return !a.First && nextPair(s[i+1:])
	case ';':
		return a.Sep == '=' && moreAfter(s[i+1:])
	default:
		return c <= ' '
	}
}

// whole reports whether the value reaches to the end of its word, whatever it
// ends with: in a file of environment variables.
func (a *Assignment) whole() bool { return a.tight && a.First }

// moreAfter reports whether another key=value begins: Password=x;Server=y.
func moreAfter(s string) bool {
	i := words.RunOf(s[:min(len(s), 40)], 0, " ")
	j := i
	for j < len(s) && j < 40 && (chars.In(s[j], chars.Word) || s[j] == ' ') {
		j++
	}
	return j < len(s) && (s[j] == '=' && j > i || s[j] == '\n') || j == len(s)
}

// nextPair reports whether a key with its = is next: the & before it parts the two, and
// otherwise is part of a password.
func nextPair(s string) bool {
	n := chars.Run(s[:min(len(s), 40)], 0, chars.Word)
	return n > 0 && n < len(s) && s[n] == '='
}

// Secret judges a value by its key, its surroundings and itself.
func (a *Assignment) Secret(v string) bool {
	v = strings.TrimSpace(v)
	if a.isHeader() {
		if scheme, rest, ok := strings.Cut(v, " "); ok && chars.Run(scheme, 0, chars.Word) == len(scheme) {
			v = strings.TrimSpace(rest)
		}
	}
	if values.IsPlaceholder(v) || values.IsReference(v, a.Quote) {
		return false
	}
	if a.Sep == ':' && strings.IndexByte(v, '=') > 0 && words.HasEnd(words.Lower(a.Key), "cookie", "cookies") { // cookies reads the pairs
		return false
	}
	if a.result {
		return a.Key != "PASS" && values.Passwordish(v, true) && (strings.ContainsAny(v, values.Special) || values.Drawn(v))
	}
	if a.Grade != keys.Strong && values.IsVersion(v) {
		return false
	}
	if a.Grade == keys.Weak {
		return values.Random(v)
	}
	switch {
	case a.Quote != 0 || a.Sep == '>':
		return a.secretQuoted(v)
	case a.tight:
		return a.secretTight(v)
	default:
		return a.secretBare(v)
	}
}

func (a *Assignment) secretQuoted(v string) bool {
	if strings.IndexByte(",)+;]}:&", v[0]) >= 0 && strings.ContainsAny(v, " ") { // "token=" + t + "..."
		return false
	}
	env := a.tight && strings.ToUpper(a.Key) == a.Key
	if strings.ContainsAny(v, " \t") {
		short := 0
		switch {
		case a.Grade == keys.Strong && a.Sep == ':': // where descriptions stand, too
			short = 2
		case a.Grade == keys.Strong:
			short = 3
		}
		return env || !values.Sentence(v, short) && (a.Grade == keys.Strong || a.Sep == '=' && a.First)
	}
	if a.Grade == keys.Strong || env {
		return len(v) >= 3
	}
	return values.Wordlike(v, 8)
}

func (a *Assignment) secretTight(v string) bool {
	if values.IsCall(v) || values.Dotted(v) {
		return false
	}
	if a.Grade == keys.Strong {
		return len(v) >= 3 && (a.First || a.Key != v && (a.joined && !strings.ContainsAny(v, "_.") || !keys.NameLike(v)))
	}
	if chars.Run(v, 0, chars.Digit) == len(v) {
		return len(v) >= 16
	}
	return len(v) >= 6 && (keys.GradeKey(v) == keys.None || chars.Mixed(v))
}

func (a *Assignment) secretBare(v string) bool {
	if values.IsCall(v) || values.Dotted(v) || strings.IndexByte("({[|>&*!@=,;.)", v[0]) >= 0 && spans.Placeholder(v) == 0 {
		return false
	}
	if a.Grade != keys.Strong {
		return values.Random(v) || values.Wordlike(v, 8) && chars.Mixed(v) && keys.GradeKey(v) == keys.None
	}
	if chars.Mixed(v) || strings.ContainsAny(v, "!@#$%^&*?") {
		// Alone on its line even one that sounds like a key is a value: hunter2secret.
		return len(v) >= 5 && (a.First && a.Last && !a.quotedKey || !keys.NameLike(v))
	}
	if chars.Run(v, 0, chars.Digit) == len(v) {
		return len(v) >= 4 && !a.quotedKey
	}
	// password: swordfish, on a line of its own
	return a.First && a.Last && len(v) >= 4 && !a.quotedKey && keys.GradeKey(v) == keys.None
}
