package stores

import (
	"context"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// A Source is a store with its sidecar.
type Source struct {
	*sidecar.Sidecar

	stores *Stores
	first  *Source // whose items count of those with equal ids

	log *rank.PromptLog // see Prompts
}

// SourceOf is that of a store, not yet open; with a nil model it is searched by words alone.
func (st *Stores) SourceOf(s *gitstore.Store, own bool, model embed.Embedder) *Source {
	return &Source{stores: st, Sidecar: sidecar.New(s, own, model, sidecar.Options{
		Indexes: st.Indexes, VectorIndex: func() string { return st.Settings().VectorIndex },
		Background: st.Background, Reading: st.Reading, Warn: st.Warn, Now: st.Now,
	})}
}

// Sources opens what there is to search: the store and, if there is one, the user's
// own. The caller closes them.
func (st *Stores) Sources(ctx context.Context) (Sources, error) {
	model, err := st.Embedder()
	st.Complain(err)
	return st.SourcesFor(ctx, model)
}

// SourcesFor opens them for a model; with nil they are searched by words alone.
func (st *Stores) SourcesFor(ctx context.Context, model embed.Embedder) (out Sources, err error) {
	err = st.EachStore(ctx, func(s *gitstore.Store, own bool) error {
		src := st.SourceOf(s, own, model)
		out = append(out, src)
		src.first = out[0]
		return src.Open()
	})
	if err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// Sources are all that a question is asked of, the repository first.
type Sources []*Source

// Close gives them back.
func (l Sources) Close() {
	for _, src := range l {
		src.Close()
	}
}

// Embedder is the model for prose; nil if there is none, with the reason if there
// should be one.
func (st *Stores) Embedder() (embed.Embedder, error) {
	if st.Options.Embedder == nil {
		return nil, nil
	}
	return st.Options.Embedder()
}

// Complain tells of what does not keep a memory from answering.
func (st *Stores) Complain(err error) {
	if st.Warn != nil && err != nil {
		st.Warn(err)
	}
}

// IsShadowed reports whether the first store has an item of the same id, which counts.
func (src *Source) IsShadowed(d *index.Meta) bool {
	if src.first == src {
		return false
	}
	m, err := src.first.Index.Get(d.Key)
	return err == nil && m != nil
}

// IsAlways reports whether an item is given with every prompt. What came from elsewhere is
// not, whatever it says: it counts like any other until somebody here stands for it.
func (src *Source) IsAlways(m *index.Meta) bool {
	return m.Always && (src.Own || src.Store.Ownership.Vouched(m.Vouch))
}

// ReadySoon brings the words of a sidecar that was opened without a model to what git has,
// as far as a hook has the time; of the person's own what is there is enough.
func (src *Source) ReadySoon(ctx context.Context) error {
	if src.Own && !src.stores.IsOwn() {
		return nil
	}
	if current, err := src.Current(ctx); err == nil && current {
		return nil
	}
	return src.stores.catchUpSoon(ctx)
}

// catchUpSoon brings the words of the sidecar to what git has, as far as a hook has the
// time; the rest is the background's.
func (st *Stores) catchUpSoon(ctx context.Context) error {
	list, err := st.Sources(ctx)
	if err != nil {
		return err
	}
	defer list.Close()
	short, done := list[0].Soon(ctx)
	defer done()
	if err = list[0].CatchUp(short, true); short.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// LookAgain has searches know what somebody here stands for now.
func (st *Stores) LookAgain(ctx context.Context, keys []string) error {
	return st.WithSidecar(func(src *Source) error { return src.LookAgain(ctx, keys) })
}

// WithSidecar does something with what searches of the repository derive.
func (st *Stores) WithSidecar(do func(*Source) error) error {
	model, err := st.Embedder()
	if err != nil {
		return err
	}
	src := st.SourceOf(st.Store, st.IsOwn(), model)
	if err := src.Open(); err != nil {
		return err
	}
	defer Sources{src}.Close()
	return do(src)
}
