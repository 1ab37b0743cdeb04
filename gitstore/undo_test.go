package gitstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// ticking is a clock that goes on by a second each time that it is read.
func ticking(o *gitstore.Options) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	o.Now = func() time.Time { at = at.Add(time.Second); return at }
}

func actsOf(t testing.TB, s *gitstore.Store) (what []string) {
	t.Helper()
	all, err := s.Acts.List(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		what = append(what, string(a.Kind)+": "+a.What)
	}
	return what
}

func undo(t testing.TB, s *gitstore.Store, word string) (gitstore.Undone, error) {
	t.Helper()
	a, err := s.Acts.Find(ctx, word)
	if err != nil {
		t.Fatal(err)
	}
	return s.Acts.Undo(ctx, a)
}

// mustUndo takes an act back and wants nothing that fsck finds.
func mustUndo(t testing.TB, s *gitstore.Store, word string) gitstore.Undone {
	t.Helper()
	out, err := undo(t, s, word)
	if err != nil {
		t.Fatalf("undo %s: %v", word, err)
	}
	if r, err := s.Fsck.Check(ctx); err != nil || len(r.Findings) > 0 {
		t.Fatalf("behind undo %s: %+v %v", word, r.Findings, err)
	}
	return out
}

// refused wants an act not to be taken back, for this reason, with this to type instead.
func refused(t testing.TB, s *gitstore.Store, word, why, instead string) {
	t.Helper()
	_, err := undo(t, s, word)
	var u *gitstore.UndoError
	if !errors.As(err, &u) || !strings.Contains(u.Why, why) || !strings.HasPrefix(hint.Command(u.Instead), instead) {
		t.Errorf("undo %s: %+v, want %q and %q", word, err, why, instead)
	}
}

// A session that stood at what was undone goes on from what is left, and one that redoes
// stands at what came again. Another one that saw the old tip only does not follow.
func TestUndoMovesWhoStoodThere(t *testing.T) {
	w, _ := store(t)
	s := open(t, w, "r", ticking)
	a, other := open(t, w, "r", session("a"), ticking), open(t, w, "r", session("b"), ticking)
	save(t, a, "one")
	two := save(t, a, "two")
	mustUndo(t, s, "1")
	if got := save(t, a, "three"); got.Forked || got.Follows == two.ID {
		t.Errorf("behind the undo: %+v", got)
	}
	save(t, other, "four")
	five := save(t, a, "five")
	if !five.Forked {
		t.Fatalf("%+v", five)
	}
	mustUndo(t, a, "1") // its own fork goes, with the ref
	if tipOf(w, "r", five.Ref) != "" || tipOf(w, "r", "refs/sage/repairs/undone/"+five.ID) != five.ID {
		t.Error("the fork is there, or nothing keeps it")
	}
	mustUndo(t, a, "1")
	if tipOf(w, "r", five.Ref) != five.ID {
		t.Error("the fork did not come again")
	}
}

func TestUndoKnowledge(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	writeItems(t, s, add("x", "first"))
	writeItems(t, s, add("y", "second", func(it *sage.Item) { it.Links = []sage.Link{{Kind: "supersedes", To: "x"}} }))
	if item(t, s, "x").Item.Status != "superseded" {
		t.Fatal("y does not supersede x")
	}
	out := mustUndo(t, s, "1")
	if item(t, s, "x").Item.Status == "superseded" || out.Commit == "" || len(out.Back) != 1 {
		t.Errorf("x is superseded by what is gone: %+v", out)
	}
	if _, err := s.Knowledge.Item(ctx, "y"); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("y: %v", err)
	}
	refused(t, s, "2", "already undone", "git sage undo")
	mustUndo(t, s, "1")
	if !s.Knowledge.IsOwnItem(item(t, s, "y")) {
		t.Error("what came again is a stranger's")
	}
	writeItems(t, s, edit("y", func(it *sage.Item) { it.Content = "third" }))
	writeItems(t, s, gitstore.ItemChange{Key: "system/n", Item: &sage.Item{Content: "n"}})
	writeItems(t, s, gitstore.ItemChange{Key: "system/n", Edit: func(it *sage.Item) error { it.Content = "m"; return nil }})
	refused(t, s, "4", "item 'y' has changed since", "git sage knowledge log y")
	refused(t, s, "2", "note 'n' has changed since", "git sage undo")
	must(t, s.Knowledge.MarkCore(ctx, "a.go", "one"))
	must(t, s.Knowledge.MarkCore(ctx, "a.go", "two"))
	refused(t, s, "2", "'core.yaml' has changed since", "git sage undo")
	mustUndo(t, s, "1")
	mustUndo(t, s, "3")
	if got := actsOf(t, s)[0]; !strings.HasPrefix(got, "knowledge: undid: ") {
		t.Errorf("%q", got)
	}
}

// What came from elsewhere would come again, and what a purge took does not come back.
func TestUndoRefusesWhatIsNotOurs(t *testing.T) {
	w := storetest.New(t)
	clones(t, w, "a", "b")
	theirs, s := open(t, w, "a"), open(t, w, "b", person, ticking)
	writeItems(t, s, add("mine", "text"))
	save(t, s, "mine")
	writeItems(t, theirs, add("x", "text"), add("y", "secret text"))
	save(t, theirs, "theirs")
	pushSage(w, "a")
	fetchSage(w, "b")
	mergeFetched(t, s)
	const took = "merge: merged fetched changes: knowledge, main"
	if got := actsOf(t, s); len(got) != 3 || got[0] != took {
		t.Errorf("%q", got)
	}
	refused(t, s, "1", "merged others' work", "git sage checkpoint rm <id>")
	if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: "secret"}); err != nil {
		t.Fatal(err)
	}
	for _, what := range actsOf(t, s) {
		if strings.Contains(what, "secret") || strings.Contains(what, "took in") {
			t.Errorf("behind a purge: %q", what)
		}
	}
}

func TestUndoConfirmation(t *testing.T) {
	w := storetest.New(t)
	clones(t, w, "a", "b")
	theirs, s, agent := open(t, w, "a"), open(t, w, "b", person, ticking), open(t, w, "b", session("s-1"), ticking)
	writeItems(t, theirs, add("x", "a secret thing"))
	saved := save(t, theirs, "theirs")
	pushSage(w, "a")
	fetchSage(w, "b")
	mergeFetched(t, s)
	must(t, s.Review.ConfirmItems(ctx, item(t, s, "x")))
	if got := actsOf(t, s)[0]; got != "confirm: confirmed item 'x'" {
		t.Errorf("%q", got)
	}
	mustUndo(t, s, "1")
	if s.Knowledge.IsOwnItem(item(t, s, "x")) {
		t.Error("it is stood for")
	}
	refused(t, s, "2", "item 'x' is no longer confirmed", "git sage undo")
	if _, err := undo(t, agent, "1"); !errors.Is(err, gitstore.ErrNoPerson) {
		t.Errorf("an agent confirms: %v", err)
	}
	mustUndo(t, s, "1")
	if !s.Knowledge.IsOwnItem(item(t, s, "x")) {
		t.Error("it is not stood for")
	}
	if _, _, err := s.Review.Confirm(ctx, saved.ID); err != nil {
		t.Fatal(err)
	}
	if got := actsOf(t, s)[0]; got != "confirm: confirmed checkpoint "+saved.ID[:8] {
		t.Errorf("%q", got)
	}
	mustUndo(t, s, "1")
	if _, err := s.Review.ConfirmAll(ctx, true, true); err != nil {
		t.Fatal(err)
	}
	if got := actsOf(t, s)[0]; !strings.HasPrefix(got, "confirm: confirmed all: ") {
		t.Errorf("%q", got)
	}
	// Lines that are damaged, or were cut short, tell nothing.
	file := w.Path("b/.git/sage/confirms")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := len(actsOf(t, s))
	must(t, os.WriteFile(file, append(b, "zz\n00000000 1 + x what\n5ce5a0f4 1 +\n"...), 0o666))
	if got := len(actsOf(t, s)); got != n {
		t.Errorf("%d acts, want %d", got, n)
	}
	if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: "secret"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a purge left who confirmed what it took")
	}
}

func TestFindAct(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	if _, err := s.Acts.Find(ctx, "1"); err == nil {
		t.Error("an act of nothing")
	}
	one := save(t, s, "one")
	two := save(t, s, "two")
	all, err := s.Acts.List(ctx, 1)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	for word, want := range map[string]string{"1": all[0].What, all[0].ID: all[0].What, strings.ToUpper(all[0].ID): all[0].What, two.ID: all[0].What, one.ID[:8]: "saved checkpoint " + one.ID[:8] + " on main: one"} {
		if got, err := s.Acts.Find(ctx, word); err != nil || got.What != want {
			t.Errorf("%s: %q %v, want %q", word, got.What, err, want)
		}
	}
	for _, word := range []string{"0", "3", "-1", "x", "", "0000000000", "abc"} {
		if got, err := s.Acts.Find(ctx, word); err == nil {
			t.Errorf("%q: %+v", word, got)
		}
	}
	w.Git("r", "config", "sage.enabled", "false")
	if _, err := open(t, w, "r").Acts.Undo(ctx, all[0]); err == nil {
		t.Error("undone where it is switched off")
	}
}

// Somebody else moves what is to go back, deletes it, or has put another in its place.
func TestUndoOfWhatMoved(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	save(t, s, "one")
	if _, err := s.Lines.Tag(ctx, "v1", "@", false); err != nil {
		t.Fatal(err)
	}
	must(t, s.Lines.DeleteTag(ctx, "v1"))
	refused(t, s, "2", "'refs/sage/tags/v1' no longer exists", "git sage undo")
	two := save(t, s, "two")
	if _, err := s.Lines.Tag(ctx, "v1", "@", false); err != nil {
		t.Fatal(err)
	}
	refused(t, s, "3", "exists again", "git sage undo")
	refused(t, s, "5", "'main' has moved on", "git sage checkpoint rm")
	stale, err := s.Acts.Find(ctx, "2")
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, "three")
	var u *gitstore.UndoError
	if _, err := s.Acts.Undo(ctx, stale); !errors.As(err, &u) {
		t.Errorf("%v", err)
	}
	if _, err := s.Checkpoints.Remove(ctx, []string{two.ID}); err != nil {
		t.Fatal(err)
	}
	mustUndo(t, s, "1")
	refused(t, s, "2", "already undone", "git sage undo")
	// What others did to a ref is named, and what it was before the journal is not known.
	w.Git("r", "update-ref", "refs/sage/heads/loose", two.ID)
	for _, what := range actsOf(t, s) {
		if strings.Contains(what, "loose") {
			t.Errorf("an act of nobody here: %q", what)
		}
	}
}

// The journal is rewritten with one line a ref when it is long; the logs tell the rest.
func TestActsWithoutAJournal(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	save(t, s, "two")
	writeItems(t, s, add("x", "text"))
	want := len(actsOf(t, s))
	must(t, os.Remove(w.Path("r/.git/sage/journal")))
	got := actsOf(t, open(t, w, "r"))
	if len(got) != want || want != 3 {
		t.Errorf("%q, want %d", got, want)
	}
	must(t, os.Mkdir(w.Path("r/.git/sage/journal"), 0o777))
	if _, err := open(t, w, "r").Acts.List(ctx, 0); err == nil {
		t.Error("a journal that cannot be read lists")
	}
}

// Whatever call of git fails: the act is taken back, or nothing changed; what was undone
// stays reachable, and fsck finds nothing.
func TestUndoWholeOrNotAtAll(t *testing.T) {
	for name, prepare := range map[string]func(*gitstore.Store) error{
		"save": func(s *gitstore.Store) error { _, err := s.Checkpoints.Save(ctx, thesis("two")); return err },
		"line": func(s *gitstore.Store) error { _, err := s.Lines.Branch(ctx, "idea", "main"); return err },
		"tag":  func(s *gitstore.Store) error { _, err := s.Lines.Tag(ctx, "v1", "main", false); return err },
		"rename": func(s *gitstore.Store) error {
			if _, err := s.Lines.Branch(ctx, "idea", "main"); err != nil {
				return err
			}
			return s.Lines.Rename(ctx, "idea", "notion")
		},
		"removal": func(s *gitstore.Store) error { _, err := s.Checkpoints.Remove(ctx, []string{"main"}); return err },
		"item":    func(s *gitstore.Store) error { _, err := s.Knowledge.WriteItems(ctx, "", add("x", "text")); return err },
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			s := open(t, w, "r", ticking)
			save(t, s, "one")
			must(t, prepare(s))
			before := w.Git("r", "for-each-ref", "refs/sage/heads", "refs/sage/tags", "refs/sage/knowledge")
			g := w.FaultyGit()
			most := 0 // calls that are failed; a removal that comes and goes makes more each time
			for k := 1; ; k++ {
				s := open(t, w, "r", ticking)
				a, err := s.Acts.Find(ctx, "1")
				if err != nil {
					t.Fatal(err)
				}
				g.Call(k, storetest.Fail)
				_, err = s.Acts.Undo(ctx, a)
				calls := g.Calls()
				g.Heal()
				after := w.Git("r", "for-each-ref", "refs/sage/heads", "refs/sage/tags", "refs/sage/knowledge")
				if err != nil && (after != before || strings.Contains(err.Error(), "\n")) {
					t.Fatalf("call %d (%s) failed: %v, and changed\n%sto\n%s", k, calls[k-1], err, before, after)
				}
				if err == nil && after == before {
					t.Fatalf("call %d: nothing was taken back", k)
				}
				check := open(t, w, "r")
				if r, cerr := check.Fsck.Check(ctx); cerr != nil || len(r.Findings) > 0 {
					t.Fatalf("call %d (%v): %+v %v", k, err, r.Findings, cerr)
				}
				if err == nil {
					before = after
				}
				if k == 1 {
					most = len(calls) + 3
				}
				if len(calls) < k || k > most {
					break
				}
			}
		})
	}
}

func TestUndoRefusesWhatARemoteHas(t *testing.T) {
	w := storetest.New(t)
	clones(t, w, "r", "b")
	s := open(t, w, "r", ticking)
	save(t, s, "one")
	two := save(t, s, "two")
	if _, err := s.Lines.Branch(ctx, "idea", "main"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lines.Tag(ctx, "v1", "main", false); err != nil {
		t.Fatal(err)
	}
	writeItems(t, s, add("x", "text"))
	pushSage(w, "r")
	fetchSage(w, "r")
	refused(t, s, "2", "tag 'v1' was pushed", "git sage tag <another name>")
	refused(t, s, "3", "line 'idea' was pushed (remotes/hub/heads/idea)", "git sage branch -d idea")
	refused(t, s, "4", two.ID[:8]+" was pushed", "git sage checkpoint rm "+two.ID[:8])
	mustUndo(t, s, "1") // the knowledge goes forward
	other := open(t, w, "b")
	fetchSage(w, "b")
	mergeFetched(t, other)
	save(t, other, "theirs")
	pushSage(w, "b")
	save(t, s, "mine")
	fetchSage(w, "r")
	mergeFetched(t, s)
	refused(t, s, "1", "merged others' work", "git sage checkpoint rm <id>")
}

// A line that was made is not taken from under who stands on it; one that is named
// otherwise takes along who does.
func TestUndoOfTheCurrentLine(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	save(t, s, "one")
	if _, err := s.Lines.Switch(ctx, "idea", true, ""); err != nil {
		t.Fatal(err)
	}
	refused(t, s, "1", "line 'idea' is the current one", "git sage switch main")
	must(t, s.Lines.Rename(ctx, "idea", "notion"))
	if got := actsOf(t, s)[0]; got != "knowledge: renamed line idea to notion" {
		t.Errorf("%q", got)
	}
	for _, want := range []string{"idea", "notion", "idea"} {
		mustUndo(t, s, "1")
		if got := s.Session.CurrentLine(); got != want {
			t.Errorf("on %s, want %s", got, want)
		}
	}
	must(t, s.Lines.Rename(ctx, "idea", "third"))
	save(t, s, "two")
	refused(t, s, "2", "'third' has moved", "git sage undo")
}

// What a line was at cannot be read any more: nothing goes back to it.
func TestUndoToWhatIsLost(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	one := save(t, s, "one")
	save(t, s, "two")
	writeItems(t, s, add("x", "text"))
	writeItems(t, s, edit("x", func(it *sage.Item) { it.Content = "other" }))
	was := strings.TrimSpace(w.Git("r", "rev-parse", "refs/sage/knowledge~1:knowledge/2d/x.md"))
	lose(w, one.ID)
	lose(w, was)
	must(t, os.RemoveAll(w.Path("r/.git/sage/backup.git")))
	s = open(t, w, "r", ticking)
	if _, err := undo(t, s, "1"); err == nil || !strings.Contains(err.Error(), "read the old") {
		t.Errorf("the item: %v", err)
	}
	if _, err := undo(t, s, "3"); err == nil {
		t.Error("the line went to what is lost")
	}
}

// A rename that goes back, comes again and goes back once more is one line each time, and
// the list has nothing that nobody did: git deletes the log of a line with the line.
func TestUndoOfARenameOverAndOver(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	save(t, s, "one")
	if _, err := s.Lines.Switch(ctx, "idea", true, ""); err != nil {
		t.Fatal(err)
	}
	must(t, s.Lines.Rename(ctx, "idea", "notion"))
	renamed, err := s.Acts.Find(ctx, "1")
	if err != nil {
		t.Fatal(err)
	}
	before := actsOf(t, s)
	mustUndo(t, s, "1")
	mustUndo(t, s, "1")
	if _, err := s.Acts.Find(ctx, renamed.ID); err != nil {
		t.Error(err)
	}
	mustUndo(t, s, renamed.ID)
	if s.Session.CurrentLine() != "idea" || tipOf(w, "r", "refs/sage/heads/notion") != "" {
		t.Errorf("on %s; notion is at %q", s.Session.CurrentLine(), tipOf(w, "r", "refs/sage/heads/notion"))
	}
	want := append([]string{"knowledge: undid: rename line idea to notion", "knowledge: redid: rename line idea to notion", "knowledge: undid: rename line idea to notion"}, before...)
	if diff := cmp.Diff(want, actsOf(t, s)); diff != "" {
		t.Error(diff)
	}
	// A journal that was shortened knows the knowledge alone of a line that is gone.
	mustUndo(t, s, "1")
	must(t, os.Remove(w.Path("r/.git/sage/journal")))
	w.Git("r", "reflog", "expire", "--expire=all", "refs/sage/heads/notion")
	refused(t, open(t, w, "r", ticking), "1", "the journal was shortened", "git sage branch -m notion idea")
}

// A line that is made, undone and redone within a second is three acts with three ids.
func TestActsOfOneSecond(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tick := func(o *gitstore.Options) {
		o.Now = func() time.Time { at = at.Add(time.Millisecond); return at }
	}
	s := open(t, w, "r", tick)
	save(t, s, "one")
	if _, err := s.Lines.Branch(ctx, "idea", "main"); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		mustUndo(t, s, "1")
	}
	all, err := s.Acts.List(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	var what []string
	for _, a := range all {
		ids[a.ID] = true
		what = append(what, strings.SplitN(a.What, " ", 2)[0])
	}
	if diff := cmp.Diff([]string{"redid:", "undid:", "redid:", "undid:", "created", "saved"}, what); diff != "" || len(ids) != 6 {
		t.Errorf("%d ids; %s", len(ids), diff)
	}
}

// stampLog has the last entry of a log of git's be of another time.
func stampLog(t testing.TB, file string, when time.Time) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndexByte(bytes.TrimSuffix(b, []byte("\n")), '\n') + 1
	last := regexp.MustCompile(`> \d+ `).ReplaceAll(b[at:], fmt.Appendf(nil, "> %d ", when.Unix()))
	must(t, os.WriteFile(file, append(b[:at:at], last...), 0o644))
	must(t, os.Chtimes(file, when, when))
}

// Who was killed behind the move of a ref could not write the journal: what was done next
// in that second is newer all the same.
func TestKilledActIsOlder(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	at := time.Now().UTC().Truncate(time.Second)
	clock := func(o *gitstore.Options) { o.Now = func() time.Time { return at } }
	s := open(t, w, "r", clock)
	journal := w.Path("r/.git/sage/journal")
	one := save(t, s, "one")
	at = at.Add(100 * time.Millisecond)
	for i, c := range []struct {
		lastAct string
		logged  time.Duration // when the killed one wrote its log
	}{{"tag", 200 * time.Millisecond}, {"save", 800 * time.Millisecond}} {
		before, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, fmt.Sprint("killed ", i))
		must(t, os.WriteFile(journal, before, 0o644))
		log, when := w.Path("r/.git/logs/refs/sage/heads/main"), at.Truncate(time.Second).Add(c.logged)
		stampLog(t, log, when)
		at = at.Truncate(time.Second).Add(500 * time.Millisecond)
		if _, err := s.Lines.Tag(ctx, fmt.Sprint("v", i), one.ID, false); err != nil {
			t.Fatal(err)
		}
		if got := actsOf(t, open(t, w, "r", clock))[0]; !strings.HasPrefix(got, c.lastAct) {
			t.Errorf("%d: %q", i, actsOf(t, s))
		}
		at = at.Add(2 * time.Second)
	}
}

// A rename whose writer was killed behind it is one act, by the logs alone, and comes back.
func TestUndoOfAKilledRename(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	save(t, s, "one")
	if _, err := s.Lines.Switch(ctx, "idea", true, ""); err != nil {
		t.Fatal(err)
	}
	journal := w.Path("r/.git/sage/journal")
	before, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	must(t, s.Lines.Rename(ctx, "idea", "notion"))
	must(t, os.WriteFile(journal, before, 0o644))
	when := time.Now()
	for i, log := range []string{"heads/notion", "knowledge"} {
		stampLog(t, w.Path("r/.git/logs/refs/sage/"+log), when.Truncate(time.Second).Add(time.Duration(i+1)*time.Millisecond))
	}
	s = open(t, w, "r", ticking)
	if got := actsOf(t, s); len(got) != 3 || got[0] != "knowledge: renamed line idea to notion" {
		t.Fatalf("%q", got)
	}
	mustUndo(t, s, "1")
	if s.Session.CurrentLine() != "idea" || tipOf(w, "r", "refs/sage/heads/notion") != "" {
		t.Errorf("on %s", s.Session.CurrentLine())
	}
}

// The journal says what was undone, and a purge takes that, too, where nothing else of it
// is reachable any more.
func TestPurgeOfWhatTheJournalSays(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	save(t, s, "one")
	two := save(t, s, "the launch is Nightjar")
	mustUndo(t, s, "1")
	w.Git("r", "update-ref", "-d", "refs/sage/repairs/undone/"+two.ID)
	req := gitstore.PurgeRequest{Match: "is Nightjar"}
	if plan, err := s.Purge.Plan(ctx, req); err != nil || plan.Unfinished != 3 {
		t.Errorf("%+v %v", plan, err)
	}
	if _, err := s.Purge.Run(ctx, req); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(w.Path("r/.git/sage/journal"))
	if err != nil || strings.Contains(string(b), "Nightjar") || !strings.Contains(string(b), "refs/sage/heads/main") {
		t.Errorf("%v:\n%s", err, b)
	}
}

// stampLogs has all entries of git's logs be of the second of a time, and those logs that
// were added to be written at that time.
func stampLogs(t testing.TB, dir string, when time.Time, written map[string]time.Time) {
	t.Helper()
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(file)
		stamped := regexp.MustCompile(`> \d+ `).ReplaceAll(b, fmt.Appendf(nil, "> %d ", when.Unix()))
		if err == nil && !bytes.Equal(b, stamped) {
			err = os.WriteFile(file, stamped, 0o644)
			written[file] = when
		}
		return errors.Join(err, os.Chtimes(file, when, written[file]))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Whoever is killed behind the move of refs leaves no line of it in the journal. Within one
// second, after any acts, undos and redos: the last act is the newest of the list, and it is
// taken back and done again.
func TestUndoOfAKilledActWithinASecond(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			w := storetest.New(t)
			w.Repo("r")
			at := time.Now().UTC().Add(-time.Hour).Truncate(time.Second)
			open := func() *gitstore.Store {
				return open(t, w, "r", func(o *gitstore.Options) {
					o.Now = func() time.Time { at = at.Add(time.Microsecond); return at }
				})
			}
			state := func() string {
				out := w.Git("r", "for-each-ref", "refs/sage/heads", "refs/sage/forks", "refs/sage/tags")
				if tipOf(w, "r", "refs/sage/knowledge") != "" {
					out += w.Git("r", "ls-tree", "-r", "refs/sage/knowledge")
				}
				return out
			}
			journal, written := w.Path("r/.git/sage/journal"), map[string]time.Time{}
			act := func(s *gitstore.Store, n int) (did string, err error) {
				switch k := r.IntN(9); k {
				case 0:
					_, err = s.Checkpoints.Save(ctx, thesis(fmt.Sprint("thought ", n)))
					return "save", err
				case 1:
					_, err = s.Lines.Branch(ctx, fmt.Sprint("line", n), "main")
					return "branch", err
				case 2:
					_, err = s.Lines.Tag(ctx, "v", "main", true)
					return "tag", err
				case 3:
					return "delete the tag", s.Lines.DeleteTag(ctx, "v")
				case 4:
					_, err = s.Knowledge.WriteItems(ctx, "", add("x", fmt.Sprint("text ", n)))
					return "item", err
				}
				list, err := s.Acts.List(ctx, 3)
				if err != nil || len(list) == 0 {
					return "", err
				}
				a := list[min(len(list)-1, max(0, r.IntN(6)-3))]
				_, err = s.Acts.Undo(ctx, a)
				return "undo " + a.What, err
			}
			save(t, open(), "first")
			var done []string
			for n := range 14 {
				stampLogs(t, w.Path("r/.git/logs/refs/sage"), at, written)
				was, before := state(), []byte(nil)
				before, err := os.ReadFile(journal)
				if err != nil {
					t.Fatal(err)
				}
				did, err := act(open(), n)
				if now := state(); err != nil || now == was {
					continue // what is there already, or cannot be taken back any more
				}
				done = append(done, did)
				now := state()
				stampLogs(t, w.Path("r/.git/logs/refs/sage"), at, written)
				whole, err := os.ReadFile(journal)
				if err != nil {
					t.Fatal(err)
				}
				cut := bytes.Clone(before)
				for line := range bytes.Lines(whole[len(before):]) {
					if bytes.Contains(line, []byte(" ?")) {
						cut = append(cut, line...)
					}
				}
				must(t, os.WriteFile(journal, cut, 0o644))
				for _, want := range []string{was, now} {
					if _, err := undo(t, open(), "1"); err != nil {
						t.Fatalf("behind %q: %v\n%s", done, err, strings.Join(actsOf(t, open()), "\n"))
					}
					if got := state(); got != want {
						t.Fatalf("behind %q:\n%s\nwant\n%s\n%s", done, got, want, strings.Join(actsOf(t, open()), "\n"))
					}
				}
				stampLogs(t, w.Path("r/.git/logs/refs/sage"), at, written)
				done = append(done, "undo", "redo")
			}
		})
	}
}
