package api

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/cli/health"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
)

// status is 'git sage status'.
func (*API) status(ctx context.Context, c call) (any, error) {
	return health.StatusObject(ctx, c.a, c.m)
}

// Checkpoints are a list of checkpoints.
type Checkpoints struct {
	Checkpoints []wire.Record `json:"checkpoints"`
	Hidden      int           `json:"hidden"` // for their age or number
}

// checkpoints is 'git sage log', of all lines where none is named.
func (*API) checkpoints(ctx context.Context, c call) (any, error) {
	q := c.URL.Query()
	limit, err := c.number("limit", 50, 1, 1000)
	if err != nil {
		return nil, err
	}
	skip, err := c.number("skip", 0, 0, 1<<30)
	if err != nil {
		return nil, err
	}
	out := Checkpoints{Checkpoints: []wire.Record{}}
	ask := gitstore.Query{
		Line: q.Get("line"), All: q.Get("line") == "", Max: limit, Wanted: true, Skip: skip, Since: q.Get("since"), Until: q.Get("until"),
		Author: q.Get("author"), Grep: regexp.QuoteMeta(q.Get("q")), IgnoreCase: true, Limits: c.m.Session.Query().Limits, Hidden: &out.Hidden,
	}
	records, err := c.m.Store.Commits.Log(ctx, ask)
	for _, r := range records {
		out.Checkpoints = append(out.Checkpoints, wire.RecordOf(c.m.Provenance.Admitted(r)))
	}
	return out, err
}

// checkpoint is 'git sage show'.
func (*API) checkpoint(ctx context.Context, c call) (any, error) {
	r, err := c.m.Store.Commits.Record(ctx, c.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if r.Kind == gitstore.KindTombstone {
		return nil, &gitstore.NotFoundError{Name: c.PathValue("id")}
	}
	l, err := history.Load(ctx, c.m, r)
	if err != nil {
		return nil, err
	}
	return l.Object(ctx, c.m)
}

// A Comparison is of two checkpoints, with the texts that say nearly the same word by word.
type Comparison struct {
	history.Comparison
	Reworded []history.Reworded `json:"reworded"`
}

// diff is 'git sage diff'.
func (*API) diff(ctx context.Context, c call) (any, error) {
	d, err := history.Compare(ctx, c.m, c.PathValue("a"), c.PathValue("b"))
	return Comparison{d, history.Rewordings(d.Difference)}, err
}

// Lines are the lines and forks that there are.
type Lines struct {
	Current string      `json:"current"` // on which the next checkpoint goes
	Lines   []wire.Line `json:"lines"`
}

// lines is 'git sage branch --all'.
func (*API) lines(ctx context.Context, c call) (any, error) {
	list, err := history.Lines(ctx, c.m)
	return Lines{c.m.Store.Session.CurrentLine(), append([]wire.Line{}, lists.Map(list, history.Line.Object)...)}, err
}

// A MergeRequest says what to merge into the current line, or how to settle the merge at its
// tip.
type MergeRequest struct {
	Rev           string   `json:"rev,omitempty"`    // a line, fork or checkpoint; none is the merge at the tip
	Into          string   `json:"into,omitempty"`   // the line that whoever asks takes for the current one; another is a conflict
	Thesis        string   `json:"thesis,omitempty"` // the synthesis
	Confidence    *float64 `json:"confidence,omitempty"`
	CoreQuestion  string   `json:"core_question,omitempty"`
	KeyEvidence   []string `json:"key_evidence,omitempty"`
	OpenQuestions []string `json:"open_questions,omitempty"`
	Abort         bool     `json:"abort,omitempty"` // take the unsettled merge at the tip back
}

// merge is 'git sage merge'.
func (*API) merge(ctx context.Context, c call) (any, error) {
	var in MergeRequest
	if err := decode(c, &in); err != nil {
		return nil, err
	}
	line := c.m.Store.Session.CurrentLine()
	switch {
	case in.Into != "" && in.Into != line:
		return nil, &problem{http.StatusConflict, errors.New("the current line is '" + line + "' now, not '" + in.Into + "'"), map[string]string{"current": line}}
	case in.Abort:
		r, err := c.m.Store.Checkpoints.AbortMerge(ctx)
		return wire.Merged{Saved: wire.Saved{ID: r.ID, Line: line, Parents: wire.NotNil(r.Parents), Description: r.Description, Warnings: []string{}}}, err
	case in.Rev == "" && strings.TrimSpace(in.Thesis) == "":
		return nil, badRequest("neither rev nor thesis is given")
	}
	merged, err := c.m.Save.Merge(ctx, gitstore.MergeRequest{
		Rev: in.Rev, Thesis: in.Thesis, Confidence: in.Confidence,
		Draft: gitstore.Draft{Checkpoint: sage.Checkpoint{
			Thesis: in.Thesis, Confidence: in.Confidence, CoreQuestion: in.CoreQuestion, KeyEvidence: in.KeyEvidence, OpenQuestions: in.OpenQuestions,
		}},
	})
	return wire.MergedOf(merged), err
}
