package review

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
)

// WithoutWhen lists the items that hold and name no request which wants them in other words
// than their own: a prompt in such words misses four of five of them. Those that a session
// was given last come first, then the newest. Todos are told anyway, as is what goes with
// every prompt, and what nobody here stands for is theirs to write who do.
func (rv *Reviewer) WithoutWhen(ctx context.Context) ([]knowledge.Known, error) {
	items, err := rv.knowledge.Items(ctx, knowledge.ItemQuery{Statuses: []sage.Status{"", sage.Active}})
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(items, func(k knowledge.Known) bool {
		return k.Err != nil || len(k.Item.When) > 0 || k.Item.Type == sage.Todo || k.Item.Scope.Always || !rv.provenance.IsConfirmed(k)
	})
	given := map[string]int64{}
	for _, k := range items {
		if t := rv.stores.Store.Session.LastRecalled(doc.ItemKey(k.Key)); !t.IsZero() {
			given[k.Key] = t.UnixNano()
		}
	}
	slices.SortStableFunc(items, func(a, b knowledge.Known) int {
		if d := given[b.Key] - given[a.Key]; d != 0 {
			return int(min(max(d, -1), 1))
		}
		return b.Item.Updated.Compare(a.Item.Updated)
	})
	return items, nil
}
