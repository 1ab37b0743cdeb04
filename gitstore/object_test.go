package gitstore

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// go-git, an independent reader, sees in our commits and trees what we put in.
func TestObjectsReadByGoGit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := loose.Store{Format: "sha1"}
		tree := store.New("tree", encodeTree(treeEntry{modeFile, "checkpoint.md", strings.Repeat("ab", 20)}))
		var gotTree object.Tree
		decode(t, &gotTree, plumbing.TreeObject, tree)
		if gotTree.ID().String() != tree.ID || len(gotTree.Entries) != 1 || gotTree.Entries[0].Name != "checkpoint.md" {
			t.Fatalf("tree: %+v", gotTree)
		}
		p := person{crudless(rapid.StringMatching(`[A-Za-zé ]{1,20}`).Draw(t, "name") + "x"), "a@b.c"}
		when := time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "when"), 0).UTC()
		msg := message(&sage.Checkpoint{Thesis: rapid.String().Draw(t, "thesis")}, KindCheckpoint, "subject")
		c := store.New("commit", commit{tree: tree.ID, parents: []string{strings.Repeat("cd", 20)}, author: p.stamp(when), committer: p.stamp(when), message: msg}.encode())
		var got object.Commit
		decode(t, &got, plumbing.CommitObject, c)
		if got.ID().String() != c.ID || got.Author.Name != p.name || !got.Author.When.Equal(when) || got.Message != msg || got.TreeHash.String() != tree.ID {
			t.Fatalf("commit: %+v", got)
		}
	})
}

func decode(t *rapid.T, into interface {
	Decode(plumbing.EncodedObject) error
}, typ plumbing.ObjectType, o loose.Object) {
	var m plumbing.MemoryObject
	m.SetType(typ)
	_, _ = m.Write(o.Data)
	if err := into.Decode(&m); err != nil {
		t.Fatal(err)
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
