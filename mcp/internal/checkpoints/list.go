package checkpoints

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

// maxSearch bounds a search, in bytes; a pattern of megabytes takes seconds to make.
const maxSearch = 2000

func runList(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	q := m.Session.Query()
	limit, hidden := cmp.Or(c.Count("limit"), texts.MaxListed), 0
	q.Max, q.Skip = limit+1, c.Count("skip") // one more tells whether there is more
	q.Wanted, q.Hidden = true, &hidden
	q.Skill, q.Project, q.Line, q.All = c.Text("skill"), m.Project.NameOf(c.Text("project")), c.Text("line"), c.Flag("all")
	search := c.Text("search")
	if len(search) > maxSearch {
		return "", fmt.Errorf("search: %d bytes, more than %d", len(search), maxSearch)
	}
	q.Grep, q.IgnoreCase = regexp.QuoteMeta(search), true
	records, err := m.Store.Commits.Log(ctx, q)
	if err != nil {
		return "", err
	}
	if len(records) == 0 {
		return nothingListed(m, q) + hiddenOf(m, q), nil
	}
	text, n := texts.Whole(records[:min(limit, len(records))], 300, func(list []gitstore.Record) string { return table(list, m.Stores.Now()) })
	said := rest(q, n, len(records) > n)
	if said == "" {
		said = hiddenOf(m, q)
	}
	return texts.Fenced("git-sage list", text, 300, "list fewer at once") + said, nil
}

// hiddenOf tells of what the end of a list leaves out.
func hiddenOf(m *recall.Memory, q gitstore.Query) string {
	if *q.Hidden == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s hidden by age or number; all: true, line: %q lists the whole line.", legible.Count(*q.Hidden, "checkpoint"), cmp.Or(q.Line, m.Store.Session.CurrentLine()))
}

func nothingListed(m *recall.Memory, q gitstore.Query) string {
	switch {
	case q.Skip > 0:
		return "No more checkpoints."
	case q.Skill+q.Project+q.Grep != "":
		return "No checkpoint fits. Leave out an argument, or give all: true."
	case q.All:
		return "No checkpoints yet. sage_save_checkpoint saves the first."
	}
	return fmt.Sprintf("Line %s has no checkpoint yet. all: true lists those of every line.", m.Store.Session.CurrentLine())
}

func rest(q gitstore.Query, n int, more bool) string {
	if !more {
		return ""
	}
	return fmt.Sprintf("\nThere are more: repeat the call with skip: %d.", q.Skip+n)
}

// table is one line a checkpoint.
func table(records []gitstore.Record, now time.Time) string {
	var b strings.Builder
	b.WriteString("id        age   conf  where and what\n")
	for _, r := range records {
		conf := "-"
		if r.Confidence != nil {
			conf = fmt.Sprintf("%.0f%%", 100**r.Confidence)
		}
		fmt.Fprintf(&b, "%-8s  %-4s  %-4s  %s\n", brief.ShortID(r.ID), texts.Age(now.Sub(r.Time)), conf, what(r))
	}
	return b.String()
}

func what(r gitstore.Record) string {
	var b strings.Builder
	if len(r.Names) > 0 {
		fmt.Fprintf(&b, "(%s) ", texts.OneLine(strings.Join(r.Names, ", "), 60))
	}
	if r.Kind == gitstore.KindMerge {
		b.WriteString("merge: ")
	}
	b.WriteString(provenance.Byline(r) + texts.OneLine(provenance.Said(r.Own, r.Description), 100))
	if r.Trigger != "" && r.Trigger != "manual" {
		fmt.Fprintf(&b, " [%s]", texts.OneLine(string(r.Trigger), 30))
	}
	return b.String()
}
