package recall

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
)

// RecallOptions say for whom items are recalled. The zero RecallOptions is a prompt
// of a person who works on nothing in particular.
type RecallOptions struct {
	Skill     string            // the one that is active, whose items count; "" is Memory.Skill
	Proactive bool              // nobody asked: a session starts
	Types     []sage.ItemType   // none is all
	MaxItems  int               // 0 is recall_max_items
	MaxTokens int               // 0 is recall_max_tokens
	Seen      map[string]string // blobs of items that were given before, by key; those are left out
	Quick     bool              // somebody waits who would rather have less: nothing is brought up to date that takes long

	skill func() string // Skill, or what Memory.Skill says, asked for with the first item that has one
}

// A Recalled is an item that answers a prompt, or nearly did.
type Recalled struct {
	Known
	Doc       string // key of its document in the sidecar
	Score     Score
	Threshold float64
	Always    bool   // given whatever the prompt is
	Left      string // why it was left out; "" if it was not
}

// A Recall is the answer to a prompt.
type Recall struct {
	Items []Recalled // the best first, those that are always given before them
	Near  []Recalled // what was left out, the best first, with the reason
	Words bool       // words alone chose: there is no model, or no vector yet
}

// nearMisses is how many of those that were left out are told of.
const nearMisses = 5

// Recall chooses the items that a prompt should see: those of the repository and of
// the person, at most so many and within a budget of tokens; none if none fits.
func (m *Memory) Recall(ctx context.Context, query string, o RecallOptions) (*Recall, error) {
	o.skill = sync.OnceValue(func() string { return cmp.Or(o.Skill, m.Skill(ctx)) })
	shelves, err := m.shelves(ctx)
	if err != nil {
		return nil, err
	}
	defer shelves.close()
	found, words, err := shelves.find(ctx, query, o)
	if err != nil {
		return nil, err
	}
	r := m.choose(found, o)
	r.Words = words
	if r.Items, err = m.read(ctx, r.Items); err == nil {
		r.Near, err = m.read(ctx, r.Near[:min(nearMisses, len(r.Near))])
	}
	return r, err
}

// A candidate is what a sidecar found.
type candidate struct {
	shelf *shelf
	hit   index.Hit
	score Score
}

// find asks every sidecar for items, and scores what they find together.
func (l shelves) find(ctx context.Context, query string, o RecallOptions) (out []candidate, words bool, err error) {
	for _, sh := range l {
		if err := sh.ready(ctx, o.Quick); err != nil {
			sh.m.complain(err) // what is there is searched
		}
	}
	vector, err := l.vector(ctx, query)
	if err != nil {
		l[0].m.complain(err)
	}
	results := make([]*index.Result, len(l))
	for i, sh := range l {
		also, err := sh.triggered(query, o)
		if err != nil {
			return nil, false, err
		}
		results[i], err = sh.index.Search(ctx, index.Query{Text: query, Vector: vector, Kinds: []string{kindItem}, Filter: o.takes, Also: also})
		if err != nil {
			return nil, false, err
		}
	}
	for i, r := range results {
		for _, h := range r.Hits {
			out = append(out, candidate{shelf: l[i], hit: h, score: l[i].m.score(query, r, &h)})
		}
	}
	order(out, l[0].m.settings())
	return l.unhidden(ctx, out), vector == nil, nil
}

// triggered are the keys of items that are always given, and of those that have a
// pattern which the query matches.
func (sh *shelf) triggered(query string, o RecallOptions) (keys []string, err error) {
	err = sh.index.Triggers(func(d *index.Meta) bool {
		if d.Kind == kindItem && o.takes(d) && (d.Always || matchesAny(d.Patterns, query)) {
			keys = append(keys, d.Key)
		}
		return true
	})
	return keys, err
}

// matchesAny reports whether a pattern matches. One that cannot be read matches
// nothing: it came from elsewhere.
func matchesAny(patterns []string, query string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		re, err := sage.CompilePattern(p)
		return err == nil && re.MatchString(query)
	})
}

// ready brings the words up to date, and the vectors if there are few to make.
func (sh *shelf) ready(ctx context.Context, quick bool) error {
	err := sh.catchUp(ctx, false)
	if err == nil && !quick {
		err = sh.fill(ctx)
	}
	return err
}

// vector is that of a query, nil without a model.
func (l shelves) vector(ctx context.Context, query string) ([]float32, error) {
	if len(l) == 0 || l[0].model == nil {
		return nil, nil
	}
	v, err := l[0].model.Queries(ctx, []string{query})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// takes reports whether an item may be recalled: what is put away is not, what
// belongs to a skill only with it.
func (o RecallOptions) takes(d *index.Meta) bool {
	switch sage.Status(d.Status) {
	case sage.Archived, sage.Done:
		return false
	}
	return (len(o.Types) == 0 || slices.Contains(o.Types, sage.ItemType(d.Type))) &&
		(len(d.Skills) == 0 || slices.Contains(d.Skills, o.skill()))
}

// unhidden leaves out of the person's own items those whose id the repository has.
func (l shelves) unhidden(ctx context.Context, list []candidate) []candidate {
	if len(l) < 2 {
		return list
	}
	return slices.DeleteFunc(list, func(c candidate) bool {
		d, err := l[0].index.Get(c.hit.Meta.Key)
		return c.shelf.own && err == nil && d != nil && ctx.Err() == nil
	})
}

// read reads what is shown from git. An item that changed while it was looked for is
// shown as it is now, and one that is gone is not.
func (m *Memory) read(ctx context.Context, list []Recalled) (out []Recalled, err error) {
	err = m.eachStore(ctx, func(s *gitstore.Store, own bool) error {
		for _, r := range list {
			if r.Own != own {
				continue
			}
			if r.ItemEntry, err = s.Item(ctx, keyID(r.Doc)); err == nil && r.Err == nil {
				out = append(out, r)
			}
		}
		return ctx.Err()
	})
	at := map[string]int{}
	for i, r := range list {
		at[r.Doc] = i
	}
	slices.SortStableFunc(out, func(a, b Recalled) int { return cmp.Compare(at[a.Doc], at[b.Doc]) })
	return out, err
}
