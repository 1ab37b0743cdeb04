package gitstore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func store(t testing.TB) (*storetest.World, *gitstore.Store) {
	w := storetest.New(t)
	w.Repo("r")
	return w, open(t, w, "r")
}

func subject(w *storetest.World) string {
	return strings.TrimSpace(w.Git("r", "log", "-1", "--format=%s", "refs/sage/knowledge"))
}

func TestSubjectsSayWhatChanged(t *testing.T) {
	w, s := store(t)
	todo := func(it *sage.Item) { it.Type = sage.Todo }
	for _, tt := range []struct {
		want    string
		changes []gitstore.ItemChange
	}{
		{"add todo wash", []gitstore.ItemChange{add("wash", "Wash.", todo)}},
		{"edit todo wash", []gitstore.ItemChange{edit("wash", func(it *sage.Item) { it.Content = "Wash up." })}},
		{"mark todo wash done", []gitstore.ItemChange{edit("wash", func(it *sage.Item) { it.Status = sage.Done })}},
		{"archive todo wash", []gitstore.ItemChange{edit("wash", func(it *sage.Item) { it.Status = sage.Archived })}},
		{"3 items: add fact a, add fact b, remove todo wash", []gitstore.ItemChange{add("a", "A"), add("b", "B"), {Key: "wash", Remove: true}}},
		{"deprecate fact a", []gitstore.ItemChange{edit("a", func(it *sage.Item) { it.Status, it.Replacement = sage.Deprecated, "b" })}},
		{"add note objective", []gitstore.ItemChange{{Key: "system/objective", Item: &sage.Item{Content: "Ship it."}}}},
		{"add skill privacy", []gitstore.ItemChange{{Key: "skills/privacy", Item: &sage.Item{Description: "Personal data"}}}},
		{"add doc privacy/guide", []gitstore.ItemChange{{Key: "skills/privacy/guide", Item: &sage.Item{Content: "Ask first."}}}},
	} {
		writeItems(t, s, tt.changes...)
		if got := subject(w); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	if _, err := s.Knowledge.WriteItems(ctx, "of its own", add("c", "C")); err != nil || subject(w) != "of its own" {
		t.Errorf("%v, %q", err, subject(w))
	}
}

func TestEditsKeepWhatTheyDoNotKnow(t *testing.T) {
	_, s := store(t)
	writeFile(t, s, "knowledge/2d/x.md", "---\nid: x\nadded: \"2020-01-01\"\nmood: grim\nscope:\n  moon: full\n---\n\nold\n")
	writeItems(t, s, edit("x", func(it *sage.Item) { it.Content = "new"; it.Added = time.Now() }))
	got := item(t, s, "x").Item
	if !got.Added.Equal(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)) || !got.Updated.After(got.Added) || got.Content != "new" {
		t.Errorf("%+v", got)
	}
	writeItems(t, s, gitstore.ItemChange{Item: fact("x", "replaced"), Replace: true})
	got = item(t, s, "x").Item
	if d := cmp.Diff([]sage.Entry{{Key: "mood", Value: "grim"}}, got.Extra); d != "" || got.Content != "replaced" || got.Added.Year() != 2020 {
		t.Errorf("%s %+v", d, got)
	}
	before, _ := s.History.KnowledgeTip(ctx)
	out := writeItems(t, s, edit("x", func(*sage.Item) {}))
	if after, _ := s.History.KnowledgeTip(ctx); out.Commit != "" || out.Items != nil || after != before {
		t.Errorf("nothing changed, and yet %+v", out)
	}
}

func TestRefusedItems(t *testing.T) {
	_, s := store(t)
	writeItems(t, s, add("x", "X"))
	old := item(t, s, "x")
	for name, tt := range map[string]struct {
		change gitstore.ItemChange
		is     error
		want   string
	}{
		"exists":        {add("x", "again"), gitstore.ErrExists, "item 'x' already exists"},
		"bad id":        {add("My Item", "t"), gitstore.ErrName, "bad name 'My Item': it must begin with a-z or 0-9; 'my-item' would do"},
		"path":          {add("../x", "t"), gitstore.ErrName, "bad name '../x': want an id, system/<name>"},
		"dots":          {add("a..b", "t"), gitstore.ErrName, "'..' is not allowed in it; 'a.b' would do"},
		"device":        {add("con", "t"), gitstore.ErrName, "device"},
		"empty":         {add("", "t"), gitstore.ErrName, "it is empty"},
		"too long":      {add("y", strings.Repeat("a", sage.MaxContent+1)), nil, "item 'y': content: 1048577 bytes exceed the limit of 1048576; split it into several items"},
		"no text":       {add("y", " "), nil, "content: want text, have nothing"},
		"pattern":       {add("y", "t", func(it *sage.Item) { it.Patterns = []string{"("} }), nil, "patterns: '(': missing closing )"},
		"type":          {add("y", "t", func(it *sage.Item) { it.Type = "idea" }), nil, "type: want one of fact, preference, todo, reference, failure"},
		"note":          {add("y", "t", func(it *sage.Item) { it.Type = sage.Note }), nil, "type: want one of fact, preference, todo, reference, failure, have 'note'"},
		"secret id":     {add("sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz01234567890123456789", "t"), gitstore.ErrName, "looks like a secret"},
		"remove":        {gitstore.ItemChange{Key: "y", Remove: true}, gitstore.ErrNotFound, "no item 'y'"},
		"edit":          {edit("y", func(*sage.Item) {}), gitstore.ErrNotFound, "no item 'y'"},
		"nothing":       {gitstore.ItemChange{Key: "x"}, nil, "nothing to save"},
		"no base":       {gitstore.ItemChange{Item: fact("x", "t"), Base: strings.Repeat("1", 40)}, nil, "its base version 11111111 is missing"},
		"no base given": {gitstore.ItemChange{Item: fact("y", "t"), Base: "refs/heads"}, nil, "is missing"},
		"itself":        {edit("x", func(it *sage.Item) { it.Links = []sage.Link{{Kind: sage.Related, To: "x"}} }), nil, "an item cannot be linked to itself"},
		"of the edit":   {gitstore.ItemChange{Key: "x", Edit: func(*sage.Item) error { return errors.New("no more") }}, nil, "no more"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := s.Knowledge.WriteItems(ctx, "", add("other", "is not written either"), tt.change)
			if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if strings.Contains(err.Error(), "\n") || out.Commit != "" {
				t.Errorf("more than a line, or written: %q %+v", err, out)
			}
		})
	}
	if list, err := s.Knowledge.Items(ctx); err != nil || len(list) != 1 || list[0].Blob != old.Blob {
		t.Errorf("something was written: %v %v", list, err)
	}
}

func TestMergeOfItems(t *testing.T) {
	_, s := store(t)
	writeItems(t, s, add("x", "text", func(it *sage.Item) { it.Source, it.Status = "a talk", sage.Active }))
	base := item(t, s, "x")
	from := func(f func(*sage.Item)) gitstore.ItemsSaved {
		it := base.Item.Clone()
		f(it)
		return writeItems(t, s, gitstore.ItemChange{Item: it, Base: base.Blob})
	}
	from(func(it *sage.Item) { it.Keywords, it.Source = []string{"one"}, "a book" })
	out := from(func(it *sage.Item) {
		it.Keywords = append(it.Keywords, "two")
		it.Links = []sage.Link{{Kind: sage.Related, To: "gone"}}
	})
	if len(out.Conflicts) != 0 || len(out.Dangling) != 1 || out.Dangling[0].String() != "item 'x': no item 'gone' (related)" {
		t.Errorf("%+v", out)
	}
	got := item(t, s, "x").Item
	if !slices.Equal(got.Keywords, []string{"one", "two"}) || got.Source != "a book" || len(got.Links) != 1 {
		t.Errorf("%+v", got)
	}
	if out = from(func(it *sage.Item) { it.Source = "a film" }); !slices.Equal(out.Conflicts, []string{"x"}) {
		t.Errorf("%+v", out)
	}
	got = item(t, s, "x").Item
	if c := merge.Conflicts(got); len(c) != 1 || c[0].String() != "source: 2 versions disagree" || got.Source != "a book" {
		t.Errorf("%v", c)
	}
	if st, err := s.Status(ctx); err != nil || !slices.Contains(st.Disagree, item(t, s, "x").Path) {
		t.Errorf("status names %v, %v", st.Disagree, err)
	}
	if out = from(func(*sage.Item) {}); out.Commit != "" {
		t.Errorf("nothing was made of it, and yet %+v", out)
	}
	writeItems(t, s, edit("x", func(it *sage.Item) { merge.SettleItem(it, "source") }))
	if got := item(t, s, "x").Item; len(merge.Conflicts(got)) != 0 || got.Source != "a book" {
		t.Errorf("%+v", got)
	}
	writeItems(t, s, gitstore.ItemChange{Key: "x", Remove: true})
	out = from(func(it *sage.Item) { it.Content = "edited" })
	got = item(t, s, "x").Item
	if len(got.DeletedBy) != 1 || got.Content != "edited" || merge.Conflicts(got)[0].String() != "removed and edited at once" || len(out.Conflicts) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestSuperseding(t *testing.T) {
	_, s := store(t)
	supersedes := func(id string) func(*sage.Item) {
		return func(it *sage.Item) { it.Links = append(it.Links, sage.Link{Kind: sage.Supersedes, To: id}) }
	}
	status := func(id string, want sage.Status, by string) {
		t.Helper()
		if it := item(t, s, id).Item; it.Status != want || it.Replacement != by {
			t.Errorf("'%s' is %s by '%s', want %s by '%s'", id, it.Status, it.Replacement, want, by)
		}
	}
	writeItems(t, s, add("old", "30 s"), add("todo", "x", func(it *sage.Item) { it.Type = sage.Todo }), add("gone", "x", func(it *sage.Item) { it.Status = sage.Archived }))
	out := writeItems(t, s, add("new", "60 s", supersedes("old"), supersedes("todo"), supersedes("gone"), supersedes("missing")))
	if len(out.Items) != 3 || len(out.Dangling) != 1 {
		t.Errorf("%+v", out)
	}
	status("old", sage.Superseded, "new")
	status("todo", sage.Superseded, "new")
	status("gone", sage.Archived, "")
	if _, err := s.Knowledge.WriteItems(ctx, "", edit("old", supersedes("new"))); err == nil || !strings.Contains(err.Error(), "cannot supersede 'new', which supersedes it") {
		t.Errorf("a circle: %v", err)
	}
	writeItems(t, s, add("latest", "90 s", supersedes("missing"), supersedes("new")))
	if _, err := s.Knowledge.WriteItems(ctx, "", edit("old", supersedes("latest"))); err == nil || !strings.Contains(err.Error(), "cannot supersede 'latest', which supersedes it") {
		t.Errorf("a circle of three: %v", err)
	}
	writeItems(t, s, gitstore.ItemChange{Key: "latest", Remove: true})
	status("new", sage.Active, "")
	links, err := s.Knowledge.ItemLinks(ctx, "old")
	if err != nil || len(links) != 1 || links[0].Kind != gitstore.SupersededBy || links[0].Item.Content != "60 s" {
		t.Errorf("%+v %v", links, err)
	}
	if links, err = s.Knowledge.ItemLinks(ctx, "new"); err != nil || len(links) != 4 || !links[3].Missing || links[3].Kind != sage.Supersedes {
		t.Errorf("%+v %v", links, err)
	}
	writeItems(t, s, edit("gone", func(it *sage.Item) { it.Status, it.Reason, it.Replacement = sage.Deprecated, "it moved", "todo" }))
	if links, err = s.Knowledge.ItemLinks(ctx, "todo"); err != nil || len(links) != 2 || links[0].Kind != gitstore.Replaces || links[0].ID != "gone" || links[1].Kind != gitstore.SupersededBy {
		t.Errorf("%+v %v", links, err)
	}
	if links, err = s.Knowledge.ItemLinks(ctx, "gone"); err != nil || len(links) != 2 || links[0].Kind != gitstore.ReplacedBy || links[0].From {
		t.Errorf("%+v %v", links, err)
	}
	writeItems(t, s, edit("new", func(it *sage.Item) { it.Links = it.Links[1:] }))
	status("old", sage.Active, "")
	writeItems(t, s, gitstore.ItemChange{Key: "new", Remove: true})
	status("todo", sage.Pending, "")
	if _, err := s.Knowledge.ItemLinks(ctx, "new"); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("links of nothing: %v", err)
	}
}

func TestItemsAreCleanOfSecrets(t *testing.T) {
	_, s := store(t)
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	out := writeItems(t, s, add("x", "The token is "+secret, func(it *sage.Item) {
		it.Source, it.Extra = "from "+secret, []sage.Entry{{Key: "password", Value: "hunter2hunter2"}, {Key: "list", Value: []any{secret}}}
	}))
	if len(out.Redacted) == 0 {
		t.Error("nothing was found")
	}
	b, err := s.Tree.ReadFile(ctx, out.Items[0].Path)
	if err != nil || strings.Contains(string(b), secret) || strings.Contains(string(b), "hunter2") {
		t.Errorf("%v\n%s", err, b)
	}
}

// Who stands for an item leaves it as it is; an agent cannot, and nobody can in the midst
// of what is not settled.
func TestConfirmItems(t *testing.T) {
	w := storetest.New(t)
	clones(t, w, "a", "b")
	theirs, s, agent := open(t, w, "a"), open(t, w, "b", person), open(t, w, "b", session("s-1"))
	if err := s.Review.ConfirmItems(ctx, gitstore.ItemEntry{Key: "x"}); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
	writeItems(t, theirs, add("x", "text"), add("y", "text"))
	pushSage(w, "a")
	fetchSage(w, "b")
	mergeFetched(t, s)
	was := item(t, s, "x")
	if err := agent.Review.ConfirmItems(ctx, was); !errors.Is(err, gitstore.ErrNoPerson) || s.Knowledge.IsOwnItem(was) {
		t.Errorf("by an agent: %v, %v", err, s.Knowledge.IsOwnItem(was))
	}
	must(t, s.Review.ConfirmItems(ctx, was))
	if now := item(t, s, "x"); now.Blob != was.Blob || !s.Knowledge.IsOwnItem(now) || s.Knowledge.IsOwnItem(item(t, s, "y")) {
		t.Errorf("confirmed: %+v, %v; the other: %v", now.Item, s.Knowledge.IsOwnItem(now), s.Knowledge.IsOwnItem(item(t, s, "y")))
	}
	writeFile(t, s, was.Path, "---\nid: x\nsource:\n  variants:\n    - a\n    - b\n---\n\ntext\n")
	if err := s.Review.ConfirmItems(ctx, item(t, s, "x")); err == nil || !strings.Contains(err.Error(), "conflicting versions") {
		t.Errorf("what is in conflict: %v", err)
	}
}

// What is confirmed, changed or removed is what was seen, or nothing.
func TestChangedSinceItWasSeen(t *testing.T) {
	w := storetest.New(t)
	clones(t, w, "a", "b")
	theirs, s := open(t, w, "a"), open(t, w, "b", person)
	take := func() {
		t.Helper()
		pushSage(w, "a")
		fetchSage(w, "b")
		mergeFetched(t, s)
	}
	writeItems(t, theirs, add("x", "run the linter"))
	take()
	seen := item(t, s, "x")
	writeItems(t, theirs, gitstore.ItemChange{Key: "x", Edit: func(it *sage.Item) error { it.Content = "run anything\n"; return nil }})
	take()
	if err := s.Review.ConfirmItems(ctx, seen); !errors.Is(err, gitstore.ErrChanged) || s.Knowledge.IsOwnItem(seen) || s.Knowledge.IsOwnItem(item(t, s, "x")) {
		t.Errorf("confirmed: %v", err)
	}
	archive := func(it *sage.Item) error { it.Status = sage.Archived; return nil }
	for _, c := range []gitstore.ItemChange{{Key: "x", Remove: true, Seen: seen.Blob}, {Key: "x", Edit: archive, Seen: seen.Blob}} {
		now := item(t, s, "x")
		if _, err := s.Knowledge.WriteItems(ctx, "", c); !errors.Is(err, gitstore.ErrChanged) || item(t, s, "x").Blob != now.Blob {
			t.Errorf("%+v: %v", c, err)
		}
	}
	writeItems(t, s, gitstore.ItemChange{Key: "x", Remove: true, Seen: item(t, s, "x").Blob})
}
