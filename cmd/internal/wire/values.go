package wire

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
)

// plainValue makes ordered mappings ordinary ones, as JSON has them.
func plainValue(v any) any {
	switch v := v.(type) {
	case []sage.Entry:
		m := map[string]any{}
		for _, e := range v {
			m[e.Key] = plainValue(e.Value)
		}
		return m
	case map[string]any:
		return plainMap(v)
	case []any:
		return lists.Map(v, plainValue)
	}
	return v
}

func plainMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = plainValue(v)
	}
	return out
}

// Text is a value of an object as text for a line.
func Text(v any) string {
	switch v := plainValue(v).(type) {
	case nil:
		return ""
	case string:
		return term.Visible(v)
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = Text(w)
		}
		return strings.Join(words, ",")
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// NotNil makes an empty list of none, so that JSON says [] and not null.
func NotNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
