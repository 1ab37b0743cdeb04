// Package pagetest makes memories for tests of the page.
package pagetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

// New is a world with a repository and a memory in which nothing is saved.
func New(t testing.TB) *app.App {
	t.Helper()
	root, err := filepath.EvalSymlinks(storetest.TempDir(t))
	if err != nil {
		t.Fatal(err)
	}
	a := apptest.New(root)
	a.Env = append(a.Env, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	run(t, a, "", "git", "init", "-q", "-b", "main", a.Dir)
	run(t, a, "", "git", "-C", a.Dir, "commit", "-q", "--allow-empty", "-m", "first")
	return a
}

// Open opens the memory until the end of the test.
func Open(t testing.TB, a *app.App) *recall.Memory {
	t.Helper()
	there := *a
	m, err := there.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// Save saves a checkpoint on the line where the memory stands.
func Save(t testing.TB, a *app.App, c sage.Checkpoint) gitstore.Saved {
	t.Helper()
	saved, err := Open(t, a).Save.Checkpoint(context.Background(), save.Note{Draft: gitstore.Draft{Checkpoint: c}})
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

// Remember saves items.
func Remember(t testing.TB, a *app.App, items ...*sage.Item) {
	t.Helper()
	var changes []recall.ItemChange
	for _, it := range items {
		changes = append(changes, recall.ItemChange{ItemChange: gitstore.ItemChange{Item: it}, Shared: true})
	}
	if _, err := Open(t, a).Write.Items(context.Background(), "", changes...); err != nil {
		t.Fatal(err)
	}
}

// Receive saves items that nobody here confirmed.
func Receive(t testing.TB, a *app.App, items ...*sage.Item) {
	t.Helper()
	var changes []gitstore.ItemChange
	for _, it := range items {
		changes = append(changes, gitstore.ItemChange{Item: it, Unconfirmed: true})
	}
	if _, err := Open(t, a).Store.Knowledge.WriteItems(context.Background(), "", changes...); err != nil {
		t.Fatal(err)
	}
}

// Change gives an item another content, whatever it was.
func Change(t testing.TB, a *app.App, id, content string) {
	t.Helper()
	edit := func(it *sage.Item) error { it.Content = content; return nil }
	if _, err := Open(t, a).Write.Items(context.Background(), "", recall.ItemChange{ItemChange: gitstore.ItemChange{Key: id, Edit: edit}}); err != nil {
		t.Fatal(err)
	}
}

// Forget removes an item.
func Forget(t testing.TB, a *app.App, id string) {
	t.Helper()
	if _, err := Open(t, a).Write.Items(context.Background(), "", recall.ItemChange{ItemChange: gitstore.ItemChange{Key: id, Remove: true}}); err != nil {
		t.Fatal(err)
	}
}

// Fill adds n checkpoints in the mould of one that is saved: on main, on eight lines that
// leave it again and again, and in merges of these.
func Fill(t testing.TB, a *app.App, n int) {
	t.Helper()
	const thesis = "The mould of all that follows."
	tip := Save(t, a, sage.Checkpoint{Thesis: thesis}).ID
	git := func(args ...string) string { return run(t, a, "", "git", append([]string{"-C", a.Dir}, args...)...) }
	_, message, _ := strings.Cut(git("cat-file", "commit", tip), "\n\n")
	blob := git("cat-file", "blob", tip+":checkpoint.md")
	var in bytes.Buffer
	tips := map[string]string{"main": tip}
	for i := 1; i < n; i++ {
		line, parents := "main", []string{tips["main"]}
		if side := fmt.Sprintf("idea-%d", i/40%8); i%5 > 1 {
			if line = side; tips[side] != "" {
				parents = []string{tips[side]}
			}
		} else if i%40 == 1 && tips[side] != "" {
			parents = append(parents, tips[side])
			delete(tips, side)
		}
		text := fmt.Sprintf("Case %d of %s holds in run %d.", i, line, i*7919%10007)
		fmt.Fprintf(&in, "commit refs/sage/heads/%s\nmark :%d\ncommitter Ada <ada@example.org> %d +0000\n", line, i, 1700000000+60*i)
		data(&in, strings.ReplaceAll(message, thesis, text))
		for k, p := range parents {
			fmt.Fprintf(&in, "%s %s\n", []string{"from", "merge"}[k], p)
		}
		fmt.Fprint(&in, "M 100644 inline checkpoint.md\n")
		data(&in, strings.ReplaceAll(blob, thesis, text))
		tips[line] = fmt.Sprintf(":%d", i)
	}
	run(t, a, in.String(), "git", "-C", a.Dir, "fast-import", "--quiet", "--force")
}

func data(in *bytes.Buffer, s string) { fmt.Fprintf(in, "data %d\n%s\n", len(s), s) }

// Given is an item as a prompt puts it in front of an agent.
func Given(id, text string) string {
	return fmt.Sprintf("<sage-memory mark=\"aa\" origin=\"git-sage knowledge\">\nKnowledge.\n\n## %s (fact, of this repository, just now)\n%s\n</sage-memory mark=\"aa\">", id, text)
}

// Session has Claude Code keep a transcript of a session so many days ago, in which a model was
// shown a text by the memory and answered.
func Session(t testing.TB, a *app.App, id, model string, days int, shown, answer string) {
	t.Helper()
	at := a.Now().AddDate(0, 0, -days).Format(time.RFC3339)
	var b bytes.Buffer
	line := func(v map[string]any) {
		v["uuid"], v["cwd"], v["sessionId"], v["timestamp"] = fmt.Sprint(b.Len()), a.Dir, id, at
		if err := json.NewEncoder(&b).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	line(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": "Go on."}})
	line(map[string]any{"type": "attachment", "attachment": map[string]any{"type": "hook_additional_context", "hookName": "UserPromptSubmit", "content": []string{shown}}})
	line(map[string]any{"type": "assistant", "message": map[string]any{
		"id": id, "role": "assistant", "model": model, "content": []any{map[string]any{"type": "text", "text": answer}},
		"usage": map[string]int{"input_tokens": 900 + 10*days, "cache_creation_input_tokens": 40_000, "cache_read_input_tokens": 90_000 * (1 + days%5), "output_tokens": 7_000},
	}})
	folder := filepath.Join(a.Transcripts(), regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(a.Dir, "-"))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, id+".jsonl"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Git has git do something in the repository that git-sage did not ask for.
func Git(t testing.TB, a *app.App, args ...string) {
	t.Helper()
	run(t, a, "", "git", append([]string{"-C", a.Dir}, args...)...)
}

// run runs a program in the environment of the world.
func run(t testing.TB, a *app.App, in, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdin = a.Env, strings.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return string(out)
}
