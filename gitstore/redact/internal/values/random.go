package values

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
)

// Wordlike reports whether v has n bytes and is not made of plain words.
func Wordlike(v string, n int) bool {
	set, _ := chars.Kinds(v)
	switch {
	case len(v) < n-2 || len(v) < n && !chars.Mixed(v):
		return false
	case chars.Run(v, 0, chars.Digit) == len(v):
		return len(v) >= 16
	case set&(chars.Digit|chars.B64|chars.Other) == 0 && len(v) <= 32:
		// access_token, Kubernetes: letters of one case, joined.
		for _, w := range strings.FieldsFunc(v, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
			if w != strings.ToLower(w) && w != strings.ToUpper(w) && w[1:] != strings.ToLower(w[1:]) {
				return len(v) >= 16 && len(keys.Split(v)) > 3
			}
		}
		return false
	}
	return true
}

// Random reports whether v looks drawn by lot: long, one word, digits and letters.
func Random(v string) bool {
	_, distinct := chars.Kinds(v)
	return len(v) >= 16 && distinct >= 8 && chars.Mixed(v) && !strings.ContainsAny(v, " \t(){}<>,*@") && !IsPath(v)
}

// IsVersion reports whether v is a version with its three numbers: v2.14.0-rc.1+build.5512.
func IsVersion(v string) bool {
	v = strings.TrimPrefix(v, "v")
	for i := range 3 {
		n := chars.Run(v, 0, chars.Digit)
		if n == 0 || n > 5 {
			return false
		}
		if v = v[n:]; i < 2 && !strings.HasPrefix(v, ".") {
			return false
		}
		v = strings.TrimPrefix(v, ".")
	}
	return v == "" || (v[0] == '-' || v[0] == '+') && len(v) < 40 && chars.Run(v, 1, chars.Word|chars.Dot) == len(v) || strings.IndexByte(v, '+') > 0 && v[0] == '-' && len(v) < 60
}

// FilledIn reports whether a program puts the secret into v: $PW, $(cat pw), %PW%.
func FilledIn(v string) bool {
	if v[0] == '$' {
		return len(v) < 2 || strings.IndexByte("({", v[1]) >= 0 || chars.Run(v, 1, chars.Word) == len(v) || v[1] >= '0' && v[1] <= '9' && len(v) == 2
	}
	return strings.Contains(v, "${") || strings.Contains(v, "$(") || strings.Contains(v, "{{") || v[0] == '<' || v[0] == '{' || v[0] == '`' || v[0] == '['
}
