package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/sidecar"
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
	Asked     bool              // somebody asks outright, who would rather judge than get nothing
	Titles    bool              // tell of what may fit, where nothing does
	Quick     bool              // somebody waits who would rather have less: nothing is brought up to date that takes long
	Explain   bool              // tell also of what fits and may not be recalled

	Checkpoints bool // also what checkpoints of the repository say

	only   []string         // keys of items, of which alone some are recalled; nil is all
	skill  func() string    // Skill, or what Memory.Skill says, asked for with the first item that has one
	oldest func() time.Time // see Memory.oldest; nil is ever
	barred bool             // only what may not be recalled
}

// A Recalled is an item that answers a prompt, or nearly did.
type Recalled struct {
	Known
	rank.Scored
}

// A Recall is the answer to a prompt.
type Recall struct {
	Items []Recalled // the best first, those that are always given before them
	Near  []Recalled // what was left out, the best first, with the reason
	Maybe []Recalled // what may fit although it was left out: their titles are told
	Words bool       // words alone chose: there is no model

	Conclusions      []Conclusion // checkpoints that answer it, those of the current line first
	MaybeConclusions []Conclusion // and those that may, as Maybe has items
}

// Weak reports whether nothing is a good match: what was asked for outright is answered with
// what comes nearest.
func (r *Recall) Weak() bool {
	return slices.ContainsFunc(r.Items, func(i Recalled) bool { return i.Weak }) ||
		slices.ContainsFunc(r.Conclusions, func(c Conclusion) bool { return c.Weak })
}

// nearMisses is how many of those that were left out are told of.
const nearMisses = 5

// Recall chooses the items that a prompt should see: those of the repository and of
// the person, at most so many and within a budget of tokens; none if none fits.
func (m *Memory) Recall(ctx context.Context, query string, o RecallOptions) (*Recall, error) {
	o.skill, o.oldest = sync.OnceValue(func() string { return cmp.Or(o.Skill, m.Skill(ctx)) }), sync.OnceValue(m.oldest)
	shelves, err := m.shelves(ctx)
	if err != nil {
		return nil, err
	}
	defer shelves.close()
	return shelves.recall(ctx, query, o)
}

// recall ranks what every sidecar finds, and chooses of all of it.
func (l shelves) recall(ctx context.Context, query string, o RecallOptions) (*Recall, error) {
	vector := l.vector
	if o.Proactive {
		vector = l.vectorAgain
	}
	m, asked := l[0].m, embedding(ctx, query, vector)
	for _, sh := range l {
		if !o.Quick { // most prompts are given nothing, most who ask something
			sh.Store.Expect()
		}
	}
	defer func() { _, _ = asked() }() // nothing is left at work
	for i, sh := range l {
		err := sh.Ready(ctx, o.Quick, o.Checkpoints && i == 0)
		if errors.Is(err, sidecar.ErrBlind) {
			return nil, err
		}
		m.complain(err) // what is there is searched
		if !o.Quick {
			m.complain(sh.Unread())
		}
		if o.Proactive && i == 0 { // before the first prompt: a checkpoint that was saved since has no vectors yet
			sh.Wake(ctx)
		}
	}
	q, err := asked()
	m.complain(err)
	r := l[0].ranking(ctx, o)
	mayAnswer := func() ([]rank.Scored, error) { return nil, nil }
	if o.Checkpoints { // while items are looked for, which takes as long
		mayAnswer = aside("look for checkpoints", func() ([]rank.Scored, error) { return l[0].mayAnswer(ctx, r, q, o, nil) })
	}
	ranked, err := l.ranked(ctx, r, q, o)
	answers, failed := mayAnswer() // waited for in any case
	if err != nil {
		return nil, err
	}
	if o.Checkpoints {
		if errors.Is(failed, index.ErrDamaged) {
			failed = l[0].Whole(ctx, func() (err error) { answers, err = l[0].mayAnswer(ctx, r, q, o, nil); return err })
		}
		if failed != nil {
			return nil, failed
		}
		concluded, err := l[0].concluded(ctx, r, q, o, answers)
		if err != nil {
			return nil, err
		}
		ranked = rank.Braid([][]rank.Scored{ranked, concluded})
	}
	if o.Titles && o.Quick { // a person's prompt
		l[0].learn(ranked)
	}
	r.Choose(ranked)
	fits := slices.ContainsFunc(ranked, func(s rank.Scored) bool { return s.Chosen && !s.Meta.Always })
	ranked = unseen(ranked, o.Seen)
	rank.ByScore(ranked, func(s *rank.Scored) *rank.Scored { return s })
	var maybe []rank.Scored
	if o.Titles && !fits { // also where what fits was given before
		maybe = r.Maybes(ranked, func(key string) bool { return o.Seen[titleKey(key)] != "" })
	}
	if o.Explain {
		barred, err := l.barred(ctx, r, q, o)
		if err != nil {
			return nil, err
		}
		ranked = append(ranked, barred...)
	}
	if o.Quick && !o.Explain { // nobody is told of what was left out
		ranked = slices.DeleteFunc(ranked, func(s rank.Scored) bool { return !s.Chosen })
	}
	out, err := l.told(ctx, query, ranked, q.Vector == nil)
	if err == nil {
		err = l.known(ctx, query, maybe, out)
	}
	return out, err
}

// ranked is what all sidecars find, in one order.
func (l shelves) ranked(ctx context.Context, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	var lists [][]rank.Scored
	for _, sh := range l {
		var ranked []rank.Scored
		err := sh.Whole(ctx, func() (err error) { ranked, err = sh.ranked(ctx, r, q, o); return err })
		if err != nil {
			return nil, err
		}
		lists = append(lists, ranked)
	}
	return rank.Braid(lists), nil
}

// ranking is how findings of the model are ranked by the settings.
func (sh *shelf) ranking(ctx context.Context, o RecallOptions) *rank.Ranking {
	s := sh.m.Settings()
	known := sh.prompts()
	return &rank.Ranking{
		Calibration: sh.Calibration(ctx, o.Quick),
		Learned:     known.Threshold(), LearnedTitle: known.TitleThreshold(),
		Weights: rank.Weights{Meaning: s.EmbeddingWeight, Words: s.KeywordWeight}, Thresholds: s.Thresholds,
		Proactive: o.Proactive, Asked: o.Asked, MaxItems: cmp.Or(o.MaxItems, s.RecallItems), MaxTokens: cmp.Or(o.MaxTokens, s.RecallTokens),
	}
}

// mostReplaced bounds how often what was replaced has been replaced again.
const mostReplaced = 5

// ranked asks a sidecar for items and ranks them, with what replaced those that fit.
func (sh *shelf) ranked(ctx context.Context, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	also, err := sh.triggered(ctx, q.Text, o)
	if err != nil {
		return nil, err
	}
	files, err := sh.pathKeys(ctx, q.Text, o)
	if err != nil {
		return nil, err
	}
	also = append(also, files...)
	tried := 0
	for {
		found, err := sh.find(ctx, q, o, also)
		if err != nil {
			return nil, err
		}
		list := r.Rank(q, found)
		for i := range list {
			if m := list[i].Meta; m.Always && !sh.isAlways(m) {
				m := *m
				m.Always, list[i].Meta = false, &m
			}
		}
		lacking := r.Lacking(list)
		lacking = slices.DeleteFunc(lacking, func(key string) bool { return slices.Contains(also, key) }) // it may not be recalled
		if tried++; len(lacking) == 0 || tried > mostReplaced {
			return list, nil
		}
		also = append(also, lacking...)
	}
}

// find asks a sidecar for items, and for those of some keys whatever they score, but
// for those that another of the same id hides.
func (sh *shelf) find(ctx context.Context, q rank.Question, o RecallOptions, also []string) (*index.Result, error) {
	return sh.Index.Search(ctx, index.Query{
		Text: q.Text, Vector: q.Vector, Kinds: []string{doc.Item}, Only: o.only, Also: also, Limit: rank.Candidates, BM25: &rank.Keywords,
		Filter: func(d *index.Meta) bool { return o.takes(d) && !sh.shadowed(d) },
	})
}

const (
	// mostTried is how many patterns a prompt is held against: 1,000 that are made to
	// be slow take a tenth of a second.
	mostTried = 1000
)

// triggered are the keys of items that are always given, and of those that have a
// pattern which the query matches.
func (sh *shelf) triggered(ctx context.Context, query string, o RecallOptions) (keys []string, err error) {
	tried := 0
	err = sh.Index.Triggers(func(d *index.Meta) bool {
		if d.Kind != doc.Item || !o.takes(d) {
			return ctx.Err() == nil
		}
		always := sh.isAlways(d)
		for _, p := range d.Patterns {
			if tried++; !always && tried <= mostTried {
				always = rank.Matches(p, query)
			}
		}
		if always {
			keys = append(keys, d.Key)
		}
		return ctx.Err() == nil
	})
	return keys, err
}

// pathKeys are the keys of items whose paths a prompt names. All items that have any are
// looked at for that, and only if it names any.
func (sh *shelf) pathKeys(ctx context.Context, prompt string, o RecallOptions) (keys []string, err error) {
	named := rank.PathsIn(prompt)
	if len(named) == 0 {
		return nil, nil
	}
	docs, err := sh.Index.WithPaths(ctx, doc.Item)
	for _, d := range docs {
		if len(keys) <= rank.SharedBy && // one more than may share it
			rank.NamedPath(d.Paths, named) != "" && o.takes(d) {
			keys = append(keys, d.Key)
		}
	}
	return keys, err
}

// unseen leaves out what was given before and has not changed. It took its place among
// the chosen all the same: the same prompt twice is not answered with what fits less.
func unseen(list []rank.Scored, seen map[string]string) []rank.Scored {
	return slices.DeleteFunc(list, func(s rank.Scored) bool {
		was := seen[s.Meta.Key]
		return was != "" && (was == s.Meta.Blob || s.Meta.Kind == doc.Checkpoint) // which never changes
	})
}

// told reads from git what was chosen and what nearly was. An item that changed while
// it was looked for is given as it is now, and one that is gone is not.
func (l shelves) told(ctx context.Context, query string, ranked []rank.Scored, words bool) (*Recall, error) {
	out := &Recall{Words: words}
	slices.SortStableFunc(ranked, func(a, b rank.Scored) int { return b.Precedence() - a.Precedence() })
	for _, s := range ranked {
		if s.Meta.Kind == doc.Checkpoint {
			if !s.Chosen {
				continue
			}
			if c, err := l[0].conclusion(ctx, query, s); err == nil { // else it is gone meanwhile
				out.Conclusions = append(out.Conclusions, c)
			}
			continue
		}
		if !s.Chosen && len(out.Near) == nearMisses {
			continue
		}
		k, err := l[0].m.Item(ctx, doc.ID(s.Meta.Key))
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil || k.Err != nil:
		case s.Chosen:
			k.meta = s.Meta
			out.Items = append(out.Items, Recalled{k, s})
		default:
			k.meta = s.Meta
			out.Near = append(out.Near, Recalled{k, s})
		}
	}
	slices.SortStableFunc(out.Conclusions, func(a, b Conclusion) int { return a.Place - b.Place })
	return out, ctx.Err()
}

// vector is that of a query, nil without a model.
func (l shelves) vector(ctx context.Context, query string) ([]float32, error) {
	if len(l) == 0 || l[0].Model == nil {
		return nil, nil
	}
	v, err := l[0].Model.Queries(ctx, []string{query})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}
