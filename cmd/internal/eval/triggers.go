package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/trigger"
)

// A turn is one that somebody labelled, see testdata/trigger/README.md.
type turn struct {
	Text    string       `json:"text"`
	Kind    trigger.Kind `json:"kind"`
	Who     string       `json:"who"`
	Session int          `json:"session"` // of a session, in their order; 0 stands alone
}

func (t turn) said() trigger.Turn { return trigger.Turn{Text: t.Text, Person: t.Who == "user"} }

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
const threshold = 0.6

// labelled are the files of the project, and what is said of each.
var labelled = []struct{ file, about string }{
	{"sentences.jsonl", "rules and head were made with these"},
	{"more.jsonl", "the head was fitted to these, too"},
	{"held.jsonl", "held out"},
	{"held2.jsonl", "held out"},
	{"held3.jsonl", "held out"},
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
	all, kinds := count{}, map[trigger.Kind]*count{}
	for _, k := range trigger.Kinds {
		kinds[k] = &count{}
	}
	for _, t := range list {
		got := trigger.ReadAll([]trigger.Turn{t.said()}, m.encode(ctx))[0].Kind(threshold)
		all.add(got != "", t.Kind != "", got == t.Kind)
		for k, c := range kinds {
			c.add(got == k, t.Kind == k, got == t.Kind)
		}
	}
	fmt.Fprintf(w, "\ntriggers, %s: %d turns, %d worth saving\n", title, len(list), all.gold)
	fmt.Fprintf(w, "  %-14s %s, %.1f false alarms per 100 turns\n", "all", all, 100*float64(all.told-all.right)/float64(max(1, len(list))))
	for _, k := range trigger.Kinds {
		if kinds[k].gold+kinds[k].told > 0 {
			fmt.Fprintf(w, "  %-14s %s\n", k, kinds[k])
		}
	}
	return nil
}

// A count compares what was told with what is.
type count struct{ told, gold, right int }

func (c *count) add(told, gold, right bool) {
	if told {
		c.told++
	}
	if gold {
		c.gold++
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
	return fmt.Sprintf("precision %s  recall %s  (%d right of %d told, %d to tell)", share(c.right, c.told), share(c.right, c.gold), c.right, c.told, c.gold)
}
