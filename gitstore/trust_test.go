package gitstore

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/confirm"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/worktree"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// trusting opens a store for a person who has a home.
func trusting(t *testing.T, w *storetest.World, dir string) *Store {
	t.Helper()
	s, err := Open(ctx, repo.Options{Dir: w.Path(dir), Home: w.Path("home/.sage"), Env: w.Env, Now: storetest.Clock(), Person: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// All who are the first at once take the same word: what each of them saved is known as
// this user's, whoever asks.
func TestFirstSavesAtOnceAreOwn(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	var all sync.WaitGroup
	for range 6 {
		s := trusting(t, w, "r")
		all.Go(func() {
			if _, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: "one of many"}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list, err := trusting(t, w, "r").Commits.Log(ctx, commits.Query{All: true})
	if err != nil || len(list) != 6 {
		t.Fatalf("%d, %v", len(list), err)
	}
	for _, r := range list {
		if !r.Own {
			t.Errorf("%s is not", r.ID)
		}
	}
}

// An inode that is given again brings no trust along: the lists have another word.
func TestWordIsOfItsFolderAlone(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	if _, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: "mine"}}); err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(s.Ownership.OwnFile())
	if err != nil {
		t.Fatal(err)
	}
	word, _, _ := strings.Cut(string(own), " ")
	if word != s.Ownership.Word(false) || len(word) != ownership.TrustWord {
		t.Fatalf("%q", own)
	}
	files, err := filepath.Glob(filepath.Join(s.Repo.Options.Home, "trust", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for name, line := range map[string]string{
		"another device and path": word + " 1 \"/elsewhere\"\n", "no word": "x 1 \"" + worktree.WithoutLinks(s.Repo.Where.CommonDir) + "\"\n", "cut short": word + " 1 \"" + worktree.WithoutLinks(s.Repo.Where.CommonDir),
	} {
		must(t, os.WriteFile(files[0], []byte(line), 0o600))
		if got := trusting(t, w, "r").Ownership.Word(false); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	must(t, os.WriteFile(files[0], []byte(word+" 1 \""+worktree.WithoutLinks(s.Repo.Where.CommonDir)+"\"\n"), 0o600))
	if got := trusting(t, w, "r").Ownership.Word(false); got != word {
		t.Errorf("another device behind a boot: %q", got)
	}
}

func TestLedgerLines(t *testing.T) {
	id, word := strings.Repeat("ab", 20), "0123456789abcdef"
	for line, want := range map[string]ownership.LedgerLine{
		id: {Word: "", ID: id}, word + " " + id: {Word: word, ID: id}, "- " + id: {Word: ownership.MixedWord, ID: id}, "? " + id: {Word: ownership.NoWord, ID: id},
		"abcd" + word + " " + id: {Word: word, ID: id}, word + " - " + id: {Word: ownership.MixedWord, ID: id}, word + " " + id[:9] + "- " + id: {Word: ownership.MixedWord, ID: id},
		word + "- " + id: {Word: word + ownership.MixedWord, ID: id}, "abcd" + word + "- " + id: {Word: word + ownership.MixedWord, ID: id},
		"rubbish" + id: {Word: "", ID: id}, "x " + id: {Word: "", ID: id},
	} {
		if got, ok := ownership.ParseLedgerLine(line, len(id)); !ok || got != want {
			t.Errorf("%q: %+v", line, got)
		}
	}
	if got, ok := ownership.ParseLedgerLine(word+" "+id[:39], len(id)); ok {
		t.Errorf("cut short: %+v", got)
	}
}

// What a purge made of one's own stays so, and what a record names in its place does only
// if it says nothing more.
func TestPurgeKeepsWhoseItIs(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	for _, text := range []string{"The code is 4711.", "It is no more."} {
		if _, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: text}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Item: &sage.Item{ID: "door", Content: "The code is 4711.", Scope: sage.Scope{Always: true}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Purge.Run(ctx, purge.PurgeRequest{Match: "4711"}); err != nil {
		t.Fatal(err)
	}
	s = trusting(t, w, "r")
	list, err := s.Commits.Log(ctx, commits.Query{})
	if err != nil || len(list) != 2 {
		t.Fatalf("%d, %v", len(list), err)
	}
	for _, r := range list {
		if !r.Own || strings.Contains(r.Thesis, "4711") {
			t.Errorf("%s: own %v", r.Thesis, r.Own)
		}
	}
	e, err := s.Knowledge.Item(ctx, "door")
	if err != nil || !s.Knowledge.IsOwnItem(e) || !s.Ownership.Vouched(confirm.AlwaysSum(e)) || !strings.Contains(e.Item.Content, record.PurgedText) {
		t.Errorf("%+v %v", e.Item, err)
	}
	if b, err := os.ReadFile(s.Ownership.VouchedFile()); err != nil || strings.Contains(string(b), ownership.SumOf("door", &sage.Item{Type: sage.Knowledge, Content: "The code is 4711."}, false)) {
		t.Errorf("the sum of what was taken out is kept: %v", err)
	}
}

func TestIsLess(t *testing.T) {
	for _, tt := range []struct {
		old, now string
		want     bool
	}{
		{"a b c", "a b c", true}, {"a b c", "a [PURGED] c", true}, {"a b c", "[PURGED] c", true}, {"a b c", "a [PURGED]", true},
		{"a b c b", "a [PURGED] c [PURGED]", true}, {"", "", true}, {"b b c c", "b [PURGED] c", true},
		{"a b c", "a c", false}, {"a b c", "a [PURGED] d", false}, {"a b c", "x [PURGED] c", false}, {"a b c", "a b c d", false},
		{"a b c", "a [PURGED] c d", false}, {"a b c", "", false}, {"a b", "b [PURGED] a", false},
	} {
		if got := cleanse.IsLess(tt.old, tt.now); got != tt.want {
			t.Errorf("%q of %q: %v", tt.now, tt.old, got)
		}
	}
}
