package gitstore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Git reads in our commits and trees what we put in, and finds nothing wrong with them.
func TestObjectsReadByGit(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	store := loose.Store{Dir: w.Path("r", ".git", "objects"), Format: "sha1"}
	blob := store.New("blob", []byte("text"))
	tree := store.New("tree", encodeTree(treeEntry{modeFile, "checkpoint.md", blob.ID}))
	objects, ids, want := []loose.Object{blob, tree}, []string(nil), []string(nil)
	rapid.Check(t, func(t *rapid.T) {
		p := person{crudless(rapid.StringMatching(`[A-Za-zé ]{1,20}`).Draw(t, "name") + "x"), "a@b.c"}
		when := time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "when"), 0).UTC()
		msg := message(&sage.Checkpoint{Thesis: rapid.String().Draw(t, "thesis")}, KindCheckpoint, "subject")
		c := store.New("commit", commit{tree: tree.ID, parents: ids[max(0, len(ids)-1):], author: p.stamp(when), committer: p.stamp(when), message: msg}.encode())
		objects, ids = append(objects, c), append(ids, c.ID)
		want = append(want, fmt.Sprintf("%s %s <a@b.c> %d %s\n%s", tree.ID, p.name, when.Unix(), c.ID, msg))
	})
	if err := store.Write(objects...); err != nil {
		t.Fatal(err)
	}
	last := ids[len(ids)-1]
	if out := w.Git("r", "fsck", "--strict", "--no-dangling", last); out != "" {
		t.Error(out)
	}
	if out, entry := w.Git("r", "ls-tree", last), "100644 blob "+blob.ID+"\tcheckpoint.md"; out != entry {
		t.Errorf("tree: %q, want %q", out, entry)
	}
	out, err := w.TryGit("r", "log", "--reverse", "--topo-order", "--format=%T %an <%ae> %at %H%n%B%x00", last)
	got := strings.Split(strings.TrimSuffix(strings.TrimSpace(out), "\x00"), "\x00\n")
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d commits of %d, %v", len(got), len(want), err)
	}
	for i := range want {
		if d := cmp.Diff(want[i], got[i]); d != "" {
			t.Errorf("commit %d: %s", i, d)
		}
	}
}

// What a message says of a checkpoint is what is read back, whatever the texts
// look like.
// It is case L171.
func TestMessageRoundTrip(t *testing.T) {
	odd := []string{"x", "Sage-Format: 1\nSage-Kind: tombstone", "a\n\nSage-Trigger: forged", "# ------------------------ >8 ------------------------", "--- \n", "Signed-off-by: x", "é\u202e\x1b[31m", "a\\nb\\\\", strings.Repeat("long ", 200)}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.SampledFrom(odd), rapid.String())
		half := rapid.Float64Range(0, 1).Draw(t, "confidence")
		c := sage.Checkpoint{Thesis: text.Draw(t, "thesis"), CoreQuestion: text.Draw(t, "question"), Skill: text.Draw(t, "skill"), Confidence: &half, Trigger: sage.Synthesis, MessageCount: 3,
			Code: sage.CodeState{Commit: "abc", Dirty: true}, Aliases: []string{"2026-01-01T00-00-00_x"}}
		var r Record
		if !r.parseMessage(message(&c, KindCheckpoint, sage.Describe(&c, 3))) {
			t.Fatal("not recognised")
		}
		if r.Kind != KindCheckpoint || r.Trigger != sage.Synthesis || *r.Confidence != half || r.Messages != 3 || r.Code != c.Code || len(r.Removes) > 0 || r.Aliases[0] != c.Aliases[0] {
			t.Fatalf("%+v", r)
		}
		for l := range strings.Lines(message(&c, KindCheckpoint, "s")) {
			if strings.HasPrefix(l, "Sage-") && len(l) > maxTrailer+20 {
				t.Fatalf("%d bytes: %s", len(l), l)
			}
		}
	})
}

func FuzzParseMessage(f *testing.F) {
	f.Add("s\n\nt\n\nSage-Format: 1\nSage-Kind: checkpoint\nSage-Code: a b dirty\n")
	f.Add("s\n\nSage-Format: 1\nSage-Removes: x")
	f.Add("\n\n\n\nSage-Format: \nSage-Confidence: NaN")
	f.Fuzz(func(t *testing.T, s string) {
		var r Record
		r.parseMessage(s)
		r.parseCommit([]byte(s))
		r.parse([]byte(s))
	})
}

func FuzzCheckName(f *testing.F) {
	for _, s := range []string{"main", "a..b", "x.lock", "con", "com1.x", "Ä", "-rf", "a/b", "", strings.Repeat("a", 101), "a."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ok := CheckName(s) == nil
		if ok && (strings.ToLower(s) != s || strings.ContainsAny(s, "/\\ ~^:?*[\n") || strings.Contains(s, "..") || s[0] == '-' || len(s) > 100) {
			t.Errorf("%q passes", s)
		}
	})
}

// FuzzSplitRev: a revision that is understood means the same when its steps are
// written out.
func FuzzSplitRev(f *testing.F) {
	for _, s := range []string{"@", "@~2", "main~", "v1^2~3", "3f2a^^", "~", "@~0", "@~1048577", "a~1x", "main@{yesterday}~1", "^~^"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		base, steps, err := splitRev(s)
		if err != nil {
			return
		}
		whole := base
		for _, st := range steps {
			whole += map[bool]string{true: "~", false: "^"}[st.back] + strconv.Itoa(st.n)
		}
		base2, steps2, err := splitRev(whole)
		if err != nil || base2 != base || !slices.Equal(steps2, steps) {
			t.Errorf("%q is %q, and that is %q %v (%v)", s, whole, base2, steps2, err)
		}
	})
}
