package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// The values of structured options are written in one line each. The parsers
// here decide shape only: whether a word is one of the allowed ones is for
// sage.Validate to say, so that a file and an option get the same answer.

var sourceKeys = []string{"id", "type", "identifier", "credibility", "take", "core_take", "relation"}

// parseSource reads "id:type:relation:take", or pairs "id=..;take=..". The take
// may hold colons; of pairs, a piece that begins with no known key belongs to
// the value before it, so that values may hold semicolons.
func parseSource(s string) (sage.Source, error) {
	if key, _, ok := strings.Cut(s, "="); ok && slices.Contains(sourceKeys, strings.TrimSpace(key)) {
		return sourceOfPairs(pairs(s, sourceKeys)), nil
	}
	p := strings.SplitN(s, ":", 4)
	if len(p) < 4 {
		return sage.Source{}, fmt.Errorf("source '%s' is not id:type:relation:take, nor pairs like 'id=..;take=..'", cut(s, 60))
	}
	for i := range p {
		p[i] = strings.TrimSpace(p[i])
	}
	return sage.Source{ID: p[0], Type: p[1], Relation: p[2], Take: p[3]}, nil
}

func sourceOfPairs(m map[string]string) sage.Source {
	take := m["take"]
	if take == "" {
		take = m["core_take"]
	}
	return sage.Source{
		ID: m["id"], Type: m["type"], Identifier: m["identifier"],
		Credibility: m["credibility"], Take: take, Relation: m["relation"],
	}
}

// pairs splits "k=v;k=v" at those semicolons that a known key follows.
func pairs(s string, keys []string) map[string]string {
	m, last := map[string]string{}, ""
	for piece := range strings.SplitSeq(s, ";") {
		k, v, ok := strings.Cut(piece, "=")
		k = strings.TrimSpace(k)
		if ok && slices.Contains(keys, k) {
			m[k], last = strings.TrimSpace(v), k
		} else if last != "" {
			m[last] += ";" + piece
		}
	}
	return m
}

var resolutionAtEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?s:(.*?))\s*\[([A-Za-z_]+)\]\s*$`) })

// parseTension reads "a vs b: nature [resolution]"; without a resolution it is
// unresolved.
func parseTension(s string) (sage.Tension, error) {
	between, nature, ok := strings.Cut(s, ": ")
	ids := splitBetween(between)
	if !ok || len(ids) < 2 {
		return sage.Tension{}, fmt.Errorf("tension '%s' is not 'a vs b: nature [resolution]'", cut(s, 60))
	}
	t := sage.Tension{Between: ids, Nature: strings.TrimSpace(nature), Resolution: "unresolved"}
	if m := resolutionAtEnd().FindStringSubmatch(nature); m != nil {
		t.Nature, t.Resolution = strings.TrimSpace(m[1]), m[2]
	}
	return t, nil
}

var versus = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s+vs\.?\s+`) })

func splitBetween(s string) []string {
	var ids []string
	for _, id := range versus().Split(s, -1) {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

var oneWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z_]*$`) })

// parseContribution reads "type: content". Text that begins with no such word
// is a discovery, the commonest of them.
func parseContribution(s string) (sage.Contribution, error) {
	if strings.TrimSpace(s) == "" {
		return sage.Contribution{}, fmt.Errorf("unique contribution is empty")
	}
	kind, content, ok := strings.Cut(s, ":")
	kind = strings.TrimSpace(kind)
	if lower := strings.ToLower(kind); slices.Contains(sage.Words("unique_contributions.type"), lower) {
		kind = lower
	}
	if !ok || !oneWord().MatchString(kind) {
		return sage.Contribution{Type: "discovery", Content: strings.TrimSpace(s)}, nil
	}
	return sage.Contribution{Type: kind, Content: strings.TrimSpace(content)}, nil
}

var linesAtEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+):([0-9]+)(?:-([0-9]+))?$`) })

// parseCodeRef reads "file", "file:line" or "file:from-to", each with an
// optional ":relevance" behind it.
func parseCodeRef(s string) (sage.CodeRef, error) {
	var r sage.CodeRef
	if i := strings.LastIndexByte(s, ':'); i >= 0 && slices.Contains(sage.Words("code_refs.relevance"), s[i+1:]) {
		s, r.Relevance = s[:i], s[i+1:]
	}
	r.File = s
	if m := linesAtEnd().FindStringSubmatch(s); m != nil {
		r.File = m[1]
		r.Lines[0], _ = strconv.Atoi(m[2])
		r.Lines[1] = r.Lines[0]
		if m[3] != "" {
			r.Lines[1], _ = strconv.Atoi(m[3])
		}
		if r.Lines[0] < 1 || r.Lines[1] < r.Lines[0] {
			return r, fmt.Errorf("code reference '%s': lines count from 1, the first not after the last", cut(s, 60))
		}
	}
	if r.File == "" {
		return r, fmt.Errorf("code reference '%s' is not file:from-to[:relevance]", cut(s, 60))
	}
	r.File = filepath.ToSlash(r.File)
	return r, nil
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
		return fmt.Errorf("--%s '%s' is not key=value", option, cut(s, 60))
	}
	into[k] = jsonOrText(v)
	return nil
}

// mergeJSON adds the keys of the JSON object s.
func mergeJSON(option, s string, into map[string]any) error {
	v, err := jsonValue(s)
	if err != nil {
		return fmt.Errorf("--%s is not a JSON object: %w", option, err)
	}
	for k, v := range v.(map[string]any) {
		into[k] = v
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

// cut shortens s to n characters, for messages.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
