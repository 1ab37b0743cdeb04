package recall

import (
	"context"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// A shelf is a store with its sidecar.
type shelf struct {
	*sidecar.Sidecar

	m     *Memory
	first *shelf // whose items count of those with equal ids

	weighed int             // how much text of it was compared, see mostWeighed
	log     *rank.PromptLog // see prompts
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
