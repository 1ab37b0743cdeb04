package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// talked is how many turns the transcript has of which the end of one is timed: a day's.
const talked = 500

// stops times the end of a turn: each adds to a transcript that was read up to there.
func (w *world) stops(name, dir string, n int) row {
	file := filepath.Join(dir, ".git", "bench.jsonl")
	in, _ := json.Marshal(map[string]string{"hook_event_name": "Stop", "session_id": "bench-stop", "cwd": dir, "transcript_path": file})
	for i := range talked {
		w.talk(file, dir, i)
	}
	said := func(i int) string { return question(talked + 1 + i) } // it embeds what the person said
	return w.within("Stop hook, "+name, n,
		func(i int) command {
			w.talk(file, dir, talked+1+i)
			return w.sage("hook", "stop").in(dir).reading(string(in))
		}, goal{{2, w.encoder(said)}, {2, w.gitAlone(dir)}})
}

// untold is how long a transcript is that no hook has read before its session is compacted,
// in bytes: that of a long day without a hook at the end of turns.
const untold = 12 << 20

// compacts times the hook before a compaction that is the first to read a long transcript,
// and saves what it came to.
func (w *world) compacts(name, dir string, n int) row {
	file := filepath.Join(dir, ".git", "bench-untold.jsonl")
	for i, size := 0, 0; size < untold && w.err == nil; i++ {
		w.talk(file, dir, i)
		st, err := os.Stat(file)
		if err != nil {
			w.err = err
			break
		}
		size = int(st.Size())
	}
	return w.within(fmt.Sprintf("PreCompact hook, %d MB that nobody read, %s", untold>>20, name), n,
		func(i int) command {
			in, _ := json.Marshal(map[string]string{"hook_event_name": "PreCompact", "trigger": "auto", "session_id": fmt.Sprint("bench-untold-", i), "cwd": dir, "transcript_path": file})
			return w.sage("hook", "pre-compact").in(dir).reading(string(in))
		}, goal{{3, w.decoder(file)}})
}

// decoder is J, encoding/json that reads the lines of a transcript.
func (w *world) decoder(file string) unit {
	return unit{"J", func(int) time.Duration {
		start := time.Now()
		f, err := os.Open(file)
		w.failed(err)
		defer f.Close()
		for d := json.NewDecoder(f); ; {
			var line any
			if err := d.Decode(&line); err == io.EOF {
				return time.Since(start)
			} else if err != nil {
				w.failed(err)
				return time.Since(start)
			}
		}
	}}
}

// talk adds a turn to a transcript: a prompt, a file that is read, and an answer. It returns
// how many characters those have.
func (w *world) talk(file, dir string, i int) int {
	id, path := fmt.Sprint("t", i), filepath.Join(dir, fmt.Sprintf("f%d.go", i%40))
	code := strings.Repeat("\tsum += weights[i] * values[i]\n", 100)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for k, r := range []map[string]any{
		{"type": "user", "message": map[string]any{"role": "user", "content": question(i)}},
		{"type": "assistant", "message": map[string]any{"id": id, "model": "claude-opus-5-5", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": "Read", "input": map[string]any{"file_path": path}}}}},
		{"type": "user", "message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": code}}},
			"toolUseResult": map[string]any{"type": "text", "file": map[string]any{"filePath": path, "content": code, "numLines": 101, "startLine": 1, "totalLines": 101}}},
		{"type": "assistant", "message": map[string]any{"id": id + "b", "model": "claude-opus-5-5", "content": []any{map[string]any{"type": "text", "text": "It runs out of memory. " + question(i)}}}},
	} {
		r["uuid"], r["cwd"] = fmt.Sprint(id, "-", k), dir
		_ = enc.Encode(r)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(b.Bytes())
		_ = f.Close()
	}
	if err != nil && w.err == nil {
		w.err = err
	}
	return len(code) + 2*len(question(i))
}
