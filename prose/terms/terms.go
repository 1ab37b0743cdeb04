package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTerm is how many bytes of a term count. The longest word of a language is
// shorter; what is longer is encoded data.
const maxTerm = 64

// Of returns the terms of text in their order, repeated as they are there.
func Of(text string) []string {
	var out []string
	scan(text, func(r run) { out = r.terms(out) })
	return out
}

// Indexed returns the terms by which a document in a language is found: [Of], and each
// ideograph, for which a question may ask alone. Words in Latin letters lose the
// inflection of that language, where it is one of [Languages], else that of English.
func Indexed(text string, in Lang) []string {
	var out []string
	scan(text, func(r run) {
		r.in = in
		if out = r.terms(out); r.dense {
			out = ideographs(out, r.text)
		}
	})
	return out
}

// Asked returns the terms of a question, all of which documents in a language can have.
// For each language there are as many, in the same order.
func Asked(text string, in Lang) []string {
	var out []string
	scan(text, func(r run) {
		if r.in = in; r.dense {
			out = asked(out, r.text)
		} else {
			out = r.terms(out)
		}
	})
	return out
}

func (r run) terms(out []string) []string {
	switch {
	case r.dense:
		return pairs(out, r.text)
	case isNumber(r.text):
		return append(out, cut(r.text))
	case strings.ContainsAny(r.text, `./\@`):
		if len(r.text) <= maxTerm {
			out = append(out, r.fold(r.text))
		}
		for _, w := range strings.FieldsFunc(r.text, isJoint) {
			out = r.word(out, w)
		}
		return out
	}
	return r.word(out, r.text)
}

// word adds the terms of a word, which may be an identifier: itself, and its
// parts if there is more than one.
func (r run) word(out []string, w string) []string {
	parts := partsOf(w)
	whole := r.fold(strings.Trim(w, "_"))
	if strings.Contains(whole, "_") {
		out = append(out, cut(whole))
	} else {
		out = r.addStem(out, whole)
	}
	if len(parts) > 1 {
		for _, p := range parts {
			if len(p) > 1 {
				out = r.addStem(out, r.fold(p))
			}
		}
	}
	return out
}

// addStem adds a folded word unless it is a stop word.
func (r run) addStem(out []string, w string) []string {
	w = strings.TrimSuffix(w, "'s")
	if w == "" || isStop(w) {
		return out
	}
	return append(out, cut(stem(w, r.in)))
}

// fold brings what differs in case, accents or the shape of an apostrophe to one
// form.
func (r run) fold(w string) string {
	if r.ascii {
		return strings.ToLower(w)
	}
	var b strings.Builder
	for _, c := range norm.NFD.String(w) {
		switch {
		case c == '’':
			b.WriteByte('\'')
		case !unicode.Is(unicode.Mn, c):
			b.WriteRune(unicode.ToLower(c))
		}
	}
	return strings.Trim(b.String(), "'")
}

// pairs adds every two neighbouring letters of text, or the one that there is.
func pairs(out []string, text string) []string {
	_, n := utf8.DecodeRuneInString(text)
	if n == len(text) {
		return append(out, text)
	}
	for i := 0; i+n < len(text); {
		_, m := utf8.DecodeRuneInString(text[i+n:])
		out = append(out, text[i:i+n+m])
		i, n = i+n, m
	}
	return out
}

// cut shortens a term to maxTerm bytes, at the border of a letter.
func cut(w string) string {
	if len(w) <= maxTerm {
		return w
	}
	n := maxTerm
	for n > 0 && !utf8.RuneStart(w[n]) {
		n--
	}
	return w[:n]
}

func isNumber(w string) bool {
	for i := range len(w) {
		if (w[i] < '0' || w[i] > '9') && w[i] != '.' && w[i] != ':' {
			return false
		}
	}
	return true
}

func isJoint(r rune) bool { return r == '.' || r == '/' || r == '\\' || r == '@' }

// partsOf splits an identifier at underscores and where the case says that a
// word begins: parseHTTPHeader is parse, HTTP and Header.
func partsOf(w string) []string {
	var parts []string
	var prev, cur rune
	from, at := 0, 0
	end := func(i int) {
		if i > from {
			parts = append(parts, w[from:i])
		}
		from = i
	}
	for i, next := range w + "_" {
		// cur stands at `at`, prev before it, next behind it.
		if cur == '_' {
			end(at)
			from = at + 1
		} else if unicode.IsUpper(cur) && (unicode.IsLower(prev) || unicode.IsUpper(prev) && unicode.IsLower(next)) {
			end(at)
		}
		prev, cur, at = cur, next, i
	}
	end(len(w))
	return parts
}
