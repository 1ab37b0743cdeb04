package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A day is one of somebody who works with an agent from morning to night, in a repository
// with 10,000 items and 10,000 checkpoints: sessions of 100 turns, each with a prompt, of
// which every fourth is about something known, two files that are read and one that is
// changed, two commands, of which every sixth fails and every fourth of those for something
// known, and an answer of 100 words. It has 500 turns and takes every hook that 'init
// --claude' installs: a server that each session starts is asked at the frequent events,
// or with programs alone a process answers each.
type day struct {
	w        *world
	dir      string
	session  string
	file     string // the transcript
	spent    map[string][]time.Duration
	said     map[string]int // characters that the hooks of each event put in front of the model
	talked   int            // characters that the session has without them
	sessions int

	asks bool // the server, at frequent events
	s    *server

	least, empty, encoder unit
	units                 map[string][]time.Duration // what those took, now and then between the turns
}

const (
	dayTurns     = 500
	sessionTurns = 100
	perToken     = 4 // characters, of English and of code
)

// days plays two, and returns what all of it cost.
func (w *world) days(int) ([]row, error) {
	s, err := w.shelf(10_000)
	if err != nil {
		return nil, err
	}
	if err := w.fill(s.dir, 10_000); err != nil {
		return nil, err
	}
	if err := w.index(s); err != nil {
		return nil, err
	}
	return append(w.day(s.dir, true), w.day(s.dir, false)...), w.err
}

func (w *world) day(dir string, asks bool) []row {
	d := &day{w: w, dir: dir, spent: map[string][]time.Duration{}, said: map[string]int{}, asks: asks, units: map[string][]time.Duration{},
		least: w.gitAlone(dir), empty: w.empty(), encoder: w.encoder(prompted)}
	for i := range dayTurns {
		if i%20 == 0 {
			for _, u := range []unit{d.least, d.empty, d.encoder} {
				d.units[u.name] = append(d.units[u.name], u.time(i))
			}
		}
		if i%sessionTurns == 0 {
			d.begin()
		}
		d.turn(i)
	}
	d.end()
	return d.rows()
}

// begin ends the session before, and starts the next one.
func (d *day) begin() {
	if d.sessions > 0 {
		d.end()
	}
	d.sessions++
	d.session = fmt.Sprintf("day-%d-%t-%d", os.Getpid(), d.asks, d.sessions)
	d.file = filepath.Join(d.dir, ".git", d.session+".jsonl")
	d.hook("session-start", map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	if d.asks {
		s, err := d.w.server(d.dir)
		d.w.failed(err)
		d.s = s
	}
}

func (d *day) end() {
	before := d.closed()
	d.hook("session-end", map[string]any{"hook_event_name": "SessionEnd", "reason": "other"})
	if d.s != nil {
		d.w.failed(d.s.close())
	}
	d.s = nil
	for began := time.Now(); d.closed() == before; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			d.w.failed(fmt.Errorf("session %s: nobody looked at it when it had ended", d.session))
			return
		}
	}
}

// closed is how many sessions somebody looked at when they had ended, which nobody waits
// for. The next session of a person begins later than that.
func (d *day) closed() int {
	list, err := filepath.Glob(filepath.Join(d.dir, ".git", "sage", "sessions", "*.rescued.json"))
	d.w.failed(err)
	return len(list)
}

// turn is a prompt, what the agent does for it, and its answer.
func (d *day) turn(i int) {
	d.hook("user-prompt", map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": prompted(i)})
	for k := range 2 {
		d.hook("post-tool-use", map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": map[string]string{"file_path": d.path(i*3 + k)}})
	}
	command := fmt.Sprintf("grep -rn %q .", newWords().text(1+i%3))
	for _, call := range []struct{ tool, name, given string }{{"Edit", "file_path", d.path(i*3 + 2)}, {"Bash", "command", "go test ./..."}, {"Bash", "command", command}} {
		d.hook("pre-tool-use", map[string]any{"hook_event_name": "PreToolUse", "tool_name": call.tool, "tool_input": map[string]string{call.name: call.given}})
	}
	if i%3 == 0 {
		why := fmt.Sprintf("stage %d: expected 3 rows, got 2", i)
		if i%4 == 0 {
			why = question(i + 1)
		}
		d.hook("tool-failure", map[string]any{"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "error": "Exit code 1\nerror: " + why})
	}
	d.talked += d.w.talk(d.file, d.dir, 2*i) + d.w.talk(d.file, d.dir, 2*i+1)
	d.hook("stop", map[string]any{"hook_event_name": "Stop", "last_assistant_message": "It runs out of memory. " + question(2*i+1)})
}

// prompted is what somebody types.
func prompted(i int) string {
	if i%4 == 0 {
		return question(i * 7 % 10_000)
	}
	return fmt.Sprintf("Now make the %s stage of the pipeline retry twice before it gives up.", newWords().text(1+i%5))
}

// goals are what each event of a day may take, where a server is asked and where programs
// answer.
func (d *day) goals() map[string]goal {
	if d.asks {
		return map[string]goal{
			"session-start": {{3, d.least}}, "user-prompt": {{1.2, d.encoder}}, "pre-tool-use": {{.2, d.encoder}}, "post-tool-use": {{.2, d.encoder}}, "tool-failure": {{.2, d.encoder}},
			"stop": {{1.5, d.encoder}, {1, d.least}}, "session-end": {{3, d.least}},
		}
	}
	return map[string]goal{
		"session-start": {{3, d.least}}, "user-prompt": {{1.5, d.encoder}, {2, d.empty}}, "pre-tool-use": {{3, d.empty}}, "post-tool-use": {{3, d.empty}}, "tool-failure": {{3, d.empty}},
		"stop": {{2, d.encoder}, {2, d.least}}, "session-end": {{3, d.least}},
	}
}

// path is one of the files of the project.
func (d *day) path(i int) string { return filepath.Join(d.dir, fmt.Sprintf("f%d.go", i%60)) }

// hook calls one, times it, and counts what it puts in front of the model.
func (d *day) hook(event string, in map[string]any) {
	in["session_id"], in["cwd"], in["transcript_path"] = d.session, d.dir, d.file
	if d.s != nil && event != "session-end" {
		d.ask(event, in)
		return
	}
	b, err := json.Marshal(in)
	d.w.failed(err)
	cmd := exec.Command(d.w.bin, "hook", event)
	cmd.Dir, cmd.Env, cmd.Stdin = d.dir, d.w.env, bytes.NewReader(b)
	start := time.Now()
	out, err := cmd.Output()
	d.spent[event] = append(d.spent[event], time.Since(start))
	if err != nil {
		d.w.failed(fmt.Errorf("hook %s: %w", event, err))
	}
	d.said[event] += injected(out)
}

// ask asks the server as the client does: with texts alone.
func (d *day) ask(event string, in map[string]any) {
	args := map[string]string{"event": event}
	for k, v := range in {
		if text, ok := v.(string); ok {
			args[k] = text
		}
	}
	if tool, ok := in["tool_input"].(map[string]string); ok {
		maps.Copy(args, tool)
	}
	start := time.Now()
	line, err := d.s.ask("tools/call", map[string]any{"name": "sage_hook", "arguments": args})
	d.spent[event] = append(d.spent[event], time.Since(start))
	d.w.failed(err)
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	if json.Unmarshal([]byte(line), &answer) == nil && len(answer.Result.Content) > 0 {
		d.said[event] += injected([]byte(answer.Result.Content[0].Text))
	}
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

// rows are the median of each event, and what the day's hooks came to.
func (d *day) rows() []row {
	var sum time.Duration
	var allowed float64
	var parts []string
	var each []row
	how := map[bool]string{true: "server asked", false: "programs"}[d.asks]
	goals := d.goals()
	for _, event := range []string{"session-start", "user-prompt", "pre-tool-use", "post-tool-use", "tool-failure", "stop", "session-end"} {
		for _, t := range d.spent[event] {
			sum += t
		}
		parts = append(parts, fmt.Sprintf("%d %s", len(d.spent[event]), event))
		units := make([][]time.Duration, len(goals[event]))
		for k, s := range goals[event] {
			units[k] = d.units[s.of.name]
		}
		r := judged(event+" hook in a day, "+how, median(d.spent[event]), goals[event], units)
		each = append(each, r)
		allowed += r.Allowed * float64(len(d.spent[event])) / 1000
	}
	all := row{Act: fmt.Sprintf("hooks of a day, %s: %s", how, strings.Join(parts, ", ")), Median: sum.Seconds(), Unit: "s", Goal: "these goals' sum", Allowed: allowed}
	said := 0
	parts = nil
	for _, event := range slices.Sorted(maps.Keys(d.said)) {
		said += d.said[event]
		parts = append(parts, fmt.Sprintf("%.2f %s", 100*float64(d.said[event])/float64(d.talked), event))
	}
	share := fixed(fmt.Sprintf("their share of %d tokens: %s", d.talked/perToken, strings.Join(parts, ", ")), 100*float64(said)/float64(d.talked), 3, "%")
	return append(each, all.judge(), share)
}
