package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

func runVersion(_ context.Context, c *call) (string, error) {
	return "git-sage " + c.s.o.Version, nil
}

func runHealth(ctx context.Context, c *call) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "git-sage %s\n", c.s.o.Version)
	m, err := c.memory(ctx)
	if err != nil {
		return b.String() + "The memory cannot be opened: " + c.s.explain(err), nil
	}
	st, err := m.Store.Status(ctx)
	if err != nil {
		return b.String() + "The memory cannot be read: " + c.s.explain(err) + "\nNext: `git sage fsck` says what is wrong.", nil
	}
	fmt.Fprintf(&b, "Repository: %s\nLine: %s (%s in all)\nSession: %s\n", st.Repository, st.Line, plural(st.Lines, "line"), c.s.o.Session)
	fmt.Fprintf(&b, "Identity: %s\n", oneLine(st.Identity, 100))
	if st.Fallback {
		b.WriteString("Warning: git knows no identity here; the user should set user.name and user.email.\n")
	}
	if p := st.Parent; p != nil {
		fmt.Fprintf(&b, "The next save continues %s, %s old: %s\n", short(p.ID), age(now(m).Sub(p.Time)), oneLine(p.Description, 100))
	}
	if st.Detached {
		b.WriteString("That is not the newest of its line: the next save goes to a fork.\n")
	}
	forks(&b, st)
	b.WriteString("Next: " + next(st, now(m)))
	return b.String(), nil
}

// next is what to do on the line where the session is.
func next(st gitstore.Status, now time.Time) string {
	switch {
	case st.Disabled:
		return "nothing: " + gitstore.ErrDisabled.Error() + "."
	case slices.ContainsFunc(st.Unsettled, func(r gitstore.Record) bool { return slices.Contains(r.Names, st.Line) }):
		return "settle the merge that waits, with sage_merge and a thesis."
	case slices.ContainsFunc(st.Forks, func(l gitstore.Line) bool { return l.Of == st.Line }):
		return "bring the open forks in, with sage_merge and a thesis."
	case st.Parent == nil:
		return "save the first conclusion with sage_save_checkpoint."
	case now.Sub(st.Parent.Time) > time.Hour:
		return "sage_load_checkpoint(checkpoint_id: \"@\") brings back where it was left; save when something new holds."
	}
	return "go on; save when something new holds."
}
