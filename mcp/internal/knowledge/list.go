package knowledge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
)

func runListKnowledge(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	q := recall.ItemQuery{Skill: c.Text("skill")}
	if t := c.Text("item_type"); t != "" {
		q.Types = []sage.ItemType{sage.TypeOf(t)}
	}
	switch s := c.Text("status"); s {
	case "all":
		q.All = true
	case "":
	default:
		q.Statuses = []sage.Status{sage.Status(s)}
	}
	aged, withheld := 0, 0
	q.Hidden, q.Withheld = &aged, &withheld
	items, err := m.Knowledge.Items(ctx, q)
	if err != nil {
		return "", err
	}
	if len(items) == 0 {
		return nothingKnown(c) + agedNote(aged) + provenance.WithheldNote(withheld), nil
	}
	newestFirst(items)
	limit, skip := cmp.Or(c.Count("limit"), texts.MaxListed), c.Count("skip")
	shown := items[min(skip, len(items)):min(skip+limit, len(items))]
	if len(shown) == 0 {
		return "No more items.", nil
	}
	foreign := m.Provenance.Foreign(ctx, shown)
	text, n := texts.Whole(shown, 200, func(list []recall.Known) string { return itemTable(list, foreign, m.Stores.Now()) })
	more := ""
	if skip+n < len(items) {
		more = fmt.Sprintf("\n%d of %s; skip: %d lists the next.", skip+n, legible.Count(len(items), "item"), skip+n)
	}
	return texts.Fenced("git-sage knowledge", text, 200, "list fewer at once") + more + agedNote(aged) + provenance.WithheldNote(withheld), nil
}

// agedNote tells of what a list leaves out for its age.
func agedNote(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s hidden by age; sage_list_knowledge(status: \"all\") lists all.", legible.Count(n, "item"))
}

func nothingKnown(c *tool.Call) string {
	if c.Text("skill")+c.Text("item_type")+c.Text("status") != "" {
		return `No item fits. Leave out an argument, or give status: "all".`
	}
	return "No items yet. sage_save_knowledge saves the first."
}

// newestFirst puts items in the order of their last change, what cannot be read first.
func newestFirst(items []recall.Known) {
	slices.SortStableFunc(items, func(a, b recall.Known) int { return b.Item.Updated.Compare(a.Item.Updated) })
}

// itemTable is one line an item; foreign says who wrote what came from elsewhere.
func itemTable(items []recall.Known, foreign map[string]string, now time.Time) string {
	var b strings.Builder
	b.WriteString("id  type  age  tokens  what\n")
	for _, k := range items {
		if k.Err != nil {
			fmt.Fprintf(&b, "%s  unreadable: %s\n", texts.OneLine(k.Item.ID, 100), texts.OneLine(texts.Error(k.Err), 200))
			continue
		}
		it := k.Item
		fmt.Fprintf(&b, "%s  %s  %s  %d  %s\n", it.ID, texts.OneLine(it.Type.Kind(), 20), texts.Age(now.Sub(it.Updated)), it.Tokens(), itemLine(k, foreign))
	}
	return b.String()
}

// itemLine is what a list says of an item behind its id.
func itemLine(k recall.Known, foreign map[string]string) string {
	var b strings.Builder
	it := k.Item
	if it.Status != sage.Active && it.Status != sage.Pending {
		fmt.Fprintf(&b, "[%s] ", texts.OneLine(string(it.Status), 20))
	}
	if len(merge.Conflicts(k.Sent())) > 0 {
		b.WriteString("[conflict] ")
	}
	b.WriteString(provenance.ItemByline(k, foreign, "") + texts.OneLine(it.Title(), 120))
	if k.Own {
		b.WriteString(" [the user's own]")
	}
	if len(it.Scope.Skills) > 0 {
		fmt.Fprintf(&b, " [skill %s]", texts.OneLine(strings.Join(it.Scope.Skills, ", "), 60))
	}
	if len(it.Keywords) > 0 {
		fmt.Fprintf(&b, " (%s)", texts.OneLine(strings.Join(it.Keywords, ", "), 80))
	}
	return b.String()
}

func runListTodos(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	q := recall.ItemQuery{Types: []sage.ItemType{sage.Todo}}
	if s := c.Text("status"); s != "" {
		q.Statuses = []sage.Status{sage.Status(s)}
	}
	items, err := m.Knowledge.Items(ctx, q)
	if err != nil {
		return "", err
	}
	if len(items) == 0 {
		return `No todos. sage_save_knowledge with item_type "todo" adds one.`, nil
	}
	newestFirst(items)
	slices.SortStableFunc(items, func(a, b recall.Known) int { return isDone(a) - isDone(b) })
	foreign := m.Provenance.Foreign(ctx, items)
	text, n := texts.Whole(items, 200, func(list []recall.Known) string { return itemTable(list, foreign, m.Stores.Now()) })
	return texts.Fenced("git-sage todos", text, 200, "sage_get_pending_todos lists the pending ones") + unlisted(n, len(items), string(sage.Todo)), nil
}

// unlisted says that no more fit into an answer, and what lists the others.
func unlisted(n, all int, kind string) string {
	if n == all {
		return ""
	}
	return fmt.Sprintf("\n%d of %d; sage_list_knowledge with item_type %q, status \"all\" and skip: %d lists others.", n, all, kind, n)
}

// isDone is 1 of what is done, which is listed behind the rest.
func isDone(k recall.Known) int {
	if k.Item.Status == sage.Done {
		return 1
	}
	return 0
}

func runPendingTodos(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	items, err := m.Knowledge.PendingTodos(ctx)
	if err != nil {
		return "", err
	}
	if len(items) == 0 {
		return "No pending todos.", nil
	}
	newestFirst(items)
	foreign := m.Provenance.Foreign(ctx, items)
	text, n := texts.Whole(items, 200, func(list []recall.Known) string { return inFull(list, foreign, m.Stores.Now()) })
	return texts.Fenced("git-sage todos", text, 200, "sage_list_todos lists all") + unlisted(n, len(items), string(sage.Todo)) + "\nWhen one is done: sage_mark_todo_done.", nil
}

func runListFailures(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	aged := 0
	items, err := m.Knowledge.Items(ctx, recall.ItemQuery{Types: []sage.ItemType{sage.Failure}, Skill: c.Text("skill"), Hidden: &aged})
	if err != nil {
		return "", err
	}
	if len(items) == 0 {
		return "No failures. sage_record_failure records one." + agedNote(aged), nil
	}
	newestFirst(items)
	all := len(items)
	if limit := c.Count("limit"); limit > 0 {
		items = items[:min(limit, all)]
	}
	foreign := m.Provenance.Foreign(ctx, items)
	text, n := texts.Whole(items, 200, func(list []recall.Known) string { return inFull(list, foreign, m.Stores.Now()) })
	more := ""
	switch {
	case n < len(items): // no more fit
		more = fmt.Sprintf("\nThe newest %d of %d; sage_list_knowledge with item_type \"failure\" lists all.", n, all)
	case n < all:
		more = fmt.Sprintf("\nThe newest %d of %d; limit: %d lists all.", n, all, all)
	}
	return texts.Fenced("git-sage failures", text, 200, "list fewer at once") + more + agedNote(aged), nil
}

// inFull is all that items say, one under the other; foreign says who wrote what came
// from elsewhere.
func inFull(items []recall.Known, foreign map[string]string, now time.Time) string {
	var b strings.Builder
	for _, k := range items {
		if k.Err != nil {
			fmt.Fprintf(&b, "## %s\nunreadable: %s\n\n", texts.OneLine(k.Item.ID, 100), texts.OneLine(texts.Error(k.Err), 200))
			continue
		}
		from := ""
		if author, ok := foreign[k.Key]; ok {
			from = ", " + provenance.Unconfirmed(author)
		}
		fmt.Fprintf(&b, "## %s (%s%s)\n%s\n\n", k.Item.ID, texts.Age(now.Sub(k.Item.Updated)), from, k.Item.Text())
	}
	return b.String()
}
