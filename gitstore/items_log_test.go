package gitstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

func TestHistoryOfAnItem(t *testing.T) {
	_, s := store(t)
	if recs, err := s.Knowledge.ItemLog(ctx, "", 0); err != nil || recs != nil {
		t.Errorf("before the first: %v %v", recs, err)
	}
	if _, err := s.Knowledge.ItemAt(ctx, "x", "yesterday"); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("before the first: %v", err)
	}
	first := writeItems(t, s, add("x", "one"))
	writeItems(t, s, add("y", "other"))
	writeItems(t, s, edit("x", func(it *sage.Item) { it.Content = "two" }))
	writeItems(t, s, gitstore.ItemChange{Key: "x", Remove: true})
	said := func(key string, max int) (out []string) {
		t.Helper()
		recs, err := s.Knowledge.ItemLog(ctx, key, max)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range recs {
			out = append(out, r.Description)
		}
		return out
	}
	wantList(t, said("x", 0), "remove fact x", "edit fact x", "add fact x")
	wantList(t, said("x", 1), "remove fact x")
	wantList(t, said("", 0), "remove fact x", "edit fact x", "add fact y", "add fact x")
	wantList(t, said("none", 0))
	if _, err := s.Knowledge.ItemLog(ctx, "../x", 0); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("of no name: %v", err)
	}
	list, err := s.Knowledge.ItemLog(ctx, "x", 0)
	if err != nil {
		t.Fatal(err)
	}
	edited := list[1]
	for when, want := range map[string]string{
		"1": "two", "2": "one", "3": "", first.Commit: "one", first.Commit[:8]: "one",
		edited.Recorded.Format(time.RFC3339): "two", edited.Recorded.Add(-time.Second).Format(time.RFC3339): "one",
		"0": "", "1999-01-01": "", "20010101": "", "99": "", "~1": "", "": "", "x\ny": "",
	} {
		e, err := s.Knowledge.Item(ctx, "x@{"+when+"}")
		switch {
		case want == "" && !errors.Is(err, gitstore.ErrNotFound):
			t.Errorf("@{%s}: %+v %v", when, e.Item, err)
		case want != "" && (err != nil || e.Item.Content != want):
			t.Errorf("@{%s}: %+v %v", when, e.Item, err)
		}
	}
}

// What reads like an id that was mistyped is no date, whatever git finds in it.
func TestItemAtWhatIsNoCommit(t *testing.T) {
	w, s := store(t)
	writeItems(t, s, add("x", "one"))
	tree := w.Git("r", "hash-object", "-t", "tree", "/dev/null")
	for _, when := range []string{"cafe", "deadbeef", "298A278b", strings.Repeat("1", 40), tree} {
		if e, err := s.Knowledge.Item(ctx, "x@{"+when+"}"); err == nil || !strings.Contains(err.Error(), "is not a commit of the knowledge") {
			t.Errorf("@{%s}: %+v, %v", when, e.Item, err)
		}
	}
}

// A clone knows the history of what it fetched, and git has no log of it.
func TestItemAtInAClone(t *testing.T) {
	w, s := store(t)
	writeItems(t, s, add("x", "one"))
	first := item(t, s, "x").Item.Added
	writeItems(t, s, edit("x", func(it *sage.Item) { it.Content = "two" }))
	w.Repo("c")
	w.Git("c", "fetch", "-q", w.Path("r"), "+refs/sage/*:refs/sage/*")
	e, err := open(t, w, "c").Knowledge.ItemAt(ctx, "x", first.Add(time.Second).Format(time.RFC3339))
	if err != nil || e.Item.Content != "one" {
		t.Errorf("%+v %v", e.Item, err)
	}
}

func TestItemsSince(t *testing.T) {
	w, s := store(t)
	since := func(old string, changed, removed string) string {
		t.Helper()
		list, gone, tip, err := s.Knowledge.ItemsSince(ctx, old)
		if err != nil {
			t.Fatal(err)
		}
		keys := []string{}
		for _, e := range list {
			keys = append(keys, e.Key+"="+e.Item.Content)
		}
		if strings.Join(keys, " ") != changed || strings.Join(gone, " ") != removed {
			t.Errorf("changed %v, gone %v; want %s and %s", keys, gone, changed, removed)
		}
		return tip
	}
	nothing := since("", "", "")
	writeItems(t, s, add("a", "1"), add("b", "1"), add("c", "1"))
	one := since(nothing, "c=1 b=1 a=1", "")
	since(one, "", "")
	writeItems(t, s, edit("b", func(it *sage.Item) { it.Content = "2" }), gitstore.ItemChange{Key: "c", Remove: true}, gitstore.ItemChange{Key: "system/x", Item: &sage.Item{Content: "no item"}})
	two := since(one, "b=2", "c")
	since("", "b=2 a=1", "")
	writeFile(t, s, "knowledge/00/a.md", "---\nid: a\ntype: knowledge\nkeywords: [k]\nstatus: active\n---\n\nmisplaced\n")
	writeFile(t, s, "knowledge/ca/a.md", "")
	three := since(two, "a=misplaced", "")
	if _, err := s.Knowledge.WriteItems(ctx, "", edit("a", func(*sage.Item) {})); err != nil {
		t.Fatal(err)
	}
	since(three, "a=misplaced", "")
	if got, err := s.Knowledge.Items(ctx); err != nil || len(got) != 2 {
		t.Errorf("%v %v", got, err)
	}
	if got, few, err := s.Knowledge.FewItems(ctx, 2); err != nil || !few || len(got) != 2 {
		t.Errorf("of at most 2: %v %v %v", got, few, err)
	}
	if got, few, err := s.Knowledge.FewItems(ctx, 1); err != nil || few || got != nil {
		t.Errorf("of at most 1: %v %v %v", got, few, err)
	}
	w.Git("r", "update-ref", "-d", "refs/sage/knowledge")
	s = open(t, w, "r")
	since(two, "", "a b")
	if _, _, _, err := s.Knowledge.ItemsSince(ctx, strings.Repeat("1", 40)); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("since what is no longer there: %v", err)
	}
}

func TestNotesAndSkills(t *testing.T) {
	_, s := store(t)
	for _, shelf := range []string{"system", "skills"} {
		if list, err := s.Knowledge.ItemsUnder(ctx, shelf); err != nil || list != nil {
			t.Errorf("%s: %v %v", shelf, list, err)
		}
	}
	page := func(key, text string) gitstore.ItemChange {
		return gitstore.ItemChange{Key: key, Item: &sage.Item{Description: "of " + key, Content: text}}
	}
	writeItems(t, s, page("system/objective", "Ship."), page("system/constraints", "No cgo."), page("skills/privacy", ""), page("skills/privacy/guide", "Ask."), page("skills/law", "x"))
	keys := func(shelf string) (out []string) {
		list, err := s.Knowledge.ItemsUnder(ctx, shelf)
		for _, e := range list {
			out = append(out, fmt.Sprint(e.Key, " ", e.Item.Type, " ", e.Item.ID))
		}
		if err != nil {
			t.Error(err)
		}
		return out
	}
	wantList(t, keys("system"), "system/constraints note constraints", "system/objective note objective")
	wantList(t, keys("skills"), "skills/law skill law", "skills/privacy skill privacy")
	wantList(t, keys("skills/privacy"), "skills/privacy/guide doc guide")
	wantList(t, keys("skills/none"))
	if _, err := s.Knowledge.ItemsUnder(ctx, "lines"); !errors.Is(err, gitstore.ErrName) {
		t.Errorf("of something else: %v", err)
	}
	base := item(t, s, "system/objective")
	for _, text := range []string{"Ship now.", "Ship later."} {
		it := base.Item.Clone()
		it.Content = text
		writeItems(t, s, gitstore.ItemChange{Key: "system/objective", Item: it, Base: base.Blob})
	}
	if got := item(t, s, "system/objective").Item; len(versions.Split(got.Content)) != 2 || got.Description != "of system/objective" {
		t.Errorf("%+v", got)
	}
	writeItems(t, s, gitstore.ItemChange{Key: "skills/privacy", Remove: true})
	wantList(t, keys("skills"), "skills/law skill law")
	if list, err := s.Knowledge.Items(ctx); err != nil || list != nil {
		t.Errorf("they are no knowledge: %v %v", list, err)
	}
}

func TestCoreFiles(t *testing.T) {
	w, s := store(t)
	want := func(list ...string) {
		t.Helper()
		files, err := s.Knowledge.CoreFiles(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range files {
			got = append(got, fmt.Sprintf("%s: %s %t %t", f.Path, f.Summary, f.Conflict, f.Added.IsZero()))
		}
		wantList(t, got, list...)
	}
	mark := func(file, summary string) {
		t.Helper()
		if err := s.Knowledge.MarkCore(ctx, file, summary); err != nil {
			t.Error(err)
		}
	}
	want()
	mark("./src/b.go", "the\nsecond")
	mark("a.go", "token ghp_abcdefghijklmnopqrstuvwxyz0123456789")
	if subject(w) != "mark core file a.go" {
		t.Error(subject(w))
	}
	want("a.go: token [redacted:github-token] false false", "src/b.go: the second false false")
	mark("a.go", "other")
	tip, _ := s.History.KnowledgeTip(ctx)
	mark("a.go", "other")
	mark("a.go", "")
	if now, _ := s.History.KnowledgeTip(ctx); now != tip {
		t.Error("nothing changed and there is a commit")
	}
	for _, bad := range []string{"", ".", "..", "../x", "/etc/x", "C:/x", "a\x1bb", strings.Repeat("a", 501)} {
		if err := s.Knowledge.MarkCore(ctx, bad, ""); !errors.Is(err, gitstore.ErrPath) {
			t.Errorf("%q: %v", bad, err)
		}
		if err := s.Knowledge.UnmarkCore(ctx, bad); !errors.Is(err, gitstore.ErrPath) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := s.Knowledge.UnmarkCore(ctx, "c.go"); !errors.Is(err, gitstore.ErrNotFound) || err.Error() != "no core file 'c.go'" {
		t.Error(err)
	}
	if err := s.Knowledge.UnmarkCore(ctx, "src/b.go"); err != nil {
		t.Error(err)
	}
	want("a.go: other false false")
	if err := s.Knowledge.UnmarkCore(ctx, "a.go"); err != nil {
		t.Error(err)
	}
	want()
	writeFile(t, s, "core.yaml", "{a.go: plain, b.go: {summary: {variants: [x, y]}, mood: grim}, c.go: {variants: [p, q]}}\n")
	want("a.go: plain false true", "b.go: x true true", "c.go: p true true")
	mark("b.go", "settled")
	mark("c.go", "settled")
	want("a.go: plain false true", "b.go: settled false false", "c.go: settled false false")
	if b, _ := s.Tree.ReadFile(ctx, "core.yaml"); !strings.Contains(string(b), "  mood: grim\n") {
		t.Errorf("%s", b)
	}
	for _, bad := range []string{"- a\n", "\t[\n"} {
		writeFile(t, s, "core.yaml", bad)
		if _, err := s.Knowledge.CoreFiles(ctx); err == nil || !strings.Contains(err.Error(), "read 'core.yaml'") {
			t.Errorf("%q: %v", bad, err)
		}
		if err := s.Knowledge.MarkCore(ctx, "a.go", ""); err == nil {
			t.Errorf("%q was written over", bad)
		}
		if got := kindsOf(t, s); len(got) != 1 || got[0] != "bad-core" {
			t.Errorf("%q: fsck says %v", bad, got)
		}
	}
}

func TestOddItems(t *testing.T) {
	w, s := store(t)
	writeItems(t, s, add("good", "x"))
	writeFile(t, s, "knowledge/2d/x.md", "---\n- no item\n---\n")
	writeFile(t, s, "knowledge/00/lost.md", "text without front matter\n")
	writeFile(t, s, "knowledge/00/Bad Name.md", "x\n")
	writeFile(t, s, "knowledge/00/readme.txt", "no item\n")
	writeFile(t, s, "system/note.md", "---\nid: other\n---\nx\n")
	var got []string
	found, err := s.Fsck.Findings(ctx)
	for _, f := range found {
		got = append(got, strings.TrimSuffix(f.String()+"; "+hint.Cure(f.Cure), "; "))
	}
	if err != nil {
		t.Error(err)
	}
	wantList(t, got,
		"bad-item knowledge:knowledge/00/Bad Name.md: bad name 'Bad Name': it must begin with a-z or 0-9; 'bad-name' would do",
		"misplaced-item knowledge:knowledge/00/lost.md: belongs at 'knowledge/76/lost.md'; git sage knowledge edit lost",
		"bad-item knowledge:knowledge/2d/x.md: cannot be read: front matter: want a mapping, have a list; git sage knowledge edit x",
		"misplaced-item knowledge:system/note.md: has the id 'other', which does not match its path; git sage knowledge edit system/note",
		"foreign knowledge: knowledge of "+tipOf(w, "r", KnowledgeRef+"~2")[:8]+": 'knowledge/00/Bad Name.md' has a name or mode (100644) that is not allowed there; a push would publish it; git sage purge --foreign")
	list, err := s.Knowledge.Items(ctx)
	if err != nil || len(list) != 4 {
		t.Errorf("%v %v", list, err)
	}
	for _, e := range list {
		if unread := e.Key == "x" || e.Key == "Bad Name"; unread != (e.Err != nil) || e.Item == nil {
			t.Errorf("%s: %v", e.Key, e.Err)
		}
	}
	if e := item(t, s, "lost"); e.Item.Content != "text without front matter" {
		t.Errorf("%+v", e)
	}
	if e, err := s.Knowledge.Item(ctx, "x"); err != nil || e.Err == nil {
		t.Errorf("%+v %v", e, err)
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", edit("x", func(*sage.Item) {})); err == nil || !strings.Contains(err.Error(), "read item 'x': front matter") {
		t.Errorf("an edit of what cannot be read: %v", err)
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", add("x", "y")); !errors.Is(err, gitstore.ErrExists) {
		t.Errorf("%v", err)
	}
	out := writeItems(t, s, add("to-x", "y", func(it *sage.Item) {
		it.Links = []sage.Link{{Kind: sage.Supersedes, To: "x"}, {Kind: sage.Related, To: "lost"}}
	}))
	if len(out.Items) != 1 {
		t.Errorf("%+v", out)
	}
	writeItems(t, s, gitstore.ItemChange{Item: fact("x", "whole again"), Replace: true}, edit("lost", func(*sage.Item) {}), gitstore.ItemChange{Key: "system/note", Remove: true})
	if got := kindsOf(t, s); len(got) != 2 {
		t.Errorf("fsck says %v", got)
	}
	if e := item(t, s, "lost"); !strings.Contains(e.Path, "/76/") || item(t, s, "x").Item.Content != "whole again" {
		t.Errorf("%+v", e)
	}
}

func TestMergeWithWhatCannotBeRead(t *testing.T) {
	_, s := store(t)
	writeItems(t, s, add("x", "one"), add("y", "one"))
	x, y := item(t, s, "x"), item(t, s, "y")
	writeFile(t, s, x.Path, "---\n- no item\n---\n")
	x.Item.Content = "mine"
	if _, err := s.Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Item: x.Item, Base: x.Blob}); err != nil {
		t.Errorf("both are kept as text: %v", err)
	}
	if b, err := s.Tree.ReadFile(ctx, x.Path); err != nil || !strings.Contains(string(b), "no item") || !strings.Contains(string(b), "mine") {
		t.Errorf("%v\n%s", err, b)
	}
	y.Item.Content = "mine"
	out := writeItems(t, s, edit("y", func(it *sage.Item) { it.Keywords = []string{"here"} }), gitstore.ItemChange{Item: y.Item, Base: y.Blob})
	if got := item(t, s, "y").Item; got.Content != "mine" || len(out.Items) != 1 {
		t.Errorf("%+v", got)
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Key: "y", Remove: true}, edit("y", func(*sage.Item) {})); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("an edit behind the removal: %v", err)
	}
}

// The user's own store keeps items alike.
func TestItemsOfTheUser(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", func(o *gitstore.Options) { o.Global = true })
	writeItems(t, s, add("mine", "I like tabs.", func(it *sage.Item) { it.Type, it.Scope.User = sage.Preference, true }))
	if got := item(t, s, "mine").Item; got.Type != sage.Preference || !got.Scope.User {
		t.Errorf("%+v", got)
	}
	if list, err := open(t, w, "r").Knowledge.Items(ctx); err != nil || list != nil {
		t.Errorf("in the repository: %v %v", list, err)
	}
}

// Whoever catches up by ItemsSince knows what Items lists, whatever was done between.
func TestCatchUpEqualsList(t *testing.T) {
	_, s := store(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	known, tip := map[string]string{}, ""
	for step := range 30 {
		var changes []gitstore.ItemChange
		for range 1 + rnd.IntN(4) {
			key := fmt.Sprintf("item-%d", rnd.IntN(12))
			switch rnd.IntN(3) {
			case 0:
				if _, err := s.Knowledge.Item(ctx, key); err == nil {
					changes = append(changes, gitstore.ItemChange{Key: key, Remove: true})
					continue
				}
				fallthrough
			default:
				changes = append(changes, gitstore.ItemChange{Item: fact(key, fmt.Sprint("step ", step, rnd.IntN(2))), Replace: true})
			}
		}
		if _, err := s.Knowledge.WriteItems(ctx, "", changes...); errors.Is(err, gitstore.ErrNotFound) {
			continue // one was removed twice
		} else if err != nil {
			t.Fatal(err)
		}
		if step%3 == 0 {
			continue // catch up over several commits
		}
		changed, removed, now, err := s.Knowledge.ItemsSince(ctx, tip)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range changed {
			known[e.Key] = e.Blob
		}
		for _, key := range removed {
			delete(known, key)
		}
		tip = now
		list, err := s.Knowledge.Items(ctx)
		want := map[string]string{}
		for _, e := range list {
			want[e.Key] = e.Blob
		}
		if d := cmp.Diff(want, known); d != "" || err != nil {
			t.Fatalf("step %d: %v %s", step, err, d)
		}
	}
	if found, err := s.Fsck.Findings(ctx); err != nil || len(found) != 0 {
		t.Errorf("fsck says %v, %v", found, err)
	}
}

// A clone brings tags and branches along; one that is called like a ref of ours is none.
func TestWhatIsNamedLikeTheMemoryIsNone(t *testing.T) {
	for _, kind := range []string{"tags", "heads", "remotes"} {
		for _, worktree := range []bool{false, true} {
			t.Run(fmt.Sprint(kind, " ", worktree), func(t *testing.T) {
				w, eve := store(t)
				writeItems(t, eve, add("pool", "Use 500 connections."), gitstore.ItemChange{Key: "system/pin", Item: &sage.Item{Content: "Pinned."}})
				save(t, eve, "a thought")
				w.Repo("c")
				for _, name := range []string{"knowledge", "heads/main"} {
					w.Git("c", "fetch", "-q", w.Path("r"), "refs/sage/"+name+":refs/"+kind+"/refs/sage/"+name)
				}
				dir := "c"
				if worktree {
					dir = "linked"
					w.Git("c", "worktree", "add", "-q", w.Path(dir))
				}
				s := open(t, w, dir)
				if tip, err := s.History.KnowledgeTip(ctx); tip != "" || err != nil {
					t.Errorf("the knowledge is at %s, %v", tip, err)
				}
				for key := range map[string]bool{"pool": true, "system/pin": true} {
					if e, err := s.Knowledge.Item(ctx, key); !errors.Is(err, gitstore.ErrNotFound) {
						t.Errorf("%s: %+v, %v", key, e.Item, err)
					}
				}
				items, err := s.Knowledge.Items(ctx)
				notes, err2 := s.Knowledge.ItemsUnder(ctx, "system")
				files, err3 := s.Tree.Files(ctx, "knowledge")
				if err := errors.Join(err, err2, err3); err != nil || len(items)+len(notes)+len(files) > 0 {
					t.Errorf("%v %v %v, %v", items, notes, files, err)
				}
				writeItems(t, s, add("mine", "x"))
				if got := save(t, s, "mine"); len(got.Parents) > 0 {
					t.Errorf("a line that was not there continues %v", got.Parents)
				}
				item(t, s, "mine")
			})
		}
	}
}
