package api

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/search"
)

// A Recall is what a prompt would bring back, and what nearly did.
type Recall struct {
	Query       string       `json:"query"`
	Items       []wire.Match `json:"items"`       // the best first
	Checkpoints []wire.Match `json:"checkpoints"` // that answer it
	Left        []wire.Match `json:"left_out"`    // with the reason
	Withheld    int          `json:"withheld"`    // texts that fit, and that an agent is not shown: they are suspect
	Words       bool         `json:"words"`       // words alone were compared: there is no model
}

// recall is 'git sage knowledge match --explain', and tells what it would be if an item named
// other requests. Without a query it is the item of that name, which may be one.
func (a *API) recall(ctx context.Context, c call) (any, error) {
	q := c.URL.Query()
	if !q.Has("q") {
		c.SetPathValue("id", "recall")
		return a.item(ctx, c)
	}
	query := strings.TrimSpace(q.Get("q"))
	if query == "" {
		return nil, badRequest("q is empty")
	}
	o := prompts.RecallOptions{Skill: q.Get("skill"), Explain: true, Checkpoints: true}
	if q.Has("trial") {
		o.Trial = &prompts.Trial{Item: q.Get("trial"), When: q["when"]}
	}
	r, err := c.m.Prompts.Recall(ctx, query, o)
	if err != nil {
		return nil, err
	}
	out := Recall{Query: query, Items: []wire.Match{}, Checkpoints: []wire.Match{}, Left: []wire.Match{}, Withheld: r.Withheld, Words: r.Words}
	match := wire.NewMatcher(ctx, c.m, slices.Concat(r.Items, r.Near)...)
	for _, i := range r.Items {
		out.Items = append(out.Items, match.Item(ctx, i, true))
	}
	for _, i := range r.Near {
		out.Left = append(out.Left, match.Item(ctx, i, true))
	}
	for _, i := range r.Conclusions {
		out.Checkpoints = append(out.Checkpoints, match.Conclusion(i, true))
	}
	return out, nil
}

// A Search is what was found of each kind.
type Search struct {
	Query  string           `json:"query"`
	Found  []wire.Found     `json:"found"`
	Code   []wire.FoundCode `json:"code"`
	Weak   bool             `json:"weak"`   // nothing is a good match: this is what comes nearest
	Words  bool             `json:"words"`  // words alone were compared
	More   bool             `json:"more"`   // of a kind there are more
	Hidden int              `json:"hidden"` // checkpoints, for their age or number
}

// search is 'git sage search'.
func (*API) search(ctx context.Context, c call) (any, error) {
	q := c.URL.Query()
	query := strings.TrimSpace(q.Get("q"))
	if query == "" {
		return nil, badRequest("q is empty")
	}
	limit, err := c.number("limit", 10, 1, 100)
	if err != nil {
		return nil, err
	}
	in := q["in"]
	for _, kind := range in {
		if !slices.Contains([]string{"checkpoints", "knowledge", "code"}, kind) {
			return nil, badRequest("in: want checkpoints, knowledge or code")
		}
	}
	wants := func(kind string) bool { return len(in) == 0 || slices.Contains(in, kind) }
	out := Search{Query: query, Found: []wire.Found{}, Code: []wire.FoundCode{}}
	if wants("checkpoints") || wants("knowledge") {
		f, err := c.m.Search.Find(ctx, query, search.SearchOptions{
			Limit: limit, Checkpoints: wants("checkpoints"), Knowledge: wants("knowledge"),
			Line: q.Get("line"), Since: q.Get("since"), Author: q.Get("author"), All: q.Get("all") != "",
		})
		if err != nil {
			return nil, err
		}
		out.Weak, out.Words, out.More, out.Hidden = f.Weak, f.Words, f.More, f.Hidden
		for _, hit := range f.Checkpoints {
			out.Found = append(out.Found, wire.FoundCheckpoint(ctx, c.m, hit))
		}
		for _, hit := range f.Items {
			out.Found = append(out.Found, wire.FoundItem(hit, c.m.Provenance.Trust(ctx, hit.Known) != ""))
		}
	}
	if wants("code") && c.m.Code().Exists() {
		r, err := c.m.Code().Search(ctx, codeindex.Query{Text: query, Limit: limit})
		if err != nil {
			return nil, err
		}
		for _, hit := range r.Hits {
			if !hit.Weak || len(in) > 0 {
				out.Code = append(out.Code, wire.FoundCodeOf(hit))
			}
		}
	}
	return out, nil
}

// An Activity is who did what lately.
type Activity struct {
	Acts     []wire.Activity `json:"acts"`     // person by person, who did something last first
	Opposing []wire.Waiting  `json:"opposing"` // checkpoints of two people that contradict each other
}

// activity is 'git sage activity'.
func (*API) activity(ctx context.Context, c call) (any, error) {
	q := c.URL.Query()
	people, err := history.ActsSince(ctx, c.m, q.Get("since"), q.Get("author"))
	if err != nil {
		return nil, err
	}
	out := Activity{Opposing: []wire.Waiting{}}
	if out.Acts, err = history.Acts(ctx, c.m, people); err != nil {
		return nil, err
	}
	opposing, err := c.m.Review.Opposing(ctx)
	for _, w := range opposing {
		out.Opposing = append(out.Opposing, wire.WaitingOf(ctx, c.m, w))
	}
	return out, err
}
