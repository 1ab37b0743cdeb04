//go:build unix

package hooks

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/distill"
	"github.com/git-sage/git-sage/recall"
)

// A worker of another process is told by the environment where it works.
const workerPlace = "SAGE_TEST_PLACE"

func byClaude(*recall.Memory) autosave.Settings {
	return autosave.Settings{Distill: distill.Settings{Target: "claude", Tokens: 100_000}}
}

// TestKilledWorker is the worker that is killed, where the environment says so.
func TestKilledWorker(t *testing.T) {
	var at [3]string
	if json.Unmarshal([]byte(os.Getenv(workerPlace)), &at) != nil {
		t.Skip("only for another test")
	}
	p := &place{t: t, dir: at[0], home: at[1], env: os.Environ(), now: time.Date(2026, 1, 16, 13, 0, 0, 0, time.UTC)}
	o := p.options(io.Discard, map[string]any{"session_id": "a", "cwd": p.dir, "transcript_path": at[2]})
	o.Settings, o.Within = byClaude, time.Minute
	Run(context.Background(), o, SessionEnd)
	t.Error("it was not killed")
}

// A worker that is killed while it waits for the model, or before, loses nothing: the
// record by rules is there, and the conversation waits for the next.
func TestKillOfTheWorker(t *testing.T) {
	p := newPlace(t)
	k := p.talked("a")
	bin := t.TempDir()
	answer, err := json.Marshal(map[string]any{"is_error": false, "usage": map[string]any{"input_tokens": 9, "output_tokens": 1}, "structured_output": map[string]any{
		"question": distill.Claim{}, "thesis": distill.Claim{Text: "Tokens are read from the primary between 02:00 and 03:00.", Quote: "We decided to read tokens from the primary between 02:00 and 03:00."},
		"evidence": []any{}, "decisions": []any{}, "failures": []any{}, "open": []any{}, "facts": []any{},
	}})
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nif [ \"$1\" = --help ]; then echo --safe-mode; exit; fi\nif [ ! -e " + bin + "/killed ]; then : >" + bin + "/killed; kill -9 $PPID; exit 1; fi\ncat " + bin + "/answer\n"
	for name, text := range map[string]string{"claude": script, "answer": string(answer)} {
		must(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755))
	}
	path := "PATH=" + bin + ":" + os.Getenv("PATH")
	at, err := json.Marshal([3]string{p.dir, p.home, k.file})
	if err != nil {
		t.Fatal(err)
	}
	worker := exec.Command(os.Args[0], "-test.run=^TestKilledWorker$")
	worker.Env = append(p.env, path, workerPlace+"="+string(at))
	if out, err := worker.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("%v: %s", err, out)
	}
	if list := p.log(); len(list) != 1 || !strings.HasPrefix(list[0], "a session_end: ") {
		t.Fatalf("saved:\n%s", strings.Join(list, "\n"))
	}
	if n, _ := p.waits(); n != 1 {
		t.Fatalf("%d wait", n)
	}
	b := distill.Budget{Home: p.home, Tokens: 100_000, Now: func() time.Time { return p.now }}
	before := b.Spent()
	p.env, p.now = append(p.env, path), p.now.Add(2*time.Hour)
	o := p.options(io.Discard, map[string]any{"session_id": "b", "cwd": p.dir, "source": "startup", "transcript_path": k.file})
	o.Settings, o.Within = byClaude, time.Minute
	Run(context.Background(), o, SessionStart)
	if c := p.latest(); c.Thesis != "Tokens are read from the primary between 02:00 and 03:00." || !sage.IsDistilled(c.Extra) || before < 1000 || b.Spent() != before+10 {
		t.Errorf("%+v, %d and %d tokens", c, before, b.Spent())
	}
	if n, why := p.waits(); n != 0 || why != "" {
		t.Errorf("%d wait, %s", n, why)
	}
}
