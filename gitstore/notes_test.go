package gitstore_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// noted are the texts of all notes.
func noted(t *testing.T, git func(dir string, args ...string) string) string {
	t.Helper()
	var b strings.Builder
	for l := range strings.Lines(git("r", "notes", "--ref=sage", "list")) {
		b.WriteString(git("r", "cat-file", "blob", strings.Fields(l)[0]))
	}
	return b.String()
}

// Notes leave, and private lines do not: no note names a checkpoint of one, and where one does
// because its line became private since, the notes must stay.
func TestNotesOfPrivateLines(t *testing.T) {
	w := following(t)
	w.Git("r", "switch", "-q", "-c", "topic")
	s := open(t, w, "r")
	save(t, s, "before")
	w.Write("r/a", "1")
	w.Git("r", "add", "a")
	w.Git("r", "commit", "-q", "-m", "a")
	s = open(t, w, "r")
	if n, err := s.Notes.Record(ctx); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	tip := w.Git("r", "rev-parse", "refs/notes/sage")
	if err := s.Notes.MayLeave(ctx, tip, ""); err != nil {
		t.Error(err)
	}
	must(t, s.Remotes.SetPrivate(ctx, "topic", true))
	if err := s.Notes.MayLeave(ctx, tip, ""); err == nil || !strings.HasSuffix(err.Error(), "of the private line 'topic'") {
		t.Error(err)
	}
	if err := s.Notes.MayLeave(ctx, tip, tip); err != nil {
		t.Errorf("the remote has it: %v", err)
	}
	save(t, s, "after")
	w.Write("r/b", "1")
	w.Git("r", "add", "b")
	w.Git("r", "commit", "-q", "-m", "b")
	if n, err := open(t, w, "r").Notes.Record(ctx); n != 0 || err != nil {
		t.Error(n, err)
	}
	if text := noted(t, w.Git); !strings.Contains(text, "before") || strings.Contains(text, "after") {
		t.Error(text)
	}
}

// A note comes from anybody: a change of the knowledge that it names is no checkpoint.
func TestNotesNameCheckpoints(t *testing.T) {
	w := following(t)
	s := open(t, w, "r")
	saved := save(t, s, "thought")
	must(t, s.Tree.WriteFiles(ctx, "a change", map[string][]byte{"lines/x.yaml": []byte("closed: true\n")}))
	change := strings.TrimSpace(w.Git("r", "rev-parse", "refs/sage/knowledge"))
	w.Git("r", "notes", "--ref=sage", "add", "-f", "-m", "Sage-Checkpoint: "+change+" a\nSage-Checkpoint: "+saved.ID+" b", "HEAD")
	list, err := open(t, w, "r").Notes.List(ctx, 1, "HEAD")
	if err != nil || len(list) != 1 || len(list[0].Checkpoints) != 1 || list[0].Checkpoints[0].ID != saved.ID {
		t.Error(list, err)
	}
}

// Of writers at once none takes another's notes, and git spreads them as it likes.
func TestNotesAtOnce(t *testing.T) {
	w := following(t)
	const n = 6
	var commits []string
	for i := range n {
		s := open(t, w, "r")
		save(t, s, fmt.Sprintf("thought %d", i))
		w.Write(fmt.Sprintf("r/f%d", i), "1")
		w.Git("r", "add", ".")
		w.Git("r", "commit", "-q", "-m", "c")
		commits = append(commits, strings.TrimSpace(w.Git("r", "rev-parse", "HEAD")))
	}
	w.Git("r", "notes", "--ref=sage", "add", "-m", "by hand", commits[0]+"^") // flat, as git has few
	var all sync.WaitGroup
	for _, c := range commits {
		all.Go(func() {
			if _, err := open(t, w, "r").Notes.Record(ctx, c+"^.."+c); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	text := noted(t, w.Git)
	for i := range n {
		if strings.Count(text, fmt.Sprintf("thought %d\n", i)) != 1 {
			t.Errorf("thought %d in %s", i, text)
		}
	}
	if !strings.Contains(text, "by hand") {
		t.Error(text)
	}
	if got, err := open(t, w, "r").Notes.Record(ctx, "HEAD"); got != 0 || err != nil {
		t.Error(got, err)
	}
}
