package sidecar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index"
)

// A Sidecar is what searches of a store derive of it: its words and vectors, kept beside it.
type Sidecar struct {
	Store *gitstore.Store
	Own   bool // it is the person's, where all is their own
	Index *index.Index
	Model embed.Embedder // nil is none: words alone

	o    Options
	id   string // of the repository; "" if it has none, and nothing is kept
	left int    // pieces without a vector, which the background makes
}

// Options are what a sidecar asks of who uses it.
type Options struct {
	Indexes     *Indexes      // keeps it open; nil: it is opened each time
	VectorIndex func() string // how vectors are searched in a process that lives long
	Background  func()        // starts what brings it up to date and does not wait; nil: it is done at once
	Reading     func(left int)
	Warn        func(error) // told of what does not keep it from answering
	Now         func() time.Time
}

// New returns the sidecar of a store, not yet open.
func New(s *gitstore.Store, own bool, model embed.Embedder, o Options) *Sidecar {
	return &Sidecar{Store: s, Own: own, Model: model, o: o}
}

// Open opens the index, or makes one.
func (sc *Sidecar) Open() (err error) {
	sc.id, err = sc.Store.Knowledge.Identity()
	dir := sc.Store.Knowledge.SidecarDir()
	if err != nil { // nobody could tell later that files are this repository's
		sc.complain(fmt.Errorf("the search index cannot be stored: %w", err))
		dir = ""
	}
	o := optionsFor(sc.Model)
	o.Store = sc.id
	if k := sc.o.Indexes; k != nil && k.Long {
		o.VectorIndex = sc.o.VectorIndex()
	}
	sc.Index, err = sc.o.Indexes.get(dir, o)
	return err
}

// optionsFor are those of an index with the vectors of a model, nil is none.
func optionsFor(model embed.Embedder) (o index.Options) {
	if model == nil {
		return o
	}
	m := model.Model()
	o.Model, o.Dim = m.Name, m.Dim
	if c, ok := model.(interface{ Count(string) int }); ok {
		o.Count = c.Count
	}
	return o
}

// Close gives the index back.
func (sc *Sidecar) Close() {
	if sc.Index != nil {
		sc.o.Indexes.put(sc.Index)
	}
}

// ErrGone says that the repository was moved or deleted while it was worked on.
var ErrGone = errors.New("the repository is gone")

// isThere returns an error if another repository, or none, lies where the sidecar's did: what
// was read here is not to be written there.
func (sc *Sidecar) isThere() error {
	if sc.id != "" && gitstore.IdentityIn(sc.Store.Repo.Folder()) != sc.id {
		return ErrGone
	}
	return nil
}

// complain tells of what does not keep a sidecar from answering.
func (sc *Sidecar) complain(err error) {
	if sc.o.Warn != nil && err != nil {
		sc.o.Warn(err)
	}
}

func (sc *Sidecar) reading(left int) {
	if sc.o.Reading != nil {
		sc.o.Reading(left)
	}
}

// catchUpTries bounds how often others may be faster.
const catchUpTries = 5

// CatchUp brings the words of the sidecar to what git has now, of items or of
// checkpoints as well. What was derived of refs that did not move stays.
func (sc *Sidecar) CatchUp(ctx context.Context, checkpoints bool) error {
	for range catchUpTries {
		now, err := sc.Store.Repo.Tips(ctx)
		if err != nil {
			return err
		}
		was, err := sc.Index.Tips()
		if err != nil {
			return err
		}
		to := maps.Clone(now)
		if !checkpoints { // those stay as they were
			maps.DeleteFunc(to, func(ref, _ string) bool { return ref != gitstore.KnowledgeRef })
			for ref, id := range was {
				if ref != gitstore.KnowledgeRef {
					to[ref] = id
				}
			}
		}
		if maps.Equal(was, to) {
			return nil
		}
		err = sc.bring(ctx, was, to)
		if !errors.Is(err, index.ErrMoved) {
			return err
		}
	}
	return index.ErrMoved
}

// Whole asks the sidecar something. What that finds damaged is made anew, and it is
// asked once more.
func (sc *Sidecar) Whole(ctx context.Context, ask func() error) error {
	err := ask()
	if errors.Is(err, index.ErrDamaged) {
		if err = sc.CatchUp(ctx, true); err == nil {
			err = ask()
		}
	}
	return err
}

// bring changes the sidecar from some tips to others.
//
// Much is put in part by part, each of which stays: who is ended in the midst left less
// to do. Until the last one the tips are the old ones, so that the next one looks again
// at all that changed, and leaves out what is there.
func (sc *Sidecar) bring(ctx context.Context, was, to map[string]string) error {
	c := index.Change{From: was, To: to}
	if err := (items{sc}).bring(ctx, &c); err != nil {
		return err
	}
	if err := sc.bringCheckpoints(ctx, &c); err != nil {
		return err
	}
	return sc.put(ctx, c)
}

// put makes a change in parts.
func (sc *Sidecar) put(ctx context.Context, c index.Change) error {
	if err := sc.isThere(); err != nil {
		return err
	}
	for n := partOf(c.Docs); n < len(c.Docs); n = partOf(c.Docs) {
		if err := sc.Index.Update(ctx, index.Change{From: c.From, To: c.From, Docs: c.Docs[:n]}); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c.Docs = c.Docs[n:]
		sc.reading(len(c.Docs))
	}
	return sc.Index.Update(ctx, c)
}

// partBytes is how much text is put in at a time: about a tenth of a second. Tests
// have it smaller.
var partBytes = 1 << 20

// partOf is how many documents are one part: one at least, if there is one.
func partOf(docs []index.Doc) int {
	size := 0
	for i := range docs {
		if size += len(docs[i].Body); size > partBytes && i > 0 {
			return i
		}
	}
	return len(docs)
}
