package redact

import "strings"

// maxValue bounds the search for the quote that ends a value.
const maxValue = 64 << 10

// maxBare bounds what is looked at of a value without quotes. One that is
// longer is taken to its end by extend, once it is known to be a secret.
const maxBare = 128

// value returns where the value at s[at] lies and where to go on behind it.
func (a *assignment) value(s string, at int) (from, to, end int) {
	i := at
	for i < len(s) && s[i] == '\\' {
		i++
	}
	if i < len(s) && i-at < 8 && strings.IndexByte("\"'`", s[i]) >= 0 {
		if from, to, end = quoted(s, i, i-at); end > 0 {
			a.quote = s[i]
			return from, to, end
		}
		at = i + 1                                                     // the quote is never closed: take what there is
		if at < len(s) && strings.IndexByte("+),;]} \n", s[at]) >= 0 { // "PASSWORD="+p
			return at, at, at
		}
	}
	a.quote = 0
	if end = a.bareEnd(s, at); a.isHeader() && end > at && end < len(s) && s[end] == ' ' && run(s, at, word) == end {
		at = end + 1 // the scheme of Authorization: Bearer ...
		end = a.bareEnd(s, at)
	}
	rest := strings.TrimLeft(s[end:min(len(s), end+200)], " \t,;")
	a.last = end >= len(s) || s[end] != ',' || a.tight
	a.last = a.last && (rest == "" || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "\\n"))
	return at, end, end
}

// isHeader reports whether the key is the Authorization header.
func (a *assignment) isHeader() bool {
	return strings.EqualFold(a.key[strings.LastIndexAny(a.key, "-_.")+1:], "authorization")
}

// quoted returns the text between the quote s[at], which n backslashes precede,
// and its twin on the same line, or zeros.
func quoted(s string, at, n int) (from, to, end int) {
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

// bareEnd returns the end of a value without quotes: the end of the word, with
// the punctuation of its surroundings left out.
func (a *assignment) bareEnd(s string, at int) int {
	if at < len(s) && s[at] == '<' { // <your token>
		if i := strings.IndexAny(s[at:min(len(s), at+80)], ">\n"); i > 0 && s[at+i] == '>' {
			return at + i + 1
		}
	}
	end := at
	for end < len(s) && end < at+maxBare {
		if s[end] == '[' && placeholder(s[end:]) > 0 {
			end += placeholder(s[end:])
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
	return trimmed(s, at, end)
}

// stops reports whether a value without quotes ends before s[i].
func (a *assignment) stops(s string, i int) bool {
	switch c := s[i]; c {
	case '"', '\'', '`', '<':
		return true
	case '\\':
		return i+1 < len(s) && strings.IndexByte("nrt\"", s[i+1]) >= 0
	case '#': // a fragment; a comment has a blank before it
		return a.joined
	case '&':
		return !a.first && nextPair(s[i+1:])
	case ';':
		return a.sep == '=' && moreAfter(s[i+1:])
	default:
		return c <= ' '
	}
}

// whole reports whether the value reaches to the end of its word, whatever it
// ends with: in a file of environment variables.
func (a *assignment) whole() bool { return a.tight && a.first }

// moreAfter reports whether another key=value begins: Password=x;Server=y.
func moreAfter(s string) bool {
	i := runOf(s[:min(len(s), 40)], 0, " ")
	j := i
	for j < len(s) && j < 40 && (in(s[j], word) || s[j] == ' ') {
		j++
	}
	return j < len(s) && (s[j] == '=' && j > i || s[j] == '\n') || j == len(s)
}

// nextPair reports whether a key with its = is next: the & before it parts the two, and
// otherwise is part of a password.
func nextPair(s string) bool {
	n := run(s[:min(len(s), 40)], 0, word)
	return n > 0 && n < len(s) && s[n] == '='
}

// secret judges a value by its key, its surroundings and itself.
func (a *assignment) secret(v string) bool {
	v = strings.TrimSpace(v)
	if a.isHeader() {
		if scheme, rest, ok := strings.Cut(v, " "); ok && run(scheme, 0, word) == len(scheme) {
			v = strings.TrimSpace(rest)
		}
	}
	if isPlaceholder(v) || isReference(v, a.quote) {
		return false
	}
	if a.sep == ':' && strings.IndexByte(v, '=') > 0 && hasEnd(lowerWord(a.key), "cookie", "cookies") { // cookies reads the pairs
		return false
	}
	if a.result {
		return a.key != "PASS" && passwordish(v, true) && (strings.ContainsAny(v, special) || drawn(v))
	}
	if a.grade != strong && isVersion(v) {
		return false
	}
	if a.grade == weak {
		return random(v)
	}
	switch {
	case a.quote != 0 || a.sep == '>':
		return a.secretQuoted(v)
	case a.tight:
		return a.secretTight(v)
	default:
		return a.secretBare(v)
	}
}

func (a *assignment) secretQuoted(v string) bool {
	if strings.IndexByte(",)+;]}:&", v[0]) >= 0 && strings.ContainsAny(v, " ") { // "token=" + t + "..."
		return false
	}
	env := a.tight && strings.ToUpper(a.key) == a.key
	if strings.ContainsAny(v, " \t") {
		short := 0
		switch {
		case a.grade == strong && a.sep == ':': // where descriptions stand, too
			short = 2
		case a.grade == strong:
			short = 3
		}
		return env || !sentence(v, short) && (a.grade == strong || a.sep == '=' && a.first)
	}
	if a.grade == strong || env {
		return len(v) >= 3
	}
	return wordlike(v, 8)
}

func (a *assignment) secretTight(v string) bool {
	if isCall(v) || dotted(v) {
		return false
	}
	if a.grade == strong {
		return len(v) >= 3 && (a.first || a.key != v && (a.joined && !strings.ContainsAny(v, "_.") || !nameLike(v)))
	}
	if run(v, 0, digit) == len(v) {
		return len(v) >= 16
	}
	return len(v) >= 6 && (gradeKey(v) == none || mixed(v))
}

func (a *assignment) secretBare(v string) bool {
	if isCall(v) || dotted(v) || strings.IndexByte("({[|>&*!@=,;.)", v[0]) >= 0 && placeholder(v) == 0 {
		return false
	}
	if a.grade != strong {
		return random(v) || wordlike(v, 8) && mixed(v) && gradeKey(v) == none
	}
	if mixed(v) || strings.ContainsAny(v, "!@#$%^&*?") {
		// Alone on its line even one that sounds like a key is a value: hunter2secret.
		return len(v) >= 5 && (a.first && a.last && !a.quotedKey || !nameLike(v))
	}
	if run(v, 0, digit) == len(v) {
		return len(v) >= 4 && !a.quotedKey
	}
	// password: swordfish, on a line of its own
	return a.first && a.last && len(v) >= 4 && !a.quotedKey && gradeKey(v) == none
}

// nameLike reports whether v may be the name of what holds a secret, such as
// db_password or oauth2Token2: it ends as one, and what no name has is not in it,
// neither a sign nor a digit in the midst of a word (hunter2secret).
func nameLike(v string) bool {
	if gradeKey(strings.TrimRight(v, "0123456789")) == none || strings.ContainsAny(v, "!@#$%^&*?") {
		return false
	}
	for i := 1; i < len(v); i++ {
		if in(v[i], lower) && in(v[i-1], digit) {
			return false
		}
	}
	return true
}

// wordlike reports whether v has n bytes and is not made of plain words.
func wordlike(v string, n int) bool {
	set, _ := kinds(v)
	switch {
	case len(v) < n-2 || len(v) < n && !mixed(v):
		return false
	case run(v, 0, digit) == len(v):
		return len(v) >= 16
	case set&(digit|b64|other) == 0 && len(v) <= 32:
		// access_token, Kubernetes: letters of one case, joined.
		for _, w := range strings.FieldsFunc(v, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
			if w != strings.ToLower(w) && w != strings.ToUpper(w) && w[1:] != strings.ToLower(w[1:]) {
				return len(v) >= 16 && len(splitKey(v)) > 3
			}
		}
		return false
	}
	return true
}

// random reports whether v looks drawn by lot: long, one word, digits and letters.
func random(v string) bool {
	_, distinct := kinds(v)
	return len(v) >= 16 && distinct >= 8 && mixed(v) && !strings.ContainsAny(v, " \t(){}<>,*@") && !isPath(v)
}

// isVersion reports whether v is a version with its three numbers: v2.14.0-rc.1+build.5512.
func isVersion(v string) bool {
	v = strings.TrimPrefix(v, "v")
	for i := range 3 {
		n := run(v, 0, digit)
		if n == 0 || n > 5 {
			return false
		}
		if v = v[n:]; i < 2 && !strings.HasPrefix(v, ".") {
			return false
		}
		v = strings.TrimPrefix(v, ".")
	}
	return v == "" || (v[0] == '-' || v[0] == '+') && len(v) < 40 && run(v, 1, word|dot) == len(v) || strings.IndexByte(v, '+') > 0 && v[0] == '-' && len(v) < 60
}
