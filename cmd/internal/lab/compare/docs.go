package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A doc is saved as one item.
type doc struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

type query struct {
	Text string   `json:"text"`
	Gold []string `json:"gold"`
}

// material is n docs, of the set in dir as many as it has, and its queries. Without the set
// there are docs and no queries.
func material(dir string, n int) (docs []doc, queries []query, err error) {
	docs, err = readLines[doc](filepath.Join(dir, "docs.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	} else if err == nil {
		queries, err = readLines[query](filepath.Join(dir, "queries.jsonl"))
	}
	for i := len(docs); i < n; i++ {
		docs = append(docs, doc{fmt.Sprintf("filler-%03d", i), fmt.Sprintf("Build %d took %d seconds on runner %d, and failed in stage %d.", 7919*i%9973, 31*i%601, i%17, i%23)})
	}
	return docs, queries, err
}

func readLines[T any](file string) (list []T, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var v T
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: item %d: %w", file, len(list)+1, err)
		}
		list = append(list, v)
	}
}
