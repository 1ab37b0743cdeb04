// Package chars has the classes of bytes that keys, words and tokens are made of.
package chars

// A Class is a set of bytes that tokens are made of.
type Class uint8

const (
	Digit Class = 1 << iota
	Lower
	Upper
	Dash  // - and _
	Dot   // .
	B64   // + / =
	Hexa  // 0-9 a-f A-F
	Other // ~ % $ :

	Alnum = Digit | Lower | Upper
	Word  = Alnum | Dash
	Base  = Alnum | B64
	Jwtc  = Word | Dot
)

// Classes are those of each byte.
var Classes = func() (t [256]Class) {
	for c := range t {
		switch {
		case c >= '0' && c <= '9':
			t[c] = Digit | Hexa
		case c >= 'a' && c <= 'f':
			t[c] = Lower | Hexa
		case c >= 'A' && c <= 'F':
			t[c] = Upper | Hexa
		case c >= 'a' && c <= 'z':
			t[c] = Lower
		case c >= 'A' && c <= 'Z':
			t[c] = Upper
		}
	}
	t['-'], t['_'], t['.'] = Dash, Dash, Dot
	t['+'], t['/'], t['='] = B64, B64, B64
	t['~'], t['%'], t['$'], t[':'] = Other, Other, Other, Other
	return t
}()

// In reports whether c is in set.
func In(c byte, set Class) bool { return Classes[c]&set != 0 }

// Run returns the end of the bytes of s from at on that are in set.
func Run(s string, at int, set Class) int {
	for at < len(s) && In(s[at], set) {
		at++
	}
	return at
}

// Glued reports whether s[at] continues a word. A letter that ends an escape
// (the n of \n, the c of \u003c, the D of %3D) does not count as one.
func Glued(s string, at int) bool {
	if at == 0 || !(In(s[at-1], Alnum) || s[at-1] == '_') {
		return false
	}
	switch {
	case at > 1 && s[at-2] == '\\' && In(s[at-1], Lower):
		return false
	case at > 2 && s[at-3] == '%' && In(s[at-2], Hexa) && In(s[at-1], Hexa):
		return false
	case at > 5 && s[at-6] == '\\' && s[at-5] == 'u' && Run(s[at-4:at], 0, Hexa) == 4:
		return false
	}
	return true
}

// Kinds returns which classes occur in s, and how many different bytes.
func Kinds(s string) (set Class, distinct int) {
	var seen [256]bool
	for i := range len(s) {
		c := s[i]
		set |= Classes[c]
		if !seen[c] {
			seen[c] = true
			distinct++
		}
	}
	return set, distinct
}

// Mixed reports whether s has both digits and letters.
func Mixed(s string) bool {
	set, _ := Kinds(s)
	return set&Digit != 0 && set&(Lower|Upper) != 0
}
