package remote

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

const remoteLong = `List the remotes and what you share with each. A remote is one of git's: every
'git remote' command works on it. 'git sage remote add' adds one for the memory
alone, which 'git fetch --all' leaves out.`

// New makes 'git sage remote'.
func New(a *app.App) *cobra.Command {
	return usage.Listing(usage.Group("remote", "Manage the remotes of the memory", remoteLong,
		newList(a), newAdd(a), newSet(a), newShow(a), newRemove(a), newRecipients(a), newKeygen(a)))
}

func newList(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the remotes and what is shared with each", Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return list(c.Context(), a) },
	}
}

func newAdd(a *app.App) *cobra.Command {
	var push string
	var encrypt bool
	c := &cobra.Command{
		Use:   "add [--encrypt] [--push-url <url>] <name> <url>",
		Short: "Add a remote for the memory alone",
		Long: `Add a remote to this repository's git configuration (remote.<name>.url), for the
memory alone: it has no branches to fetch, and 'git fetch --all' leaves it out.
Nothing is sent before 'git sage share <name>'.

With --encrypt its host can read nothing of the memory: it sees when somebody
pushes, and how much. 'git sage remote recipients' says who can read it.`,
		Example: "git sage remote add memory git@example.com:team/memory.git\ngit sage remote add --encrypt memory git@github.com:team/project.git",
		Args:    usage.ExactArgs("name", "url"),
		RunE: func(c *cobra.Command, args []string) error {
			return change(c.Context(), a, "added", args[0], encrypt, func(m *recall.Memory) error {
				return m.Store.Remotes.Add(c.Context(), args[0], args[1], push, encrypt)
			})
		},
	}
	c.Flags().BoolVar(&encrypt, "encrypt", false, "send the memory encrypted, and in no other way")
	c.Flags().StringVar(&push, "push-url", "", "push to this `url` instead")
	return c
}

func newSet(a *app.App) *cobra.Command {
	var push bool
	c := &cobra.Command{
		Use:   "set [--push] <name> <url>",
		Short: "Change the address of a remote",
		Long: `Change remote.<name>.url, or with --push remote.<name>.pushurl, in this
repository's git configuration. What was shared with the old address is not
shared with the new one.`,
		Example: "git sage remote set memory git@example.com:team/notes.git",
		Args:    usage.ExactArgs("name", "url"),
		RunE: func(c *cobra.Command, args []string) error {
			return change(c.Context(), a, "changed", args[0], false, func(m *recall.Memory) error {
				return m.Store.Remotes.SetURL(c.Context(), args[0], args[1], push)
			})
		},
		ValidArgsFunction: completeRemotes(a),
	}
	c.Flags().BoolVar(&push, "push", false, "change where pushes go, and not where it is fetched from")
	return c
}

func newRemove(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "rm <name>",
		Aliases: []string{"remove"},
		Short:   "Remove a remote",
		Long: `Remove a remote from this repository's git configuration, and what was fetched
from it. What was merged stays, and so does what the remote has. A remote that
git fetches your own branches from is left to 'git remote rm'.`,
		Args: usage.ExactArgs("name"),
		RunE: func(c *cobra.Command, args []string) error {
			return change(c.Context(), a, "removed", args[0], false, func(m *recall.Memory) error {
				return m.Store.Remotes.Remove(c.Context(), args[0])
			})
		},
		ValidArgsFunction: completeRemotes(a),
	}
}

func newShow(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "show [<name>]", Short: "Show what is shared with a remote, and what waits",
		Args: usage.RangeArgs(0, 1, "name"),
		RunE: func(c *cobra.Command, args []string) error {
			m, name, err := open(c.Context(), a, args)
			if err != nil {
				return err
			}
			r, err := about(c.Context(), m, name)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.PrintJSON(r)
			}
			return a.Print(writerOf(a, r))
		},
		ValidArgsFunction: completeRemotes(a),
	}
}

// change does something to a remote and says so.
func change(ctx context.Context, a *app.App, did, name string, encrypted bool, do func(*recall.Memory) error) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if err := do(m); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]string{"remote": name, "act": did})
	}
	a.Say("%s remote '%s'", did, name)
	if did == "removed" {
		return nil
	}
	isRead := !encrypted && !m.Store.Remotes.Sealed(name)
	all, err := m.Store.Vault.Readers()
	for _, r := range all {
		isRead = isRead || r.Accepted
	}
	if err == nil && !isRead {
		a.Hint("nobody can read what it gets yet: %s", howToRead(len(all) > 0))
	} else {
		a.Hint("'git sage sync %[1]s' takes in what it has; 'git sage share %[1]s' says what would leave, and asks", gitstore.InShell(name))
	}
	return nil
}

// about is what is known of a remote, without asking it.
func about(ctx context.Context, m *recall.Memory, name string) (r wire.Remote, err error) {
	s := m.Store.Remotes
	fetch, push, err := s.URLs(ctx, name)
	if err != nil {
		return r, err
	}
	waiting, err := s.Waiting(ctx, name)
	if err != nil {
		return r, err
	}
	said, lately := s.SaidOf(name), s.Lately()[name]
	r = wire.Remote{Name: name, Encrypted: s.Sealed(name), Fetch: fetch, Push: push, Shared: len(said.Push) > 0, Lines: said.Lines, Joined: said.Joined, Why: lately.Why, Refs: max(waiting.Refs, lately.Refs), Waiting: waiting.Checkpoints}
	if r.Moved = s.Moved(name, push); r.Moved {
		r.Shared, r.Lines = false, nil
	}
	if r.Shared {
		r.Since = &said.Since
	}
	if !lately.Looked.IsZero() {
		r.Looked = &lately.Looked
	}
	for ref, why := range lately.Reasons {
		r.Refused = append(r.Refused, gitstore.Sent{Ref: ref}.Name()+": "+why)
	}
	slices.Sort(r.Refused)
	return r, nil
}

func list(ctx context.Context, a *app.App) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	all, err := m.Store.Repo.Remotes(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !a.JSON {
		a.Say("no remotes; 'git sage remote add <name> <url>' adds one")
		return nil
	}
	t := term.Table{Head: []string{"REMOTE", "SHARED", "WAITS", "ADDRESS"}}
	for _, name := range all {
		r, err := about(ctx, m, name)
		if err != nil {
			return err
		}
		if a.JSON {
			if err := a.PrintJSON(r); err != nil {
				return err
			}
			continue
		}
		waits := ""
		if r.Waiting > 0 {
			waits = legible.Count(r.Waiting, "checkpoint")
		}
		t.Add(name, sharedText(r), waits, term.Visible(r.Fetch))
	}
	if a.JSON {
		return nil
	}
	return t.Print(&a.Terminal)
}

func sharedText(r wire.Remote) (text string) {
	if r.Encrypted {
		defer func() { text += ", encrypted" }()
	}
	switch {
	case r.Moved:
		return "nothing with this address"
	case !r.Shared:
		return "nothing"
	case len(r.Lines) == 0:
		return "all"
	}
	return strings.Join(lists.Map(r.Lines, term.Visible), ",") + " and knowledge"
}

func shown(label, text string) string { return fmt.Sprintf("%-9s %s\n", label, term.Visible(text)) }
