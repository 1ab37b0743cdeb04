//go:build unix

package converse

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fake puts a claude on the PATH that notes how it is run, and prints what it is told.
func fake(t *testing.T, out string, status int) func(*Asker) {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
if [ "$1" = --help ]; then echo ' --safe-mode '; exit 0; fi
for a in "$@"; do printf '%%s\n' "$a"; done >%[1]s/argv
cat >%[1]s/stdin
cat %[1]s/out
exit %[2]d
`, dir, status)
	for name, text := range map[string]string{"claude": script, "out": out} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return func(a *Asker) {
		a.World.Env, a.World.Home = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "FAKE=" + dir}, filepath.Join(dir, "home")
	}
}

const result = `{"type":"result","is_error":false,"result":"Hello, world.","usage":{"input_tokens":90,"cache_read_input_tokens":10,"output_tokens":7},"modelUsage":{"claude-sonnet-5":{}}}`

func TestClaudeStreams(t *testing.T) {
	var dir string
	wrapped := func(event string) string { return `{"type":"stream_event","event":` + event + "}\n" }
	r := ask(t, t.Context(), Settings{Target: Claude, Model: "sonnet"}, fake(t, `{"type":"system"}`+"\n"+wrapped(started)+wrapped(hello)+wrapped(world)+wrapped(stopped)+"a warning\n"+result+"\n", 0),
		func(a *Asker) { dir = a.World.Getenv("FAKE") })
	if r.err != nil || r.Text != "Hello, world." || len(r.pieces) != 2 || r.Use != (Use{"claude-sonnet-5", 100, 10, 7}) {
		t.Errorf("%+v", r)
	}
	argv, _ := os.ReadFile(filepath.Join(dir, "argv"))
	stdin, _ := os.ReadFile(filepath.Join(dir, "stdin"))
	want := strings.Split("-p --output-format stream-json --verbose --include-partial-messages --safe-mode --strict-mcp-config --no-session-persistence --permission-mode dontAsk --model sonnet --tools  --max-turns 1 --system-prompt Be_brief.", " ")
	if got := strings.ReplaceAll(string(argv), "Be brief.", "Be_brief."); got != strings.Join(want, "\n")+"\n" {
		t.Errorf("%s", got)
	}
	if string(stdin) != "[person said before]\nOne?\n\n[you said before]\nTwo.\n\n[now]\nThree?" {
		t.Errorf("%s", stdin)
	}
	// one that does not stream says it in the end
	if r := ask(t, t.Context(), Settings{Target: Claude}, fake(t, result, 0)); r.err != nil || r.Text != "Hello, world." {
		t.Errorf("%+v", r)
	}
}

func TestClaudeFails(t *testing.T) {
	for out, want := range map[string]string{
		`{"type":"result","is_error":true,"result":"Not logged in · Please run /login","terminal_reason":"api_error"}`: "Not logged in",
		`{"type":"result","is_error":true,"result":"There's an issue with the selected model","api_error_status":404}`: "selected model",
		"panic": "claude printed no result (exit status 1)",
	} {
		r := ask(t, t.Context(), Settings{Target: Claude, Setting: "ask"}, fake(t, out, 1))
		if r.err == nil || !strings.Contains(r.err.Error(), want) {
			t.Errorf("%s: %v", want, r.err)
		}
		if refused, ok := errors.AsType[*RefusedError](r.err); ok == (out == "panic") || ok && refused.Cure == "" {
			t.Errorf("%s: %v", want, r.err)
		}
	}
}

// A command of the user's prints the key.
func TestKeyCommand(t *testing.T) {
	w := World{Env: []string{"PATH=" + os.Getenv("PATH"), "K=" + secretKey}}
	e, err := Open(t.Context(), Settings{Target: "https://example.org/messages", KeyCommand: `echo "$K"; echo more`}, w)
	if err != nil || e.Key != secretKey {
		t.Errorf("%v, %v", e, err)
	}
	for command, want := range map[string]string{"true": "printed nothing", "exit 3": "exit status 3", "echo locked >&2; exit 1": "exit status 1: locked"} {
		if _, err := Open(t.Context(), Settings{Target: "https://example.org/messages", KeyCommand: command}, w); err == nil || !strings.Contains(err.Error(), "the key cannot be read") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", command, err)
		}
	}
}
