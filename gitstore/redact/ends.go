package redact

import (
	"strings"
	"unicode/utf8"
)

// margin is how much is looked at beyond a cut, in bytes, and left out again: a secret that
// the cut goes through lies in it, and half of one cannot be told from other text.
const margin = 8 << 10

// Head is the beginning of a text without secrets, of at most so many bytes. Cutting first
// and looking for secrets then would leave the half of one that stands at the cut.
func (r *Redactor) Head(s string, most int) (string, []Finding, error) {
	cut := len(s) > most+margin
	if cut {
		s = strings.ToValidUTF8(s[:most+margin], "")
	}
	out, found, err := r.Text(s)
	if cut {
		out = out[:max(0, len(out)-margin)]
	}
	return headOf(out, most), found, err
}

// Tail is the same of the end of a text.
func (r *Redactor) Tail(s string, most int) (string, []Finding, error) {
	cut := len(s) > most+margin
	if cut {
		s = strings.ToValidUTF8(s[len(s)-most-margin:], "")
	}
	out, found, err := r.Text(s)
	if cut {
		out = out[min(len(out), margin):]
	}
	return tailOf(out, most), found, err
}

// headOf and tailOf are whole characters.
func headOf(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	for len(s) > 0 {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

func tailOf(s string, most int) string {
	s = s[max(0, len(s)-most):]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}
