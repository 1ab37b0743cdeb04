package gitstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// prunes removes objects as a prune does that had looked before a ref reached them.
func prunes(t *testing.T, w *storetest.World, revs ...string) {
	t.Helper()
	var ids []string
	for _, rev := range revs {
		ids = append(ids, w.Git("r", "rev-parse", rev))
	}
	for _, id := range ids {
		if err := os.Remove(object(w, id)); err != nil {
			t.Fatal(err)
		}
	}
}

// sayBack are the warnings that tell what came back.
func sayBack(warnings []string) (out []string) {
	for _, s := range warnings {
		if strings.Contains(s, " back") && strings.Contains(s, "git had lost") {
			out = append(out, s)
		}
	}
	return out
}

// Who continues what a prune took beside a save has it back, and says so once: whatever is
// gone, however far back it lies, and whoever writes.
func TestWritersTakeBackWhatAPruneTook(t *testing.T) {
	const head = "refs/sage/heads/main"
	rule := func(s *gitstore.Store, text string) ([]string, error) {
		got, err := s.Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Item: &sage.Item{ID: "rule", Type: sage.Knowledge, Content: text}, Replace: true})
		return hint.Notes(got.Warnings), err
	}
	saves := func(s *gitstore.Store) ([]string, error) {
		got, err := s.Checkpoints.Save(ctx, thesis("and on"))
		return hint.Notes(got.Warnings), err
	}
	for name, c := range map[string]struct {
		gone  []string
		write func(s *gitstore.Store) ([]string, error)
	}{
		"a save, its parent":                  {[]string{head, head + "^{tree}", head + ":checkpoint.md"}, saves},
		"a save, the parent's text":           {[]string{head + ":checkpoint.md"}, saves},
		"a save, what lies behind its parent": {[]string{head + "~2", head + "~1:checkpoint.md"}, saves},
		"a save, knowledge":                   {[]string{"refs/sage/knowledge:knowledge"}, saves},
		"knowledge, its parent":               {[]string{"refs/sage/knowledge"}, func(s *gitstore.Store) ([]string, error) { return rule(s, "changed") }},
		"knowledge, its tree":                 {[]string{"refs/sage/knowledge^{tree}", "refs/sage/knowledge:knowledge"}, func(s *gitstore.Store) ([]string, error) { return rule(s, "changed") }},
		"a merge, the base of both":           {[]string{head + "~1", head + "~1:checkpoint.md"}, func(s *gitstore.Store) ([]string, error) { return merges(s) }},
		"a merge, the other side":             {[]string{"refs/sage/heads/side"}, func(s *gitstore.Store) ([]string, error) { return merges(s) }},
		"a tombstone, the tip": {[]string{head}, func(s *gitstore.Store) ([]string, error) {
			_, err := s.Checkpoints.Remove(ctx, []string{"main~1"})
			return nil, err
		}},
		"a tombstone, of a checkpoint behind it": {[]string{head + "~1"}, func(s *gitstore.Store) ([]string, error) {
			_, err := s.Checkpoints.Remove(ctx, []string{"main~1"})
			return nil, err
		}},
	} {
		for _, noted := range []bool{true, false} { // without the list of what is new it is found by what fails
			t.Run(fmt.Sprint(name, noted), func(t *testing.T) {
				if !noted && (strings.Contains(name, "behind its parent") || strings.HasSuffix(name, "text") || strings.HasSuffix(name, "save, knowledge")) {
					t.Skip("nothing that this writes needs it")
				}
				w := storetest.New(t)
				dir := w.Repo("r")
				s := open(t, w, "r")
				for _, text := range []string{"one", "two"} {
					save(t, s, text)
				}
				if _, err := s.Lines.Branch(ctx, "side", "main"); err != nil {
					t.Fatal(err)
				}
				save(t, s, "three")
				if _, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "beside"}, Line: "side"}); err != nil {
					t.Fatal(err)
				}
				for _, text := range []string{"a rule", "another"} {
					if _, err := rule(s, text); err != nil {
						t.Fatal(err)
					}
				}
				prunes(t, w, c.gone...)
				if !noted {
					if err := os.Remove(dir + "/.git/sage/cache/fresh"); err != nil {
						t.Fatal(err)
					}
				}
				s = open(t, w, "r")
				said, err := c.write(s)
				if err != nil {
					t.Fatal(err)
				}
				tells := !strings.Contains(name, "tombstone")
				if n := len(sayBack(said)); tells != (n == 1) {
					t.Errorf("said %q", said)
				}
				w.Git("r", "fsck", "--connectivity-only")
				if r, err := s.Fsck.Check(ctx); err != nil || len(r.Findings) > 0 {
					t.Errorf("%+v %v", r.Findings, err)
				}
				if said, err := saves(s); err != nil || tells && len(sayBack(said)) > 0 {
					t.Errorf("the next one: %q %v", said, err)
				}
			})
		}
	}
}

func merges(s *gitstore.Store) ([]string, error) {
	got, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: "side", Thesis: "both"})
	return hint.Notes(got.Warnings), err
}

// What the backup lacks, too, is refused as ever; and a purge is not undone by who looks
// for what is gone.
func TestNothingIsTakenBackThatIsNowhere(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	two := save(t, s, "two")
	prunes(t, w, two.ID)
	if err := os.RemoveAll(dir + "/.git/sage/backup.git"); err != nil {
		t.Fatal(err)
	}
	s = open(t, w, "r")
	if got, err := s.Checkpoints.Save(ctx, thesis("three")); err == nil || !strings.Contains(hint.Error(err), "git sage fsck") {
		t.Errorf("%+v %v", got, err)
	}
	if said := s.Backup.TakeBack(ctx); said != nil {
		t.Errorf("said %q", said)
	}
}

// A reader has back what the last saves wrote.
func TestReadersTakeBack(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	two := save(t, s, "two")
	if said := s.Backup.TakeBack(ctx); said != nil {
		t.Errorf("nothing is gone: %q", said)
	}
	prunes(t, w, two.ID, two.ID+":checkpoint.md")
	s = open(t, w, "r")
	if said := s.Backup.TakeBack(ctx); len(said) != 1 {
		t.Errorf("said %q", said)
	}
	if c, err := s.Commits.Load(ctx, "main"); err != nil || c.Thesis != "two" {
		t.Errorf("%+v %v", c, err)
	}
	if said := s.Backup.TakeBack(ctx); said != nil {
		t.Errorf("again: %q", said)
	}
}

// The list of what is new stays short, and what git packed is not looked for again.
func TestListOfWhatIsNew(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	for i := range 5 {
		save(t, s, fmt.Sprint(i))
	}
	lines := func() int {
		b, err := os.ReadFile(dir + "/.git/sage/cache/fresh")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(b), "\n")
	}
	if n := lines(); n != 15 {
		t.Errorf("%d new objects of 5 saves", n)
	}
	w.Git("r", "gc", "-q")
	save(t, s, "more")
	if n := lines(); n != 3 {
		t.Errorf("%d are looked for, though the others are packed", n)
	}
	if err := os.WriteFile(dir+"/.git/sage/cache/fresh", []byte(strings.Repeat("no id\n", 20_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	save(t, s, "yet more")
	if n := lines(); n > 400 {
		t.Errorf("the list has %d lines", n)
	}
}

// Beside `git prune --expire=now`, again and again, no save is refused, and each that was
// acknowledged is there in the end. It is the real thing and no proof: what it does to
// objects is up to chance.
func TestSavesBesidePrune(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
			}
			cmd := exec.Command("git", "-C", dir, "prune", "--expire=now")
			cmd.Env = w.Env
			_ = cmd.Run() // what it finds missing it says
		}
	}()
	var ids []string
	for i := range 40 {
		s := open(t, w, "r")
		got, err := s.Checkpoints.Save(ctx, thesis(fmt.Sprint("thought ", i)))
		if err != nil {
			t.Errorf("save %d: %v", i, err)
			continue
		}
		ids = append(ids, got.ID)
		_ = s.Close()
	}
	close(stop)
	<-ended
	s := open(t, w, "r")
	s.Backup.TakeBack(ctx)
	have := strings.Fields(w.Git("r", "rev-list", "refs/sage/heads/main"))
	for _, id := range ids {
		if !slices.Contains(have, id) {
			t.Errorf("%s is gone", id)
		}
	}
	if r, err := s.Fsck.Check(ctx); err != nil || len(r.Findings) > 0 {
		t.Errorf("%+v %v", r.Findings, err)
	}
}
