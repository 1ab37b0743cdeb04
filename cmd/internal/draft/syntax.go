package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
	"github.com/git-sage/git-sage/prose/cut"
)

// The values of structured options are written in one line each, which package sage
// reads. The parsers here decide shape only: whether a word is one of the allowed ones
// is for sage.Validate to say, so that a file and an option get the same answer.

// parseTension reads a tension, which has two sides at least on a command line.
func parseTension(s string) (sage.Tension, error) {
	t := shorthand.ParseTension(s)
	if len(t.Between) < 2 {
		return t, fmt.Errorf("tension '%s' is not 'a vs b: nature [resolution]'", cut.Runes(s, 60))
	}
	return t, nil
}

var oneWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z_]*$`) })

// parseContribution reads a contribution. A word before its colon that is no type is
// taken for a mistaken one, for sage.Validate to name.
func parseContribution(s string) (sage.Contribution, error) {
	if strings.TrimSpace(s) == "" {
		return sage.Contribution{}, fmt.Errorf("unique contribution is empty")
	}
	c := shorthand.ParseContribution(s)
	kind, content, ok := strings.Cut(c.Content, ":")
	if ok && c.Content == strings.TrimSpace(s) && oneWord().MatchString(kind) {
		return sage.Contribution{Type: kind, Content: strings.TrimSpace(content)}, nil
	}
	return c, nil
}

// parseData reads "key=value", where a value that is a JSON list or object
// counts as one, or a whole JSON object.
func parseData(option, s string, into map[string]any) error {
	if t := strings.TrimSpace(s); strings.HasPrefix(t, "{") {
		return mergeJSON(option, t, into)
	}
	k, v, ok := strings.Cut(s, "=")
	k = strings.TrimSpace(k)
	if !ok || k == "" {
		return fmt.Errorf("--%s '%s' is not key=value", option, cut.Runes(s, 60))
	}
	gather(into, k, jsonOrText(v))
	return nil
}

// gather puts a value at a key, behind what is there: a key that is given several times
// is a list.
func gather(into map[string]any, k string, v any) {
	was, given := into[k]
	if !given {
		into[k] = v
		return
	}
	list, ok := was.([]any)
	if !ok {
		list = []any{was}
	}
	if more, ok := v.([]any); ok {
		into[k] = slices.Concat(list, more)
		return
	}
	into[k] = append(slices.Clip(list), v)
}

// mergeJSON adds the keys of the JSON object s.
func mergeJSON(option, s string, into map[string]any) error {
	v, err := jsonValue(s)
	if err != nil {
		return fmt.Errorf("--%s is not a JSON object: %w", option, err)
	}
	for k, v := range v.(map[string]any) {
		gather(into, k, v)
	}
	return nil
}

func jsonOrText(s string) any {
	t := strings.TrimSpace(s)
	if !strings.HasPrefix(t, "[") && !strings.HasPrefix(t, "{") {
		return s
	}
	v, err := jsonValue(t)
	if err != nil {
		return s
	}
	return v
}

// jsonValue reads one JSON value whose whole numbers stay whole.
func jsonValue(s string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the end of the value")
	}
	return plainNumbers(v), nil
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plainNumbers(v[k])
		}
	}
	return v
}
