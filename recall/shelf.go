package recall

import (
	"context"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// A shelf is a store with its sidecar.
type shelf struct {
	*sidecar.Sidecar

	m     *Memory
	first *shelf // whose items count of those with equal ids

	log *rank.PromptLog // see prompts
}

// shelf is that of a store, not yet open; with a nil model it is searched by words alone.
func (m *Memory) shelf(s *gitstore.Store, own bool, model embed.Embedder) *shelf {
	return &shelf{m: m, Sidecar: sidecar.New(s, own, model, sidecar.Options{
		Indexes: m.Indexes, VectorIndex: func() string { return m.Settings().VectorIndex },
		Background: m.Background, Reading: m.Reading, Warn: m.Warn, Now: m.Now,
	})}
}

// shelves opens what there is to search: the store and, if there is one, the user's
// own. The caller closes them.
func (m *Memory) shelves(ctx context.Context) (shelves, error) {
	model, err := m.Embedder()
	m.complain(err)
	return m.shelvesOf(ctx, model)
}

// shelvesOf opens them for a model; with nil they are searched by words alone.
func (m *Memory) shelvesOf(ctx context.Context, model embed.Embedder) (out shelves, err error) {
	err = m.eachStore(ctx, func(s *gitstore.Store, own bool) error {
		sh := m.shelf(s, own, model)
		out = append(out, sh)
		sh.first = out[0]
		return sh.Open()
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
		sh.Close()
	}
}

// Embedder is the model for prose; nil if there is none, with the reason if there
// should be one.
func (m *Memory) Embedder() (embed.Embedder, error) {
	if m.Options.Embedder == nil {
		return nil, nil
	}
	return m.Options.Embedder()
}

// complain tells of what does not keep a memory from answering.
func (m *Memory) complain(err error) {
	if m.Warn != nil && err != nil {
		m.Warn(err)
	}
}

// shadowed reports whether the first store has an item of the same id, which counts.
func (sh *shelf) shadowed(d *index.Meta) bool {
	if sh.first == sh {
		return false
	}
	m, err := sh.first.Index.Get(d.Key)
	return err == nil && m != nil
}

// isAlways reports whether an item is given with every prompt. What came from elsewhere is
// not, whatever it says: it counts like any other until somebody here stands for it.
func (sh *shelf) isAlways(m *index.Meta) bool {
	return m.Always && (sh.Own || sh.Store.Vouched(m.Vouch))
}

// readySoon brings the words of a sidecar that was opened without a model to what git has,
// as far as a hook has the time; of the person's own what is there is enough.
func (sh *shelf) readySoon(ctx context.Context) error {
	if sh.Own && !sh.m.isOwn() {
		return nil
	}
	if current, err := sh.Current(ctx); err == nil && current {
		return nil
	}
	return sh.m.catchUpSoon(ctx)
}

// catchUpSoon brings the words of the sidecar to what git has, as far as a hook has the
// time; the rest is the background's.
func (m *Memory) catchUpSoon(ctx context.Context) error {
	list, err := m.shelves(ctx)
	if err != nil {
		return err
	}
	defer list.close()
	short, done := list[0].Soon(ctx)
	defer done()
	if err = list[0].CatchUp(short, true); short.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}
