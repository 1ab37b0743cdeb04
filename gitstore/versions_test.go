package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/undo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, s *Store, items ...*sage.Item) {
	t.Helper()
	var changes []knowledge.ItemChange
	for _, it := range items {
		changes = append(changes, knowledge.ItemChange{Item: it})
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", changes...); err != nil {
		t.Fatal(err)
	}
}

// sent has somebody else, who works in the same repository, change an item.
func sent(t *testing.T, w *storetest.World, key string, edit func(*sage.Item)) {
	t.Helper()
	other, err := Open(ctx, repo.Options{Dir: w.Path("r"), Home: w.Path("other"), Env: w.Env, Now: storetest.Clock(), Person: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: key, Edit: func(it *sage.Item) error { edit(it); return nil }}); err != nil {
		t.Fatal(err)
	}
}

func waitingKeys(t *testing.T, s *Store) string {
	t.Helper()
	keys, err := s.Knowledge.UnconfirmedItems(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(keys, " ")
}

// Whatever somebody else changes of an item but its text waits, and it counts as its user
// left it; the same of what would hide it.
func TestWhatOthersChangeWaits(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*sage.Item)
		left bool // it is shown as it was
	}{
		"status":      {func(it *sage.Item) { it.Status = sage.Archived }, true},
		"deprecated":  {func(it *sage.Item) { it.Status, it.Reason, it.Replacement = sage.Deprecated, "old", "evil" }, true},
		"replacement": {func(it *sage.Item) { it.Replacement = "evil" }, true},
		"contradicts": {func(it *sage.Item) { it.Links = append(it.Links, sage.Link{Kind: sage.Contradicts, To: "evil"}) }, true},
		"keyword":     {func(it *sage.Item) { it.Keywords = append(it.Keywords, "bake") }, true},
		"pattern":     {func(it *sage.Item) { it.Patterns = append(it.Patterns, "b.ke") }, true},
		"path":        {func(it *sage.Item) { it.Scope.Paths = append(it.Scope.Paths, "x.go") }, true},
		"skill":       {func(it *sage.Item) { it.Scope.Skills = []string{"never"} }, true},
		"always":      {func(it *sage.Item) { it.Scope.Always = true }, true},
		"user":        {func(it *sage.Item) { it.Scope.User = true }, true},
		"unknown key": {func(it *sage.Item) { it.Extra = append(it.Extra, sage.Entry{Key: "mood", Value: []any{"always"}}) }, true},
		"text":        {func(it *sage.Item) { it.Content = "Evil." }, false},
		"text hidden": {func(it *sage.Item) { it.Content, it.Status = "Evil.", sage.Archived }, true},
		"text skill":  {func(it *sage.Item) { it.Content, it.Scope.Skills = "Evil.", []string{"never"} }, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			s := trusting(t, w, "r")
			put(t, s, &sage.Item{ID: "door", Content: "The door is shut.", Keywords: []string{"door"}}, &sage.Item{ID: "rest", Content: "Mine."})
			was, err := s.Knowledge.Item(ctx, "door")
			if err != nil || waitingKeys(t, s) != "" || !s.Knowledge.IsOwnItem(was) {
				t.Fatal("it is not own:", waitingKeys(t, s), err)
			}
			sent(t, w, "door", c.edit)
			now, err := s.Knowledge.Item(ctx, "door")
			if err != nil || s.Knowledge.IsOwnItem(now) || now.Changed == nil || now.IsAsLeft() != c.left || waitingKeys(t, s) != "door" {
				t.Fatalf("%+v, waits: %s, %v", now, waitingKeys(t, s), err)
			}
			if c.left && !ownership.IsSameVersion(now.Item, was.Item) {
				t.Errorf("it is not as it was left: %+v", now.Item)
			}
			list, err := s.Knowledge.Items(ctx)
			if err != nil || len(list) != 2 || ownership.IsSameVersion(list[0].Item, now.Item) == ownership.IsSameVersion(list[1].Item, now.Item) {
				t.Errorf("listed as %+v, %v", list, err)
			}

			// what was shown is confirmed, and the undo of that is one
			must(t, s.Review.ConfirmItems(ctx, now))
			confirmed, err := s.Knowledge.Item(ctx, "door")
			if err != nil || confirmed.Changed != nil || !ownership.IsSameVersion(confirmed.Item, now.Changed.Sent) || waitingKeys(t, s) != "" {
				t.Errorf("%+v, %v, waits: %s", confirmed, err, waitingKeys(t, s))
			}
			acts, err := s.Acts.List(ctx, 0)
			if err != nil || acts[0].Kind != undo.ActConfirm {
				t.Fatalf("%+v, %v", acts, err)
			}
			if _, err := s.Acts.Undo(ctx, acts[0]); err != nil || waitingKeys(t, s) != "door" {
				t.Errorf("undone: %v, waits: %s", err, waitingKeys(t, s))
			}

			// an agent's change is made of what is shown: of what was left it is own, and drops
			// what they made of it; of theirs it confirms nothing, as a person's keyword does not
			s.Repo.Options.Person = false
			must(t, editOf(s, "door", func(it *sage.Item) { it.Content += " Says an agent." }))
			s.Repo.Options.Person = true
			if c.left {
				e, err := s.Knowledge.Item(ctx, "door")
				if err != nil || waitingKeys(t, s) != "" || !s.Knowledge.IsOwnItem(e) || !ownership.IsSameVersion(e.Item, withContent(was.Item, was.Item.Content+" Says an agent.")) {
					t.Errorf("edited as it was left: %+v, %v, waits: %s", e.Item, err, waitingKeys(t, s))
				}
				return
			}
			if waitingKeys(t, s) != "door" {
				t.Error("an agent confirmed it")
			}
			if err := editOf(s, "door", func(it *sage.Item) { it.Keywords = append(it.Keywords, "gate") }); err != nil || waitingKeys(t, s) != "door" {
				t.Fatal("a keyword confirmed it", err)
			}

			// put back as it was left, it is own
			if err := editOf(s, "door", func(it *sage.Item) { *it = *was.Item.Clone() }); err != nil || waitingKeys(t, s) != "" {
				t.Errorf("put back: %v, waits: %s", err, waitingKeys(t, s))
			}
		})
	}
}

func withContent(it *sage.Item, text string) *sage.Item {
	it = it.Clone()
	it.Content = text
	return it
}

// What this user does themselves is theirs: an edit, what follows from it, a removal, an
// undo and a redo, a purge, and what an agent does for them.
func TestWhatOneDoesOneselfIsOwn(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "The code is 4711."}, &sage.Item{ID: "gate", Content: "The gate is open."})
	for name, step := range map[string]func() error{
		"archive": func() error { return editOf(s, "door", func(it *sage.Item) { it.Status = sage.Archived }) },
		"keyword": func() error { return editOf(s, "door", func(it *sage.Item) { it.Keywords = append(it.Keywords, "k") }) },
		"supersede": func() error {
			return editOf(s, "gate", func(it *sage.Item) { it.Links = []sage.Link{{Kind: sage.Supersedes, To: "door"}} })
		},
	} {
		for _, person := range []bool{true, false} {
			s.Repo.Options.Person = person
			if err := step(); err != nil || waitingKeys(t, s) != "" {
				t.Fatalf("%s, a person %v: %v, waits: %s", name, person, err, waitingKeys(t, s))
			}
			if e, err := s.Knowledge.Item(ctx, "door"); err != nil || !s.Knowledge.IsOwnItem(e) {
				t.Errorf("%s: %+v, %v", name, e, err)
			}
			for range 2 { // and back
				acts, err := s.Acts.List(ctx, 0)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Acts.Undo(ctx, acts[0]); err != nil {
					t.Fatal(name, err)
				}
				if e, err := s.Knowledge.Item(ctx, "door"); err != nil || !s.Knowledge.IsOwnItem(e) || waitingKeys(t, s) != "" {
					t.Errorf("%s undone: %+v, %v", name, e, err)
				}
			}
		}
	}
	s.Repo.Options.Person = true
	if _, err := s.Purge.Run(ctx, purge.PurgeRequest{Match: "4711"}); err != nil {
		t.Fatal(err)
	}
	s = reopened(t, s)
	for _, key := range []string{"door", "gate"} {
		if e, err := s.Knowledge.Item(ctx, key); err != nil || !s.Knowledge.IsOwnItem(e) {
			t.Errorf("%s behind a purge: %+v, %v", key, e, err)
		}
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "gate", Remove: true}); err != nil {
		t.Fatal(err)
	}
	if got := s.Ownership.Versions().Of("gate"); got != s.Repo.Objects.Zero() {
		t.Errorf("removed: %q", got)
	}
	if b, err := os.ReadFile(s.Ownership.VersionsFile()); err != nil || strings.Count(string(b), " "+ownership.AllAdopted+"\n") != 1 {
		t.Errorf("%v:\n%s", err, b)
	}
}

func editOf(s *Store, key string, edit func(*sage.Item)) error {
	_, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: key, Edit: func(it *sage.Item) error { edit(it); return nil }})
	return err
}

// A version of one's own that somebody brings back is what they changed.
func TestAnOlderVersionThatIsBroughtBackWaits(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "Shut."})
	var archived *sage.Item
	for _, status := range []sage.Status{sage.Archived, sage.Active} {
		must(t, editOf(s, "door", func(it *sage.Item) { it.Status = status }))
		if e, err := s.Knowledge.Item(ctx, "door"); err != nil {
			t.Fatal(err)
		} else if status == sage.Archived {
			archived = e.Item
		}
	}
	sent(t, w, "door", func(it *sage.Item) { *it = *archived.Clone() })
	if e, err := s.Knowledge.Item(ctx, "door"); err != nil || e.Item.Status != sage.Active || !e.IsAsLeft() || waitingKeys(t, s) != "door" {
		t.Errorf("%+v, %v", e, err)
	}
}

// Nor does a purge of something else make an older version count, or one that was removed;
// and the text of an item is not a note of the same user for lying where notes do.
func TestAFormerVersionIsNobodysElsewhere(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "Shut."}, &sage.Item{ID: "gone", Content: "Deploy by ftp."}, &sage.Item{ID: "code", Content: "It is 4711."})
	former := map[string][]byte{}
	for _, key := range []string{"door", "gone"} {
		e, err := s.Knowledge.Item(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		o, err := s.Repo.Object(e.Blob)
		if err != nil {
			t.Fatal(err)
		}
		former[knowledge.ItemPath(key)], former["system/"+key+".md"] = o.Data, o.Data
	}
	must(t, editOf(s, "door", func(it *sage.Item) { it.Content = "Open." }))
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "gone", Remove: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Purge.Run(ctx, purge.PurgeRequest{Match: "4711"}); err != nil {
		t.Fatal(err)
	}
	other, err := Open(ctx, repo.Options{Dir: w.Path("r"), Home: w.Path("other"), Env: w.Env, Now: storetest.Clock(), Person: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	must(t, other.Tree.WriteFiles(ctx, "sage: bring back", former))
	if got := waitingKeys(t, s); got != "door gone system/door system/gone" {
		t.Errorf("these wait: %s", got)
	}
}

// A store of a version that knew no list of versions has nothing new to review, and what
// comes then waits. The same holds wherever somebody is killed who makes the list.
func TestAdoptVersions(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "Shut."}, &sage.Item{ID: "gate", Content: "Open.", Keywords: []string{"k"}})
	must(t, os.Remove(s.Ownership.VersionsFile()))
	must(t, os.Remove(s.Ownership.BegunFile()))
	s = reopened(t, s)
	if s.Ownership.Versions() != nil || waitingKeys(t, s) != "" {
		t.Errorf("before: %s", waitingKeys(t, s))
	}
	must(t, s.Knowledge.AdoptVersions(ctx))
	whole, err := os.ReadFile(s.Ownership.VersionsFile())
	if err != nil || strings.Count(string(whole), "\n") != 3 {
		t.Fatalf("%v:\n%s", err, whole)
	}
	must(t, s.Knowledge.AdoptVersions(ctx))
	if b, err := os.ReadFile(s.Ownership.VersionsFile()); err != nil || string(b) != string(whole) {
		t.Errorf("adopted twice: %v\n%s", err, b)
	}
	restore := without(t, s, s.History.Knowledge()+":knowledge/"+filepath.Base(filepath.Dir(knowledge.ItemPath("door"))))
	if err := reopened(t, s).Knowledge.AdoptVersions(ctx); err != nil {
		t.Errorf("all items are read for what was done: %v", err)
	}
	restore()
	for cut := range whole {
		must(t, os.WriteFile(s.Ownership.VersionsFile(), whole[:cut], 0o644))
		again := reopened(t, s)
		if waitingKeys(t, again) != "" {
			t.Fatalf("cut at %d: %s", cut, waitingKeys(t, again))
		}
		must(t, again.Knowledge.AdoptVersions(ctx))
		for _, key := range []string{"door", "gate"} {
			if e, err := again.Knowledge.Item(ctx, key); err != nil || again.Ownership.Versions() == nil || !again.Knowledge.IsOwnItem(e) {
				t.Fatalf("cut at %d: %s is not own", cut, key)
			}
		}
	}
	s = reopened(t, s)
	sent(t, w, "gate", func(it *sage.Item) { it.Status = sage.Archived })
	if waitingKeys(t, s) != "gate" {
		t.Errorf("waits: %s", waitingKeys(t, s))
	}
	// an undo of what came before the list is one's own, too
	if err := editOf(s, "door", func(it *sage.Item) { it.Keywords = []string{"d"} }); err != nil || waitingKeys(t, s) != "gate" {
		t.Errorf("waits: %s, %v", waitingKeys(t, s), err)
	}
}

// without hides an object of a store, and of its backup, until the returned function is called.
func without(t *testing.T, s *Store, name string) (restore func()) {
	t.Helper()
	o, err := s.Repo.Batch.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	files := []string{s.Repo.ObjectFile(o.ID), filepath.Join(s.Backup.BackupObjectsDir(), o.ID[:2], o.ID[2:])}
	for _, f := range files {
		must(t, os.Rename(f, f+".hidden"))
	}
	return func() {
		for _, f := range files {
			must(t, os.Rename(f+".hidden", f))
		}
	}
}

// Nothing is taken in where it could not be told from one's own.
func TestNothingIsTakenInUntilVersionsAreAdopted(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "Shut."})
	must(t, os.Remove(s.Ownership.VersionsFile()))
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if path == s.Ownership.VersionsFile() && (op == fsx.OpCreate || op == fsx.OpWrite) {
			return os.ErrPermission
		}
		return nil
	})
	_, err := s.Exchange.MergeFetched(ctx)
	edited := editOf(s, "door", func(it *sage.Item) { it.Status = sage.Archived })
	restore()
	if err == nil || !strings.Contains(err.Error(), "record your versions") || edited != nil {
		t.Errorf("%v; an edit: %v", err, edited)
	}
	if _, err := s.Exchange.MergeFetched(ctx); err != nil || waitingKeys(t, s) != "" {
		t.Errorf("%v, waits: %s", err, waitingKeys(t, s))
	}
}

// Who is killed behind the move of a ref left the version that they saved.
func TestKilledBehindTheMoveLeftTheVersion(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "Shut."})
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if path == s.Ownership.VersionsFile() && (op == fsx.OpCreate || op == fsx.OpWrite) {
			return os.ErrPermission
		}
		return nil
	})
	err := editOf(s, "door", func(it *sage.Item) { it.Status = sage.Archived })
	restore()
	s = reopened(t, s)
	if e, gerr := s.Knowledge.Item(ctx, "door"); err != nil || gerr != nil || !s.Knowledge.IsOwnItem(e) || e.Item.Status != sage.Archived || waitingKeys(t, s) != "" {
		t.Errorf("%v, %+v, %v", err, e, gerr)
	}
}

// The list of versions says what its lines say one after the other, whatever stands between.
func TestVersionsAreTheLastOnes(t *testing.T) {
	mine, theirs := "0123456789abcdef", "fedcba9876543210"
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		last, old := map[string]string{}, map[string]string{}
		for range rapid.IntRange(0, 200).Draw(t, "lines") {
			key := fmt.Sprint("k", rapid.IntRange(0, 40).Draw(t, "key"))
			blob := fmt.Sprintf("%040x", rapid.IntRange(0, 9).Draw(t, "blob"))
			word := rapid.SampledFrom([]string{mine, mine, theirs}).Draw(t, "word")
			before := rapid.SampledFrom([]string{"", "", "", "rubbish\n", mine + " 00", mine + " " + blob + " k"}).Draw(t, "before")
			mark := rapid.SampledFrom([]string{"", ownership.AsItWas}).Draw(t, "mark")
			text.WriteString(before + ownership.VersionLine{Word: word, Blob: blob, Key: mark + key}.String())
			switch {
			case word != mine:
			case mark == "":
				last[key] = blob
			case old[key] == "":
				old[key] = blob
			}
		}
		v := ownership.NewVersions(text.String(), mine, 40)
		for i := range 41 {
			key := fmt.Sprint("k", i)
			want := last[key]
			if want == "" {
				want = old[key]
			}
			if got := v.Of(key); got != want {
				t.Fatalf("%s is at %q, want %q:\n%s", key, got, want, text.String())
			}
			if want != "" && (!v.Lists(ownership.Version{Blob: want, Key: key}) || v.IsAdopted(key) != (last[key] == "")) {
				t.Fatalf("%s: listed %v, adopted %v", key, v.Lists(ownership.Version{Blob: want, Key: key}), v.IsAdopted(key))
			}
		}
	})
}

// What another user of the same store left is no version of this one's.
func TestVersionsOfAnotherAreNotClaimed(t *testing.T) {
	mine, theirs := ownership.Version{Blob: strings.Repeat("a", 40), Key: "door"}, ownership.Version{Blob: strings.Repeat("b", 40), Key: "door"}
	v := ownership.NewVersions(ownership.VersionLine{Word: "0123456789abcdef", Blob: mine.Blob, Key: mine.Key}.String()+ownership.VersionLine{Word: "fedcba9876543210", Blob: theirs.Blob, Key: theirs.Key}.String(), "0123456789abcdef", 40)
	if c := v.Claims(); len(c) != 1 || !c[mine.Claim()] {
		t.Errorf("claimed: %v", c)
	}
	if was := v.Before(theirs); was != "" {
		t.Errorf("left before: %s", was)
	}
}
