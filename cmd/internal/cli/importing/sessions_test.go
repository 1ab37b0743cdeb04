package importing

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
)

// A cancelling writer interrupts a command when it has written once.
type cancelling struct {
	bytes.Buffer
	cancel func()
}

func (c *cancelling) Write(b []byte) (int, error) {
	c.cancel()
	return c.Buffer.Write(b)
}

func TestInterruptedImportGoesOn(t *testing.T) {
	a := apptest.EarlierSessions(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	a.Out = &cancelling{cancel: cancel}
	if err := runImportSessions(ctx, a, importOptions{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	count := func() int {
		list, err := a.Store.Commits.Log(t.Context(), gitstore.Query{Line: "sessions"})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if n := count(); n != 1 {
		t.Errorf("%d records, want the one that was told", n)
	}
	a.Out = new(bytes.Buffer)
	if err := runImportSessions(t.Context(), a, importOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 3 {
		t.Errorf("%d records behind the second import, want 3:\n%s%s", n, a.Out, a.Err)
	}
}

// TestOneRecordOfASession: also of two transcripts of it, and by two imports at once.
func TestOneRecordOfASession(t *testing.T) {
	a := apptest.EarlierSessions(t, 2)
	folder := filepath.Dir(must(filepath.Glob(filepath.Join(a.Transcripts(), "*", "s1.jsonl")))[0])
	text, err := os.ReadFile(filepath.Join(folder, "s1.jsonl"))
	if err == nil {
		err = os.Mkdir(folder+"-sub", 0o700)
	}
	longer := strings.ReplaceAll(string(text), "8441", "9999") + strings.Replace(string(text[:bytes.IndexByte(text, '\n')+1]), "u1", "u9", 1)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder+"-sub", "s1.jsonl"), []byte(longer), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := a.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	slow := &importer{a: a, m: m}
	if err := slow.know(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := runImportSessions(t.Context(), a, importOptions{}); err != nil {
		t.Fatal(err)
	}
	list, _, err := sessions.InRoots(a.Transcripts(), m.Store.Session.WorkTrees())
	if err == nil {
		err = slow.all(t.Context(), largest(list), "")
	}
	if err != nil {
		t.Fatal(err)
	}
	records, err := a.Store.Commits.Log(t.Context(), gitstore.Query{Line: "sessions"})
	if err != nil || len(records) != 2 {
		t.Fatalf("%d records, %v, want one of each session", len(records), err)
	}
	if !slices.ContainsFunc(records, func(r gitstore.Record) bool { return strings.Contains(r.Thesis, "9999") }) {
		t.Errorf("the larger transcript is not what was imported: %+v", records)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestImportShowsHowFarItIs(t *testing.T) {
	for _, tty := range []bool{true, false} {
		a := apptest.EarlierSessions(t, 2)
		at := a.Now()
		a.Now = func() time.Time { at = at.Add(time.Second); return at }
		a.ErrTTY = tty
		if err := runImportSessions(t.Context(), a, importOptions{quiet: true}); err != nil {
			t.Fatal(err)
		}
		if got := a.Err.(*bytes.Buffer).String(); strings.Contains(got, "Reading sessions [") != tty {
			t.Errorf("terminal %v: %q", tty, got)
		}
	}
}
