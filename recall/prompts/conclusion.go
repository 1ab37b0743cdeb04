package prompts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

// A Conclusion is a checkpoint that answers a prompt, with what it says of it.
type Conclusion struct {
	search.Found
	Says     []string // the thesis, and behind it the statement that answers, where that is another
	Withheld bool     // it is suspect, and says only that
}

const (
	// conclusionTokens is what a conclusion counts with: a thesis and a statement, cut at
	// saidChars, with id and age.
	conclusionTokens, saidChars = 120, 300
	// mostConcluded is how many checkpoints of each leg are ranked for a prompt: three at most
	// are told of. With as many as items (100) a prompt beside 10,000 of them takes 9.7 ms more
	// of processor time for them, with 30 it takes 7, and tells of the same.
	mostConcluded = 30
)

func said(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// conclusions ranks a list of checkpoints that may answer a prompt: those of the current line
// and what it came from before others, and last what a later thesis of its line stands for, or
// the synthesis of a merge. What was concluded on a branch that was deleted and not merged does
// not hold here, and is left out unless somebody asks outright.
func (re *Recaller) conclusions(ctx context.Context, src *stores.Source, r *rank.Ranking, q rank.Question, o RecallOptions, list []rank.Scored) ([]rank.Scored, error) {
	if len(list) == 0 { // as for nearly every prompt
		return nil, nil
	}
	spots, err := src.Store.Commits.Spots(ctx, re.session.Query(), idsOf(list)...)
	if err != nil {
		return nil, err
	}
	abandoned := sync.OnceValue(func() map[string]bool {
		lines, err := src.Store.Lines.List(ctx)
		if o.Asked || err != nil { // then none is known to be
			return nil
		}
		return src.Store.Follow.AbandonedLines(ctx, lines)
	})
	isShown := func(d *index.Meta) bool {
		p, on := spots[doc.ID(d.Key)]
		return on && !p.Hidden && (p.Line == "" || !abandoned()[p.Line])
	}
	if slices.ContainsFunc(list, func(s rank.Scored) bool { return !isShown(s.Meta) }) { // which stands in the way of others
		if spots, err = src.Store.Commits.Spots(ctx, re.session.Query()); err != nil {
			return nil, err
		}
		err = src.Whole(ctx, func() (err error) { list, err = answering(ctx, src, r, q, o, nil, isShown); return err })
		if err != nil {
			return nil, err
		}
	}
	ids := idsOf(list)
	for i, by := 0, search.Settled(ctx, src.Store, ids); i < len(list); i++ {
		list[i].Later = by[ids[i]]
	}
	theses := make([][]float32, len(list))
	for i := range list {
		list[i].Line = spots[ids[i]].Line
		if theses[i], err = src.Index.VectorOf(ctx, list[i].Meta.Key); err != nil {
			return nil, err
		}
	}
	return r.InLine(list, theses), nil
}

func idsOf(list []rank.Scored) (ids []string) {
	for _, s := range list {
		ids = append(ids, doc.ID(s.Meta.Key))
	}
	return ids
}

// mayAnswer are the checkpoints that may answer a prompt, or come nearest where somebody asks
// outright. Where lists hide most of them, as where there are thousands, only the others are
// looked at: to find among 10,000 those 200 that are shown, one by one from the nearest on,
// takes 24 ms.
func (re *Recaller) mayAnswer(ctx context.Context, src *stores.Source, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	shown, hidden, err := src.Store.Commits.Shown(ctx, re.session.Query())
	if err != nil {
		return nil, err
	}
	var only []string
	if hidden > len(shown) {
		only = make([]string, len(shown))
		for i, id := range shown {
			only[i] = doc.CheckpointKey(id)
		}
	}
	return answering(ctx, src, r, q, o, only, nil)
}

// answering is mayAnswer among some keys, nil is all, that pass a filter.
func answering(ctx context.Context, src *stores.Source, r *rank.Ranking, q rank.Question, o RecallOptions, only []string, filter func(*index.Meta) bool) (list []rank.Scored, err error) {
	found, err := src.Index.Search(ctx, index.Query{
		Text: q.Text, Vector: q.Vector, Kinds: []string{doc.Checkpoint}, Only: only, Filter: filter, Limit: mostConcluded, BM25: &rank.Keywords,
	})
	if err != nil {
		return nil, err
	}
	for _, s := range r.Rank(q, found) {
		if r.MayAnswer(&s) || o.Asked && len(list) < r.Most() {
			m := *s.Meta
			m.Tokens, s.Meta = conclusionTokens, &m
			list = append(list, s)
		}
	}
	return list, nil
}

// conclusion reads a checkpoint that was chosen.
func (re *Recaller) conclusion(ctx context.Context, store *gitstore.Store, q string, s rank.Scored) (Conclusion, error) {
	c, err := store.Commits.Load(ctx, doc.ID(s.Meta.Key))
	if err != nil {
		return Conclusion{}, err
	}
	out := Conclusion{Found: search.Found{Checkpoint: c, Scored: s, Line: s.Line, Here: s.Line == ""}}
	if out.Here {
		out.Line = store.Session.CurrentLine()
	}
	if said := re.provenance.AdmitCheckpoint(ctx, c); said != "" {
		out.Says, out.Withheld = []string{said}, provenance.IsWithheld(said)
		return out, nil
	}
	out.Says = said(brief.Line(c.Thesis, saidChars))
	if more := bestStatement(q, c, s.Hit); more != "" && more != c.Thesis {
		out.Says = append(out.Says, brief.Line(more, saidChars))
	}
	return out, nil
}

// Conclusion is what the checkpoint says that a revision means: its thesis and all that it
// rests on, as far as there is room for it.
func (re *Recaller) Conclusion(ctx context.Context, rev string) (Conclusion, error) {
	c, err := re.stores.Store.Commits.Load(ctx, rev)
	if err != nil {
		return Conclusion{}, err
	}
	const most = 20
	out := Conclusion{Found: search.Found{Checkpoint: c, Here: true}, Says: said(brief.Line(c.Thesis, saidChars))}
	if said := re.provenance.AdmitCheckpoint(ctx, c); said != "" {
		out.Says = []string{said}
		return out, nil
	}
	for _, s := range cut.First(doc.Statements(c), most) {
		out.Says = append(out.Says, "- "+brief.Line(s, saidChars))
	}
	return out, nil
}

// bestStatement is the statement of a checkpoint that answers a question best, "" if that is
// the thesis: the one that is nearest by meaning, or else has most of the words.
func bestStatement(q string, c *sage.Checkpoint, h *index.Hit) string {
	all := doc.Statements(c)
	if h.Meta.Part > 0 { // no more of it is searched
		all = doc.Within(all, h.Meta.Part)
	}
	apart := cut.First(all, doc.MostApart)
	if at := len(apart) - (h.Chunks - h.Chunk); h.Vector && at >= 0 && at < len(apart) {
		return apart[at]
	}
	want := map[string]bool{}
	for _, t := range terms.Of(q) {
		want[t] = true
	}
	shares := func(s string) (n int) {
		for _, t := range slices.Compact(slices.Sorted(slices.Values(terms.Of(s)))) {
			if want[t] {
				n++
			}
		}
		return n
	}
	best, most := "", shares(c.Thesis)
	for _, s := range all {
		if n := shares(s); n > most {
			best, most = s, n
		}
	}
	return best
}

// ConclusionText is what an agent is shown of checkpoints that answer a prompt, in a fence;
// "" of none. The tool brings one of them back.
func (re *Recaller) ConclusionText(list []Conclusion, tool string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Concluded in earlier work" + brief.Caution)
	for _, c := range list {
		fmt.Fprintf(&b, "\n## checkpoint %s (%s)\n%s\n", brief.ShortID(c.ID), re.aboutConclusion(c), strings.Join(c.Says, "\n"))
		if c.Later != "" {
			fmt.Fprintf(&b, "Outdated: %s has a later thesis.\n", brief.ShortID(c.Later))
		}
		if c.Outlived != "" {
			fmt.Fprintf(&b, "May be stale: %s.\n", brief.Line(c.Outlived, 200))
		}
	}
	fmt.Fprintf(&b, "\n%s shows one in full.\n", tool)
	return brief.Fence("git-sage checkpoints", b.String())
}

// aboutConclusion says how old a checkpoint is, how sure, where it lies and how far it may
// be trusted.
func (re *Recaller) aboutConclusion(c Conclusion) string {
	s := brief.Age(re.stores.Now().Sub(c.Time))
	if c.Confidence != nil {
		s += fmt.Sprintf(", confidence %.0f%%", 100**c.Confidence)
	}
	if !c.Here {
		s += ", line " + brief.Line(c.Line, 60)
	}
	switch {
	case c.Elsewhere:
		s += ", " + provenance.Unconfirmed(provenance.Writer(c.Author, c.Mixed))
	case c.Unconfirmed && sage.IsDistilled(c.Extra):
		s += ", " + provenance.ByModel
	case c.Unconfirmed:
		s += ", unconfirmed"
	}
	return s
}

// NoteGiven is what [gitstore.Store.Session].NoteGiven takes of it.
func (c *Conclusion) NoteGiven(given map[string]string) { given[doc.CheckpointKey(c.ID)] = c.ID }

// NoteShown keeps prompts from bringing back checkpoints that the session has in front of it.
func (re *Recaller) NoteShown(ids ...string) error {
	given := map[string]string{}
	for _, id := range ids {
		given[doc.CheckpointKey(id)] = "-"
	}
	return re.stores.Store.Session.NoteGiven(given)
}

// title is a conclusion where only titles are told.
func (c *Conclusion) title() string {
	return cut.Runes(brief.ShortID(c.ID)+": "+brief.Line(brief.Harmless(c.Says[len(c.Says)-1]), maxTitled), maxTitled)
}
