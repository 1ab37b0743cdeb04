package api

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/page/internal/lanes"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/prose/cut"
)

// A GraphRow is a checkpoint in its lane.
type GraphRow struct {
	wire.Record
	At     int          `json:"at"` // its place in the whole, from 0
	Lane   int          `json:"lane"`
	Colour int          `json:"colour"`
	Paths  []lanes.Path `json:"paths"` // what to draw of the row
}

// A Graph is a part of all checkpoints, newest first, with the lanes that hold them.
type Graph struct {
	Total  int        `json:"total"` // rows there are, of those that are asked for
	All    int        `json:"all"`   // checkpoints there are
	From   int        `json:"from"`
	Width  int        `json:"width"`  // of a drawing, in pixels
	Height int        `json:"height"` // of a row
	Step   int        `json:"step"`   // from lane to lane
	First  int        `json:"first"`  // the middle of the first lane
	Place  int        `json:"place"`  // of the checkpoint that was asked for among the rows, -1 if it is not there
	Rows   []GraphRow `json:"rows"`
}

// A graph is all of it, at one moment.
type graph struct {
	stamp   string
	removed bool
	rows    []GraphRow
	texts   []string // of each row, to be searched
	width   int
}

// rowThesis is how much of a thesis a row has, in characters: what is on one line.
const rowThesis = 300

// graphWindow answers with the rows that a page shows: those of a history of 10,000 would
// take it longer to read than anybody looks at them.
func (a *API) graphWindow(ctx context.Context, c call) (any, error) {
	q := c.URL.Query()
	from, err := c.number("from", 0, 0, 1<<30)
	if err != nil {
		return nil, err
	}
	limit, err := c.number("limit", 100, 0, 500)
	if err != nil {
		return nil, err
	}
	g, err := a.laidOut(ctx, c, q.Get("removed") != "")
	if err != nil {
		return nil, err
	}
	rows := g.matching(q.Get("q"), q.Get("line"))
	out := Graph{Total: len(rows), All: len(g.rows), From: from, Width: lanes.X(g.width), Height: lanes.Height, Step: lanes.Step, First: lanes.X(0), Place: -1, Rows: []GraphRow{}}
	if id := q.Get("at"); id != "" {
		out.Place = slices.IndexFunc(rows, func(i int) bool { return strings.HasPrefix(g.rows[i].ID, id) })
	}
	for i := from; i < min(from+limit, len(rows)); i++ {
		out.Rows = append(out.Rows, g.rows[rows[i]])
	}
	return out, nil
}

// matching are the places of the rows that have every word of a query, and a name if one is wanted.
func (g *graph) matching(query, name string) (rows []int) {
	words := strings.Fields(strings.ToLower(query))
	for i := range g.rows {
		fits := name == "" || slices.Contains(g.rows[i].Names, name)
		for _, w := range words {
			fits = fits && (strings.Contains(g.texts[i], w) || strings.HasPrefix(g.rows[i].ID, w))
		}
		if fits {
			rows = append(rows, i)
		}
	}
	return rows
}

// laidOut is the graph of now: the last one where nothing changed since.
func (a *API) laidOut(ctx context.Context, c call, removed bool) (*graph, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.graph != nil && a.graph.stamp == c.stamp && a.graph.removed == removed {
		return a.graph, nil
	}
	records, err := c.m.Store.Commits.Log(ctx, gitstore.Query{All: true, Removed: true})
	if err != nil {
		return nil, err
	}
	g := &graph{stamp: c.stamp, removed: removed}
	list := make([]lanes.Commit, 0, len(records))
	if !removed {
		records = history.Kept(records, func(r gitstore.Record) bool { return r.Removed || r.Kind == gitstore.KindTombstone })
	}
	for _, r := range records {
		r = c.m.Provenance.Admitted(r)
		g.texts = append(g.texts, strings.ToLower(strings.Join(append([]string{r.Description, r.Thesis, r.Question, r.Author}, r.Names...), "\n")))
		r.Thesis, r.Question = cut.Runes(r.Thesis, rowThesis), cut.Runes(r.Question, rowThesis)
		g.rows = append(g.rows, GraphRow{Record: wire.RecordOf(r), At: len(g.rows)})
		list = append(list, lanes.Commit{ID: r.ID, Parents: r.Parents})
	}
	rows, width := lanes.Lay(list)
	for i, r := range rows {
		g.rows[i].Lane, g.rows[i].Colour, g.rows[i].Paths = r.Lane, r.Colour, append([]lanes.Path{}, r.Paths...)
	}
	g.width = width
	a.graph = g
	return g, nil
}
