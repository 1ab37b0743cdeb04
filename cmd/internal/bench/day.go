package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A day is one of somebody who works with an agent from morning to night, in a repository
// with 10,000 items and 10,000 checkpoints: sessions of 100 turns, each with a prompt, of
// which every fourth is about something known, two files that are read and one that is
// changed, and an answer of 100 words. The day has 500 turns and takes every hook that is
// installed; it is played once, and its hooks are timed one by one.
type day struct {
	w        *world
	dir      string
	session  string
	file     string // the transcript
	spent    map[string][]time.Duration
	said     int // characters that the hooks put in front of the model
	talked   int // characters that the session has without them
	sessions int
}

const (
	dayTurns     = 500
	sessionTurns = 100
	perToken     = 4 // characters, of English and of code
)

// day plays one, and returns what all of it cost.
func (w *world) day(int) ([]row, error) {
	s, err := w.shelf(10_000)
	if err != nil {
		return nil, err
	}
	if err := w.fill(s.dir, 10_000); err != nil {
		return nil, err
	}
	d := &day{w: w, dir: s.dir, spent: map[string][]time.Duration{}}
	for i := range dayTurns {
		if i%sessionTurns == 0 {
			d.begin()
		}
		d.turn(i)
	}
	d.hook("session-end", map[string]any{"hook_event_name": "SessionEnd", "reason": "other"})
	return d.rows(), w.err
}

// begin ends the session before, and starts the next one.
func (d *day) begin() {
	if d.sessions > 0 {
		d.hook("session-end", map[string]any{"hook_event_name": "SessionEnd", "reason": "other"})
	}
	d.sessions++
	d.session = fmt.Sprintf("day-%d-%d", os.Getpid(), d.sessions)
	d.file = filepath.Join(d.dir, ".git", d.session+".jsonl")
	d.hook("session-start", map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
}

// turn is a prompt, what the agent does for it, and its answer.
func (d *day) turn(i int) {
	prompt := fmt.Sprintf("Now make the %s stage of the pipeline retry twice before it gives up.", newWords().text(1+i%5))
	if i%4 == 0 {
		prompt = question(i * 7 % 10_000)
	}
	d.hook("user-prompt", map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": prompt})
	for k, tool := range []string{"Read", "Read", "Edit"} {
		path := filepath.Join(d.dir, fmt.Sprintf("f%d.go", (i*3+k)%60))
		d.hook("post-tool-use", map[string]any{"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": map[string]string{"file_path": path}})
	}
	d.talked += d.w.talk(d.file, d.dir, 2*i) + d.w.talk(d.file, d.dir, 2*i+1)
	d.hook("stop", map[string]any{"hook_event_name": "Stop", "last_assistant_message": "It runs out of memory. " + question(2*i+1)})
}

// hook calls one, times it, and counts what it puts in front of the model.
func (d *day) hook(event string, in map[string]any) {
	in["session_id"], in["cwd"], in["transcript_path"] = d.session, d.dir, d.file
	b, err := json.Marshal(in)
	if err != nil && d.w.err == nil {
		d.w.err = err
	}
	cmd := exec.Command(d.w.bin, "hook", event)
	cmd.Dir, cmd.Env, cmd.Stdin = d.dir, d.w.env, bytes.NewReader(b)
	start := time.Now()
	out, err := cmd.Output()
	d.spent[event] = append(d.spent[event], time.Since(start))
	if err != nil && d.w.err == nil {
		d.w.err = errors.Join(fmt.Errorf("hook %s", event), err)
	}
	d.said += injected(out)
}

// injected is how many characters of a hook's answer the model is shown.
func injected(out []byte) int {
	var a struct {
		Reason             string
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if len(out) == 0 || json.Unmarshal(out, &a) != nil {
		return len(out)
	}
	return len(a.Reason) + len(a.HookSpecificOutput.AdditionalContext)
}

// rows are the sums of the day, and the median of each event.
func (d *day) rows() []row {
	var sum time.Duration
	var parts []string
	var each []row
	for _, event := range []string{"session-start", "user-prompt", "post-tool-use", "stop", "session-end"} {
		for _, t := range d.spent[event] {
			sum += t
		}
		goal := 15.0
		if event == "user-prompt" { // it embeds
			goal = 20
		}
		parts = append(parts, fmt.Sprintf("%d %s", len(d.spent[event]), event))
		m := median(d.spent[event])
		each = append(each, row{Act: event + " hook in a day", Median: m, Goal: goal, OK: m <= goal})
	}
	all := row{Act: fmt.Sprintf("hooks of a day: %s", strings.Join(parts, ", ")), Median: sum.Seconds(), Goal: 15, Unit: "s"}
	all.OK = all.Median <= all.Goal
	share := row{Act: fmt.Sprintf("their share of %d tokens", d.talked/perToken), Median: 100 * float64(d.said) / float64(d.talked), Goal: 3, Unit: "%"}
	share.OK = share.Median <= share.Goal
	return append(each, all, share)
}
