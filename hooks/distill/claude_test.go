//go:build unix

package distill

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/converse"
)

// fake puts a claude on the PATH that notes how it is run, and prints what it is told.
func fake(t *testing.T, help, out string, status int) converse.World {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
if [ "$1" = --help ]; then echo asked >>%[1]s/helped; echo '%[2]s'; exit 0; fi
for a in "$@"; do printf '%%s\n' "$a"; done >%[1]s/argv
env >%[1]s/env; pwd >%[1]s/cwd; ls -A >%[1]s/ls; cat >%[1]s/stdin
cat %[1]s/out; echo complaint >&2
exit %[3]d
`, dir, help, status)
	for name, text := range map[string]string{"claude": script, "out": out} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	w := world(t, "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir, "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=s", "CLAUDE_PID=1", "CLAUDE_PROJECT_DIR=/x", "AI_AGENT=x",
		"CLAUDE_CODE_USE_BEDROCK=1", "CLAUDE_CODE_OAUTH_TOKEN=o", "CLAUDE_CODE_SKIP_BEDROCK_AUTH=1", "CLAUDE_CONFIG_DIR=/c", "GIT_DIR=/y", "ANTHROPIC_DEFAULT_HAIKU_MODEL=h")
	w.Home = filepath.Join(dir, "home")
	return w
}

func noted(t *testing.T, w converse.World, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(w.Getenv("HOME"), name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

func goodResult(structured string) string {
	return `{"type":"result","subtype":"success","is_error":false,"result":"","total_cost_usd":0.0123,"usage":{"input_tokens":900,"cache_read_input_tokens":100,"output_tokens":50},"modelUsage":{"claude-haiku-5-5":{}},"structured_output":` + structured + `}`
}

func askClaude(t *testing.T, w converse.World) (Result, error) {
	t.Helper()
	return Distil(context.Background(), Settings{Target: "claude"}, w, newTalk(t).person(limitSaid).read(Part{}))
}

// The arguments, environment and folder are those with which no hook runs, nothing is left
// behind, and every login works.
func TestClaudeIsAskedAlone(t *testing.T) {
	w := fake(t, "  --safe-mode  x", goodResult(answerOf("We go with 1 GiB.", limitSaid)), 0)
	r, err := askClaude(t, w)
	if err != nil || len(r.Decisions) != 1 || r.Use != (Use{"claude-haiku-5-5", 1000, 50, 0.0123}) {
		t.Fatalf("%+v, %v", r, err)
	}
	want := append([]string{"-p", "--output-format", "json", "--safe-mode", "--strict-mcp-config", "--no-session-persistence", "--permission-mode", "dontAsk",
		"--model", "haiku", "--effort", "low", "--tools", "", "--max-turns", "2", "--max-budget-usd", "0.10", "--system-prompt"}, strings.Split(instructions, "\n")...)
	want = append(want, "--json-schema", string(schema()))
	if got := noted(t, w, "argv"); got != strings.Join(want, "\n") {
		t.Errorf("argv:\n%s", got)
	}
	env := strings.Split(noted(t, w, "env"), "\n")
	for _, kv := range []string{"CLAUDE_CODE_MAX_RETRIES=2", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=8000", "GIT_SAGE_DISTILL=1", "CLAUDE_CODE_USE_BEDROCK=1", "CLAUDE_CODE_OAUTH_TOKEN=o", "CLAUDE_CODE_SKIP_BEDROCK_AUTH=1", "CLAUDE_CONFIG_DIR=/c", "ANTHROPIC_DEFAULT_HAIKU_MODEL=h"} {
		if !slices.Contains(env, kv) {
			t.Errorf("the environment lacks %s", kv)
		}
	}
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains([]string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID", "CLAUDE_PROJECT_DIR", "AI_AGENT", "GIT_DIR"}, name) {
			t.Errorf("the environment has %s", kv)
		}
	}
	if got := noted(t, w, "stdin"); !strings.Contains(got, "[person] "+limitSaid) {
		t.Errorf("stdin: %s", got)
	}
	if got := noted(t, w, "ls"); got != "" || !strings.HasSuffix(noted(t, w, "cwd"), "home/distill/empty") {
		t.Errorf("in %s: %s", noted(t, w, "cwd"), got)
	}
	if _, err := askClaude(t, w); err != nil || noted(t, w, "helped") != "asked" {
		t.Errorf("asked for its options again, or %v", err)
	}
	later := time.Now().Add(time.Hour) // another version
	must(t, os.Chtimes(filepath.Join(w.Getenv("HOME"), "claude"), later, later))
	if _, err := askClaude(t, w); err != nil || noted(t, w, "helped") != "asked\nasked" {
		t.Errorf("not asked for its options, or %v", err)
	}
}

// Only exit 0, no is_error and an answer of the form are success.
func TestClaudeFails(t *testing.T) {
	failed := func(status int, result string) string {
		return fmt.Sprintf(`{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":%d,"result":%q}`, status, result)
	}
	for _, tt := range []struct {
		what, out string
		status    int
		want      string
		busy, bad bool
		after     time.Duration
	}{
		{"a text for an answer", `{"is_error":false,"subtype":"success","result":"Sure, here it is."}`, 0, "the answer does not have the requested form: Sure", false, false, 0},
		{"another answer", goodResult(`{"thesis":1}`), 0, "the answer does not have the requested form", false, false, 0},
		{"no answer at all", goodResult(`null`), 0, "the answer does not have the requested form", false, false, 0},
		{"an answer, and exit 1", goodResult(answerOf("x", limitSaid)), 1, "exit status 1", false, false, 0},
		{"an answer, and is_error", strings.Replace(goodResult(answerOf("x", limitSaid)), `"is_error":false`, `"is_error":true`, 1), 0, "claude:", false, false, 0},
		{"not logged in", strings.Replace(failed(0, "Not logged in · Please run /login"), `"api_error_status":0`, `"api_error_status":null`, 1), 1, "Not logged in", false, true, 0},
		{"a wrong key", failed(401, "Invalid API key"), 1, "Invalid API key", false, true, 0},
		{"no such model", failed(404, "There's an issue with the selected model"), 1, "issue with", false, true, 0},
		{"the window is used up", failed(429, "You've hit your 5-hour limit · resets 4:40pm (UTC)"), 1, "hit your", true, false, 4*time.Hour + 41*time.Minute},
		{"too many", failed(429, "API Error: Request rejected (429)"), 1, "429", true, false, 0},
		{"overloaded", failed(529, "API Error: 529 Overloaded"), 1, "529", true, false, 0},
		{"out of reach", failed(0, "Connection refused"), 1, "Connection refused", true, false, 0},
		{"too long", strings.Replace(failed(400, "Prompt is too long"), "api_error", "prompt_too_long", 1), 1, "too long", false, false, 0},
		{"junk", "panic: x", 2, "claude printed no result (exit status 2): complaint panic: x", false, false, 0},
		{"endless", strings.Repeat("x", 4<<20+1000), 0, "claude printed no result", false, false, 0},
		{"a lie", goodResult(answerOf("We use the backdoor.", "We agreed to use the backdoor.")), 0, ErrEmpty.Error(), false, false, 0},
	} {
		_, err := askClaude(t, fake(t, "--safe-mode", tt.out, tt.status))
		busy, isBusy := errors.AsType[*converse.BusyError](err)
		_, isBad := errors.AsType[*converse.RefusedError](err)
		if err == nil || !strings.Contains(err.Error(), tt.want) || isBusy != tt.busy || isBad != tt.bad {
			t.Errorf("%s: %v (busy %t, refused %t)", tt.what, err, isBusy, isBad)
		}
		if isBusy && busy.After != tt.after {
			t.Errorf("%s: after %s", tt.what, busy.After)
		}
	}
	w := fake(t, "no such option", "", 0)
	if _, err := askClaude(t, w); err == nil || !strings.Contains(err.Error(), "no --safe-mode") {
		t.Errorf("an old one: %v", err)
	}
	w.Env = []string{"PATH="}
	if _, err := askClaude(t, w); err == nil || !strings.Contains(err.Error(), "no 'claude' on the PATH") {
		t.Errorf("none: %v", err)
	}
}

// A login changes who is asked.
func TestClaudeLogsIn(t *testing.T) {
	w := fake(t, "", "", 0)
	w.Env = slices.DeleteFunc(w.Env, func(kv string) bool { return strings.HasPrefix(kv, "CLAUDE_CONFIG_DIR=") })
	s := Settings{Target: "claude"}
	seen := map[string]bool{s.Identity(w): true}
	for name, text := range map[string]string{".claude/.credentials.json": "{}", ".claude.json": `{"oauthAccount":{"x":1}}`} {
		file := filepath.Join(w.Getenv("HOME"), name)
		must(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
		seen[s.Identity(w)] = true
	}
	w.Env = append(w.Env, "ANTHROPIC_API_KEY=x")
	if seen[s.Identity(w)] = true; len(seen) != 4 || !seen[s.Identity(w)] {
		t.Errorf("%v", seen)
	}
}
