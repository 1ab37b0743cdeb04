package scan

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf8"
)

// Object calls field with each key and value of the JSON object in b, as they are
// written, until it returns false. It reports whether all that it saw is sound and,
// unless it was stopped, nothing else is in b.
func Object(b []byte, field func(key, value []byte) bool) bool {
	i := blank(b, 0)
	if i >= len(b) || b[i] != '{' {
		return false
	}
	if i = blank(b, i+1); i < len(b) && b[i] == '}' {
		return blank(b, i+1) == len(b)
	}
	for {
		at := keyEnd(b, i)
		end := valueEnd(b, at, 1)
		if at < 0 || end < 0 {
			return false
		}
		if !field(name(b[i+1:at]), b[at:end]) {
			return true
		}
		if i = blank(b, end); i >= len(b) || b[i] != ',' {
			return i < len(b) && b[i] == '}' && blank(b, i+1) == len(b)
		}
		i = blank(b, i+1)
	}
}

// Fields are the keys and values of the object in b, up to where it is broken; none if
// there is none.
func Fields(b []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) { Object(b, yield) }
}

// name is the text before the next quote: of a key, which nobody here escapes.
func name(b []byte) []byte {
	key, _, _ := bytes.Cut(b, []byte{'"'})
	return key
}

// Elements are the values of a JSON list.
func Elements(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := blank(b, 0)
		if i >= len(b) || b[i] != '[' {
			return
		}
		for i = blank(b, i+1); i < len(b); i = blank(b, i+1) {
			end := valueEnd(b, i, 1)
			if end < 0 || !yield(b[i:end]) {
				return
			}
			if i = blank(b, end); i >= len(b) || b[i] != ',' {
				return
			}
		}
	}
}

// Text is what a JSON string says, in valid UTF-8; "" for anything else.
func Text(b []byte) string {
	if len(b) < 2 || b[0] != '"' {
		return ""
	}
	if s := b[1 : len(b)-1]; bytes.IndexByte(s, '\\') < 0 && utf8.Valid(s) {
		return string(s)
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}

// Number is a whole number; 0 for anything else.
func Number(b []byte) int {
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return 0
	}
	return n
}

// Truth is whether b is true.
func Truth(b []byte) bool { return string(b) == "true" }
