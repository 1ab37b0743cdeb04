package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain is a memory's server, too, if the environment says which kind.
func TestMain(m *testing.M) {
	if kind := os.Getenv("FAKE_MEMORY"); kind != "" {
		serve(kind, os.Getenv("FAKE_FILE"))
		return
	}
	os.Exit(m.Run())
}

// serve is a memory that keeps a file for each item. A forgetful one acknowledges every third
// save without it, a lazy one keeps its items until it is closed, a dumb one never answers.
func serve(kind, dir string) {
	_ = os.MkdirAll(dir, 0o777)
	var late []string
	keep := func(text string) {
		_ = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(text, "/", "-")), nil, 0o666)
	}
	saves := 0
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var q struct {
			ID     int
			Params call
		}
		if json.Unmarshal(lines.Bytes(), &q) != nil || q.ID == 0 || kind == "dumb" {
			continue
		}
		text, _ := q.Params.Args["text"].(string)
		answer := ""
		switch q.Params.Name {
		case "save":
			saves++
			switch {
			case kind == "lazy":
				late = append(late, text)
			case kind == "forgetful" && saves%3 == 0:
			default:
				keep(text)
			}
		case "list":
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				answer += e.Name() + "\n"
			}
		case "recall":
			answer = "doc-001 doc-000"
		}
		b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": q.ID, "result": map[string]any{"content": []any{map[string]string{"type": "text", "text": answer}}}})
		fmt.Println(string(b))
	}
	for _, text := range late {
		keep(text)
	}
}

func fake(t *testing.T, kind string) *tool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &tool{
		name: kind, version: "1",
		server: func(string) []string { return []string{self} },
		env:    []string{"FAKE_MEMORY=" + kind, "FAKE_FILE={home}/items"},
		save:   func(d doc) call { return call{"save", args{"text": d.ID}} },
		recall: func(q string) call { return call{"recall", args{"text": q}} },
		list:   func(int) call { return call{"list", args{}} },
		shown:  id,
	}
}

func small() *bench {
	b := &bench{runs: 1, saves: 6, writers: 3, each: 6, kills: 4, limit: time.Minute}
	for i := range 24 {
		b.docs = append(b.docs, doc{fmt.Sprintf("doc-%03d", i), "text"})
	}
	b.queries = []query{{"which?", []string{"doc-000"}}}
	return b
}

func TestLostSavesAreCounted(t *testing.T) {
	honest := small().try(fake(t, "honest"), "")
	if w, k := honest.writers, honest.kills; len(honest.notes) > 0 || w.acknowledged != 18 || w.there != 18 || k.acknowledged < 4 || k.there != k.acknowledged {
		t.Errorf("a memory that keeps all: writers %s, kills %s, notes %q", w, k, honest.notes)
	}
	if want := 1 / math.Log2(3); math.Abs(honest.ndcg-want) > 1e-9 || honest.r5 != 1 {
		t.Errorf("the right item is second: nDCG %f, recall %f", honest.ndcg, honest.r5)
	}
	if w := small().try(fake(t, "forgetful"), "").writers; w.acknowledged != 18 || w.there != 12 {
		t.Errorf("a third is lost: %s", w)
	}
	lazy := small().try(fake(t, "lazy"), "")
	if w, k := lazy.writers, lazy.kills; w.there != 18 || k.acknowledged < 4 || k.there != 0 {
		t.Errorf("kept in memory until it is closed: writers %s, kills %s", w, k)
	}
}

// A tool that is missing, silent or not installed makes a line.
func TestBrokenToolsAreNamed(t *testing.T) {
	missing := fake(t, "missing")
	missing.server = func(string) []string { return []string{filepath.Join(t.TempDir(), "nowhere")} }
	b := small()
	b.limit = 100 * time.Millisecond
	gone := &tool{name: "gone", setup: func(string) [][]string { return [][]string{{"git", "no-such-command"}} }}
	results := []*result{b.try(missing, ""), b.try(fake(t, "dumb"), ""), {tool: gone, installed: gone.install(filepath.Join(t.TempDir(), "gone"))}}
	var out strings.Builder
	b.write(&out, results)
	for _, want := range []string{
		"|  | missing | dumb |\n", "- missing 1: work: ", "- dumb 1: work: start: no answer in time",
		"- gone: not run, git: exit status 1", "| first save | - | - |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestRankingFollowsTheAnswer(t *testing.T) {
	docs := []doc{{"a", `says "so"`}, {"b", "is here"}, {"c", "is not"}}
	got := ranking(`1. is here {"text":"says \"so\""}`, docs, wholeText)
	if strings.Join(got, " ") != "b a" {
		t.Errorf("ranking %q", got)
	}
}
