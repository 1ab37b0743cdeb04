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

// scoped is o with what is asked of an item once there is one that has it.
func (m *Memory) scoped(ctx context.Context, o RecallOptions) RecallOptions {
	o.skill, o.oldest = sync.OnceValue(func() string { return cmp.Or(o.Skill, m.Skill(ctx)) }), sync.OnceValue(m.oldest)
	return o
}

// nearMisses is how many of those that were left out are told of.
const nearMisses = 5

// Recall chooses the items that a prompt should see: those of the repository and of
// the person, at most so many and within a budget of tokens; none if none fits.
func (m *Memory) Recall(ctx context.Context, query string, o RecallOptions) (*Recall, error) {
	o = m.scoped(ctx, o)
	shelves, err := m.shelves(ctx)
	if err != nil {
		return nil, err
	}
	defer shelves.close()
	return m.recall(ctx, shelves, query, o)
}

// recallOf is Recall of the items of some keys alone.
func (m *Memory) recallOf(ctx context.Context, l shelves, keys []string, query string, o RecallOptions) (*Recall, error) {
	o.only = keys
	return m.recall(ctx, l, query, o)
}

// recall ranks what every sidecar finds, and chooses of all of it.
func (m *Memory) recall(ctx context.Context, l shelves, query string, o RecallOptions) (*Recall, error) {
	vector := l.vector
	if o.Proactive {
		vector = l.vectorAgain
	}
	asked := embedding(ctx, query, vector)
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
	r := m.rankingFor(ctx, l[0], o)
	concluding := func() ([]rank.Scored, error) { return nil, nil }
	if o.Checkpoints { // while items are looked for, which takes as long
		concluding = aside("look for checkpoints", func() ([]rank.Scored, error) { return mayAnswer(ctx, l[0], r, q, o, nil) })
	}
	found, err := ranked(ctx, l, r, q, o)
	answers, failed := concluding() // waited for in any case
	if err != nil {
		return nil, err
	}
	if o.Checkpoints {
		if errors.Is(failed, index.ErrDamaged) {
			failed = l[0].Whole(ctx, func() (err error) { answers, err = mayAnswer(ctx, l[0], r, q, o, nil); return err })
		}
		if failed != nil {
			return nil, failed
		}
		concluded, err := m.conclusions(ctx, l[0], r, q, o, answers)
		if err != nil {
			return nil, err
		}
		found = rank.Braid([][]rank.Scored{found, concluded})
	}
	if o.Titles && o.Quick { // a person's prompt
		l[0].learn(found)
	}
	r.Choose(found)
	fits := slices.ContainsFunc(found, func(s rank.Scored) bool { return s.Chosen && !s.Meta.Always })
	found = unseen(found, o.Seen)
	rank.ByScore(found, func(s *rank.Scored) *rank.Scored { return s })
	var maybe []rank.Scored
	if o.Titles && !fits { // also where what fits was given before
		maybe = r.Maybes(found, func(key string) bool { return o.Seen[titleKey(key)] != "" })
	}
	if o.Explain {
		barred, err := barred(ctx, l, r, q, o)
		if err != nil {
			return nil, err
		}
		found = append(found, barred...)
	}
	if o.Quick && !o.Explain { // nobody is told of what was left out
		found = slices.DeleteFunc(found, func(s rank.Scored) bool { return !s.Chosen })
	}
	out, err := m.told(ctx, l, query, found, q.Vector == nil)
	if err == nil {
		err = m.mayTell(ctx, l, query, maybe, out)
	}
	return out, err
}

// ranked is what all sidecars find, in one order.
func ranked(ctx context.Context, l shelves, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	var lists [][]rank.Scored
	for _, sh := range l {
		var some []rank.Scored
		err := sh.Whole(ctx, func() (err error) { some, err = rankedIn(ctx, sh, r, q, o); return err })
		if err != nil {
			return nil, err
		}
		lists = append(lists, some)
	}
	return rank.Braid(lists), nil
}

// rankingFor is how findings are ranked for whom o says.
func (m *Memory) rankingFor(ctx context.Context, sh *shelf, o RecallOptions) *rank.Ranking {
	r := m.ranking(ctx, sh, o.Quick)
	r.Proactive, r.Asked = o.Proactive, o.Asked
	r.MaxItems, r.MaxTokens = cmp.Or(o.MaxItems, r.MaxItems), cmp.Or(o.MaxTokens, r.MaxTokens)
	return r
}

// mostReplaced bounds how often what was replaced has been replaced again.
const mostReplaced = 5

// rankedIn asks a sidecar for items and ranks them, with what replaced those that fit.
func rankedIn(ctx context.Context, sh *shelf, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	also, err := triggered(ctx, sh, q.Text, o)
	if err != nil {
		return nil, err
	}
	files, err := pathKeys(ctx, sh, q.Text, o)
	if err != nil {
		return nil, err
	}
	also = append(also, files...)
	tried := 0
	for {
		found, err := find(ctx, sh, q, o, also)
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
func find(ctx context.Context, sh *shelf, q rank.Question, o RecallOptions, also []string) (*index.Result, error) {
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
func triggered(ctx context.Context, sh *shelf, query string, o RecallOptions) (keys []string, err error) {
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
func pathKeys(ctx context.Context, sh *shelf, prompt string, o RecallOptions) (keys []string, err error) {
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
func (m *Memory) told(ctx context.Context, l shelves, query string, ranked []rank.Scored, words bool) (*Recall, error) {
	out := &Recall{Words: words}
	slices.SortStableFunc(ranked, func(a, b rank.Scored) int { return b.Precedence() - a.Precedence() })
	for _, s := range ranked {
		if s.Meta.Kind == doc.Checkpoint {
			if !s.Chosen {
				continue
			}
			if c, err := conclusion(ctx, l[0].Store, query, s); err == nil { // else it is gone meanwhile
				out.Conclusions = append(out.Conclusions, c)
			}
			continue
		}
		if !s.Chosen && len(out.Near) == nearMisses {
			continue
		}
		k, err := m.Item(ctx, doc.ID(s.Meta.Key))
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
