package recall

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// A patience is a context that ends as soon as its sidecar holds more than so many
// documents.
type patience struct {
	context.Context
	sh   *shelf
	most int
}

func (p *patience) Err() error {
	if documents(p.sh) > p.most {
		return context.Canceled
	}
	return nil
}

func documents(sh *shelf) (n int) {
	_ = sh.index.Each(func(*index.Meta) bool { n++; return true })
	return n
}

// Whoever is ended in the midst of much leaves less to do, so that it comes to an end
// however little time each one has.
// It is case A12.
func TestCatchUpInParts(t *testing.T) {
	defer func(n int) { partBytes = n }(partBytes)
	partBytes = 1000
	m := newMemory(t, "")
	const items = 4
	var all []ItemChange
	for i := range items {
		all = append(all, item(fmt.Sprintf("long%d", i), sage.Knowledge, strings.Repeat("a word. ", partBytes/10)))
	}
	write(t, m, all...)
	if err := m.Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
	shelves, err := m.shelves(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer shelves.close()
	sh := shelves[0]
	for has := range items - 1 {
		if err := sh.catchUp(&patience{t.Context(), sh, has}, false); err == nil {
			t.Fatalf("it was not ended with %d documents", has)
		}
		if tips, err := sh.index.Tips(); documents(sh) != has+1 || err != nil || len(tips) > 0 {
			t.Fatalf("%d documents, want one more than %d; tips %v %v", documents(sh), has, tips, err)
		}
	}
	if err := sh.catchUp(t.Context(), false); err != nil || documents(sh) != items {
		t.Errorf("in the end %d documents: %v", documents(sh), err)
	}
}

// What came from elsewhere may be longer than what is written here may be: the rest of
// it is not searched, so that no prompt waits for it.
func TestLongItemsAreSearchedInPart(t *testing.T) {
	long := strings.Repeat("数", sage.MaxContent)
	d := itemDoc(gitstore.ItemEntry{Item: &sage.Item{ID: "long", Content: long}}, all)
	if n := len(d.Body); n > mostSearched || n < mostSearched-3 || !strings.HasPrefix(long, d.Body) {
		t.Errorf("%d bytes", n)
	}
	if d := (&shelf{}).checkpointDoc(gitstore.Record{ID: "x", Own: true}, &sage.Checkpoint{ReasoningTrace: long}, nil); len(d.Body) > mostSearched {
		t.Errorf("a checkpoint: %d bytes", len(d.Body))
	}
}

// Many and long items that somebody else wrote take no longer than few: what is searched of
// them is bounded, whenever they come, and whoever confirms one has all of it searched.
func TestForeignItemsAreSearchedInPart(t *testing.T) {
	theirs, m := newMemory(t, ""), newMemory(t, "")
	fetch := func(from, to int) {
		t.Helper()
		var all []gitstore.ItemChange
		for i := from; i < to; i++ {
			text := fmt.Sprintf("Rule %d. ", i) + strings.Repeat(fmt.Sprintf("Word%d is said. ", i), (mostOfForeign+4096)/16) + fmt.Sprintf("Ending%d.", i)
			all = append(all, gitstore.ItemChange{Item: &sage.Item{ID: fmt.Sprintf("rule-%d", i), Type: sage.Knowledge, Content: text}})
		}
		if _, err := theirs.Store.WriteItems(t.Context(), "", all...); err != nil {
			t.Fatal(err)
		}
		fetch := exec.Command("git", "fetch", "-q", theirs.Store.CommonDir(), "+refs/sage/knowledge:refs/sage/knowledge")
		fetch.Dir, fetch.Env = filepath.Dir(m.Store.CommonDir()), storetest.Env(m.Home)
		if out, err := fetch.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	searched := func() (bytes, chunks int, of map[string]int) {
		t.Helper()
		if _, err := m.Refresh(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		shelves, err := m.shelves(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer shelves.close()
		of = map[string]int{}
		err = shelves[0].index.Each(func(d *index.Meta) bool {
			of[doc.ID(d.Key)], bytes = d.Part, bytes+d.Part
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		st, err := shelves[0].index.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return bytes, st.Chunks, of
	}
	const whole = mostForeign / mostOfForeign
	fetch(0, whole-1)
	if bytes, chunks, _ := searched(); bytes != (whole-1)*mostOfForeign || chunks > bytes/256 {
		t.Errorf("%d bytes in %d pieces", bytes, chunks)
	}
	fetch(whole-1, whole+20)
	bytes, chunks, of := searched()
	if bytes != mostForeign+20*leastSearched || chunks > bytes/256 {
		t.Errorf("with more: %d bytes in %d pieces", bytes, chunks)
	}
	found := func(word string) bool {
		t.Helper()
		r, err := m.Search(t.Context(), word, SearchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Items) > 0 && !r.Weak
	}
	last := fmt.Sprint(whole + 19)
	if of["rule-"+last] != leastSearched && of["rule-"+fmt.Sprint(whole)] != leastSearched {
		t.Errorf("%d of the last", of["rule-"+last])
	}
	if !found("word"+last) || found("ending"+last) {
		t.Error("not its beginning, or its end")
	}
	if _, _, err := m.Confirm(t.Context(), []string{"rule-" + last}); err != nil {
		t.Fatal(err)
	}
	if !found("ending" + last) {
		t.Error("confirmed, it is not searched to its end")
	}
}

// A checkpoint that somebody else wrote is searched in part, however long its lists are,
// until somebody here confirms it; one's own is searched as it is.
func TestForeignCheckpointsAreSearchedInPart(t *testing.T) {
	theirs, m := newMemory(t, ""), newMemory(t, "")
	c := sage.Checkpoint{CoreQuestion: "Which parser?", Thesis: "Ours is written by hand."}
	for range 40_000 {
		c.KeyEvidence = append(c.KeyEvidence, "slow")
	}
	c.KeyEvidence = append(c.KeyEvidence, "lookahead")
	saved, err := theirs.Store.Save(t.Context(), gitstore.Draft{Checkpoint: c})
	if err != nil {
		t.Fatal(err)
	}
	fetch := exec.Command("git", "fetch", "-q", theirs.Store.CommonDir(), "+refs/sage/heads/main:refs/sage/heads/theirs")
	fetch.Dir, fetch.Env = filepath.Dir(m.Store.CommonDir()), storetest.Env(m.Home)
	if out, err := fetch.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := func(m *Memory, word string) []Found {
		t.Helper()
		r, err := m.Search(t.Context(), word, SearchOptions{Checkpoints: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Weak {
			return nil
		}
		return r.Checkpoints
	}
	if len(found(theirs, "lookahead")) == 0 {
		t.Error("where it was saved, it is not searched to its end")
	}
	if f := found(m, "parser"); len(f) == 0 || len(f[0].KeyEvidence) > 20_000 || len(found(m, "lookahead")) > 0 {
		t.Error("more or less than its beginning is read")
	}
	if whole, err := m.Store.Load(t.Context(), saved.ID); err != nil || len(whole.KeyEvidence) != len(c.KeyEvidence) {
		t.Errorf("not all of it is shown: %v", err)
	}
	if _, now, err := m.ConfirmCheckpoint(t.Context(), saved.ID); err != nil || !now {
		t.Fatal(now, err)
	}
	if len(found(m, "lookahead")) == 0 {
		t.Error("confirmed, it is not searched to its end")
	}
}

// A tired context ends after it was asked so many times.
type tired struct {
	context.Context
	left int
}

func (t *tired) Err() error {
	if t.left--; t.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// Whoever gives up on many new checkpoints does not read on: a server would read them
// for nobody, hook by hook.
func TestReadingEndsInTime(t *testing.T) {
	m := newMemory(t, "")
	for i := range 20 {
		if _, err := m.Store.Save(t.Context(), gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: fmt.Sprintf("Thesis %d.", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	shelves, err := m.shelves(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer shelves.close()
	to, err := m.Store.Tips(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for most := range 40 {
		c := index.Change{To: to}
		err := shelves[0].bringCheckpoints(&tired{t.Context(), most}, &c)
		if len(c.Docs) > most || err == nil && len(c.Docs) < 20 {
			t.Errorf("asked %d times: %d documents, %v", most, len(c.Docs), err)
		}
	}
}
