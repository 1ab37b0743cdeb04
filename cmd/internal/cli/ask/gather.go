package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

// The kinds of sources, as citations name them.
const (
	anItem       = "item"
	aCheckpoint  = "checkpoint"
	someCode     = "code"
	mostOfAKind  = 8
	codeTokens   = 600 // of one piece of code
	aboutThisBig = 8   // tokens of a head
)

// A source is what an answer may cite.
type source struct {
	Kind    string `json:"kind"`
	ID      string `json:"id"` // of an item or a checkpoint; of code its path and lines
	Title   string `json:"title"`
	Private bool   `json:"private"`
	Tokens  int    `json:"tokens"`

	about, text string
}

func (s source) name() string { return s.Kind + ":" + s.ID }

// full is a source as a model is shown it.
func (s source) full() string { return fmt.Sprintf("## [%s] (%s)\n%s\n", s.name(), s.about, s.text) }

// A gathering is what was found for a question.
type gathering struct {
	sources  []source
	private  int // sources that stay here
	withheld int // suspect or refused texts from elsewhere
	over     int // sources for which there was no room
}

// A gatherer finds sources within a budget of tokens.
type gatherer struct {
	a       *app.App
	m       *recall.Memory
	budget  int
	private bool // private sources may be sent
}

// gather finds what answers a question, or comes nearest: by recall, search and the code, the
// best of each in turn, as far as there is room; what was sent before is left out.
func (g *gatherer) gather(ctx context.Context, question string, sent []source) (out gathering, err error) {
	r, err := g.m.Prompts.Recall(ctx, question, prompts.RecallOptions{Asked: true, Checkpoints: true, MaxItems: mostOfAKind, MaxTokens: g.budget})
	if err != nil {
		return out, err
	}
	out.withheld = r.Withheld
	checkpoints, err := g.checkpoints(ctx, question, r.Conclusions, &out)
	if err != nil {
		return out, err
	}
	kinds := [][]source{g.items(ctx, r.Items, &out), checkpoints, g.code(ctx, question)}
	given := func(s source) bool {
		return slices.ContainsFunc(sent, func(x source) bool { return x.name() == s.name() })
	}
	left := g.budget
	for i := range mostOfAKind {
		for _, list := range kinds {
			switch {
			case i >= len(list) || given(list[i]):
			case list[i].Private && !g.private:
				out.private++
			case list[i].Tokens > left:
				out.over++
			default:
				left -= list[i].Tokens
				out.sources = append(out.sources, list[i])
			}
		}
	}
	return out, ctx.Err()
}

// sized is a source that knows how much of the budget it takes.
func sized(s source) source {
	s.Tokens = legible.EstimateTokens(s.full()) + aboutThisBig
	return s
}

// items are the items that were recalled, as an agent may see them.
func (g *gatherer) items(ctx context.Context, list []search.Recalled, out *gathering) (sources []source) {
	for _, r := range list {
		r.Known = g.m.Provenance.Admit(ctx, []recall.Known{r.Known})[0]
		if len(r.Withheld) > 0 {
			out.withheld++
			continue
		}
		text := strings.Join(append([]string{r.Shown()}, r.Notes()...), "\n")
		sources = append(sources, sized(source{
			Kind: anItem, ID: r.Item.ID, Title: r.Item.Title(), Private: r.Item.IsPrivate(), about: g.m.Prompts.AboutItem(ctx, r), text: text,
		}))
	}
	return sources
}

// checkpoints are those that answer, and those that a search finds.
func (g *gatherer) checkpoints(ctx context.Context, question string, answers []prompts.Conclusion, out *gathering) (sources []source, err error) {
	found, err := g.m.Search.Find(ctx, question, search.SearchOptions{Checkpoints: true, Limit: mostOfAKind})
	if err != nil {
		return nil, err
	}
	private, err := g.m.Store.Repo.PrivateCheckpoints(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	later := map[string]string{}
	for _, c := range answers {
		ids = append(ids, c.ID)
		later[c.ID] = c.Later
	}
	for _, c := range found.Checkpoints {
		if !slices.Contains(ids, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	for _, id := range ids {
		c, err := g.m.Prompts.Conclusion(ctx, id)
		if err != nil {
			return nil, err
		}
		if len(c.Says) == 0 {
			continue
		}
		if provenance.IsWithheld(c.Says[0]) {
			out.withheld++
			continue
		}
		if id := later[c.ID]; id != "" {
			c.Says = append(c.Says, "Outdated: "+brief.ShortID(id)+" has a later thesis.")
		}
		sources = append(sources, sized(source{
			Kind: aCheckpoint, ID: brief.ShortID(c.ID), Title: c.Says[0], Private: private[c.ID] != "",
			about: provenance.BylineOf(c.Checkpoint) + brief.Age(g.m.Stores.Now().Sub(c.Time)), text: strings.Join(c.Says, "\n"),
		}))
	}
	return sources, nil
}

// code is the code that a search finds, as it is in the work tree. A repository without one has
// none, and what cannot be indexed is told by 'git sage search-code'.
func (g *gatherer) code(ctx context.Context, question string) (sources []source) {
	if g.m.Store.Repo.Top() == "" {
		return nil
	}
	r, err := g.m.Code().Search(ctx, codeindex.Query{Text: question, Limit: mostOfAKind})
	if err != nil {
		if ctx.Err() == nil {
			g.a.Warn("code is left out: %v", err)
		}
		return nil
	}
	for _, h := range r.Hits {
		text, _, err := g.m.Code().Source(ctx, h)
		if err != nil || h.Weak {
			continue
		}
		if r := []rune(text); len(r) > codeTokens*brief.CharsPerToken {
			text = string(r[:codeTokens*brief.CharsPerToken]) + "\n[cut]"
		}
		sources = append(sources, sized(source{
			Kind: someCode, ID: fmt.Sprintf("%s:%d-%d", h.Path, h.First, h.Last), Title: cmp.Or(h.FullName(), h.Kind), about: h.Kind, text: text,
		}))
	}
	return sources
}
