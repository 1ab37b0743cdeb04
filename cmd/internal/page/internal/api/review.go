package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/review"
)

// A Waiting is something that its user has not judged yet, as it is now.
type Waiting struct {
	wire.Waiting
	Key     string               `json:"key"`               // names it as it is now, for /api/review/{id}
	Text    string               `json:"text,omitempty"`    // of an item, all of it
	Against string               `json:"against,omitempty"` // the text of that
	Change  *diff.ItemDifference `json:"change,omitempty"`  // what somebody elsewhere made of an item
	Removed bool                 `json:"removed,omitempty"` // they removed it
	Author  string               `json:"author,omitempty"`
	Acts    []string             `json:"acts"` // what may become of it
}

// Review is what waits.
type Review struct {
	Total   int       `json:"total"`
	Waiting []Waiting `json:"waiting"` // the first of it
}

// A queue is what waits at one moment.
type queue struct {
	stamp string
	list  []review.Waiting
}

// long is from how many on what waits is not listed anew for each that is judged: to compare
// thousands takes longer than to judge one.
const long = 200

// waiting lists what waits: the last list where nothing changed since.
func (a *API) waiting(ctx context.Context, m *recall.Memory, stamp string) ([]review.Waiting, error) {
	a.mu.Lock()
	q := a.queue
	a.mu.Unlock()
	if q.stamp == stamp {
		return q.list, nil
	}
	list, err := m.Review.Waiting(ctx, nil, nil)
	if err == nil {
		a.mu.Lock()
		a.queue = queue{stamp, list}
		a.mu.Unlock()
	}
	return list, err
}

// judged goes on with what is left of a long list behind one that was judged, and what is
// about the same item.
func (a *API) judged(ctx context.Context, m *recall.Memory, list []review.Waiting, w review.Waiting) {
	stamp, err := a.stamp(ctx, m)
	if err != nil || len(list) < long {
		return
	}
	about := func(o review.Waiting) bool {
		if w.Item.Key == "" {
			return keyOf(o) == keyOf(w)
		}
		return o.Item.Key == w.Item.Key || o.Other.Key == w.Item.Key
	}
	a.mu.Lock()
	a.queue = queue{stamp, slices.DeleteFunc(slices.Clone(list), about)}
	a.mu.Unlock()
}

// review is 'git sage review --json'.
func (a *API) review(ctx context.Context, c call) (any, error) {
	limit, err := c.number("limit", 100, 1, 1000)
	if err != nil {
		return nil, err
	}
	list, err := a.waiting(ctx, c.m, c.stamp)
	if id := c.URL.Query().Get("id"); id != "" {
		list = slices.DeleteFunc(slices.Clone(list), func(w review.Waiting) bool { return wire.WaitingID(w) != id })
	}
	out := Review{Total: len(list), Waiting: []Waiting{}}
	for _, w := range cut.First(list, limit) {
		j := Waiting{Waiting: wire.WaitingOf(ctx, c.m, w), Key: keyOf(w), Acts: actsOf(w)}
		if w.Item.Item != nil && w.Item.Err == nil {
			j.Text = w.Item.Item.Text()
		}
		if w.Other.Item != nil {
			j.Against = w.Other.Item.Text()
		}
		if w.Kind == review.WaitsOpposes {
			j.Text, j.Against = w.Opposed.Newer.Thesis, w.Opposed.Older.Thesis
		}
		if w.Kind == review.WaitsItem && w.Item.Changed != nil {
			j.Removed = w.Item.IsRemoved()
			if d := w.Item.Changed.Fields(); c.m.Provenance.AdmittedText(w.Item.Own, d.Text(false)) != provenance.Suspect {
				j.Change = &d
			}
		}
		if w.Kind == review.WaitsCheckpoint {
			j.Author = w.Record.Author
		}
		out.Waiting = append(out.Waiting, j)
	}
	return out, err
}

// keyOf names something that waits, as it is.
func keyOf(w review.Waiting) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		w.Kind, w.Record.ID, w.Item.Key, w.Item.Blob, w.Other.Key, w.Other.Blob, w.Core.Path, w.Core.Summary, w.Opposed.Newer.ID, w.Opposed.Older.ID,
	}))
	return hex.EncodeToString(sum[:12])
}

// actsOf are what 'git sage review' offers. What an edit makes of an item goes to
// /api/knowledge/{id}; the page edits no checkpoint.
func actsOf(w review.Waiting) []string {
	return slices.DeleteFunc(w.Acts(), func(act string) bool { return act == review.Edit && w.Kind == review.WaitsCheckpoint })
}

// A Judgement says what is to become of something that waits.
type Judgement struct {
	Act string `json:"act"`          // one of its acts
	By  string `json:"by,omitempty"` // of supersede: the item that counts in its place; of two it is the newer
}

// Judged says what became of it.
type Judged struct {
	Act  string `json:"act"`
	ID   string `json:"id"`
	Left int    `json:"left"` // what still waits
}

// judge does what a key of 'git sage review' does, to what is as it was shown.
func (a *API) judge(ctx context.Context, c call) (any, error) {
	var in Judgement
	if err := decode(c, &in); err != nil {
		return nil, err
	}
	a.judging.Lock()
	defer a.judging.Unlock()
	stamp, err := a.stamp(ctx, c.m)
	if err != nil {
		return nil, err
	}
	list, err := a.waiting(ctx, c.m, stamp)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(w review.Waiting) bool { return keyOf(w) == c.PathValue("id") })
	if i < 0 {
		return nil, &problem{http.StatusConflict, errors.New("it does not wait any more as it was shown"), map[string]int{"left": len(list)}}
	}
	w := list[i]
	if !slices.Contains(actsOf(w), in.Act) {
		return nil, badRequest("act: want one of %q", actsOf(w))
	}
	switch {
	case in.Act == review.Edit:
		err = badRequest("PUT /api/knowledge/%s changes the item", w.Item.Key)
	case in.Act == review.Supersede && !w.IsPair() && in.By == "":
		err = badRequest("by is missing: the item that counts in its place")
	default:
		_, err = c.m.Review.Judge(ctx, w, in.Act, in.By)
	}
	if err == nil {
		*c.then = func() { a.judged(ctx, c.m, list, w) }
	}
	return Judged{in.Act, wire.WaitingID(w), len(list) - 1}, err
}
