package code

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/references"
)

type verifyOptions struct {
	scope references.Scope
	fix   bool
}

// NewVerify makes 'git sage verify'.
func NewVerify(a *app.App) *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use:   "verify [<options>]",
		Short: "Check references to code against the work tree",
		Long: `Check what items and checkpoints refer to in the code, against the work tree as
it is, and print a line for each reference that is not current: moved, changed
or gone. Exit with status 1 if any is changed or gone, for CI. What a checkpoint
has as context only, since it was read, is left out unless --all is given.

With --fix, move the references of items whose code moved; 'git sage undo' takes
that back. Checkpoints do not change: whoever reads one is shown where the code
is now. What came from elsewhere is not changed until you confirm it.

This is about references to code only: 'git sage fsck' checks the memory itself.`,
		Example: "git sage verify\ngit sage verify --knowledge --fix",
		Args:    usage.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runVerify(c.Context(), a, o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.fix, "fix", false, "move references of items to where their code is now")
	f.BoolVar(&o.scope.Knowledge, "knowledge", false, "check items only")
	f.BoolVar(&o.scope.Checkpoints, "checkpoints", false, "check checkpoints only")
	f.BoolVar(&o.scope.All, "all", false, "also check what checkpoints have as context")
	return c
}

func runVerify(ctx context.Context, a *app.App, o verifyOptions) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	list, err := m.References.Verify(ctx, o.scope, o.fix)
	if err != nil {
		return err
	}
	count := map[string]int{}
	fixed, history := 0, 0
	t := term.Table{Head: []string{"STATE", "IN", "REFERENCE", "NOW"}}
	for _, c := range list {
		count[c.Now.State]++
		if c.Fixed {
			fixed++
		}
		if c.Checkpoint && c.Now.State == sage.RefMoved {
			history++
		}
		switch {
		case !c.Now.IsStale():
		case a.JSON:
			if err := a.PrintJSON(wire.CheckedOf(c)); err != nil {
				return err
			}
		default:
			t.Add(checkedState(c), checkedIn(a, c), checkedRef(c.Ref), whereNow(c))
		}
	}
	if !a.JSON {
		if err := t.Print(&a.Terminal); err != nil {
			return err
		}
		a.Say("%s", verified(len(list), count, fixed))
		if history > 0 && o.fix {
			a.Say("%s of checkpoints moved and cannot be changed: readers are shown where the code is now", legible.Count(history, "reference"))
		} else if count[sage.RefMoved] > history && !o.fix {
			a.Hint("'git sage verify --fix' moves references of items to where their code is now")
		}
	}
	if count[sage.RefChanged]+count[sage.RefGone] > 0 {
		return exit.ErrNo
	}
	return nil
}

func checkedState(c references.Checked) string {
	if c.Fixed {
		return "fixed"
	}
	return c.Now.State
}

func checkedIn(a *app.App, c references.Checked) string {
	if c.Checkpoint {
		return "checkpoint " + a.Short(c.ID)
	}
	return c.Type + " " + c.ID
}

// checkedRef is a reference without what its author made of it.
func checkedRef(r sage.CodeRef) string {
	r.Relevance = ""
	return r.Line()
}

// whereNow says where the code is, if it is elsewhere, and why the reference to it was not moved.
func whereNow(c references.Checked) string {
	now := sage.CodeRef{File: c.Now.To, Lines: c.Now.Lines}
	if c.Now.State == sage.RefChanged {
		now.Lines = c.Now.Now
	}
	if now.File == "" && now.Lines != [2]int{} {
		now.File = c.Ref.File
	}
	s := strings.TrimSpace(now.Line())
	if now.File == c.Ref.File && now.Lines == c.Ref.Lines {
		s = ""
	}
	if c.Unfixed != "" {
		s += " (" + c.Unfixed + ")"
	}
	return strings.TrimSpace(s)
}

// verified is the sum of it all.
func verified(all int, count map[string]int, fixed int) string {
	if all == 0 {
		return "nothing refers to code"
	}
	parts := []string{strconv.Itoa(count[sage.RefCurrent]) + " current"}
	if fixed > 0 {
		parts = append(parts, strconv.Itoa(fixed)+" fixed")
	}
	for _, state := range []string{sage.RefMoved, sage.RefChanged, sage.RefGone} {
		n := count[state]
		if state == sage.RefMoved {
			n -= fixed
		}
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+state)
		}
	}
	if n := count[""]; n > 0 {
		parts = append(parts, strconv.Itoa(n)+" unknown")
	}
	return fmt.Sprintf("checked %s to code: %s", legible.Count(all, "reference"), strings.Join(parts, ", "))
}
