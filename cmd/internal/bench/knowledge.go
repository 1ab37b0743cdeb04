package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// knowledge times what knowledge costs a prompt, a save and a server.
func (w *world) knowledge(n int) (rows []row, err error) {
	few, err := w.shelf(100)
	if err != nil {
		return nil, err
	}
	many, err := w.shelf(10_000)
	if err != nil {
		return nil, err
	}
	rows = append(rows, w.prompts(many, n)...)
	rows = append(rows, w.saves(few, many, n)...)
	crowd, err := w.shelf(100_000)
	if err != nil {
		return rows, err
	}
	for _, at := range []struct {
		shelf
		goal float64
	}{{many, 3}, {crowd, 8}} {
		more, err := w.serve(at.shelf, at.goal, n)
		if rows = append(rows, more...); err != nil {
			return rows, err
		}
	}
	return rows, w.err
}

// question is a prompt of about 30 tokens that names an item.
func question(i int) string {
	return fmt.Sprintf("Please look at why the %s fails on the second run of the nightly job, and say what we know about it.", askable(i))
}

// prompts times the hook of a prompt, each of a session of its own.
func (w *world) prompts(s shelf, n int) []row {
	hook := func(i int) command {
		in, _ := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprintf("bench-%d-%d", os.Getpid(), i), "cwd": s.dir, "prompt": question(i % s.items)})
		return w.sage("hook", "user-prompt").in(s.dir).reading(string(in))
	}
	name := fmt.Sprintf("prompt hook, %d items", s.items)
	rows := []row{w.each(name, 20, n, func(i int) command { return hook(i + 1) })}
	c := hook(n + 2)
	_, held := w.deed(s.dir, deed{args: func(int) []string { return c.argv[0][1:] }, in: func(string) string { return c.stdin }}, 0)
	return append(rows, megabytes("memory of "+name, 60, held.own))
}

// saves times a save with its vector, where there is much and where there is little.
func (w *world) saves(few, many shelf, n int) []row {
	save := func(s shelf) func(int) command {
		return func(i int) command {
			return w.sage("knowledge", "add", "-q", "-m", fmt.Sprintf("The build number %d of the new pipeline took %d minutes on two cores.", i, i), "--id", fmt.Sprintf("saved-%d-%d", os.Getpid(), i+1), "--keyword", "pipeline").in(s.dir)
		}
	}
	r := w.beside("save knowledge", 1.2, n, save(many), save(few))
	alone := row{Act: fmt.Sprintf("save knowledge, %d items", many.items), Median: r.Median, Goal: 30, OK: r.Median <= 30}
	r.Act = fmt.Sprintf("save knowledge, %d items beside %d", many.items, few.items)
	return []row{alone, r}
}

// serve times recall in a running server. What the model needs for a query is part of
// both its times and its goal: it is the median of the same texts in a store of nothing.
func (w *world) serve(s shelf, goal float64, n int) ([]row, error) {
	empty, err := w.repository(fmt.Sprintf("empty-%d", s.items), 0, 0)
	if err != nil {
		return nil, err
	}
	base, _, _, err := w.answers(empty, n, func(i int) string { return question(i) })
	if err != nil {
		return nil, err
	}
	fresh, _, _, err := w.answers(s.dir, n, func(i int) string { return question(i % s.items) })
	if err != nil {
		return nil, err
	}
	again, idle, held, err := w.answers(s.dir, n, func(int) string { return question(7) })
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("recall in a server, %d items", s.items)
	rows := []row{
		beyond(name, goal, fresh, base),
		beyond(name+", the same query", goal, again, base),
	}
	if s.items == 10_000 {
		rows = append(rows, megabytes("memory of an idle server", 60, idle))
		// What it has mapped of files counts as well, which the system takes back when it
		// wants: 35 MB of the model, 25 of the sidecar.
		rows = append(rows, megabytes(fmt.Sprintf("memory of a server that recalled, %d items", s.items), 100, held))
	}
	return rows, nil
}

// beyond is a row of what something takes besides a floor, which is shown with it.
func beyond(act string, goal float64, took, floor []time.Duration) row {
	r := row{Act: act + ", beside the model's " + strings.TrimSuffix(fmt.Sprintf("%.1f", median(floor)), ".0") + " ms", Median: median(took) - median(floor), Goal: goal}
	r.OK = r.Median <= goal
	return r
}

// megabytes is a row of memory.
func megabytes(act string, goal float64, kb int) row {
	r := row{Act: act, Median: float64(kb) / 1024, Goal: goal, Unit: "MB"}
	r.OK = r.Median <= goal
	return r
}
