package redact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/sage"
)

func TestCheckpoint(t *testing.T) {
	shared := map[string]any{"api_key": "swordfish-and-1-more", "note": "see " + plant, "env": map[string]any{"DB_PASSWORD": "three words", "DB_USER": "app"},
		"tokens": []any{fill(24), "short"}, "password": int64(12345678), "token_count": int64(12345678), plant: "as a key"}
	c := &sage.Checkpoint{
		CoreQuestion: "why " + plant,
		Thesis:       "tokens rotate hourly",
		KeyEvidence:  []string{"fine", "postgres://u:p@h"},
		Sources:      []sage.Source{{ID: "s", Take: "password=hunter2"}},
		Action:       sage.Action{Goal: plant},
		Fields:       shared,
		Extra:        []sage.Entry{{Key: "client_secret", Value: "swordfish12"}},
		FilesChanged: []string{"a/" + plant + ".txt"},
	}
	found, err := Default().Checkpoint(c)
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%+v", *c)
	for _, s := range []string{plant, "swordfish", "three words", "u:p@", "hunter2", fill(24), "DB_PASSWORD:12345678", " password:12345678"} {
		if strings.Contains(all, s) {
			t.Errorf("%q survives in %s", s, all)
		}
	}
	for _, s := range []string{"tokens rotate hourly", "DB_USER:app", "token_count:12345678", "short", "postgres://u:[redacted:url-password]@h"} {
		if !strings.Contains(all, s) {
			t.Errorf("%q is gone from %s", s, all)
		}
	}
	if shared["api_key"] != "swordfish-and-1-more" {
		t.Error("the caller's own map was changed")
	}
	sum := 0
	for _, f := range found {
		sum += f.Count
	}
	if sum != 12 {
		t.Errorf("found %v", found)
	}
	again, err := Default().Checkpoint(c)
	if err != nil || len(again) > 0 {
		t.Errorf("a second pass finds %v, %v", again, err)
	}
	if d := cmp.Diff(all, fmt.Sprintf("%+v", *c)); d != "" {
		t.Error(d)
	}
}

func TestCheckpointFailsClosed(t *testing.T) {
	r := &Redactor{finders: []spans.Finder{func(string, *spans.Set) { panic("no") }}}
	if _, err := r.Checkpoint(&sage.Checkpoint{Thesis: "x"}); err == nil {
		t.Error("no error")
	}
}
