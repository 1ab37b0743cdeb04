package gitstore

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/write"
)

// newer makes this version one that writes format n, until the test ends.
func newer(t *testing.T, n int) (back func()) {
	old := record.FormatVersion
	record.FormatVersion = n
	back = func() { record.FormatVersion = old }
	t.Cleanup(back)
	return back
}

// Case D56: what a newer version made can be listed, shown, continued, tagged and
// removed; it is not merged or settled, and nothing of it is rewritten.
func TestNewerCheckpoint(t *testing.T) {
	s, w := fresh(t)
	one := kept(t, s, "one")
	back := newer(t, 3)
	two := kept(t, s, "two")
	if _, err := s.Lines.Branch(ctx, "side", one.ID); err != nil {
		t.Fatal(err)
	}
	back()
	recs, err := s.Commits.Log(ctx, commits.Query{})
	if err != nil || len(recs) != 2 || recs[0].Format != 3 {
		t.Fatalf("%v %v", recs, err)
	}
	if c, err := s.Commits.Load(ctx, two.ID); err != nil || c.Thesis != "two" {
		t.Errorf("%v %v", c, err)
	}
	three := kept(t, s, "three")
	if three.Parents[0] != two.ID {
		t.Errorf("%+v", three)
	}
	if _, err := s.Lines.Tag(ctx, "v1", two.ID, false); err != nil {
		t.Error(err)
	}
	if _, err := s.Lines.Switch(ctx, "side", false, ""); err != nil {
		t.Fatal(err)
	}
	kept(t, s, "four")
	before := w.Git("r", "for-each-ref")
	_, err = s.Checkpoints.Merge(ctx, write.MergeRequest{Rev: two.ID})
	if !errors.Is(err, repo.ErrNewer) || !strings.Contains(err.Error(), "checkpoint "+record.Short(two.ID)+" (format 3) was made by a newer git-sage; upgrade this one") {
		t.Errorf("merge: %v", err)
	}
	if after := w.Git("r", "for-each-ref"); after != before {
		t.Errorf("refs moved:\n%s", after)
	}
	if _, err := s.Checkpoints.Remove(ctx, []string{two.ID}); err != nil {
		t.Error(err)
	}
	if _, err := s.Checkpoints.Merge(ctx, write.MergeRequest{Rev: one.ID}); err != nil { // all else goes on
		t.Error(err)
	}
}

// A newer version settles what only it understands.
func TestNewerUnsettled(t *testing.T) {
	s, _ := fresh(t)
	kept(t, s, "one")
	if _, err := s.Lines.Switch(ctx, "side", true, ""); err != nil {
		t.Fatal(err)
	}
	kept(t, s, "two")
	if _, err := s.Lines.Switch(ctx, "main", false, ""); err != nil {
		t.Fatal(err)
	}
	kept(t, s, "three")
	back := newer(t, 3)
	if m, err := s.Checkpoints.Merge(ctx, write.MergeRequest{Rev: "side"}); err != nil || !m.Unsettled {
		t.Fatalf("%+v %v", m, err)
	}
	back()
	if _, err := s.Checkpoints.Merge(ctx, write.MergeRequest{Thesis: "both"}); !errors.Is(err, repo.ErrNewer) {
		t.Errorf("settle: %v", err)
	}
}

// The knowledge tree says who may read and write it; checkpoints do not care.
func TestNewerTree(t *testing.T) {
	for name, c := range map[string]struct {
		file        string
		read, write bool
	}{
		"none":               {"", true, true},
		"this version's":     {"min_reader: 1\nmin_writer: 1\n", true, true},
		"newer writers":      {"min_writer: 3\n", true, false},
		"newer readers":      {"min_reader: 3\n", false, false},
		"more keys":          {"min_reader: 1\nmin_writer: 1\nsharding: [2, 3]\n", true, true},
		"no one can tell":    {"min_reader: {}\n", true, false},
		"a newer git-sage's": {"format: 7\n", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := fresh(t)
			files := map[string][]byte{"templates/x.yaml": []byte("name: x\n")}
			if c.file != "" {
				files[record.TreeFormatFile] = []byte(c.file)
			}
			must(t, s.Tree.WriteFiles(ctx, "a template", files))
			_, err := s.Tree.ReadFile(ctx, "templates/x.yaml")
			_, err2 := s.Tree.Files(ctx, "templates")
			if err := errors.Join(err, err2); (err == nil) != c.read || err != nil && !errors.Is(err, repo.ErrNewer) {
				t.Errorf("read: %v", err)
			}
			err = s.Tree.WriteFiles(ctx, "another", map[string][]byte{"templates/y.yaml": []byte("name: y\n")})
			if (err == nil) != c.write {
				t.Errorf("write: %v", err)
			}
			kept(t, s, "one")
			if _, err := s.Lines.List(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}
