package recall

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
)

// A shelf is a store with its sidecar.
type shelf struct {
	m     *Memory
	store *gitstore.Store
	own   bool
	index *index.Index
	first *shelf         // whose items count of those with equal ids
	model embed.Embedder // nil is none: words alone
	left  int            // pieces without a vector, which the background makes

	weighed int             // how much text of it was compared, see mostWeighed
	log     *rank.PromptLog // see prompts
}

// shelves opens what there is to search: the store and, if there is one, the user's
// own. The caller closes them.
func (m *Memory) shelves(ctx context.Context) (shelves, error) {
	model, err := m.embedder()
	m.complain(err)
	return m.shelvesOf(ctx, model)
}

// shelvesOf opens them for a model; with nil they are searched by words alone.
func (m *Memory) shelvesOf(ctx context.Context, model embed.Embedder) (out shelves, err error) {
	err = m.eachStore(ctx, func(s *gitstore.Store, own bool) error {
		sh := &shelf{m: m, store: s, own: own, model: model}
		out = append(out, sh)
		sh.first = out[0]
		return sh.open()
	})
	if err != nil {
		out.close()
		return nil, err
	}
	return out, nil
}

type shelves []*shelf

func (l shelves) close() {
	for _, sh := range l {
		if sh.index != nil {
			sh.m.Indexes.put(sh.index)
		}
	}
}

// embedder is the model for prose; nil if there is none, with the reason if there
// should be one.
func (m *Memory) embedder() (embed.Embedder, error) {
	if m.Embedder == nil {
		return nil, nil
	}
	return m.Embedder()
}

// complain tells of what does not keep a memory from answering.
func (m *Memory) complain(err error) {
	if m.Warn != nil && err != nil {
		m.Warn(err)
	}
}

func (m *Memory) reading(left int) {
	if m.Reading != nil {
		m.Reading(left)
	}
}

func (sh *shelf) open() (err error) {
	id, err := sh.store.Identity()
	dir := sh.store.SidecarDir()
	if err != nil { // nobody could tell later that files are this repository's
		sh.m.complain(fmt.Errorf("what search makes cannot be kept: %w", err))
		dir = ""
	}
	o := index.Options{Store: id}
	if sh.model != nil {
		model := sh.model.Model()
		o.Model, o.Dim = model.Name, model.Dim
		if c, ok := sh.model.(interface{ Count(string) int }); ok {
			o.Count = c.Count
		}
	}
	if k := sh.m.Indexes; k != nil && k.Long {
		o.VectorIndex = sh.m.settings().VectorIndex
	}
	sh.index, err = sh.m.Indexes.get(dir, o)
	return err
}

// catchUpTries bounds how often others may be faster.
const catchUpTries = 5

// catchUp brings the words of the sidecar to what git has now, of items or of
// checkpoints as well. What was derived of refs that did not move stays.
func (sh *shelf) catchUp(ctx context.Context, checkpoints bool) error {
	for range catchUpTries {
		now, err := sh.store.Tips(ctx)
		if err != nil {
			return err
		}
		was, err := sh.index.Tips()
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
		err = sh.bring(ctx, was, to)
		if !errors.Is(err, index.ErrMoved) {
			return err
		}
	}
	return index.ErrMoved
}

// whole asks the sidecar something. What that finds damaged is made anew, and it is
// asked once more.
func (sh *shelf) whole(ctx context.Context, ask func() error) error {
	err := ask()
	if errors.Is(err, index.ErrDamaged) {
		if err = sh.catchUp(ctx, true); err == nil {
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
func (sh *shelf) bring(ctx context.Context, was, to map[string]string) error {
	c := index.Change{From: was, To: to}
	if err := sh.bringItems(ctx, &c); err != nil {
		return err
	}
	if err := sh.bringCheckpoints(ctx, &c); err != nil {
		return err
	}
	return sh.put(ctx, c)
}

// put makes a change in parts.
func (sh *shelf) put(ctx context.Context, c index.Change) error {
	for n := partOf(c.Docs); n < len(c.Docs); n = partOf(c.Docs) {
		if err := sh.index.Update(ctx, index.Change{From: c.From, To: c.From, Docs: c.Docs[:n]}); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c.Docs = c.Docs[n:]
		sh.m.reading(len(c.Docs))
	}
	return sh.index.Update(ctx, c)
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
