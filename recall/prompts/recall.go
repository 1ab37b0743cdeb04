package prompts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// RecallOptions say for whom items are recalled. The zero RecallOptions is a prompt
// of a person who works on nothing in particular.
type RecallOptions struct {
	Skill     string            // the one that is active, whose items count; "" is Session.Skill
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

	Trial *Trial // an item that is recalled as if it named other requests; nil is none

	only   []string         // keys of items, of which alone some are recalled; nil is all
	skill  func() string    // Skill, or what Session.Skill says, asked for with the first item that has one
	oldest func() time.Time // see knowledge.Collection.Oldest; nil is ever
	barred bool             // only what may not be recalled
}

// A Trial says which requests an item is to be recalled by in place of its own, to see what
// a change would bring before it is made.
type Trial struct {
	Item string // its key
	When []string
}

// A Recall is the answer to a prompt.
type Recall struct {
	Items []search.Recalled // the best first, those that are always given before them
	Near  []search.Recalled // what was left out, the best first, with the reason
	Maybe []search.Recalled // what may fit although it was left out: their titles are told
	Words bool              // words alone chose: there is no model

	Withheld int // texts that fit, and that an agent is not shown: they are suspect, and came from elsewhere

	Conclusions      []Conclusion // checkpoints that answer it, those of the current line first
	MaybeConclusions []Conclusion // and those that may, as Maybe has items
}

// Weak reports whether nothing is a good match: what was asked for outright is answered with
// what comes nearest.
func (r *Recall) Weak() bool {
	return slices.ContainsFunc(r.Items, func(i search.Recalled) bool { return i.Weak }) ||
		slices.ContainsFunc(r.Conclusions, func(c Conclusion) bool { return c.Weak })
}

// Scoped is o with what is asked of an item once there is one that has it.
func (re *Recaller) Scoped(ctx context.Context, o RecallOptions) RecallOptions {
	o.skill, o.oldest = sync.OnceValue(func() string { return cmp.Or(o.Skill, re.session.Skill(ctx)) }), sync.OnceValue(re.knowledge.Oldest)
	return o
}

// nearMisses is how many of those that were left out are told of.
const nearMisses = 5

// Recall chooses the items that a prompt should see: those of the repository and of
// the person, at most so many and within a budget of tokens; none if none fits.
func (re *Recaller) Recall(ctx context.Context, query string, o RecallOptions) (*Recall, error) {
	o = re.Scoped(ctx, o)
	sources, err := re.stores.Sources(ctx)
	if err != nil {
		return nil, err
	}
	defer sources.Close()
	return re.recall(ctx, sources, query, o)
}

// RecallOf is Recall of the items of some keys alone.
func (re *Recaller) RecallOf(ctx context.Context, l stores.Sources, keys []string, query string, o RecallOptions) (*Recall, error) {
	o.only = keys
	return re.recall(ctx, l, query, o)
}

// recall ranks what every source has, and chooses of all of it.
func (re *Recaller) recall(ctx context.Context, l stores.Sources, query string, o RecallOptions) (*Recall, error) {
	vector := l.Vector
	if o.Proactive {
		vector = l.VectorAgain
	}
	asked := search.Embed(ctx, query, vector)
	defer func() { _, _ = asked() }() // nothing is left at work
	if err := re.ready(ctx, l, o); err != nil {
		return nil, err
	}
	if err := try(ctx, l, o.Trial); err != nil {
		return nil, err
	}
	r := re.rankingFor(ctx, l[0], o)
	q, err := asked()
	re.stores.Complain(err)
	q = q.Once()
	found, err := re.find(ctx, l, r, q, o)
	if err != nil {
		return nil, err
	}
	if o.Titles && o.Quick { // a person's prompt
		l[0].Learn(found)
	}
	re.judgeCode(ctx, r, found, o)
	r.Choose(found)
	fits := slices.ContainsFunc(found, func(s rank.Scored) bool { return s.Chosen && !s.Meta.Always })
	found = unseen(found, o.Seen)
	rank.ByScore(found, func(s *rank.Scored) *rank.Scored { return s })
	var maybe []rank.Scored
	if o.Titles && !fits { // also where what fits was given before
		maybe = r.Maybes(found, func(key string) bool { return o.Seen[search.TitleKey(key)] != "" })
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
	out, err := re.told(ctx, l, query, found, q.Vector == nil)
	if err == nil {
		err = re.mayTell(ctx, l, query, maybe, out)
	}
	return out, err
}

// ready brings sources up to date, as far as who asks has the time. The error is
// [sidecar.ErrBlind] if one cannot be searched.
func (re *Recaller) ready(ctx context.Context, l stores.Sources, o RecallOptions) error {
	for _, src := range l {
		if !o.Quick { // most prompts are given nothing, most who ask something
			src.Store.Knowledge.Expect()
		}
	}
	for i, src := range l {
		err := src.Ready(ctx, o.Quick, o.Checkpoints && i == 0)
		if errors.Is(err, sidecar.ErrBlind) {
			return err
		}
		re.stores.Complain(err) // what is there is searched
		if !o.Quick {
			re.stores.Complain(src.Unread())
		}
		if o.Proactive && i == 0 { // before the first prompt: a checkpoint that was saved since has no vectors yet
			src.Wake(ctx)
		}
	}
	return nil
}

// try has the source that keeps an item answer as a trial says.
func try(ctx context.Context, l stores.Sources, t *Trial) error {
	if t == nil {
		return nil
	}
	var err error
	for _, src := range l {
		if err = src.Try(ctx, t.Item, t.When); !errors.Is(err, gitstore.ErrNotFound) {
			break
		}
	}
	return err
}

// find ranks the items that all sources have, and the checkpoints of the first one if o wants
// those.
func (re *Recaller) find(ctx context.Context, l stores.Sources, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	if !o.Checkpoints {
		return ranked(ctx, l, r, q, o)
	}
	// while items are looked for, which takes as long
	concluding := search.Meanwhile("look for checkpoints", func() ([]rank.Scored, error) { return re.mayAnswer(ctx, l[0], r, q, o) })
	found, err := ranked(ctx, l, r, q, o)
	answers, failed := concluding() // waited for in any case
	if err != nil {
		return nil, err
	}
	if errors.Is(failed, index.ErrDamaged) {
		failed = l[0].Whole(ctx, func() (err error) { answers, err = re.mayAnswer(ctx, l[0], r, q, o); return err })
	}
	if failed != nil {
		return nil, failed
	}
	concluded, err := re.conclusions(ctx, l[0], r, q, o, answers)
	if err != nil {
		return nil, err
	}
	return rank.Braid([][]rank.Scored{found, concluded}), nil
}

// ranked is what all sidecars find, in one order.
func ranked(ctx context.Context, l stores.Sources, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	var lists [][]rank.Scored
	for _, src := range l {
		var some []rank.Scored
		err := src.Whole(ctx, func() (err error) { some, err = rankedIn(ctx, src, r, q, o); return err })
		if err != nil {
			return nil, err
		}
		lists = append(lists, some)
	}
	return rank.Braid(lists), nil
}

// rankingFor is how findings are ranked for whom o says.
func (re *Recaller) rankingFor(ctx context.Context, src *stores.Source, o RecallOptions) *rank.Ranking {
	r := re.search.Ranking(ctx, src, o.Quick)
	r.Proactive, r.Asked = o.Proactive, o.Asked
	r.Withhold = re.stores.Settings().WithholdStale && !o.Asked
	r.MaxItems, r.MaxTokens = cmp.Or(o.MaxItems, r.MaxItems), cmp.Or(o.MaxTokens, r.MaxTokens)
	return r
}

// mostReplaced bounds how often what was replaced has been replaced again.
const mostReplaced = 5

// rankedIn asks a sidecar for items and ranks them, with what replaced those that fit.
func rankedIn(ctx context.Context, src *stores.Source, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	also, err := triggered(ctx, src, q, o)
	if err != nil {
		return nil, err
	}
	files, err := pathKeys(ctx, src, q.Text, o)
	if err != nil {
		return nil, err
	}
	also = append(also, files...)
	tried := 0
	for {
		found, err := findItems(ctx, src, q, o, also)
		if err != nil {
			return nil, err
		}
		list := r.Rank(q, found)
		for i := range list {
			if m := list[i].Meta; m.Always && !src.IsAlways(m) {
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

// findItems asks a sidecar for items, and for those of some keys whatever they score, but
// for those that another of the same id hides.
func findItems(ctx context.Context, src *stores.Source, q rank.Question, o RecallOptions, also []string) (*index.Result, error) {
	return src.Index.Search(ctx, index.Query{
		Text: q.Text, Vector: q.Vector, Kinds: []string{doc.Item}, Only: o.only, Also: also, Limit: rank.Candidates, BM25: &rank.Keywords,
		Filter: func(d *index.Meta) bool { return o.Takes(d) && !src.IsShadowed(d) },
	})
}

// triggered are the keys of items that are always given, and of those that have a
// pattern which the query matches.
func triggered(ctx context.Context, src *stores.Source, q rank.Question, o RecallOptions) (keys []string, err error) {
	err = src.Index.Triggers(func(d *index.Meta) bool {
		if d.Kind != doc.Item || !o.Takes(d) {
			return ctx.Err() == nil
		}
		always := src.IsAlways(d)
		for _, p := range d.Patterns {
			always = always || q.Matches(p, d.IsForeign())
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
func pathKeys(ctx context.Context, src *stores.Source, prompt string, o RecallOptions) (keys []string, err error) {
	named := rank.PathsIn(prompt)
	if len(named) == 0 {
		return nil, nil
	}
	docs, err := src.Index.WithPaths(ctx, doc.Item)
	taken := map[bool]int{} // from here, and from elsewhere
	for _, d := range docs {
		if taken[d.IsForeign()] <= rank.SharedBy && // one more than may share it
			rank.NamedPath(d.Paths, named) != "" && o.Takes(d) {
			keys = append(keys, d.Key)
			taken[d.IsForeign()]++
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
func (re *Recaller) told(ctx context.Context, l stores.Sources, query string, ranked []rank.Scored, words bool) (*Recall, error) {
	out := &Recall{Words: words}
	ctx = re.stores.Store.Commits.ViewingOnce(ctx)
	slices.SortStableFunc(ranked, func(a, b rank.Scored) int { return b.Precedence() - a.Precedence() })
	for _, s := range ranked {
		if s.Meta.Kind == doc.Checkpoint {
			if !s.Chosen {
				continue
			}
			c, err := re.conclusion(ctx, l[0].Store, query, s)
			switch {
			case err != nil: // it is gone meanwhile
			case c.Withheld:
				out.Withheld++
			default:
				out.Conclusions = append(out.Conclusions, c)
			}
			continue
		}
		if !s.Chosen && len(out.Near) == nearMisses {
			continue
		}
		k, err := re.knowledge.Item(ctx, doc.ID(s.Meta.Key))
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil || k.Err != nil:
		case len(k.Withheld) > 0:
			out.Withheld += truth(s.Chosen && !k.IsRefused())
		case s.Chosen:
			k.Doc = s.Meta
			out.Items = append(out.Items, search.Recalled{Known: k, Scored: s})
		default:
			k.Doc = s.Meta
			out.Near = append(out.Near, search.Recalled{Known: k, Scored: s})
		}
	}
	slices.SortStableFunc(out.Conclusions, func(a, b Conclusion) int { return a.Place - b.Place })
	return out, ctx.Err()
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
