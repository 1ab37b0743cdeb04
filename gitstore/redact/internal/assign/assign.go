// Package assign finds values after a key such as DB_PASSWORD.
package assign

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/shapes"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// An Assignment is a key and what stands after it.
type Assignment struct {
	Key   string
	Grade keys.Grade
	Sep   byte // '=' ':' '>' (XML) or ' ' (--flag value)
	tight bool // the value of an environment: KEY=value at the start of a word of shell
	First bool // the key begins its line
	Quote byte // around the value, or 0
	Last  bool // nothing follows the value on its line

	compared bool // == and !=: code, if the value has no quotes
	joined   bool // one of several pairs: a=b;c=d

	result bool // what a test came to stands so, too: PASS: TestLogin

	// quotedKey is set for JSON, where a value without quotes is a number or a
	// word of the language, and a placeholder in its stead would not be JSON.
	quotedKey bool
}

// Find reports values after keys that promise a secret.
//
// It looks back from each = and : for a key (at most MaxLength bytes) and forward
// for a value. Values that are taken are jumped over, those that are not are
// bounded, so that the work is linear.
func Find(s string, found *spans.Set) {
	flag := -1 // where the last -- stands
	for at := 0; at < len(s); at++ {
		switch s[at] {
		case '=', ':', '>':
		case '-':
			if at+1 < len(s) && s[at+1] == '-' {
				flag = at
			}
			continue
		case ' ':
			if (flag < 0 || at-flag > keys.MaxLength) && !strings.HasSuffix(s[:at], "password") {
				continue
			}
		default:
			continue
		}
		a, ok := keyBefore(s, at)
		if !ok {
			continue
		}
		if end := a.values(s, at+1, found); end > at {
			at = end - 1
		}
	}
}

// keyBefore reads the key that ends before the separator s[at].
func keyBefore(s string, at int) (a Assignment, ok bool) {
	a.Sep = s[at]
	end := at
	switch a.Sep {
	case '>', ' ':
		if at == 0 || !chars.In(s[at-1], chars.Word) {
			return a, false
		}
	default:
		end = skipBack(s, at)
	}
	from := end
	for from > 0 && end-from <= keys.MaxLength && (chars.In(s[from-1], chars.Word) || s[from-1] == '.') {
		from--
	}
	if from == end || end-from > keys.MaxLength {
		return a, false
	}
	from = unescaped(s, from, end)
	if a.Sep == '=' && from > 1 && types.Has(strings.ToLower(s[from:end])) { // var token string = "x", token: str = "x"
		if to := from - 1; s[to] == ' ' {
			if to > 0 && s[to-1] == ':' {
				to--
			}
			start := to
			for start > 0 && to-start <= keys.MaxLength && chars.In(s[start-1], chars.Word) {
				start--
			}
			if start < to {
				from, end = start, to
			}
		}
	}
	if !keys.MayBeKey(s[from:end]) {
		return a, false
	}
	from = withOwner(s, from, end)
	a.Key = s[from:end]
	if a.Grade = keys.GradeKey(a.Key); a.Grade == keys.None && from > 0 && strings.IndexByte("?&;", s[from-1]) >= 0 && parameters.Has(strings.ToLower(a.Key)) {
		a.Grade = keys.Weak
	}
	if a.Grade == keys.None || !a.fits(s, from, end, at) {
		return a, false
	}
	return a, true
}

// parameters are names that promise a secret in the query of a URL alone.
const parameters words.List = " key code signature sig x-amz-signature x-goog-signature x-amz-security-token st sas access_key " +
	"accesskey client_assertion code_verifier id_token oauth_token "

// types are what stands between a name and its value in typed languages.
const types words.List = " string str text auto val var let const bytes char final "

// fits reports whether what surrounds the key s[from:end] makes it one.
func (a *Assignment) fits(s string, from, end, at int) bool {
	line := from
	for line > 0 && strings.IndexByte(" \t+>-*#|\"'`", s[line-1]) >= 0 {
		line--
	}
	a.First = line == 0 || s[line-1] == '\n' || words.HasEnd(s[:from], "export ", "ENV ", "ARG ", "set ", "SET ")
	a.quotedKey = end < len(s) && s[end] == '"'
	lead := byte('\n')
	if from > 0 {
		lead = s[from-1]
	}
	switch a.Sep {
	case '>':
		return lead == '<'
	case ' ':
		return strings.HasSuffix(s[:from], "--") || strings.HasPrefix(a.Key, "--") || netrc(s, from, a.Key)
	case '=':
		a.compared = at+1 < len(s) && s[at+1] == '=' || at > 0 && strings.IndexByte("=!<>", s[at-1]) >= 0
		a.joined = lead == ';' || lead == '?' || lead == '&'
		a.tight = end == at && at+1 < len(s) && s[at+1] > ' ' && (a.First || strings.IndexByte("?&;-@", lead) >= 0 ||
			strings.HasPrefix(a.Key, "--") || strings.ToUpper(a.Key) == a.Key)
	case ':':
		a.result = strings.EqualFold(a.Key, "pass") && (lead == '\n' || lead == ' ')
	}
	// PWD is the working directory.
	return a.Key != "PWD" && (a.Key != "pwd" || at+1 >= len(s) || s[at+1] != '/')
}

// netrc reports whether the key stands in a line of a .netrc file.
func netrc(s string, from int, key string) bool {
	if key != "password" {
		return false
	}
	line := s[max(0, from-200):from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.Contains(line, "login ")
}

// skipBack moves back over what may stand between a key and its separator:
// blanks, the quote that closes the key, a bracket, a Go ':' before '='.
func skipBack(s string, at int) int {
	if at > 0 && s[at] == '=' && (s[at-1] == ':' || s[at-1] == '?' || s[at-1] == '=') {
		at--
	}
	for stop := max(0, at-8); at > stop && (s[at-1] == ' ' || s[at-1] == '\t'); {
		at--
	}
	for stop := max(0, at-8); at > stop && strings.IndexByte("\"'`\\]*", s[at-1]) >= 0; {
		at--
	}
	return at
}

// unescaped skips the letter of an escape before a key: the n of \nPASSWORD.
func unescaped(s string, from, end int) int {
	if from > 0 && s[from-1] == '\\' && from+1 < end && chars.In(s[from], chars.Lower) {
		return from + 1
	}
	return from
}

// withOwner takes in the word before: "API key: ...".
func withOwner(s string, from, end int) int {
	if !strings.EqualFold(s[from:end], "key") && !strings.EqualFold(s[from:end], "keys") {
		return from
	}
	if from == 0 || s[from-1] != ' ' {
		return from
	}
	i := from - 1
	for i > 0 && from-i < 20 && chars.In(s[i-1], chars.Lower|chars.Upper) {
		i--
	}
	return i
}

// values reports the secrets after the separator and returns where to go on, or
// 0 when there were none.
func (a Assignment) values(s string, at int, found *spans.Set) int {
	at = a.skip(s, at)
	if at >= len(s) {
		return 0
	}
	if s[at] == '[' && spans.Placeholder(s[at:]) == 0 {
		return a.listed(s, at+1, found)
	}
	if end := filledAt(s, at); end > at && a.Sep != '>' { // ${X:?y}, jumped over
		if v := s[at:end]; s[at] != '$' || values.Templated(v) && !strings.Contains(v, ":-") || values.IsPlaceholder(v) {
			return end
		}
	}
	if end := a.block(s, at, found); end > at {
		return end
	}
	from, to, end := a.value(s, at)
	if a.compared && a.Quote == 0 {
		return 0
	}
	if a.Quote == '`' && a.Sep == '=' && strings.IndexByte(s[from:to], ' ') >= 0 { // what a command says
		return end
	}
	if a.Sep == '>' && !strings.HasPrefix(s[end:], "</") {
		return 0
	}
	if to > from && a.Secret(s[from:to]) {
		if a.Quote == 0 && to-from >= maxBare {
			to = a.extend(s, to)
			end = to
		}
		found.Add(a.Rule(), from, to)
		return end
	}
	return 0
}

// filledAt returns the end of ${...}, #{...}, $(...) or {{...}} at s[at], or 0.
func filledAt(s string, at int) int {
	line := s[at:min(len(s), at+200)]
	for _, form := range [...][2]string{{"${{", "}}"}, {"${", "}"}, {"#{", "}"}, {"@{", "}"}, {"{{", "}}"}, {"$(", ")"}, {"<%", "%>"}, {"%{", "}"}} {
		if !strings.HasPrefix(line, form[0]) {
			continue
		}
		if i := strings.Index(line, form[1]); i > 0 && strings.IndexByte(line[:i], '\n') < 0 {
			return at + i + len(form[1])
		}
		return 0
	}
	return 0
}

// block reports the indented line behind "password: |" of YAML.
func (a *Assignment) block(s string, at int, found *spans.Set) int {
	if a.Sep != ':' || a.Grade == keys.Weak || s[at] != '|' && s[at] != '>' {
		return 0
	}
	line := words.RunOf(s[:min(len(s), at+3)], at+1, "+-")
	if line >= len(s) || s[line] != '\n' {
		return 0
	}
	from := words.RunOf(s[:min(len(s), line+40)], line+1, " \t")
	to := from
	for to < len(s) && to-from < pieces.MaxLength && s[to] != '\n' {
		to++
	}
	if v := strings.TrimSpace(s[from:to]); from == line+1 || len(v) < 4 || values.IsPlaceholder(v) || values.FilledIn(v) || values.Sentence(v, 3) || strings.HasPrefix(v, shapes.PemBegin) {
		return 0
	}
	found.Add(a.Rule(), from, to)
	return to
}

// extend returns the end of a long value without quotes.
func (a *Assignment) extend(s string, at int) int {
	for at < len(s) && !a.stops(s, at) {
		at++
	}
	return at
}

// listed reports the quoted values of a list.
func (a Assignment) listed(s string, at int, found *spans.Set) int {
	last := 0
	for range 100 {
		at = words.RunOf(s, at, " \t\r\n,")
		if at >= len(s) || s[at] != '"' && s[at] != '\'' {
			break
		}
		from, to, end := a.value(s, at)
		if end <= at {
			break
		}
		if to > from && a.Secret(s[from:to]) {
			found.Add(a.Rule(), from, to)
			last = end
		}
		at = end
	}
	return last
}

// skip moves over what may stand between a separator and its value.
func (a Assignment) skip(s string, at int) int {
	if a.Sep == '=' {
		at = words.RunOf(s[:min(len(s), at+2)], at, "=>~")
	}
	if a.Sep == ':' && at < len(s) && s[at] == '=' {
		at++
	}
	return words.RunOf(s[:min(len(s), at+64)], at, " \t*")
}

// Rule names what is found behind such a key.
func (a Assignment) Rule() string {
	if a.Grade == keys.Strong {
		return "password"
	}
	return "secret-value"
}
