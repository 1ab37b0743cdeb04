package redact

import "strings"

// An assignment is a key and what stands after it.
type assignment struct {
	key   string
	grade grade
	sep   byte // '=' ':' '>' (XML) or ' ' (--flag value)
	tight bool // the value of an environment: KEY=value at the start of a word of shell
	first bool // the key begins its line
	quote byte // around the value, or 0
	last  bool // nothing follows the value on its line

	// quotedKey is set for JSON, where a value without quotes is a number or a
	// word of the language, and a placeholder in its stead would not be JSON.
	quotedKey bool
}

// findAssigned reports values after keys that promise a secret.
//
// It looks back from each = and : for a key (at most maxKey bytes) and forward
// for a value. Values that are taken are jumped over, those that are not are
// bounded, so that the work is linear.
func findAssigned(s string, found *spans) {
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
			if (flag < 0 || at-flag > maxKey) && !strings.HasSuffix(s[:at], "password") {
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
func keyBefore(s string, at int) (a assignment, ok bool) {
	a.sep = s[at]
	end := at
	switch a.sep {
	case '>', ' ':
		if at == 0 || !in(s[at-1], word) {
			return a, false
		}
	default:
		end = skipBack(s, at)
	}
	from := end
	for from > 0 && end-from <= maxKey && (in(s[from-1], word) || s[from-1] == '.') {
		from--
	}
	if from == end || end-from > maxKey {
		return a, false
	}
	from = unescaped(s, from, end)
	if !mayBeKey(s[from:end]) {
		return a, false
	}
	from = withOwner(s, from, end)
	a.key = s[from:end]
	if a.grade = gradeKey(a.key); a.grade == none || !a.fits(s, from, end, at) {
		return a, false
	}
	return a, true
}

// fits reports whether what surrounds the key s[from:end] makes it one.
func (a *assignment) fits(s string, from, end, at int) bool {
	line := from
	for line > 0 && strings.IndexByte(" \t+>-*#|\"'`", s[line-1]) >= 0 {
		line--
	}
	a.first = line == 0 || s[line-1] == '\n' || strings.HasSuffix(s[:from], "export ") || strings.HasSuffix(s[:from], "ENV ")
	a.quotedKey = end < len(s) && s[end] == '"'
	lead := byte('\n')
	if from > 0 {
		lead = s[from-1]
	}
	switch a.sep {
	case '>':
		return lead == '<'
	case ' ':
		return strings.HasSuffix(s[:from], "--") || strings.HasPrefix(a.key, "--") || netrc(s, from, a.key)
	case '=':
		a.tight = end == at && at+1 < len(s) && s[at+1] > ' ' && (a.first || strings.IndexByte("?&;-@", lead) >= 0 ||
			strings.HasPrefix(a.key, "--") || strings.ToUpper(a.key) == a.key)
	case ':':
		if strings.EqualFold(a.key, "pass") && (lead == '\n' || lead == ' ') { // PASS: TestLogin
			return false
		}
	}
	// PWD is the working directory.
	return a.key != "PWD" && (a.key != "pwd" || at+1 >= len(s) || s[at+1] != '/')
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
	if from > 0 && s[from-1] == '\\' && from+1 < end && in(s[from], lower) {
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
	for i > 0 && from-i < 20 && in(s[i-1], lower|upper) {
		i--
	}
	return i
}

// values reports the secrets after the separator and returns where to go on, or
// 0 when there were none.
func (a assignment) values(s string, at int, found *spans) int {
	at = a.skip(s, at)
	if at >= len(s) {
		return 0
	}
	if s[at] == '[' && placeholder(s[at:]) == 0 {
		return a.listed(s, at+1, found)
	}
	from, to, end := a.value(s, at)
	if a.sep == '>' && !strings.HasPrefix(s[end:], "</") {
		return 0
	}
	if to > from && a.secret(s[from:to]) {
		if a.quote == 0 && to-from >= maxBare {
			to = a.extend(s, to)
			end = to
		}
		found.add(a.rule(), from, to)
		return end
	}
	return 0
}

// extend returns the end of a long value without quotes.
func (a *assignment) extend(s string, at int) int {
	for at < len(s) && !a.stops(s, at) {
		at++
	}
	return at
}

// listed reports the quoted values of a list.
func (a assignment) listed(s string, at int, found *spans) int {
	last := 0
	for range 100 {
		at = runOf(s, at, " \t\r\n,")
		if at >= len(s) || s[at] != '"' && s[at] != '\'' {
			break
		}
		from, to, end := a.value(s, at)
		if end <= at {
			break
		}
		if to > from && a.secret(s[from:to]) {
			found.add(a.rule(), from, to)
			last = end
		}
		at = end
	}
	return last
}

// runOf returns the end of the bytes of s from at on that are in set.
func runOf(s string, at int, set string) int {
	for at < len(s) && strings.IndexByte(set, s[at]) >= 0 {
		at++
	}
	return at
}

// skip moves over what may stand between a separator and its value.
func (a assignment) skip(s string, at int) int {
	if a.sep == '=' {
		at = runOf(s[:min(len(s), at+2)], at, "=>~")
	}
	if a.sep == ':' && at < len(s) && s[at] == '=' {
		at++
	}
	return runOf(s[:min(len(s), at+64)], at, " \t*")
}

func (a assignment) rule() string {
	if a.grade == strong {
		return "password"
	}
	return "secret-value"
}
