package gitstore_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// holdsAnywhere lists the files in our folder that hold a text, also deflated, and the
// objects of the conversations that do.
func holdsAnywhere(t testing.TB, w *storetest.World, dir, text string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(w.Path(dir, ".git/sage"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if z, zerr := zlib.NewReader(bytes.NewReader(b)); zerr == nil {
			more, _ := io.ReadAll(z)
			b = append(b, more...)
		}
		if bytes.Contains(b, []byte(text)) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, private := range []string{"private.git", "private.git.new", "private.git.gone"} {
		where := filepath.Join(dir, ".git/sage", private)
		if _, err := os.Stat(w.Path(where)); err != nil {
			continue
		}
		if all, err := w.TryGit(where, "-c", "safe.bareRepository=all", "cat-file", "--batch-all-objects", "--batch"); err != nil || strings.Contains(all, text) {
			out = append(out, private)
		}
	}
	return out
}

func TestPurgeCleansConversations(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one").says("the word is "+planted, "and \"so\" on")
	s := open(t, w, "r")
	id := k.saves("a thesis")
	keepAll(t, s)
	w.Git("r/.git/sage/private.git", "-c", "safe.bareRepository=all", "repack", "-adq")
	req := gitstore.PurgeRequest{Match: planted}
	plan, err := s.Purge.Plan(ctx, req)
	if err != nil || plan.Conversations != 1 || len(plan.Refs) != 0 {
		t.Errorf("plan %+v, %v", plan, err)
	}
	k.says("said before the purge, with " + planted) // nobody kept it yet
	out, err := s.Purge.Run(ctx, req)
	if err != nil || out.Conversations != 1 || len(out.Left) > 0 {
		t.Errorf("purged %+v, %v", out, err)
	}
	if got := holdsAnywhere(t, w, "r", planted); len(got) > 0 {
		t.Errorf("still in %q", got)
	}
	wantList(t, told(t, s, id), "the word is [PURGED]", "and \"so\" on")
	after := k.saves("another")
	keepAll(t, s)
	wantList(t, told(t, s, after), "the word is [PURGED]", "and \"so\" on", "what was said before the last purge is not kept")
	again, err := s.Purge.Run(ctx, req)
	if err != nil || again.Conversations != 0 {
		t.Errorf("again %+v, %v", again, err)
	}
	if f, err := s.Fsck.Findings(ctx); len(f) > 0 || err != nil {
		t.Errorf("fsck: %v, %v", f, err)
	}
}

// What nobody has read yet may hold it, so that a purge is due though nothing is found: what
// was said until then is not kept by whoever reads on.
func TestPurgeCountsWhatIsNotKeptYet(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one").says("the word is " + planted)
	s := open(t, w, "r")
	id := k.saves("a thesis")
	req := gitstore.PurgeRequest{Match: planted}
	plan, err := s.Purge.Plan(ctx, req)
	if err != nil || plan.Waiting != 1 || plan.Conversations != 0 || len(plan.Refs) != 0 {
		t.Errorf("plan %+v, %v", plan, err)
	}
	if _, err := s.Purge.Run(ctx, req); err != nil {
		t.Fatal(err)
	}
	keepAll(t, s)
	wantList(t, told(t, s, id), "what was said before the last purge is not kept")
	if plan, err = s.Purge.Plan(ctx, req); err != nil || plan.Waiting != 0 {
		t.Errorf("again %+v, %v", plan, err)
	}
	if got := holdsAnywhere(t, w, "r", planted); len(got) > 0 {
		t.Errorf("still in %q", got)
	}
}

// What stands in JSON otherwise than as it is read is found as well.
func TestPurgeReadsConversations(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	id := newTeller(t, w, "r", "one").says("say \"open\n\tsesame\" now").saves("a thesis")
	keepAll(t, s)
	if out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: `"open\s+sesame"`}); err != nil || out.Conversations != 1 {
		t.Errorf("%+v, %v", out, err)
	}
	wantList(t, told(t, s, id), "say [PURGED] now")
}

// With a checkpoint goes the conversation that it came about in, and elsewhere what names
// it: a brief, say, that another session was shown.
func TestPurgeOfACheckpointTakesItsConversation(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one := newTeller(t, w, "r", "one").says("how it came about")
	before := one.saves("before")
	id := one.says("and on").saves("to go")
	two := newTeller(t, w, "r", "two").says("shown: checkpoint "+id[:8]+": to go", "something else")
	stays := two.saves("stays")
	keepAll(t, s)
	w.Git("r/.git/sage/private.git", "-c", "safe.bareRepository=all", "repack", "-adq")
	one.says("more").saves("waits") // its conversation was not kept yet
	plan, err := s.Purge.Plan(ctx, gitstore.PurgeRequest{Revs: []string{id}})
	if err != nil || plan.Conversations < 2 {
		t.Errorf("plan %+v, %v", plan, err)
	}
	if out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Revs: []string{id}}); err != nil || len(out.Left) > 0 {
		t.Errorf("%+v, %v", out, err)
	}
	keepAll(t, s)
	if got := told(t, s, before); got != nil {
		t.Errorf("before: %q", got)
	}
	wantList(t, told(t, s, stays), "what was here named a checkpoint that was purged", "something else")
	for _, text := range []string{"came about", "and on"} {
		if got := holdsAnywhere(t, w, "r", text); len(got) > 0 {
			t.Errorf("%q is still in %q", text, got)
		}
	}
}

// Where nothing of a conversation is purged it stays as it is, and so does all where
// conversations were never kept.
func TestPurgeLeavesOtherConversations(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "it says "+planted)
	if out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted}); err != nil || out.Conversations != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := os.Stat(w.Path("r/.git/sage/private.git")); err == nil {
		t.Error("it was made")
	}
	k := newTeller(t, w, "r", "one")
	f, err := os.Create(k.file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(f).Encode(gitstore.Utterance{Time: time.Now().Add(time.Hour), Who: gitstore.ByAgent, Text: "later"}); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	id := k.saves("a thesis")
	keepAll(t, s)
	tip := w.Git("r/.git/sage/private.git", "-c", "safe.bareRepository=all", "for-each-ref")
	if out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: "nowhere"}); err != nil || out.Conversations != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if now := w.Git("r/.git/sage/private.git", "-c", "safe.bareRepository=all", "for-each-ref"); now != tip {
		t.Errorf("%s became %s", tip, now)
	}
	wantList(t, told(t, s, id), "later")
}

// A purge of a text leaves what names a checkpoint that was purged before: that was said
// since.
func TestPurgeLeavesWhatNamesAPurgeInConversations(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	gone := save(t, s, "to go").ID
	if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Revs: []string{gone}}); err != nil {
		t.Fatal(err)
	}
	k := newTeller(t, w, "r", "one")
	line, _ := json.Marshal(gitstore.Utterance{Time: time.Now().Add(time.Hour), Who: gitstore.ByAgent, Text: "I purged " + gone[:8]})
	w.Write("one.jsonl", string(line)+"\n")
	id := k.saves("a thesis")
	keepAll(t, s)
	if out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: "nowhere"}); err != nil || out.Conversations != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	wantList(t, told(t, s, id), "I purged "+gone[:8])
}

// A folder of conversations that came as a link would have us write elsewhere.
func TestConversationsBehindALink(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"private.git", "wanted"} {
		w := storetest.New(t)
		w.Repo("r")
		w.Write("r/.git/sage/x", "")
		if err := os.Symlink(w.Path("home"), w.Path("r/.git/sage", name)); err != nil {
			t.Skip(err)
		}
		if _, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: w.Env}); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
