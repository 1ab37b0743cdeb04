package gitstore_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// planted is a secret that no rule of redaction knows.
const planted = "zebra crossing nine"

// nowhere fails if the secret is in any object that git can read, or in any file
// below the git directory, compressed or not.
func nowhere(t testing.TB, w *storetest.World, dir, secret string) {
	t.Helper()
	git := w.Git(dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	for _, store := range []string{"", filepath.Join(git, "sage", "backup.git", "objects")} {
		if _, err := os.Stat(store); store != "" && err != nil {
			continue
		}
		env := w.Env
		if store != "" {
			w.Env = append(slices.Clone(env), "GIT_OBJECT_DIRECTORY="+store)
		}
		out := w.Git(dir, "cat-file", "--batch-all-objects", "--batch")
		w.Env = env
		if at := strings.Index(out, secret); at >= 0 {
			t.Errorf("an object of %q holds it: …%s…", store, out[max(0, at-300):min(len(out), at+100)])
		}
	}
	err := filepath.WalkDir(git, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b = append(b, inflated(path, b)...)
		if bytes.Contains(b, []byte(secret)) || strings.Contains(path, strings.ReplaceAll(secret, " ", "-")) {
			t.Errorf("%s holds it", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// inflated is what a file holds in a form that a search does not see: an object, or
// the logs in a table of refs, each block of which begins with 'g' and its length.
func inflated(path string, b []byte) (plain []byte) {
	for i := range b {
		if i > 0 && (filepath.Ext(path) != ".ref" || i < 4 || b[i-4] != 'g') {
			continue
		}
		if z, err := zlib.NewReader(bytes.NewReader(b[i:])); err == nil {
			p, _ := io.ReadAll(z)
			plain = append(plain, p...)
		}
	}
	return plain
}

// sound fails unless git finds the repository whole.
func sound(t testing.TB, w *storetest.World, dir string) {
	t.Helper()
	out, err := w.TryGit(dir, "fsck", "--full", "--strict")
	for l := range strings.Lines(out) {
		if !strings.HasPrefix(l, "dangling ") && !strings.HasPrefix(l, "notice: ") && !strings.HasPrefix(l, "Checking ") {
			t.Errorf("git fsck: %s", l)
		}
	}
	if err != nil {
		t.Errorf("git fsck: %v", err)
	}
}

// usersOwn makes what a user may have in a repository that no branch holds, and
// returns the ids of all objects that must stay.
func usersOwn(t testing.TB, w *storetest.World, dir string) []string {
	t.Helper()
	w.Write(dir+"/dangling.txt", "nobody holds me\n")
	w.Git(dir, "hash-object", "-w", "dangling.txt")
	lost := w.Git(dir, "commit-tree", "-m", "reset away", "HEAD^{tree}")
	w.Write(dir+"/a.txt", "stashed\n")
	w.Git(dir, "stash", "-q")
	w.Write(dir+"/b.txt", "reset away\n")
	w.Git(dir, "add", "b.txt")
	w.Git(dir, "commit", "-qm", "in the reflog only")
	w.Git(dir, "reset", "-q", "--hard", "HEAD~1")
	w.Write(dir+"/c.txt", "in the index only\n")
	w.Git(dir, "add", "c.txt")
	_ = lost
	return strings.Fields(w.Git(dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
}

func still(t testing.TB, w *storetest.World, dir string, ids []string) {
	t.Helper()
	have := map[string]bool{}
	for _, id := range strings.Fields(w.Git(dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")) {
		have[id] = true
	}
	for _, id := range ids {
		if !have[id] {
			t.Errorf("the user's %s is gone", id)
		}
	}
}

func purge(t testing.TB, s *gitstore.Store, req gitstore.PurgeRequest) gitstore.Purged {
	t.Helper()
	out, err := s.Purge.Run(ctx, req)
	if err != nil {
		t.Fatalf("purge: %v", err)
	}
	for _, l := range out.Left {
		t.Errorf("left: %s: %s", l.Name, l.Why)
	}
	return out
}

// plant fills a store with the secret in every kind of place, and returns the
// checkpoints in the order in which they were saved.
func plant(t testing.TB, w *storetest.World, s *gitstore.Store, dir string) (ids []string) {
	t.Helper()
	keep := func(c sage.Checkpoint) {
		got, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: c})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, got.ID)
	}
	keep(sage.Checkpoint{Thesis: "before it"})
	keep(sage.Checkpoint{Thesis: "The password is " + planted + ". It is weak.", KeyEvidence: []string{"typed \"" + planted + "\" twice"}})
	keep(sage.Checkpoint{Thesis: "after it", CoreQuestion: strings.Repeat("long ", 36) + planted, Fields: map[string]any{planted: "key"}})
	if _, err := s.Lines.Tag(ctx, "v1", ids[1], false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Checkpoints.Remove(ctx, []string{ids[1]}); err != nil {
		t.Fatal(err)
	}
	if err := s.Tree.WriteFiles(ctx, "add "+planted, map[string][]byte{
		"skills/" + strings.ReplaceAll(planted, " ", "-") + ".md": []byte("---\nid: purged\nsource: " + planted + "\n---\nSay " + planted + ".\n"),
		"lines/main.yaml": []byte("branches:\n- " + planted + "\n"),
	}); err != nil {
		t.Fatal(err)
	}
	w.Git(dir, "notes", "--ref=refs/notes/sage", "add", "-f", "-m", "see "+planted, "HEAD")
	keep(sage.Checkpoint{Thesis: "last"})
	return ids
}

// talk is a session of which vectors are kept, beside what holds no secret. forgotten fails
// unless the vectors alone are gone: what they are of nobody can see.
func talk(t testing.TB, w *storetest.World, dir string) (forgotten func()) {
	t.Helper()
	s := open(t, w, dir, session("talk"))
	if err := errors.Join(s.Session.Keep("topics", []byte(`{"0f":"AAAAAA=="}`)), s.Session.Keep("memo", []byte(`{"turns":3}`))); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if topics, memo := s.Session.Kept("topics"), s.Session.Kept("memo"); topics != nil || memo == nil {
			t.Errorf("of the session there is still %q and %q", topics, memo)
		}
	}
}

// A planted secret is in no object, reflog, pack, cache, note or message after a
// purge, the user's objects are all there, and old ids resolve.
func TestPurgeMatch(t *testing.T) {
	for _, k := range []struct {
		name string
		init []string
		then func(w *storetest.World)
	}{
		{"loose", nil, func(*storetest.World) {}},
		{"packed", nil, func(w *storetest.World) { w.Git("r", "repack", "-adq") }},
		{"gc, graph and multi-pack-index", nil, func(w *storetest.World) {
			w.Git("r", "repack", "-dq")
			w.Git("r", "commit-graph", "write", "--reachable", "--split")
			w.Git("r", "multi-pack-index", "write")
			w.Git("r", "pack-refs", "--all")
		}},
		{"sha256", []string{"--object-format=sha256"}, func(w *storetest.World) { w.Git("r", "repack", "-adq") }},
		{"reftable", []string{"--ref-format=reftable"}, func(*storetest.World) {}},
	} {
		t.Run(k.name, func(t *testing.T) {
			w := storetest.New(t)
			if _, err := w.TryGit("", append(append([]string{"init", "-q"}, k.init...), "trial")...); err != nil {
				t.Skip("this git has none such")
			}
			w.Repo("r", k.init...)
			own := usersOwn(t, w, "r")
			s := open(t, w, "r")
			ids := plant(t, w, s, "r")
			k.then(w)
			state, forgotten := userState(w, "r"), talk(t, w, "r")
			out := purge(t, s, gitstore.PurgeRequest{Match: "zebra[ -]crossing[ -]nine"})
			forgotten()
			if out.Searched < len(own) || out.Objects == 0 {
				t.Errorf("searched %d, removed %d", out.Searched, out.Objects)
			}
			nowhere(t, w, "r", planted)
			sound(t, w, "r")
			still(t, w, "r", own)
			if now := userState(w, "r"); now != state {
				t.Errorf("the user's own changed:\n%s\n%s", state, now)
			}
			s = open(t, w, "r")
			if found, err := s.Fsck.Findings(ctx); err != nil || len(found) > 0 {
				t.Errorf("fsck: %v %v", found, err)
			}
			wantList(t, subjects(t, s, gitstore.Query{}), "last", "after it", "before it")
			for i, id := range ids {
				if c, err := s.Commits.Load(ctx, id); err != nil || i > 0 && c.ID == id {
					t.Errorf("%d: %v %v", i, c, err)
				}
				if c, err := s.Commits.Load(ctx, id[:10]); err != nil || i > 0 && c.ID == id {
					t.Errorf("%d by its short id: %v %v", i, c, err)
				}
			}
			if c, err := s.Commits.Load(ctx, "v1"); err != nil || c.Thesis != "The password is [PURGED]. It is weak." || c.KeyEvidence[0] != "typed \"[PURGED]\" twice" {
				t.Errorf("%+v %v", c, err)
			}
			files, err := s.Tree.Files(ctx, "skills")
			if err != nil || !slices.Equal(files, []string{"skills/purged.md"}) {
				t.Errorf("files %v %v", files, err)
			}
			got := save(t, s, "and on")
			if got.Forked || got.Continues != "last" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// userState is all that is the user's: refs, HEAD, index, stash, logs, files.
func userState(w *storetest.World, dir string) string {
	out := w.Git(dir, "for-each-ref", "refs/heads", "refs/tags", "refs/remotes", "refs/stash")
	return out + w.Git(dir, "reflog") + w.Git(dir, "stash", "list") + w.Git(dir, "ls-files", "-s") + w.Git(dir, "status", "--porcelain") + w.Git(dir, "config", "--list", "--local")
}

// What cannot be a pattern is refused before anything is looked at.
func TestPurgePatterns(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "some thought")
	for pattern, want := range map[string]string{
		"(":          "missing closing",
		"x*":         "also matches ''",
		"[A-Z]+":     "also matches '[PURGED]'",
		"checkpoint": "matches the structure of checkpoints",
		"Sage-Kind":  "matches the structure of checkpoints",
	} {
		if _, err := s.Purge.Plan(ctx, gitstore.PurgeRequest{Match: pattern}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

// A checkpoint leaves history; what followed it continues what it continued.
func TestPurgeCheckpoint(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one, two, three := save(t, s, "one"), save(t, s, "it is two"), save(t, s, "three")
	if _, err := s.Lines.Tag(ctx, "t2", two.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Checkpoints.Remove(ctx, []string{two.ID}); err != nil {
		t.Fatal(err)
	}
	plan, err := s.Purge.Plan(ctx, gitstore.PurgeRequest{Revs: []string{two.ID[:9]}})
	if err != nil || len(plan.Touched) != 1 || plan.Touched[0] != (gitstore.PurgeItem{ID: two.ID, Description: "it is two", Gone: true}) || plan.Rewritten != 3 {
		t.Errorf("plan %+v %v", plan, err)
	}
	forgotten := talk(t, w, "r")
	purge(t, s, gitstore.PurgeRequest{Revs: []string{two.ID[:9]}})
	forgotten()
	s = open(t, w, "r")
	wantList(t, subjects(t, s, gitstore.Query{}), "three", "one")
	if _, err := s.Commits.Load(ctx, two.ID); !errors.Is(err, gitstore.ErrPurged) {
		t.Errorf("the purged one: %v", err)
	}
	if _, err := s.Commits.Load(ctx, two.ID[:8]); !errors.Is(err, gitstore.ErrPurged) {
		t.Errorf("by its short id: %v", err)
	}
	if r, err := s.Commits.Record(ctx, three.ID); err != nil || !slices.Equal(r.Parents, []string{one.ID}) {
		t.Errorf("%+v %v", r, err)
	}
	if tags, err := s.Lines.Tags(ctx); err != nil || len(tags) != 0 {
		t.Errorf("tags %v %v", tags, err)
	}
	nowhere(t, w, "r", "it is two")
	sound(t, w, "r")
	if plan, err := s.Purge.Plan(ctx, gitstore.PurgeRequest{Revs: []string{two.ID}}); err != nil || len(plan.Refs) != 0 || plan.Unfinished != 0 {
		t.Errorf("again: %+v %v", plan, err)
	}
}

// The only checkpoint of a line takes the line along; the next save begins it anew.
func TestPurgeLast(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("abcdefgh-1"))
	only := save(t, s, "only this")
	purge(t, s, gitstore.PurgeRequest{Revs: []string{"@"}})
	nowhere(t, w, "r", "only this")
	if got := w.Git("r", "for-each-ref", "--format=%(refname)", "refs/sage"); got != "refs/sage/knowledge" {
		t.Errorf("refs: %s", got)
	}
	if got := save(t, open(t, w, "r", session("abcdefgh-1")), "anew"); len(got.Parents) != 0 || got.Forked {
		t.Errorf("%+v", got)
	}
	_ = only
	sound(t, w, "r")
}

// A file leaves every commit of the knowledge tree, whatever it held.
func TestPurgePath(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	for _, text := range []string{"first secret", "second secret"} {
		if err := s.Tree.WriteFiles(ctx, "write", map[string][]byte{"knowledge/ab/x.md": []byte(text), "knowledge/ab/y.md": []byte("kept " + text[:6]), "templates/copy.yaml": []byte(text)}); err != nil {
			t.Fatal(err)
		}
	}
	out := purge(t, s, gitstore.PurgeRequest{Path: "knowledge/ab/x.md"})
	if out.Files != 2 {
		t.Errorf("%+v", out)
	}
	for _, text := range []string{"first secret", "second secret"} {
		nowhere(t, w, "r", text)
	}
	files, err := open(t, w, "r").Tree.Files(ctx, "knowledge")
	if err != nil || !slices.Equal(files, []string{"knowledge/ab/y.md"}) {
		t.Errorf("%v %v", files, err)
	}
	sound(t, w, "r")
}

var hexID = regexp.MustCompile(`^[0-9a-f]{40}$`)

// The record holds ids and nothing else.
func TestPurgeRecord(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	plant(t, w, s, "r")
	purge(t, s, gitstore.PurgeRequest{Match: planted})
	files, err := open(t, w, "r").Tree.Files(ctx, "purged")
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	b, err := s.Tree.ReadFile(ctx, files[0])
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(b), " ")
	if files[0] != "purged/"+first {
		t.Errorf("the record is called %s", files[0])
	}
	for _, word := range strings.Fields(string(b)) {
		if !hexID.MatchString(word) && word != "-" {
			t.Errorf("%q in the record", word)
		}
	}
}
