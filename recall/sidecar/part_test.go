package sidecar

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
)

// A patience is a context that ends as soon as its sidecar holds more than so many
// documents.
type patience struct {
	context.Context
	sc   *Sidecar
	most int
}

func (p *patience) Err() error {
	if documents(p.sc) > p.most {
		return context.Canceled
	}
	return nil
}

func documents(sc *Sidecar) (n int) {
	_ = sc.Index.Each(func(*index.Meta) bool { n++; return true })
	return n
}

// Whoever is ended in the midst of much leaves less to do, so that it comes to an end
// however little time each one has.
// It is case A12.
func TestCatchUpInParts(t *testing.T) {
	defer func(n int) { partBytes = n }(partBytes)
	partBytes = 1000
	s := newStore(t)
	const items = 4
	var all []gitstore.ItemChange
	for i := range items {
		all = append(all, gitstore.ItemChange{Item: &sage.Item{ID: fmt.Sprintf("long%d", i), Type: sage.Knowledge, Content: strings.Repeat("a word. ", partBytes/10)}})
	}
	if _, err := s.Knowledge.WriteItems(t.Context(), "", all...); err != nil {
		t.Fatal(err)
	}
	sc := opened(t, s)
	for has := range items - 1 {
		if err := sc.CatchUp(&patience{t.Context(), sc, has}, false); err == nil {
			t.Fatalf("it was not ended with %d documents", has)
		}
		if tips, err := sc.Index.Tips(); documents(sc) != has+1 || err != nil || len(tips) > 0 {
			t.Fatalf("%d documents, want one more than %d; tips %v %v", documents(sc), has, tips, err)
		}
	}
	if err := sc.CatchUp(t.Context(), false); err != nil || documents(sc) != items {
		t.Errorf("in the end %d documents: %v", documents(sc), err)
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
	if d := (&Sidecar{}).checkpointDoc(gitstore.Record{ID: "x", Own: true}, &sage.Checkpoint{ReasoningTrace: long}, nil); len(d.Body) > mostSearched {
		t.Errorf("a checkpoint: %d bytes", len(d.Body))
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
	s := newStore(t)
	for i := range 20 {
		if _, err := s.Checkpoints.Save(t.Context(), gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: fmt.Sprintf("Thesis %d.", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	sc := opened(t, s)
	to, err := s.Repo.Tips(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for most := range 40 {
		c := index.Change{To: to}
		err := sc.bringCheckpoints(&tired{t.Context(), most}, &c)
		if len(c.Docs) > most || err == nil && len(c.Docs) < 20 {
			t.Errorf("asked %d times: %d documents, %v", most, len(c.Docs), err)
		}
	}
}
