package tree

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// An Emitter writes YAML in one form only: block style, lists at the column of
// their key, strings plain when every reader takes them for text and in double
// quotes otherwise. It never writes a block scalar: common readers of front
// matter end it at a --- inside one.
type Emitter struct{ strings.Builder }

// longKey is where a key needs the explicit form: YAML allows 1,024 characters
// before the colon of a simple one.
const longKey = 500

func (e *Emitter) Entry(indent int, key string, v any) {
	k := scalar(key)
	e.pad(indent)
	if len(k) > longKey {
		e.WriteString("? " + k + "\n")
		e.pad(indent)
		k = ""
	}
	e.WriteString(k + ":")
	if text, ok := inline(v); ok {
		e.WriteString(" " + text + "\n")
		return
	}
	e.WriteByte('\n')
	if _, ok := v.([]any); !ok || k == "" {
		indent += 2
	}
	e.block(indent, v, "")
}

// block writes a list or mapping that is not empty. The text before stands in
// the place of the end of its first line's indentation.
func (e *Emitter) block(indent int, v any, before string) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			lead := ""
			if i == 0 {
				lead = before
			}
			e.item(indent, item, lead)
		}
	case []sage.Entry:
		for i, x := range v {
			if i == 0 && before != "" {
				e.first(indent, before, func(sub *Emitter) { sub.Entry(indent, x.Key, x.Value) })
				continue
			}
			e.Entry(indent, x.Key, x.Value)
		}
	}
}

func (e *Emitter) item(indent int, v any, before string) {
	if before != "" {
		e.first(indent, before, func(sub *Emitter) { sub.item(indent, v, "") })
		return
	}
	if text, ok := inline(v); ok {
		e.pad(indent)
		e.WriteString("- " + text + "\n")
		return
	}
	e.block(indent+2, v, strings.Repeat(" ", indent)+"- ")
}

// first writes what fn writes with its indentation replaced.
func (e *Emitter) first(indent int, before string, fn func(*Emitter)) {
	var sub Emitter
	fn(&sub)
	e.WriteString(before + sub.String()[indent:])
}

func (e *Emitter) pad(n int) { e.WriteString(strings.Repeat(" ", n)) }

// inline returns what v looks like on the line of its key.
func inline(v any) (string, bool) {
	switch v := v.(type) {
	case []any:
		return "[]", len(v) == 0
	case []sage.Entry:
		return "{}", len(v) == 0
	}
	return scalar(v), true
}

func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return formatFloat(v)
	case string:
		if isPlain(v) {
			return v
		}
		return quote(v)
	}
	return quote(fmt.Sprint(v))
}

// formatFloat prints f so that every reader takes it for a float.
func formatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return ".nan"
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e15) {
		format = 'e'
	}
	mantissa, exponent, has := strings.Cut(strconv.FormatFloat(f, format, -1, 64), "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if has {
		return mantissa + "e" + exponent
	}
	return mantissa
}

// words are those that some YAML reader takes for something else than text.
var words = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

// isPlain reports whether s needs no quotes: it starts with a letter, holds
// nothing that is punctuation to YAML, and is none of words.
func isPlain(s string) bool {
	if s == "" || slices.Contains(words, strings.ToLower(s)) || strings.HasSuffix(s, " ") || strings.HasSuffix(s, ":") {
		return false
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r):
		case i == 0, !unicode.IsPrint(r), strings.ContainsRune("\"\\#[]{}`|<>&*!%@", r):
			return false
		case r == ':' && s[i+1] == ' ':
			return false
		}
	}
	return true
}

func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
