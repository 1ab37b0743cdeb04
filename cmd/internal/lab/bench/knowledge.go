package main

import (
	"encoding/json"
	"fmt"
	"os"
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
		times float64 // the encoder's, for all that is not the encoder
	}{{many, .3}, {crowd, .8}} {
		more, err := w.serve(at.shelf, at.times, n)
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
	e := w.encoder(func(i int) string { return question((i + 1) % s.items) })
	rows := []row{w.within(name, n, func(i int) command { return hook(i + 1) }, goal{{1.5, e}, {2, w.empty()}})}
	c := hook(n + 2)
	_, held := w.deed(s.dir, deed{args: func(int) []string { return c.argv[0][1:] }, in: func(string) string { return c.stdin }}, 0)
	return append(rows, megabytes("memory of "+name, 60, held.own))
}

// saves times a save with its vector, where there is much and where there is little.
func (w *world) saves(few, many shelf, n int) []row {
	save := func(s shelf) func(int) command {
		return func(i int) command {
			return w.sage("knowledge", "add", "-q", "-m", built(i), "--id", fmt.Sprintf("saved-%d-%d", os.Getpid(), i+1), "--keyword", "pipeline").in(s.dir)
		}
	}
	name := fmt.Sprintf("save knowledge, %d items", many.items)
	fewer := unit{fmt.Sprintf("that of %d items", few.items), func(i int) time.Duration { return w.time(save(few)(i)) }}
	thesis := unit{"checkpoint save", func(i int) time.Duration { return w.time(w.thesis(many.dir)(i)) }}
	return []row{
		w.within(name+" beside few", n, save(many), goal{{1.1, fewer}}),
		w.within(name, n, func(i int) command { return save(many)(n + 1 + i) }, goal{{1, w.encoder(built)}, {1.5, thesis}}),
	}
}

// built is a fact about a build.
func built(i int) string {
	return fmt.Sprintf("The build number %d of the new pipeline took %d minutes on two cores.", i, i)
}

// serve times recall in a running server beside the same texts in a store of nothing,
// where the model takes nearly all of it.
func (w *world) serve(s shelf, times float64, n int) ([]row, error) {
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
		beyond(name, times, fresh, base),
		beyond(name+", the same query", times, again, base),
	}
	more, err := w.asked(s, n)
	if err != nil {
		return nil, err
	}
	rows = append(rows, more)
	if s.items == 10_000 {
		rows = append(rows, megabytes("memory of an idle server", 60, idle))
		// What it has mapped of files counts as well, which the system takes back when it
		// wants: 35 MB of the model, 25 of the sidecar.
		rows = append(rows, megabytes(fmt.Sprintf("memory of a server that recalled, %d items", s.items), 100, held))
	}
	return rows, nil
}

// beyond is a row of what something takes besides a floor, which is shown with it.
func beyond(act string, times float64, took, floor []time.Duration) row {
	return row{Act: act + ", beside the model", Median: median(took) - median(floor), Goal: fmt.Sprintf("%g E", times), Allowed: times * median(floor)}.judge()
}

// asked times the hook of a prompt where the server answers it, each of a session of its
// own.
func (w *world) asked(s shelf, n int) (row, error) {
	server, err := w.server(s.dir)
	if err != nil {
		return row{}, err
	}
	prompt := func(i int) string { return question((i + 2 + s.items/2) % s.items) }
	r := w.measured(fmt.Sprintf("prompt hook asked at the server, %d items", s.items), n, func(i int) time.Duration {
		args := map[string]string{"event": "user-prompt", "hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprintf("asked-%d-%d", os.Getpid(), i+1), "cwd": s.dir, "prompt": prompt(i)}
		start := time.Now()
		_, err := server.ask("tools/call", map[string]any{"name": "sage_hook", "arguments": args})
		w.failed(err)
		return time.Since(start)
	}, goal{{1.2, w.encoder(prompt)}})
	return r, server.close()
}

// megabytes is a row of memory.
func megabytes(act string, most float64, kb int) row {
	return fixed(act, float64(kb)/1024, most, "MB")
}
