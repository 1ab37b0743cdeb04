package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/act"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
)

// An action is something that an agent does, and which fact bears on it, "" for none.
type action struct {
	Kind    string `json:"kind"` // search, edit, command or failure
	Round   int    `json:"round"`
	File    string `json:"file"`
	Pattern string `json:"pattern"`
	Command string `json:"command"`
	Error   string `json:"error"`
	Gold    string `json:"gold"`
}

func (a action) call() act.Call {
	if a.Kind == "failure" {
		return act.Call{Error: a.Error}
	}
	return act.Call{File: a.File, Pattern: a.Pattern, Command: a.Command}
}

// measureActions puts what agents do to facts of developers: how often the title of the
// right one is told, and how often any is where none bears on it.
func measureActions(ctx context.Context, dir string) error {
	s, err := readFacts(dir)
	if err != nil {
		return err
	}
	actions, err := readLines[action](filepath.Join(dir, "actions.jsonl"))
	if err != nil {
		return err
	}
	fmt.Printf("\nwhat an agent does: the right title is told; of foreign actions, any\n")
	fmt.Printf("%-10s %-16s %-8s %-8s %-8s %-8s %-8s %s\n", "round", "an item has", "search", "edit", "command", "failure", "all", "foreign")
	for _, when := range []bool{false, true} {
		for round := 1; round <= 2; round++ {
			right, foreign, err := s.acted(ctx, actions, round, when)
			if err != nil {
				return err
			}
			fmt.Printf("%-10d %-16s %-8s %-8s %-8s %-8s %-8s %s\n", round, map[bool]string{false: "keywords", true: "both"}[when],
				right["search"], right["edit"], right["command"], right["failure"], right["all"], foreign)
		}
	}
	return nil
}

// An outOf is how many of a number.
type outOf struct{ n, of int }

func (p outOf) String() string { return fmt.Sprintf("%d/%d", p.n, p.of) }

// acted tells of a round how many actions bring the right title, by kind, and how many
// foreign ones any.
func (s factSet) acted(ctx context.Context, actions []action, round int, when bool) (right map[string]outOf, foreign outOf, err error) {
	dir, err := os.MkdirTemp("", "eval-")
	if err != nil {
		return nil, foreign, err
	}
	defer os.RemoveAll(dir)
	x, err := index.Open(dir, index.Options{Store: "eval"})
	if err != nil {
		return nil, foreign, err
	}
	defer x.Close()
	if err := x.Update(ctx, index.Change{To: map[string]string{"eval": "1"}, Rebuild: true, Docs: s.docs(true, when)}); err != nil {
		return nil, foreign, err
	}
	right = map[string]outOf{}
	for _, a := range actions {
		if a.Round != round {
			continue
		}
		told, err := titled(ctx, x, a)
		if err != nil {
			return nil, foreign, err
		}
		if a.Gold == "" {
			foreign.add(len(told) > 0)
			continue
		}
		for _, kind := range []string{a.Kind, "all"} {
			p := right[kind]
			p.add(has(told, a.Gold))
			right[kind] = p
		}
	}
	return right, foreign, nil
}

func (p *outOf) add(is bool) {
	p.of++
	if is {
		p.n++
	}
}

// titled are the items whose titles an action brings.
func titled(ctx context.Context, x *index.Index, a action) ([]rank.Scored, error) {
	var lists [][]rank.Scored
	for _, q := range a.call().Asks() {
		found, err := x.Search(ctx, q.Query())
		if err != nil {
			return nil, err
		}
		lists = append(lists, q.Choose(found))
	}
	return cut.First(rank.BestOnActs(lists), rank.MostActs), nil
}
