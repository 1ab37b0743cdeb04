package codec

import (
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// Plain turns a field of the front matter into what an emitter takes, and
// reports whether it is set.
func Plain(ptr any) (any, bool) {
	switch p := ptr.(type) {
	case *string:
		return tree.PlainValue(*p), *p != ""
	case *int:
		return int64(*p), *p != 0
	case *bool:
		return *p, *p
	case *float64:
		return *p, *p != 0
	case **float64:
		if *p == nil {
			return nil, false
		}
		return **p, true
	case *time.Time:
		return FormatTime(*p)
	case *[]string:
		return tree.PlainList(*p), len(*p) > 0
	case *map[string]any:
		return tree.PlainValue(*p), len(*p) > 0
	case *[2]int:
		return strings.TrimPrefix(printLines(*p), ":"), *p != [2]int{}
	case *[]sage.CodeRef:
		out := make([]any, 0, len(*p))
		for i := range *p {
			out = append(out, plainFields((*p)[i].Fields()))
		}
		return out, len(out) > 0
	case *sage.CodeState:
		m := plainFields(p.Fields())
		return m, len(m) > 0
	case *[]sage.ComponentThesis:
		out := make([]any, 0, len(*p))
		for i := range *p {
			out = append(out, plainFields((*p)[i].Fields()))
		}
		return out, len(out) > 0
	}
	return nil, false
}

func plainFields(list []sage.Field) []sage.Entry {
	out := []sage.Entry{}
	for _, f := range list {
		if v, ok := Plain(f.Ptr); ok {
			out = append(out, sage.Entry{Key: f.Key, Value: v})
		}
	}
	return out
}

// FormatTime prints t to the second, in UTC. A year that the format does not
// hold counts as unset.
func FormatTime(t time.Time) (any, bool) {
	t = t.UTC()
	return t.Format(time.RFC3339), !t.IsZero() && t.Year() > 0 && t.Year() <= 9999
}
