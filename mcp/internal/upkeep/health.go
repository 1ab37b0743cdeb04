package upkeep

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/mcp/internal/checkpoints"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

func runVersion(_ context.Context, c *tool.Call) (string, error) {
	return "git-sage " + c.Client.Version, nil
}

func runHealth(ctx context.Context, c *tool.Call) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "git-sage %s\n", c.Client.Version)
	m, err := c.Memory(ctx)
	if err != nil {
		return b.String() + "The memory cannot be opened: " + c.Client.Explain(err), nil
	}
	st, err := m.Store.Status(ctx)
	if err != nil {
		return b.String() + "The memory cannot be read: " + c.Client.Explain(err) + "\nNext: `git sage fsck` shows what is wrong.", nil
	}
	fmt.Fprintf(&b, "Repository: %s\nLine: %s (%s in all)\nSession: %s\n", st.Repository, st.Line, legible.Count(st.Lines, "line"), c.Session)
	if st.Branch != "" {
		offBranch := ""
		if st.OffBranch {
			offBranch = " (HEAD is detached)"
		}
		fmt.Fprintf(&b, "Git branch: %s%s, which the line follows\n", texts.OneLine(st.Branch, 100), offBranch)
	}
	fmt.Fprintf(&b, "Identity: %s\n", texts.OneLine(st.Identity, 100))
	if st.Fallback {
		b.WriteString("Warning: git knows no identity here; the user should set user.name and user.email.\n")
	}
	if p := st.Parent; p != nil {
		fmt.Fprintf(&b, "The next save %s %s (%s): %s\n", map[bool]string{false: "continues", true: "begins the line, and continues"}[st.Begins], brief.ShortID(p.ID), texts.Age(m.Stores.Now().Sub(p.Time)), provenance.Byline(*p)+texts.OneLine(provenance.Said(p.Own, p.Description), 100))
	}
	if st.Detached {
		b.WriteString("That is not the newest of its line: the next save becomes a fork.\n")
	}
	checkpoints.Forks(&b, st)
	conflicts(&b, st)
	worst := surroundings(ctx, c, &b)
	if hooked := c.Client.Hooked; hooked == nil || hooked(c.Client.AgentName()) {
		called(&b, m)
	}
	b.WriteString("Next: " + cmp.Or(worst, next(st, m.Stores.Now())))
	return b.String(), nil
}

// conflicts names what a merge left in two versions.
func conflicts(b *strings.Builder, st gitstore.Status) {
	const most = 10
	for i, file := range st.Disagree {
		if i == most {
			fmt.Fprintf(b, "And %d more: `git sage status`.\n", len(st.Disagree)-most)
			return
		}
		fmt.Fprintf(b, "In conflict: %s; `git sage knowledge show` with its id shows how to settle it.\n", texts.OneLine(file, 200))
	}
}

// shownWell are the checks of Diagnose that are shown also when nothing is wrong.
var shownWell = map[string]string{"memory": "Store", "search": "Search", "model": "Model", "hooks": "Claude Code", "client": "Client", "watcher": "Watcher"}

// surroundings says how the store, search and the client's configuration are, and
// returns what to do about the worst; "" is nothing.
func surroundings(ctx context.Context, c *tool.Call, b *strings.Builder) (worst string) {
	if c.Client.Diagnose == nil {
		return ""
	}
	for _, d := range c.Client.Diagnose(ctx, c.Client.AgentName()) {
		head, shown := shownWell[d.Name]
		switch {
		case d.Name == "identity": // said already
			continue
		case d.State != gitstore.StateOK:
			head = map[gitstore.State]string{gitstore.StateWarning: "Warning: ", gitstore.StateError: "WRONG: "}[d.State] + d.Name
		case !shown:
			continue
		}
		fmt.Fprintf(b, "%s: %s", head, texts.OneLine(hint.Note(remedy.Note{Text: d.Detail, Remedies: d.More}), 300))
		if cure := hint.Cure(d.Cure); cure != "" {
			fmt.Fprintf(b, ". Fix: `%s`", texts.OneLine(cure, 200))
		}
		b.WriteByte('\n')
		if d.State == gitstore.StateError && worst == "" {
			worst = "tell the user what is wrong and how to fix it."
		}
	}
	return worst
}

// since is "now", "5m ago" or "in the future".
func since(d time.Duration) string {
	switch text := texts.Age(d); text {
	case "now":
		return text
	case "future":
		return "in the future"
	default:
		return text + " ago"
	}
}

// called says when the client last called which hook here.
func called(b *strings.Builder, m *recall.Memory) {
	calls := hooks.Calls(m.Store.Repo.Folder())
	names := slices.SortedFunc(maps.Keys(calls), func(x, y string) int { return calls[y].Compare(calls[x]) })
	for i, name := range names {
		names[i] = texts.OneLine(name, 40) + " " + since(m.Stores.Now().Sub(calls[name]))
	}
	if len(names) == 0 {
		names = []string{"none yet"}
	}
	fmt.Fprintf(b, "Hooks called: %s\n", strings.Join(names, ", "))
}

// next is what to do on the line where the session is.
func next(st gitstore.Status, now time.Time) string {
	switch {
	case st.Disabled:
		return "nothing: " + gitstore.ErrDisabled.Error() + "."
	case slices.ContainsFunc(st.Unsettled, func(r gitstore.Record) bool { return slices.Contains(r.Names, st.Line) }):
		return "settle the pending merge: call sage_merge with a thesis."
	case slices.ContainsFunc(st.Forks, func(l gitstore.Line) bool { return l.Of == st.Line }):
		return "merge the open forks: call sage_merge with a thesis."
	case len(st.Disagree) > 0:
		return "settle the conflicts with the user."
	case st.Parent == nil:
		return "save the first conclusion with sage_save_checkpoint."
	case now.Sub(st.Parent.Time) > time.Hour:
		return "sage_load_checkpoint(checkpoint_id: \"@\") loads the latest state; save when something changes."
	}
	return "continue; save when something changes."
}
