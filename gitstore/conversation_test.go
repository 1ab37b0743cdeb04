package gitstore_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// A lineTalk is a transcript that holds an utterance on each line, as JSON.
type lineTalk struct {
	f   *os.File
	r   *bufio.Reader
	at  int64
	end int64
}

func openLines(w gitstore.Wanted, place string) (gitstore.Talk, error) {
	f, err := os.Open(w.Transcript)
	if err != nil {
		return nil, err
	}
	at, _ := strconv.ParseInt(place, 10, 64)
	if st, err := f.Stat(); err != nil || st.Size() < at { // it lost its end
		at = 0
	}
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return nil, err
	}
	return &lineTalk{f, bufio.NewReader(f), at, w.Size}, nil
}

func (l *lineTalk) Next() ([]gitstore.Utterance, error) {
	if l.at >= l.end {
		return nil, io.EOF
	}
	b, err := l.r.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	l.at += int64(len(b))
	var u gitstore.Utterance
	err = json.Unmarshal(b, &u)
	return []gitstore.Utterance{u}, err
}

func (l *lineTalk) Place() string {
	if l.at == 0 {
		return ""
	}
	return fmt.Sprint(l.at)
}

func (l *lineTalk) Close() error { return l.f.Close() }

// A teller is a session with a transcript.
type teller struct {
	t    testing.TB
	w    *storetest.World
	dir  string
	id   string
	file string
}

func newTeller(t testing.TB, w *storetest.World, dir, id string) *teller {
	return &teller{t, w, dir, id, w.Path(id + ".jsonl")}
}

// says adds to the transcript.
func (k *teller) says(texts ...string) *teller {
	k.t.Helper()
	f, err := os.OpenFile(k.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		k.t.Fatal(err)
	}
	defer f.Close()
	for _, s := range texts {
		b, _ := json.Marshal(gitstore.Utterance{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Who: gitstore.ByPerson, Text: s})
		if _, err := f.Write(append(b, '\n')); err != nil {
			k.t.Fatal(err)
		}
	}
	return k
}

// saves saves a checkpoint, whose conversation is then wanted.
func (k *teller) saves(thesis string) string {
	k.t.Helper()
	s := open(k.t, k.w, k.dir, session(k.id))
	id := save(k.t, s, thesis).ID
	k.wants(s, id)
	return id
}

func (k *teller) wants(s *gitstore.Store, id string) {
	k.t.Helper()
	st, err := os.Stat(k.file)
	if err != nil {
		k.t.Fatal(err)
	}
	if err := s.Transcripts.Want(gitstore.Wanted{Checkpoint: id, Transcript: k.file, Size: st.Size()}); err != nil {
		k.t.Fatal(err)
	}
}

func keepAll(t testing.TB, s *gitstore.Store) gitstore.Kept {
	t.Helper()
	kept, err := s.Transcripts.KeepConversations(ctx, openLines)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// told is what is kept of a checkpoint's conversation, a text each; nil if nothing is.
func told(t testing.TB, s *gitstore.Store, id string) (out []string) {
	t.Helper()
	c, err := s.Transcripts.Conversation(ctx, id)
	if errors.Is(err, gitstore.ErrNoConversation) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range c.Chunks {
		said, err := c.Chunk(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range said {
			out = append(out, u.Text)
		}
	}
	return out
}

// Ten checkpoints of a session: each has what was said until it was saved, and what they
// share is stored once.
func TestConversationsGrow(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one")
	s := open(t, w, "r")
	var ids []string
	for i := range 10 {
		k.says(fmt.Sprintf("%d: %s", i, strings.Repeat("of caches and traces ", 1000)))
		ids = append(ids, k.saves(fmt.Sprint("thesis ", i)))
		if i%3 == 0 {
			keepAll(t, s)
		}
	}
	keepAll(t, s)
	for i, id := range ids {
		got := told(t, s, id)
		if len(got) != i+1 || !strings.HasPrefix(got[i], fmt.Sprint(i, ": of caches")) {
			t.Errorf("%d: %d utterances", i, len(got))
		}
	}
	size := 0
	for l := range strings.Lines(w.Git("r/.git/sage/private.git", "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectsize)")) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(l), "blob "); ok {
			n, _ := strconv.Atoi(n)
			size += n
		}
	}
	if size > 10*22_000 || size < 10*20_000 {
		t.Errorf("10 times 21 kB take %d", size)
	}
	if out := w.Git("r/.git/sage/private.git", "fsck", "--strict", "--full"); strings.Contains(out, "error") {
		t.Error(out)
	}
	if list, err := s.Transcripts.Wanted(); len(list) > 0 || err != nil {
		t.Errorf("wanted: %v, %v", list, err)
	}
	if got := told(t, s, save(t, s, "of nobody's").ID); got != nil {
		t.Errorf("a person has said %q", got)
	}
}

// Two sessions in two work trees have each their own, also where they keep at once.
func TestConversationsOfSessions(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "one")
	w.Git("r", "worktree", "add", "-q", w.Path("other"))
	one, two := newTeller(t, w, "r", "one"), newTeller(t, w, "other", "two")
	var ids [2][]string
	var wg sync.WaitGroup
	for i, k := range []*teller{one, two} {
		wg.Go(func() {
			for n := range 5 {
				k.says(fmt.Sprintf("%s says %d", k.id, n))
				ids[i] = append(ids[i], k.saves(fmt.Sprintf("%s thinks %d", k.id, n)))
				keepAll(t, open(t, w, k.dir))
			}
		})
	}
	wg.Wait()
	s := open(t, w, "r")
	for i, name := range []string{"one", "two"} {
		for n, id := range ids[i] {
			want := []string{}
			for m := range n + 1 {
				want = append(want, fmt.Sprintf("%s says %d", name, m))
			}
			wantList(t, told(t, s, id), want...)
		}
	}
}

// What is secret, encoded or too long is not kept, and how much that was is said.
func TestConversationsAreClean(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one")
	line := strings.Repeat("QUJD", 19)
	pem := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(line[:64]+"\n", 25) + "-----END RSA PRIVATE KEY-----"
	words := strings.Repeat("a word\n", 400)
	k.says("password=hunter2pass", "see "+strings.Repeat("iVBORw0KGgo", 1000)+" there", strings.Repeat(line+"\n", 100)+"QUJD\nend",
		words, strings.Repeat("é", 2<<20), pem, strings.Repeat("x ", 500_000)+"AKIAIOSFODNN7EXAMPLQ"+strings.Repeat(" x", 500_000))
	s := open(t, w, "r")
	id := k.saves("a thesis")
	kept := keepAll(t, s)
	got := told(t, s, id)
	if len(got) != 7 {
		t.Fatalf("%d utterances", len(got))
	}
	for i, want := range []string{"password=[redacted:password]", "see [11000 bytes of base64 are not kept] there", "[7704 bytes of base64 are not kept]\nend", strings.TrimSpace(words)} {
		if strings.TrimSpace(got[i]) != want {
			t.Errorf("%d: %.200q", i, got[i])
		}
	}
	if n := len(got[4]); n < 1<<20-10 || n > 1<<20+100 || !strings.Contains(got[4], "\n[3145728 bytes are not kept]\n") || strings.Contains(got[4], "\ufffd") {
		t.Errorf("%d bytes: %.100q", n, got[4][n*3/4-60:])
	}
	if strings.Contains(got[5], line[:20]) || strings.Contains(got[6], "AKIA") {
		t.Errorf("%q", got[5])
	}
	if len(kept.Found) < 2 || kept.Utterances != 7 || kept.Bytes == 0 || kept.Took == 0 {
		t.Errorf("%+v", kept)
	}
}

// Whatever is said, no chunk has 10 MB, and all of it is there.
func TestConversationsAreCut(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one")
	for i := range 20 {
		k.says(fmt.Sprint(i, strings.Repeat("\x01 ", 500_000))) // which JSON writes with six signs
	}
	s := open(t, w, "r")
	id := k.saves("a thesis")
	keepAll(t, s)
	if got := told(t, s, id); len(got) != 20 {
		t.Errorf("%d utterances", len(got))
	}
	chunks := 0
	for l := range strings.Lines(w.Git("r/.git/sage/private.git", "cat-file", "--batch-all-objects", "--batch-check=%(objectsize)")) {
		n, _ := strconv.Atoi(strings.TrimSpace(l))
		if n > 1<<20 {
			chunks++
		}
		if n >= 10_000_000 {
			t.Errorf("an object has %d bytes", n)
		}
	}
	if chunks < 8 {
		t.Errorf("%d chunks", chunks)
	}
}

// A transcript that was replaced begins anew, one that is gone is no error, and one that
// cannot be read keeps no other from being kept.
func TestConversationsOfOddTranscripts(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	k := newTeller(t, w, "r", "one").says("first", "second")
	before := k.saves("before")
	keepAll(t, s)
	if err := os.Remove(k.file); err != nil {
		t.Fatal(err)
	}
	k.says("anew")
	after := k.saves("after")
	gone := newTeller(t, w, "r", "two").says("gone")
	lost := gone.saves("lost")
	if err := os.Remove(gone.file); err != nil {
		t.Fatal(err)
	}
	bad := newTeller(t, w, "r", "three").says("good")
	w.Write("three.jsonl", "{\n")
	waits := bad.saves("waits")
	if _, err := s.Transcripts.KeepConversations(ctx, openLines); err == nil || !strings.Contains(err.Error(), waits[:8]) {
		t.Errorf("error %v", err)
	}
	wantList(t, told(t, s, before), "first", "second")
	wantList(t, told(t, s, after), "anew")
	if got := told(t, s, lost); got != nil {
		t.Errorf("lost: %q", got)
	}
	if list, err := s.Transcripts.Wanted(); len(list) != 1 || err != nil || list[0].Checkpoint != waits {
		t.Errorf("wanted: %v, %v", list, err)
	}
}

// No push of the user's carries them, no backup has them, nobody else may read them, and
// whoever deletes them loses nothing else.
func TestConversationsStayHere(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one").says("nobody else's business")
	s := open(t, w, "r")
	id := k.saves("a thesis")
	keepAll(t, s)
	if _, err := s.Upkeep.Maintain(ctx); err != nil {
		t.Fatal(err)
	}
	w.Git(".", "init", "-q", "--bare", "mirror.git")
	w.Git("r", "push", "-q", "--mirror", w.Path("mirror.git"))
	for _, dir := range []string{"mirror.git", "r/.git", "r/.git/sage/backup.git"} {
		all := w.Git(dir, "-c", "safe.bareRepository=all", "cat-file", "--batch-all-objects", "--batch")
		if !strings.Contains(all, "a thesis") || strings.Contains(all, "business") {
			t.Errorf("%s has it", dir)
		}
	}
	err := filepath.WalkDir(w.Path("r/.git/sage/private.git"), func(path string, d fs.DirEntry, err error) error {
		if st, err := os.Lstat(path); err != nil || st.Mode().Perm()&0o077 != 0 && path == w.Path("r/.git/sage/private.git") {
			t.Errorf("%s: %v, %v", path, st.Mode(), err)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(w.Path("r/.git/sage/private.git")); err != nil {
		t.Fatal(err)
	}
	if got := told(t, s, id); got != nil {
		t.Errorf("told %q", got)
	}
	if f, err := s.Fsck.Findings(ctx); len(f) > 0 || err != nil {
		t.Errorf("fsck: %v, %v", f, err)
	}
	k.says("more")
	wantList(t, func() []string { id := k.saves("another"); keepAll(t, s); return told(t, s, id) }(), "nobody else's business", "more")
}

// What is loose is packed, and read as before.
func TestConversationsArePacked(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one")
	s := open(t, w, "r", session("one"))
	id := save(t, s, "a thesis").ID
	for i := range 170 {
		k.says(fmt.Sprint("line ", i))
		other := save(t, s, fmt.Sprint("thesis ", i)).ID
		k.wants(s, other)
		keepAll(t, s)
		id = other
	}
	if _, err := s.Upkeep.Maintain(ctx); err != nil {
		t.Fatal(err)
	}
	packs, _ := filepath.Glob(w.Path("r/.git/sage/private.git/objects/pack/*.pack"))
	loose, _ := filepath.Glob(w.Path("r/.git/sage/private.git/objects/??/*"))
	if len(packs) != 1 || len(loose) != 0 {
		t.Errorf("%d packs, %d loose", len(packs), len(loose))
	}
	if got := told(t, s, id); len(got) != 170 || got[169] != "line 169" {
		t.Errorf("%d utterances", len(got))
	}
	if f, err := s.Fsck.Findings(ctx); len(f) > 0 || err != nil {
		t.Errorf("fsck: %v, %v", f, err)
	}
}

// Each file of it that is damaged is named, with what to do, and costs no checkpoint.
func TestDamagedConversationsAreNamed(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one").says("first")
	s := open(t, w, "r")
	k.saves("a thesis")
	keepAll(t, s)
	files, _ := filepath.Glob(w.Path("r/.git/sage/private.git/objects/??/*"))
	refs, _ := filepath.Glob(w.Path("r/.git/sage/private.git/refs/sage/conversations/*"))
	if files = append(files, refs...); len(files) != 4 {
		t.Fatalf("%d objects", len(files))
	}
	for _, f := range files {
		b, _ := os.ReadFile(f)
		_ = os.Chmod(f, 0o600)
		for _, bad := range [][]byte{nil, bytes.Repeat([]byte{'x'}, len(b))} {
			if err := os.WriteFile(f, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := s.Fsck.Findings(ctx)
			if err != nil || len(found) != 1 || found[0].Kind != "conversation" || !found[0].Warning || !strings.Contains(hint.Cure(found[0].Cure), "rm -r '") {
				t.Errorf("%s: %v, %v", f, found, err)
			}
		}
		if err := os.WriteFile(f, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := s.Fsck.Findings(ctx); len(f) > 0 || err != nil {
		t.Errorf("whole again: %v, %v", f, err)
	}
	if d := s.Doctor.Diagnose(ctx); !slices.ContainsFunc(d, func(d gitstore.Diagnosis) bool {
		return d.Name == "conversations" && d.State == gitstore.StateOK && strings.HasPrefix(d.Detail, "1 session, ")
	}) {
		t.Errorf("%v", d)
	}
}
