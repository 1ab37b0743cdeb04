package redact

// A class is a set of bytes that tokens are made of.
type class uint8

const (
	digit class = 1 << iota
	lower
	upper
	dash  // - and _
	dot   // .
	b64   // + / =
	hexa  // 0-9 a-f A-F
	other // ~ % $ :

	alnum = digit | lower | upper
	word  = alnum | dash
	base  = alnum | b64
	jwtc  = word | dot
)

var classes = func() (t [256]class) {
	for c := range t {
		switch {
		case c >= '0' && c <= '9':
			t[c] = digit | hexa
		case c >= 'a' && c <= 'f':
			t[c] = lower | hexa
		case c >= 'A' && c <= 'F':
			t[c] = upper | hexa
		case c >= 'a' && c <= 'z':
			t[c] = lower
		case c >= 'A' && c <= 'Z':
			t[c] = upper
		}
	}
	t['-'], t['_'], t['.'] = dash, dash, dot
	t['+'], t['/'], t['='] = b64, b64, b64
	t['~'], t['%'], t['$'], t[':'] = other, other, other, other
	return t
}()

func in(c byte, set class) bool { return classes[c]&set != 0 }

// run returns the end of the bytes of s from at on that are in set.
func run(s string, at int, set class) int {
	for at < len(s) && in(s[at], set) {
		at++
	}
	return at
}

// glued reports whether s[at] continues a word. A letter that ends an escape
// (the n of \n, the c of \u003c, the D of %3D) does not count as one.
func glued(s string, at int) bool {
	if at == 0 || !(in(s[at-1], alnum) || s[at-1] == '_') {
		return false
	}
	switch {
	case at > 1 && s[at-2] == '\\' && in(s[at-1], lower):
		return false
	case at > 2 && s[at-3] == '%' && in(s[at-2], hexa) && in(s[at-1], hexa):
		return false
	case at > 5 && s[at-6] == '\\' && s[at-5] == 'u' && run(s[at-4:at], 0, hexa) == 4:
		return false
	}
	return true
}

// kinds returns which classes occur in s, and how many different bytes.
func kinds(s string) (set class, distinct int) {
	var seen [256]bool
	for i := range len(s) {
		c := s[i]
		set |= classes[c]
		if !seen[c] {
			seen[c] = true
			distinct++
		}
	}
	return set, distinct
}

// mixed reports whether s has both digits and letters.
func mixed(s string) bool {
	set, _ := kinds(s)
	return set&digit != 0 && set&(lower|upper) != 0
}
