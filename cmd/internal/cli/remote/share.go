package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

type shareOptions struct {
	lines             []string
	none, yes, dryRun bool
	withSecrets       bool
}

const shareLong = `Let the memory of this repository go to <remote>, from now on and until you take
that back. It says what is there, to where it would go, whether that is a public
host, and what redaction finds in it; then it asks, and syncs.

Nothing leaves this repository without that: no save, no session and no sync
sends anything to a remote that you have not shared with. What you agree to
holds for the remote's address as it is now, and for you in this repository.

--none takes it back; what the remote has already stays there. --line shares
that line alone, beside the knowledge. 'git sage branch --private <line>' keeps
a line here whatever is shared. An agent cannot share.`

// NewShare makes 'git sage share'.
func NewShare(a *app.App) *cobra.Command {
	var o shareOptions
	c := &cobra.Command{
		Use:     "share [<options>] [<remote>]",
		Short:   "Let the memory go to a remote",
		Long:    shareLong,
		Example: "git sage share\ngit sage share --line main upstream\ngit sage share --none",
		Args:    usage.RangeArgs(0, 1, "remote"),
		RunE: func(c *cobra.Command, args []string) error {
			return runShare(c.Context(), a, &o, args)
		},
		ValidArgsFunction: completeRemotes(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVar(&o.lines, "line", nil, "share this `line` and the knowledge alone; may be repeated")
	f.BoolVar(&o.none, "none", false, "send nothing more to the remote")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "say what would be shared, and stop")
	f.BoolVarP(&o.yes, "yes", "y", false, "share without asking")
	f.BoolVar(&o.withSecrets, "with-secrets", false, "with --yes: share also what redaction finds secrets in")
	return c
}

func runShare(ctx context.Context, a *app.App, o *shareOptions, args []string) error {
	m, name, err := open(ctx, a, args)
	if err != nil {
		return err
	}
	if o.none {
		return unshare(a, m, name)
	}
	if !o.dryRun && !a.IsPerson() {
		return gitstore.ErrNoSharing
	}
	bar := a.Progress("Searching for secrets")
	s, err := m.Store.Remotes.Survey(ctx, name, o.lines, bar.Left)
	bar.End()
	if err != nil {
		return err
	}
	if !a.JSON {
		printSurvey(a, s)
		if err := printReaders(a, m, name); err != nil {
			return err
		}
	}
	if o.dryRun {
		if a.JSON {
			return a.PrintJSON(wire.SurveyOf(s, false))
		}
		return nil
	}
	if err := agreed(a, o, s); err != nil {
		return err
	}
	if err := m.Store.Remotes.Share(name, s.Push, o.lines); err != nil {
		return err
	}
	if a.JSON {
		if err := a.PrintJSON(wire.SurveyOf(s, true)); err != nil {
			return err
		}
	}
	a.Acted = "it is shared; 'git sage sync' sends it"
	err = exchange(ctx, a, []string{name}, false, func(ctx context.Context, m *recall.Memory, name string, w gitstore.RemoteWay) (gitstore.Synced, error) {
		return m.Store.Remotes.Sync(ctx, name, w)
	})
	if err != nil && !errors.Is(err, exit.ErrNo) {
		err = exit.WithHint(err, "it is shared all the same: 'git sage sync %[1]s' tries again, 'git sage share --none %[1]s' takes it back", gitstore.InShell(name))
	}
	return err
}

func unshare(a *app.App, m *recall.Memory, name string) error {
	if err := m.Store.Remotes.Unshare(name); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"remote": name, "shared": false})
	}
	a.Say("nothing more is sent to '%s'; what it has stays there", name)
	return nil
}

// printSurvey says what would be shared, and with whom.
func printSurvey(a *app.App, s gitstore.Survey) {
	a.Say("'%s' is %s", s.Remote, strings.Join(lists.Map(s.Push, term.Visible), ", "))
	if s.Public != "" {
		a.Warn("%s is a public host: whoever can read the repository there can read this, and keep it", s.Public)
	}
	what := []string{legible.Count(s.Checkpoints, "checkpoint") + " on " + legible.Count(len(s.Lines), "line")}
	if s.Forks > 0 {
		what = append(what, legible.Count(s.Forks, "fork"))
	}
	if s.Tags > 0 {
		what = append(what, legible.Count(s.Tags, "tag"))
	}
	what = append(what, legible.Count(s.Items, "item")+" of knowledge")
	a.Say("it would get %s, and what is added from now on", strings.Join(what, ", "))
	if len(s.Private) > 0 {
		a.Say("these lines stay here: %s", strings.Join(lists.Map(s.Private, term.Visible), ", "))
	}
	if len(s.Found) == 0 {
		a.Say("redaction finds no secret in it")
		return
	}
	found := lists.Map(s.Found, func(f gitstore.Redaction) string { return fmt.Sprintf("%s: %d", f.Rule, f.Count) })
	a.Warn("redaction finds what may be secrets in it (%s): 'git sage purge --match <pattern>' takes them out", strings.Join(found, ", "))
}

// agreed asks.
func agreed(a *app.App, o *shareOptions, s gitstore.Survey) error {
	switch {
	case o.yes && len(s.Found) > 0 && !o.withSecrets:
		return exit.WithHint(errors.New("nothing is shared: redaction finds what may be secrets in it"), "'git sage purge --match <pattern>' takes them out; '--with-secrets' shares them")
	case o.yes:
		return nil
	case !a.TTY || !a.InputTTY():
		return exit.WithHint(errors.New("sharing must be confirmed, and there is no terminal; nothing was sent"), "'--yes' shares without asking")
	case !a.Ask("share this with '"+term.Visible(s.Remote)+"'?", "nothing was sent"):
		return exit.ErrNo
	}
	return nil
}
