package gitstore_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A thinker makes up checkpoints as research goes: each keeps most of what the
// one before it held, says some of it anew, and adds what it found.
type thinker struct {
	rnd   *rand.Rand
	now   sage.Checkpoint
	count int
}

func newThinker() *thinker { return &thinker{rnd: rand.New(rand.NewPCG(1, 2))} }

// text is n words out of some thousand, the frequent ones more often.
func (m *thinker) text(n int) string {
	words := make([]string, n)
	for i := range words {
		k := min(m.rnd.IntN(3000), m.rnd.IntN(3000))
		for range 2 + k%3 {
			words[i] += syllables[k%len(syllables)]
			k = k/7 + 3
		}
	}
	return strings.Join(words, " ")
}

var syllables = strings.Fields("ta ke ro mi lu sen dar fi cho gra ve no pel ist un or ac the in ing er re co al")

// think returns the next checkpoint.
func (m *thinker) think() sage.Checkpoint {
	c := m.now.Clone()
	if m.count%40 == 0 {
		*c = sage.Checkpoint{CoreQuestion: m.text(12) + "?"}
	}
	m.count++
	conf := float64(50+m.rnd.IntN(50)) / 100
	c.Thesis, c.Confidence = m.text(30), &conf
	if c.KeyEvidence = append(c.KeyEvidence, m.text(15)); len(c.KeyEvidence) > 8 {
		c.KeyEvidence = c.KeyEvidence[1:]
	}
	if m.count%3 == 0 {
		c.ReasoningTrace = m.text(60)
		c.OpenQuestions = []string{m.text(10), m.text(8)}
	}
	m.now = *c.Clone()
	return *c
}

// ours is what lies in a repository on our account: all of it, where nobody else
// has saved. A file of two names counts once.
func ours(t testing.TB, dir string) (files int, bytes int64) {
	t.Helper()
	var seen []fs.FileInfo
	for _, part := range []string{"objects", "logs/refs/sage", "refs/sage", "sage"} {
		err := filepath.WalkDir(filepath.Join(dir, ".git", part), func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			st, err := d.Info()
			if err == nil && !slices.ContainsFunc(seen, func(o fs.FileInfo) bool { return os.SameFile(o, st) }) {
				seen = append(seen, st)
				files, bytes = files+1, bytes+st.Size()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files, bytes
}

// grow saves n checkpoints with the upkeep that is due between them, and fails
// if more is left than is allowed.
func grow(t *testing.T, n, maxFiles int, maxBytes int64) {
	w := storetest.New(t)
	w.Git("", "init", "-q", "r")
	s := open(t, w, "r")
	s.Repo.Override(func(key string) (string, bool) { return "false", key == "sage.durable" }) // which only takes longer
	m := newThinker()
	var first, last string
	for i := range n {
		got, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: m.think()})
		if err != nil {
			t.Fatalf("save %d: %v", i, err)
		}
		if first == "" {
			first = got.ID
		}
		last = got.ID
		if s.Upkeep.Due() {
			if err := s.Upkeep.MaintainDue(ctx); err != nil {
				t.Fatalf("upkeep at %d: %v", i, err)
			}
		}
	}
	files, bytes := ours(t, w.Path("r"))
	t.Logf("%d saves: %d files, %.1f MB", n, files, float64(bytes)/1e6)
	if files > maxFiles || bytes > maxBytes {
		t.Errorf("more than %d files or %.1f MB", maxFiles, float64(maxBytes)/1e6)
	}
	loads(t, w, "r", []string{first, last})
	if got := w.Git("r", "rev-list", "--count", "refs/sage/heads/main"); got != fmt.Sprint(n) {
		t.Errorf("%s commits", got)
	}
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	grow(t, 500, 50, 1.5e6)
}

// Of many lines at one commit each says which they are, and none holds a copy: of
// 5,000 lines, which a remote may have, that was 400 MB.
func TestLinesShareTheirNames(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	for _, name := range []string{"a", "b"} {
		if _, err := s.Lines.Branch(ctx, name, "main"); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := s.Lines.List(ctx)
	if err != nil || len(lines) != 3 {
		t.Fatal(lines, err)
	}
	for _, l := range lines {
		wantList(t, l.Latest.Names, "a", "b", "main")
		if &l.Latest.Names[0] != &lines[0].Latest.Names[0] {
			t.Errorf("'%s' has names of its own", l.Name)
		}
	}
}
