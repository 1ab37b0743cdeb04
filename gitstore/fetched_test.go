package gitstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// fetchSpecs are what a clone fetches from a remote; see MergeFetched.
func fetchSpecs(remote string) []string {
	to := "refs/sage/remotes/" + remote
	return []string{"+refs/sage/heads/*:" + to + "/heads/*", "+refs/sage/forks/*:" + to + "/forks/*",
		"+refs/sage/tags/*:" + to + "/tags/*", "+refs/sage/knowledge*:" + to + "/knowledge*"}
}

// fetch fetches from one folder of the world into another.
func fetch(w *storetest.World, into, from string) {
	w.Git(into, append([]string{"fetch", "-q", "--no-write-fetch-head", w.Path(from)}, fetchSpecs(from)...)...)
}

// acts are what was done, one word each: <act> <name>.
func acts(t testing.TB, s *gitstore.Store, remotes ...string) string {
	t.Helper()
	list, err := s.Exchange.MergeFetched(ctx, remotes...)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		out = append(out, string(f.Act)+" "+f.Name())
	}
	return strings.Join(out, ", ")
}

func wantActs(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func tipOf(w *storetest.World, dir, ref string) string {
	out, err := w.TryGit(dir, "rev-parse", "-q", "--verify", ref)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

const mainRef = "refs/sage/heads/main"

func TestMergeFetchedMeets(t *testing.T) {
	w := storetest.New(t)
	w.Repo("a")
	w.Repo("b")
	a, b := open(t, w, "a"), open(t, w, "b")
	save(t, a, "root")
	fetch(w, "b", "a")
	wantActs(t, acts(t, b), "new main")
	wantActs(t, acts(t, b), "")
	save(t, a, "left")
	save(t, b, "right")
	fetch(w, "b", "a")
	fetch(w, "a", "b")
	wantActs(t, acts(t, a), "merged main")
	wantActs(t, acts(t, b), "merged main")
	if x, y := tipOf(w, "a", mainRef), tipOf(w, "b", mainRef); x != y || x == "" {
		t.Errorf("a is at %s, b at %s", x, y)
	}
	fetch(w, "b", "a")
	wantActs(t, acts(t, b), "")
	c, err := a.Commits.Load(ctx, "main")
	if err != nil || len(c.ComponentTheses) != 2 || c.Trigger != "sync" {
		t.Errorf("loaded %+v, %v", c, err)
	}
	w.Git("a", "fsck", "--full", "--strict")
}

// pair returns two stores, of which b has fetched and taken in what a holds.
func pair(t *testing.T, first ...string) (w *storetest.World, a, b *gitstore.Store) {
	t.Helper()
	w = storetest.New(t)
	w.Repo("a")
	w.Repo("b")
	a, b = open(t, w, "a"), open(t, w, "b")
	for _, text := range first {
		save(t, a, text)
	}
	fetch(w, "b", "a")
	if _, err := b.Exchange.MergeFetched(ctx); err != nil {
		t.Fatal(err)
	}
	return w, a, b
}

// exchange lets both fetch and take in, until nothing changes, and returns what the
// first time brought.
func exchange(t *testing.T, w *storetest.World, a, b *gitstore.Store) (inA, inB string) {
	t.Helper()
	fetch(w, "a", "b")
	fetch(w, "b", "a")
	inA, inB = acts(t, a), acts(t, b)
	fetch(w, "a", "b")
	fetch(w, "b", "a")
	if x, y := acts(t, a), acts(t, b); x != "" || y != "" {
		t.Errorf("then again: %q and %q", x, y)
	}
	for _, ref := range []string{mainRef, KnowledgeRef} {
		if x, y := tipOf(w, "a", ref), tipOf(w, "b", ref); x != y {
			t.Errorf("%s is %s in one and %s in the other", ref, x, y)
		}
	}
	w.Git("a", "fsck", "--full", "--strict")
	return inA, inB
}

func remove(t testing.TB, s *gitstore.Store, rev string) {
	t.Helper()
	if _, err := s.Checkpoints.Remove(ctx, []string{rev}); err != nil {
		t.Fatal(err)
	}
}

// What both removed does not come back as the text of the merge.
func TestMergeFetchedRemoved(t *testing.T) {
	w, a, b := pair(t, "kept", "wrong")
	remove(t, a, "main")
	remove(t, b, "main")
	inA, inB := exchange(t, w, a, b)
	wantActs(t, inA+"; "+inB, "merged main; merged main")
	wantList(t, subjects(t, a, gitstore.Query{}), "kept", "kept")
	c, err := b.Commits.Load(ctx, "main")
	if err != nil || c.Thesis != "kept" || len(c.MergeSources) != 1 {
		t.Errorf("loaded %+v, %v", c, err)
	}
}

// Removing what another continued takes nothing out of what continues it; who
// restores wins over who removes.
func TestMergeFetchedRemovedAndContinued(t *testing.T) {
	w, a, b := pair(t, "kept", "doubted")
	remove(t, a, "main")
	save(t, b, "doubted no more")
	exchange(t, w, a, b)
	wantList(t, subjects(t, a, gitstore.Query{}), "doubted no more", "doubted no more", "kept")

	remove(t, a, "main")
	save(t, b, "another")
	remove(t, b, "main")
	if _, err := b.Checkpoints.RestoreRemoved(ctx, []string{"main"}); err != nil {
		t.Fatal(err)
	}
	exchange(t, w, a, b)
	if c, err := a.Commits.Load(ctx, "main"); err != nil || c.Thesis != "another" {
		t.Errorf("loaded %+v, %v", c, err)
	}
}

// Histories that have nothing in common, and lines that hold no thought at all.
func TestMergeFetchedUnrelated(t *testing.T) {
	w, a, b := pair(t)
	save(t, a, "here")
	save(t, b, "there")
	inA, _ := exchange(t, w, a, b)
	wantActs(t, inA, "merged main")
	if c, err := a.Commits.Load(ctx, "main"); err != nil || len(c.ComponentTheses) != 2 {
		t.Errorf("loaded %+v, %v", c, err)
	}
	for i, dir := range []string{"a", "b"} { // two lines of nothing but a removal
		gone := tipOf(w, dir, mainRef+"~1")
		w.Git(dir, "update-ref", "refs/sage/heads/empty", commitOf(w, dir, dir+"\n\nSage-Format: 1\nSage-Kind: tombstone\nSage-Removes: "+gone+"\n", "170000000"+fmt.Sprint(i)))
	}
	inA, _ = exchange(t, w, a, b)
	wantActs(t, inA, "merged empty")
	if c, err := a.Commits.Load(ctx, "empty"); err != nil || c.Thesis != "" || len(c.MergeSources) != 0 {
		t.Errorf("loaded %+v, %v", c, err)
	}
	found, err := a.Fsck.Findings(ctx)
	for _, f := range found {
		if !f.Warning {
			t.Error(f)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// Two who settle one merge in different ways disagree again; one who settles that
// settles it for both.
func TestMergeFetchedSettledTwice(t *testing.T) {
	w, a, b := pair(t, "ground")
	save(t, a, "left")
	save(t, b, "right")
	exchange(t, w, a, b)
	for s, thesis := range map[*gitstore.Store]string{a: "rather left", b: "rather right"} {
		if _, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Thesis: thesis}); err != nil {
			t.Fatal(err)
		}
	}
	exchange(t, w, a, b)
	c, err := a.Commits.Load(ctx, "main")
	if err != nil || len(c.ComponentTheses) != 2 {
		t.Fatalf("loaded %+v, %v", c, err)
	}
	if _, err := b.Checkpoints.Merge(ctx, gitstore.MergeRequest{Thesis: "the middle"}); err != nil {
		t.Fatal(err)
	}
	inA, inB := exchange(t, w, a, b)
	wantActs(t, inA+"; "+inB, "forward main; ")
	if c, err := a.Commits.Load(ctx, "main"); err != nil || c.Thesis != "the middle" {
		t.Errorf("loaded %+v, %v", c, err)
	}
}

// Forks travel; one that its line contains goes away and does not come back.
func TestMergeFetchedForks(t *testing.T) {
	w, a, b := pair(t, "ground")
	one, two := open(t, w, "a", session("aaaaaaaa-1")), open(t, w, "a", session("bbbbbbbb-2"))
	save(t, one, "first")
	if _, err := two.Lines.Restore(ctx, "main~1"); err != nil {
		t.Fatal(err)
	}
	if got := save(t, two, "beside"); !got.Forked {
		t.Fatalf("saved %+v", got)
	}
	_, inB := exchange(t, w, a, b)
	wantActs(t, inB, "forward main, new main/bbbbbbbb")
	if _, err := a.Checkpoints.Merge(ctx, gitstore.MergeRequest{}); err != nil {
		t.Fatal(err)
	}
	_, inB = exchange(t, w, a, b)
	wantActs(t, inB, "forward main, folded main/bbbbbbbb")
}

// What cannot be taken in is named and left alone, and all else goes on.
func TestMergeFetchedRefuses(t *testing.T) {
	w, a, b := pair(t, "ground")
	if _, err := a.Lines.Tag(ctx, "v1", "main", false); err != nil {
		t.Fatal(err)
	}
	save(t, b, "other")
	if _, err := b.Lines.Tag(ctx, "v1", "main", false); err != nil {
		t.Fatal(err)
	}
	blob := w.Git("a", "rev-parse", "HEAD:a.txt")
	newer := commitOf(w, "a", "newer\n\nSage-Format: 99\nSage-Kind: checkpoint\n", "1700000000")
	odd := commitOf(w, "a", "odd\n\nSage-Format: 1\nSage-Kind: riddle\n", "1700000000")
	for name, id := range map[string]string{"heads/newer": newer, "heads/blob": blob, "heads/odd": odd, "heads/code": "HEAD", "heads/con": "refs/sage/heads/main",
		"heads/good": "refs/sage/heads/main", "forks/main": "refs/sage/heads/main", "knowledge": "refs/sage/heads/main"} {
		w.Git("a", "update-ref", "refs/sage/"+name, id)
	}
	fetch(w, "b", "a")
	list, err := b.Exchange.MergeFetched(ctx)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range list {
		got[f.Name()] = string(f.Act) + ": " + hint.Note(f.Detail)
	}
	for name, want := range map[string]string{
		"newer": "newer format", "blob": "is a blob", "odd": "'riddle'", "code": "is not a checkpoint", "con": "device", "good": "new: ",
		"main": "not <line>/<name>", "knowledge": "'checkpoint', which does not belong here", "tag: v1": "tags do not change",
	} {
		if !strings.Contains(got[name], want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("also %v", got)
	}
	w.Git("b", "fsck", "--full", "--strict")
}

// Whose tag is another elsewhere gives it up, and has that one with the next merge; then it
// stays as it is.
func TestMergeFetchedTagGivesWay(t *testing.T) {
	w, a, b := pair(t, "ground")
	for _, s := range []*gitstore.Store{a, b} {
		save(t, s, "own")
		if _, err := s.Lines.Tag(ctx, "v1", "main", false); err != nil {
			t.Fatal(err)
		}
	}
	fetch(w, "b", "a")
	list, err := b.Exchange.MergeFetched(ctx)
	if err != nil || len(list) != 2 || !strings.HasSuffix(hint.Note(list[1].Detail), "'git sage tag -d v1' gives up yours for theirs") {
		t.Fatalf("%+v, %v", list, err)
	}
	must(t, b.Lines.DeleteTag(ctx, "v1"))
	wantActs(t, acts(t, b), "new tag: v1")
	if x, y := tipOf(w, "a", "refs/sage/tags/v1"), tipOf(w, "b", "refs/sage/tags/v1"); x != y {
		t.Errorf("a has %s, b %s", x, y)
	}
	if err := b.Lines.DeleteTag(ctx, "v1"); err == nil {
		t.Error("a tag that others rely on was deleted")
	}
}

// commitOf writes a commit as any program may, with a text of its own.
func commitOf(w *storetest.World, dir, message, date string, parents ...string) string {
	text := "---\ntype: checkpoint\nts: \"1970-01-01T00:00:00Z\"\n---\n\n## Thesis\n" + strings.SplitN(message, "\n", 2)[0] + "\n"
	file := "checkpoint.md"
	if _, gone, ok := strings.Cut(message, "Sage-Removes: "); ok {
		file, text = "tombstone.yaml", "format: 1\nremoves:\n  - "+gone
	}
	w.Write("text", text)
	blob := w.Git(dir, "hash-object", "-w", w.Path("text"))
	w.Write("tree", "100644 blob "+blob+"\t"+file+"\n")
	out, _ := w.TryGit(dir, "-c", "alias.in=!f() { git mktree <\""+w.Path("tree")+"\"; }; f", "in")
	raw := "tree " + strings.TrimSpace(out) + "\n"
	for _, p := range parents {
		raw += "parent " + p + "\n"
	}
	raw += "author A <a@example.com> " + date + " +0000\ncommitter A <a@example.com> " + date + " +0000\n\n" + message
	w.Write("commit", raw)
	return w.Git(dir, "hash-object", "-t", "commit", "-w", "--literally", w.Path("commit"))
}

// Dates of clocks that are off, or of programs that write anything, decide nothing
// and make no date that git would refuse.
func TestMergeFetchedDates(t *testing.T) {
	for _, dates := range [][3]string{
		{"1700000000", "1700000000", "1700000000"},
		{"4102444800", "1", "4102444800"}, // 2100 and 1970
		{"99999999999999999999", "1700000000", "1700000000"},
		{"99999999999999999999", "253402300800", "0"},
	} {
		w, a, b := pair(t, "ground")
		base := tipOf(w, "a", mainRef)
		for i, dir := range []string{"a", "b"} {
			id := commitOf(w, dir, dir+"\n\n"+dir+"\n\nSage-Format: 1\nSage-Kind: checkpoint\n", dates[i], base)
			w.Git(dir, "update-ref", mainRef, id)
		}
		for _, dir := range []string{"a", "b"} {
			from := map[string]string{"a": "b", "b": "a"}[dir]
			w.Git(dir, append([]string{"-c", "fetch.fsckObjects=false", "fetch", "-q", w.Path(from)}, fetchSpecs(from)...)...)
		}
		wantActs(t, acts(t, a)+"; "+acts(t, b), "merged main; merged main")
		if x, y := tipOf(w, "a", mainRef), tipOf(w, "b", mainRef); x != y {
			t.Errorf("%v: a is at %s, b at %s", dates, x, y)
		}
		if got := w.Git("a", "log", "-1", "--format=%ct", mainRef); dates[2] != "0" && got != dates[2] {
			t.Errorf("%v: the merge is of %s, want %s", dates, got, dates[2])
		}
	}
}

// In a ring each clone sees one other. Some wait, and all meet.
func TestMergeFetchedInARing(t *testing.T) {
	w := storetest.New(t)
	var ring []*gitstore.Store
	names := []string{"a", "b", "c"}
	for _, name := range names {
		w.Git("", "init", "-q", name)
		ring = append(ring, open(t, w, name))
		save(t, ring[len(ring)-1], name)
	}
	waited, same := 0, false
	for range 12 {
		for i, name := range names {
			fetch(w, name, names[(i+1)%3])
		}
		for _, s := range ring {
			waited += strings.Count(acts(t, s), "waits")
		}
		same = tipOf(w, "a", mainRef) == tipOf(w, "b", mainRef) && tipOf(w, "b", mainRef) == tipOf(w, "c", mainRef)
		if same {
			break
		}
	}
	if !same || waited == 0 {
		t.Errorf("met: %v, after %d waits", same, waited)
	}
}

// A ref that lost what was acknowledged on it is not built upon.
func TestMergeFetchedLost(t *testing.T) {
	w, a, b := pair(t, "ground")
	save(t, b, "acknowledged")
	w.Git("b", "update-ref", mainRef, mainRef+"~1")
	save(t, a, "news")
	fetch(w, "b", "a")
	list, err := b.Exchange.MergeFetched(ctx)
	if err != nil || len(list) != 1 || list[0].Act != gitstore.FetchedRefused || !strings.Contains(hint.Note(list[0].Detail), "git sage fsck --repair") {
		t.Errorf("got %+v, %v", list, err)
	}
}

// A line that somebody closed is closed for all, stays so while only joins come on
// top of it, and opens for what is new.
func TestMergeFetchedClosed(t *testing.T) {
	w, a, b := pair(t, "ground")
	line := func(s *gitstore.Store) gitstore.LineNote {
		lines, err := s.Lines.List(ctx)
		for _, l := range lines {
			if l.Name == "side" && err == nil {
				return l.Note
			}
		}
		t.Fatalf("no line 'side': %v", err)
		return gitstore.LineNote{}
	}
	saveOn := func(s *gitstore.Store, text string) {
		d := thesis(text)
		d.Line = "side"
		if _, err := s.Checkpoints.Save(ctx, d); err != nil {
			t.Fatal(err)
		}
	}
	saveOn(a, "left")
	saveOn(b, "right")
	exchange(t, w, a, b)
	must(t, a.Lines.Delete(ctx, "side"))
	exchange(t, w, a, b)
	if !line(b).Closed {
		t.Error("b does not know that the line is closed")
	}
	tip := tipOf(w, "b", "refs/sage/heads/side") // another join of the same heads
	text := w.Git("b", "cat-file", "commit", tip)
	w.Write("commit", strings.Replace(text, "> 1767", "> 1768", 2)+"\n")
	w.Git("b", "update-ref", "refs/sage/heads/side", w.Git("b", "hash-object", "-t", "commit", "-w", w.Path("commit")))
	if !line(b).Closed {
		t.Error("a join opened the line")
	}
	w.Git("b", "update-ref", "refs/sage/heads/side", tip)
	saveOn(b, "news")
	exchange(t, w, a, b)
	if line(a).Closed {
		t.Error("the line has news and is closed")
	}
}
