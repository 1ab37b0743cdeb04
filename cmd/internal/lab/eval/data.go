package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A set is measured as a whole, each of its stores by itself.
type set struct {
	name   string
	stores []*store
}

// A store is one search space.
type store struct {
	name    string
	docs    []doc
	queries []query
}

type doc struct {
	ID   string          `json:"id"`
	Text string          `json:"text"`
	Time json.RawMessage `json:"time"`
	Lang string          `json:"lang"`
}

type query struct {
	ID    string   `json:"id"`
	Text  string   `json:"text"`
	Gold  []string `json:"gold"`
	Stale []string `json:"stale"`
	Kind  string   `json:"kind"`
}

// isCode reports whether a store holds code, for which there is a model of its own.
func (s *store) isCode() bool { return len(s.docs) > 0 && s.docs[0].Lang != "" }

// when is the time of a document: a number counts days, since only the order counts.
func (d *doc) when() time.Time {
	var n int64
	if json.Unmarshal(d.Time, &n) == nil {
		return time.Unix(0, 0).UTC().AddDate(1, 0, int(n))
	}
	var s string
	if json.Unmarshal(d.Time, &s) != nil {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339, "3:04 pm on 2 January, 2006", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// findSets reads the sets in dir, which may be one itself.
func findSets(dir string) ([]set, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "docs.jsonl"))
	if err == nil && len(files) == 0 {
		files, err = filepath.Glob(filepath.Join(dir, "*", "docs.jsonl"))
	}
	if err != nil {
		return nil, err
	}
	var out []set
	for _, f := range files {
		folder := filepath.Dir(f)
		name := filepath.Base(filepath.Dir(folder))
		if len(out) == 0 || out[len(out)-1].name != name {
			out = append(out, set{name: name})
		}
		s, err := readStore(folder)
		if err != nil {
			return nil, err
		}
		out[len(out)-1].stores = append(out[len(out)-1].stores, s)
	}
	if len(out) == 0 {
		return nil, errNoSets(dir)
	}
	return out, nil
}

func readStore(dir string) (*store, error) {
	s := &store{name: filepath.Base(dir)}
	var err error
	if s.docs, err = readLines[doc](filepath.Join(dir, "docs.jsonl")); err != nil {
		return nil, err
	}
	s.queries, err = readLines[query](filepath.Join(dir, "queries.jsonl"))
	s.queries = slices.DeleteFunc(s.queries, func(q query) bool { return len(q.Gold) == 0 })
	return s, err
}

func readLines[T any](file string) ([]T, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file, len(out)+1, err)
		}
		out = append(out, v)
	}
	return out, lines.Err()
}
