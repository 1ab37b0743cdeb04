package knowledge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
)

func runRemoveKnowledge(ctx context.Context, c *tool.Call) (string, error) {
	return writeItems(ctx, c, "Removed", recall.ItemChange{ItemChange: gitstore.ItemChange{Key: c.Text("knowledge_id"), Remove: true}})
}

func runArchiveKnowledge(ctx context.Context, c *tool.Call) (string, error) {
	text, err := editItem(ctx, c, c.Text("knowledge_id"), "Archived", nil, func(it *sage.Item) error {
		it.Status = sage.Archived
		return nil
	})
	if err != nil {
		return "", err
	}
	return text + `It is kept but not recalled; sage_update_knowledge with status "active" undoes this.`, nil
}

func runDeprecateKnowledge(ctx context.Context, c *tool.Call) (string, error) {
	if err := needText(c, "reason"); err != nil {
		return "", err
	}
	by := strings.TrimSpace(c.Text("replacement_id"))
	return editItem(ctx, c, c.Text("knowledge_id"), "Deprecated", nonEmpty(by), func(it *sage.Item) error {
		it.Status, it.Reason, it.Replacement = sage.Deprecated, c.Text("reason"), by
		return nil
	})
}

func runLinkKnowledge(ctx context.Context, c *tool.Call) (string, error) {
	from, to := c.Text("source_id"), strings.TrimSpace(c.Text("target_id"))
	link := sage.Link{Kind: sage.LinkKind(c.Text("relation")), To: to}
	remove := c.Flag("remove")
	var targets []string
	if !remove {
		targets = []string{to}
	}
	text, err := editItem(ctx, c, from, "Changed", targets, func(it *sage.Item) error {
		has := slices.Contains(it.Links, link)
		switch {
		case remove && !has:
			return fmt.Errorf("%s has no link %s %s", texts.OneLine(from, 100), link.Kind, texts.OneLine(to, 100))
		case remove:
			it.Links = slices.DeleteFunc(it.Links, func(l sage.Link) bool { return l == link })
		case !has:
			it.Links = append(it.Links, link)
		}
		return nil
	})
	if err != nil || remove {
		return text, err
	}
	return fmt.Sprintf("%s%s %s %s.", text, from, linkVerbs[link.Kind], to), nil
}

var linkVerbs = map[sage.LinkKind]string{
	sage.Related: "is related to", sage.Supersedes: "supersedes", sage.Contradicts: "contradicts", sage.Extends: "extends",
}

func runTodoDone(ctx context.Context, c *tool.Call) (string, error) {
	id := c.Text("todo_id")
	text, err := editItem(ctx, c, id, "Done:", nil, func(it *sage.Item) error {
		if !HasType(it, sage.Todo) {
			return fmt.Errorf("%s is a %s, and only a todo can be done", it.ID, texts.OneLine(it.Type.Kind(), 20))
		}
		it.Status = sage.Done
		return nil
	})
	if err != nil {
		return "", err
	}
	return text + pendingLeft(ctx, c), nil
}

// pendingLeft says how much is left to do.
func pendingLeft(ctx context.Context, c *tool.Call) string {
	items, err := c.Mem.Knowledge.PendingTodos(ctx)
	if err != nil || len(items) == 0 {
		return "No pending todos."
	}
	return fmt.Sprintf("%s left: sage_get_pending_todos.", legible.Count(len(items), "todo"))
}
