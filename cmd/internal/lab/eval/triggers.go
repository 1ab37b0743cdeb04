package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/hooks/trigger"
)

// A turn is one that somebody labelled, see testdata/trigger/README.md.
type turn struct {
	Text    string       `json:"text"`
	Kind    trigger.Kind `json:"kind"`
	Who     string       `json:"who"`
	Before  string       `json:"before"`  // what the agent said before it, if that matters
	Lang    string       `json:"lang"`    // "" is English
	Session int          `json:"session"` // of a session, in their order; 0 stands alone
}

func (t turn) said() trigger.Turn { return trigger.Turn{Text: t.Text, Person: t.Who == "user"} }

// read is how the triggers read it.
func (t turn) read(encode trigger.Encode) trigger.Reading {
	talk := []trigger.Turn{t.said()}
	if t.Before != "" {
		talk = []trigger.Turn{{Text: t.Before}, t.said()}
	}
	return trigger.ReadAll(talk, 1, encode)[0]
}

// encode gives the triggers their second opinion, as hooks do.
func (m *models) encode(ctx context.Context) trigger.Encode {
	return func(texts []string) [][]float32 {
		list, err := m.prose.Queries(ctx, texts)
		if err != nil {
			return nil
		}
		return list
	}
}

// threshold is the default of trigger_threshold.
const threshold = 0.55

// labelled are the files of the project, and what is said of each.
var labelled = []struct{ file, about string }{
	{"sentences.jsonl", "rules and head were made with these"},
	{"more.jsonl", "the head was fitted to these, too"},
	{"plain.jsonl", "word lists were made with these"},
	{"held.jsonl", "held out"},
	{"held2.jsonl", "held out"},
	{"held3.jsonl", "held out"},
	{"held4.jsonl", "held out: plain words"},
	{"languages.jsonl", "held out: seven languages"},
	{"ordinary.jsonl", "six routine sessions"},
}

// measureTriggers scores the triggers on a file of labelled turns; "all" is on those of
// the project and on joined conversations, if there are any in data, "drift" on these
// alone.
func measureTriggers(ctx context.Context, w io.Writer, file, data string) error {
	m, err := openModels()
	if err != nil {
		return err
	}
	if file == "fit" {
		return errors.Join(m.fitHead(ctx, w), m.save())
	}
	return errors.Join(m.measureWords(ctx, w, file, data), m.save())
}

func (m *models) measureWords(ctx context.Context, w io.Writer, file, data string) error {
	if file != "all" && file != "drift" {
		return m.measureTurns(ctx, w, file, filepath.Base(file))
	}
	for _, l := range labelled {
		if file == "drift" {
			break
		}
		if err := m.measureTurns(ctx, w, filepath.Join("testdata", "trigger", l.file), l.file+" ("+l.about+")"); err != nil {
			return err
		}
	}
	if data == "" {
		data = filepath.Join("..", "shared", "data")
	}
	return measureDrift(ctx, w, filepath.Join(data, "locomo"))
}

func (m *models) measureTurns(ctx context.Context, w io.Writer, file, title string) error {
	list, err := readLines[turn](file)
	if err != nil {
		return err
	}
	all, kinds, languages := count{}, map[trigger.Kind]*count{}, map[string]*count{}
	for _, k := range trigger.Kinds {
		kinds[k] = &count{}
	}
	for _, t := range list {
		got := t.read(m.encode(ctx)).Kind(threshold)
		all.add(got != "", t.Kind != "", got == t.Kind)
		if languages[t.Lang] == nil {
			languages[t.Lang] = &count{}
		}
		languages[t.Lang].add(got != "", t.Kind != "", got == t.Kind)
		for k, c := range kinds {
			c.add(got == k, t.Kind == k, got == t.Kind)
		}
	}
	fmt.Fprintf(w, "\ntriggers, %s: %d turns, %d worth saving\n", title, len(list), all.gold)
	fmt.Fprintf(w, "  %-14s %s, %.1f false alarms per 100 turns\n", "all", all, 100*float64(all.told-all.heard)/float64(max(1, len(list))))
	for _, k := range trigger.Kinds {
		if kinds[k].gold+kinds[k].told > 0 {
			fmt.Fprintf(w, "  %-14s %s\n", k, kinds[k])
		}
	}
	for _, l := range slices.Sorted(maps.Keys(languages)) {
		if l != "" {
			fmt.Fprintf(w, "  %-14s %s\n", l, languages[l])
		}
	}
	return nil
}

// A count compares what was told with what is.
type count struct {
	told, gold int
	right      int // told, and of the right kind
	heard      int // told and worth telling, whatever it was taken for
}

func (c *count) add(told, gold, right bool) {
	if told {
		c.told++
	}
	if gold {
		c.gold++
	}
	if told && gold {
		c.heard++
	}
	if told && gold && right {
		c.right++
	}
}

func (c count) String() string {
	share := func(n, of int) string {
		if of == 0 {
			return "   - "
		}
		return fmt.Sprintf("%5.3f", float64(n)/float64(of))
	}
	return fmt.Sprintf("right kind: precision %s recall %s; told at all: %s %s  (%d right, %d heard of %d told, %d to tell)",
		share(c.right, c.told), share(c.right, c.gold), share(c.heard, c.told), share(c.heard, c.gold), c.right, c.heard, c.told, c.gold)
}
