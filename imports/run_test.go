package imports_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/imports"
)

var ctx = context.Background()

// A source is a tool whose records are a list.
type source []imports.Record

func (s source) Tool() string { return "old-tool" }

func (s source) Names(context.Context) (names []imports.Name, err error) {
	for _, r := range s {
		if it, ok := r.Thing.(imports.Item); ok && it.Shelf == "" {
			names = append(names, imports.Name{Own: r.Own, Name: r.Name, ID: it.ID})
		}
	}
	return names, nil
}

func (s source) Each(_ context.Context, fn func(imports.Record) error) error {
	for _, r := range s {
		if err := fn(r); err != nil {
			return err
		}
	}
	return nil
}

var noon = time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC)

func checkpoint(name, parent string, n int) imports.Record {
	c := &sage.Checkpoint{Thesis: "thought " + name, Time: noon.AddDate(0, 0, n)}
	return imports.Record{Lies: name + ".md", Name: name, Thing: imports.Checkpoint{Checkpoint: c, Parent: parent}}
}

func item(id, text string, links ...sage.Link) imports.Record {
	it := &sage.Item{ID: id, Content: text, Added: noon, Links: links}
	return imports.Record{Lies: id + ".md", Name: id, Thing: imports.Item{Item: it}}
}

// A world has a repository and a store of the user's.
type world struct {
	*storetest.World
	t *testing.T
}

func newWorld(t *testing.T) world {
	w := storetest.New(t)
	w.Repo("r")
	return world{w, t}
}

func (w world) open(global bool) *gitstore.Store {
	w.t.Helper()
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Global: global, Home: w.Path("home/.sage"), Env: w.Env, Now: storetest.Clock(), Person: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = s.Close() })
	return s
}

func (w world) run(src source, o imports.Options) imports.Report {
	w.t.Helper()
	s := w.open(false)
	own := func() (*gitstore.Store, error) { return w.open(true), nil }
	r, err := imports.Run(ctx, src, imports.Target{Project: s, Own: own}, o)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// want checks how many were new, had, updated, and removed.
func want(t *testing.T, r imports.Report, counts ...int) {
	t.Helper()
	a := r.Total()
	if got := []int{a.New, a.Had, a.Updated, a.Removed}; !slices.Equal(got, counts) {
		t.Errorf("new, had, updated, removed: %v, want %v; %+v", got, counts, r.Problems)
	}
}

func (w world) log(line string) (list []string) {
	w.t.Helper()
	recs, err := w.open(false).Commits.Log(ctx, gitstore.Query{Line: line, All: true, Reverse: true})
	if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
		w.t.Fatal(err)
	}
	for _, r := range recs {
		list = append(list, r.Description)
	}
	return list
}

func TestRunBringsInOnce(t *testing.T) {
	w := newWorld(t)
	src := source{
		checkpoint("a", "", 0), checkpoint("b", "a", 1), checkpoint("c", "b", 2),
		item("Old_Name!", "text with a link", sage.Link{Kind: sage.Extends, To: "plain"}), item("plain", "plain text"),
		{Name: "README.md", Thing: imports.CoreFile{Path: "README.md", Summary: "start here", Added: noon}},
		{Lies: "bad.md", Problems: []imports.Problem{{Where: "bad.md", Grade: imports.Skipped, What: "cannot be read"}}},
	}
	own := item("mine", "everywhere")
	own.Own = true
	src = append(src, own)

	dry := w.run(src, imports.Options{DryRun: true})
	want(t, dry, 7, 0, 0, 0)
	if refs := w.Git("r", "for-each-ref", "refs/sage"); refs != "" {
		t.Errorf("a dry run made %s", refs)
	}
	r := w.run(src, imports.Options{})
	want(t, r, 7, 0, 0, 0)
	if !r.Lost() || len(r.Renamed) != 1 || r.Renamed[0].New != "old_name" {
		t.Errorf("%+v", r)
	}
	if got := w.log("main"); !slices.Equal(got, []string{"thought a", "thought b", "thought c"}) {
		t.Errorf("%v", got)
	}
	s := w.open(false)
	e, err := s.Knowledge.Item(ctx, "old_name")
	if err != nil || !slices.Contains(e.Item.Aliases, "Old_Name!") || e.Item.Links[0].To != "plain" || !e.Item.Added.Equal(noon) || !s.Knowledge.IsOwnItem(e) {
		t.Errorf("%+v, %v", e.Item, err)
	}
	if core, err := s.Knowledge.CoreFile(ctx, "README.md"); err != nil || !core.Added.Equal(noon) {
		t.Errorf("%+v, %v", core, err)
	}
	if _, err := w.open(true).Knowledge.Item(ctx, "mine"); err != nil {
		t.Error(err)
	}
	before := w.Git("r", "for-each-ref", "refs/sage")
	want(t, w.run(src, imports.Options{}), 0, 7, 0, 0)
	if after := w.Git("r", "for-each-ref", "refs/sage"); after != before {
		t.Errorf("a second run changed refs from\n%s\nto\n%s", before, after)
	}
	// Without the list of what was brought in, what is here is known by what it says.
	w.Write("r/.git/sage/imports", "")
	want(t, w.run(src, imports.Options{}), 0, 7, 0, 0)
	if after := w.Git("r", "for-each-ref", "refs/sage"); after != before {
		t.Errorf("a run without the list changed refs to\n%s", after)
	}
	src = append(src, checkpoint("d", "c", 3))
	want(t, w.run(src, imports.Options{}), 1, 7, 0, 0)
	if got := w.log("main"); len(got) != 4 {
		t.Errorf("%v", got)
	}
}

func TestRunLeavesAloneWhatWasThoughtHere(t *testing.T) {
	save := func(w world, text string) {
		if _, err := w.open(false).Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: text}}); err != nil {
			t.Fatal(err)
		}
	}
	src := source{checkpoint("a", "", 0), checkpoint("b", "a", 1)}
	w := newWorld(t)
	save(w, "mine")
	want(t, w.run(src, imports.Options{}), 2, 0, 0, 0)
	if got := w.log("main"); !slices.Equal(got, []string{"mine"}) {
		t.Errorf("main has %v", got)
	}
	if got := w.log("old-tool"); !slices.Equal(got, []string{"thought a", "thought b"}) {
		t.Errorf("old-tool has %v", got)
	}

	w = newWorld(t)
	w.run(src, imports.Options{})
	save(w, "mine") // on top of what was brought in
	src = append(src, checkpoint("c", "b", 2), checkpoint("d", "c", 3))
	r := w.run(src, imports.Options{})
	want(t, r, 2, 2, 0, 0)
	if got := w.log("main"); !slices.Equal(got, []string{"thought a", "thought b", "mine"}) {
		t.Errorf("main has %v", got)
	}
	if len(r.Lines) != 1 || !strings.HasPrefix(r.Lines[0], "main/") {
		t.Fatalf("%v", r.Lines)
	}
	src = append(src, checkpoint("e", "d", 4))
	if again := w.run(src, imports.Options{}); !slices.Equal(again.Lines, r.Lines) {
		t.Errorf("it went to %v, then to %v", r.Lines, again.Lines)
	}
	if got := strings.Fields(w.Git("r", "rev-list", "refs/sage/forks/"+r.Lines[0])); len(got) != 5 {
		t.Errorf("the fork has %d", len(got))
	}
}

func TestRunKeepsLineage(t *testing.T) {
	w := newWorld(t)
	aside := checkpoint("b", "a", 1)
	c := aside.Thing.(imports.Checkpoint)
	c.Aside = true
	aside.Thing = c
	src := source{checkpoint("a", "", 0), aside, checkpoint("c", "a", 2), checkpoint("d", "c", 3)}
	w.run(src, imports.Options{})
	if got := w.log("main"); !slices.Equal(got, []string{"thought a", "thought c", "thought d"}) {
		t.Errorf("main has %v", got)
	}
	s := w.open(false)
	id, err := s.Commits.Resolve(ctx, "b")
	if err != nil {
		t.Fatal(err)
	}
	a, _ := s.Commits.Resolve(ctx, "a")
	if rec, err := s.Commits.Record(ctx, id); err != nil || rec.Parents[0] != a {
		t.Errorf("%+v, %v", rec, err)
	}
}

func TestRunKeepsWhatIsChangedHere(t *testing.T) {
	w := newWorld(t)
	src := source{item("a", "one"), item("b", "two"), item("c", "three"), checkpoint("x", "", 0)}
	w.run(src, imports.Options{})
	s := w.open(false)
	edit := func(text string) func(*sage.Item) error {
		return func(it *sage.Item) error { it.Content = text; return nil }
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Key: "a", Edit: edit("mine")}, gitstore.ItemChange{Key: "b", Remove: true}); err != nil {
		t.Fatal(err)
	}
	src[0], src[1], src[2] = item("a", "one more"), item("b", "two more"), item("c", "three more")
	r := w.run(src, imports.Options{})
	want(t, r, 0, 2, 1, 1)
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].What, "stays") {
		t.Errorf("%+v", r.Problems)
	}
	s = w.open(false)
	for key, text := range map[string]string{"a": "mine", "c": "three more"} {
		if e, err := s.Knowledge.Item(ctx, key); err != nil || e.Item.Content != text {
			t.Errorf("%s: %+v, %v", key, e.Item, err)
		}
	}
	want(t, w.run(src, imports.Options{Again: true}), 1, 3, 0, 0)
}

// TestRunTakesNoName holds that an item of the user's keeps its id, and that of another folder
// of the same tool too.
func TestRunTakesNoName(t *testing.T) {
	w := newWorld(t)
	if _, err := w.open(false).Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Item: &sage.Item{ID: "a", Content: "mine"}}); err != nil {
		t.Fatal(err)
	}
	src := source{item("a", "theirs"), item("b", "links", sage.Link{Kind: sage.Related, To: "a"})}
	for range 2 {
		w.run(src, imports.Options{})
		s := w.open(false)
		for key, text := range map[string]string{"a": "mine", "a-2": "theirs"} {
			if e, err := s.Knowledge.Item(ctx, key); err != nil || e.Item.Content != text {
				t.Errorf("%s: %+v, %v", key, e.Item, err)
			}
		}
		if e, _ := s.Knowledge.Item(ctx, "b"); e.Item.Links[0].To != "a-2" {
			t.Errorf("b links to %v", e.Item.Links)
		}
		if s.Knowledge.CountItems() != 3 {
			t.Errorf("%d items", s.Knowledge.CountItems())
		}
		w.Write("r/.git/sage/imports", "") // nor without the list
	}
	w.run(source{item("b", "of another folder")}, imports.Options{})
	if e, err := w.open(false).Knowledge.Item(ctx, "b-2"); err != nil || e.Item.Content != "of another folder" {
		t.Errorf("%+v, %v", e.Item, err)
	}
}

func TestRunRemembersWhatWasRemoved(t *testing.T) {
	w := newWorld(t)
	src := source{checkpoint("a", "", 0), checkpoint("b", "a", 1)}
	w.run(src, imports.Options{})
	s := w.open(false)
	id, err := s.Commits.Resolve(ctx, "b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Revs: []string{id}}); err != nil {
		t.Fatal(err)
	}
	want(t, w.run(src, imports.Options{}), 0, 1, 0, 1)
	want(t, w.run(src, imports.Options{Again: true}), 1, 1, 0, 0)
}

func TestRunIsUndone(t *testing.T) {
	w := newWorld(t)
	src := source{checkpoint("a", "", 0), checkpoint("b", "a", 1)}
	w.run(src, imports.Options{})
	s := w.open(false)
	acts, err := s.Acts.List(ctx, 0)
	if err != nil || len(acts) != 1 {
		t.Fatal(acts, err)
	}
	if _, err := s.Acts.Undo(ctx, acts[0]); err != nil {
		t.Fatal(err)
	}
	if got := w.log("main"); len(got) > 0 {
		t.Errorf("main has %v", got)
	}
	want(t, w.run(src, imports.Options{}), 2, 0, 0, 0)
}

// A meddled source has somebody do something before its n-th record is written.
type meddled struct {
	source
	n     int
	do    func()
	reads *int // how often it was read: nothing is written at the first time
}

func (m meddled) Each(ctx context.Context, fn func(imports.Record) error) error {
	*m.reads++
	for i, r := range m.source {
		if i == m.n && *m.reads == 2 {
			m.do()
		}
		if err := fn(r); err != nil {
			return err
		}
	}
	return nil
}

// TestRunBesideOthers holds that a save and an import that come between lose nothing.
func TestRunBesideOthers(t *testing.T) {
	w := newWorld(t)
	src := source{checkpoint("a", "", 0), checkpoint("b", "a", 1), item("i", "one"), item("j", "two"), checkpoint("c", "b", 2)}
	s := w.open(false)
	own := func() (*gitstore.Store, error) { return w.open(true), nil }
	r, err := imports.Run(ctx, meddled{src, 4, func() { w.run(src[:3], imports.Options{}) }, new(int)}, imports.Target{Project: s, Own: own}, imports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a := r.Total(); a.New+a.Had != 5 {
		t.Errorf("%+v", r)
	}
	if got := w.log("main"); !slices.Equal(got, []string{"thought a", "thought b", "thought c"}) || w.open(false).Knowledge.CountItems() != 2 {
		t.Errorf("%v, %d items", got, w.open(false).Knowledge.CountItems())
	}

	w = newWorld(t)
	s = w.open(false)
	if _, err := imports.Run(ctx, meddled{src, 4, func() {
		if _, err := w.open(false).Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "mine"}}); err != nil {
			t.Fatal(err)
		}
	}, new(int)}, imports.Target{Project: s, Own: own}, imports.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := w.log("main"); !slices.Equal(got, []string{"mine"}) {
		t.Errorf("main has %v", got)
	}
	if got := w.log("old-tool"); len(got) != 3 {
		t.Errorf("old-tool has %v", got)
	}
}

func TestRunTakesMany(t *testing.T) {
	w := newWorld(t)
	var src source
	for i := range 1200 {
		parent := ""
		if i > 0 {
			parent = fmt.Sprint("c", i-1)
		}
		src = append(src, checkpoint(fmt.Sprint("c", i), parent, i), item(fmt.Sprint("i", i), fmt.Sprint("text ", i)))
	}
	want(t, w.run(src, imports.Options{}), 2400, 0, 0, 0)
	s := w.open(false)
	if n := s.Knowledge.CountItems(); n != 1200 {
		t.Errorf("%d items", n)
	}
	if got := w.log("main"); len(got) != 1200 {
		t.Errorf("%d checkpoints", len(got))
	}
	if rep, err := s.Fsck.Check(ctx); err != nil || len(rep.Findings) > 0 {
		t.Errorf("%+v, %v", rep.Findings, err)
	}
}

// A link to what is private is left out, and so is one by which a private item would replace what
// others have: neither keeps anything else from coming in.
func TestRunLeavesOutLinksOfPrivateItems(t *testing.T) {
	w := newWorld(t)
	private := item("a", "private text", sage.Link{Kind: sage.Supersedes, To: "c"}, sage.Link{Kind: sage.Extends, To: "c"})
	private.Thing.(imports.Item).SetPrivate(true)
	r := w.run(source{item("b", "some text", sage.Link{Kind: sage.Related, To: "a"}, sage.Link{Kind: sage.Related, To: "c"}), private, item("c", "other text")}, imports.Options{})
	want(t, r, 3, 0, 0, 0)
	var said []string
	for _, p := range r.Problems {
		said = append(said, p.What)
	}
	if !slices.Equal(said, []string{"left out: link of b to a, which is private", "left out: link of a to c, which is not private"}) {
		t.Errorf("%q", said)
	}
}

// An id is made before the text is read; one that tells a secret of the text is another.
func TestRunHidesIDs(t *testing.T) {
	w := newWorld(t)
	src := source{item("b", "see the mail", sage.Link{Kind: sage.Related, To: "use-swordfish42trout"}), item("use-swordfish42trout", "The mail password: swordfish42trout")}
	want(t, w.run(src, imports.Options{}), 2, 0, 0, 0)
	want(t, w.run(src, imports.Options{}), 0, 2, 0, 0)
	list, err := w.open(false).Knowledge.EveryItem(ctx)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, e := range list {
		if text := string(codec.MarshalItem(e.Item)); strings.Contains(text, "swordfish") || e.Key == "b" && !strings.Contains(text, "item-") {
			t.Errorf("%s:\n%s", e.Key, text)
		}
	}
}

func TestFitName(t *testing.T) {
	for in, out := range map[string]string{"plain": "plain", "Big-Bang-migration": "big-bang-migration", "_x": "x", "Grüße aus Köln": "gruesse-aus-koeln", "Cafe\u0301 Łódź": "cafe-lodz", "nul": imports.FitName("nul"), "Ключ": imports.FitName("Ключ")} {
		if got := imports.FitName(in); got != out || gitstore.CheckName(got) != nil {
			t.Errorf("%q is %q", in, got)
		}
	}
}
