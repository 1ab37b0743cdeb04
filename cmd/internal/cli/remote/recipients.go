package remote

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

const recipientsLong = `List who can read what you push to encrypted remotes. You commit the file
.sage/recipients, which names them: a line has a public key of age or ssh, and
whose it is. It proposes and no more: you encrypt to those whom you accepted.

Somebody who is added can read all that the memory holds, behind your next push.
Somebody who is removed keeps what they could read, and reads nothing that is
pushed from then on.`

func newRecipients(a *app.App) *cobra.Command {
	return usage.Listing(usage.Group("recipients", "Say who can read encrypted remotes", recipientsLong,
		&cobra.Command{
			Use: "list", Short: "List who can read encrypted remotes", Args: usage.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return listRecipients(c.Context(), a) },
		},
		&cobra.Command{
			Use: "add <public key> [<whose>]", Short: "Add a reader to .sage/recipients, and accept them", Args: usage.RangeArgs(1, 2, "public key", "whose"),
			Example: "git sage remote recipients add age1... carl",
			RunE: func(c *cobra.Command, args []string) error {
				return changeRecipients(c.Context(), a, func(m *recall.Memory) (added, removed []gitstore.Reader, err error) {
					return m.Store.Vault.Add(strings.Join(args, " "))
				})
			},
		},
		&cobra.Command{
			Use: "rm <public key or whose>", Aliases: []string{"remove"}, Short: "Remove a reader from .sage/recipients", Args: usage.ExactArgs("public key or whose"),
			RunE: func(c *cobra.Command, args []string) error {
				return changeRecipients(c.Context(), a, func(m *recall.Memory) (added, removed []gitstore.Reader, err error) {
					return m.Store.Vault.Remove(args[0])
				})
			},
		},
		newAccept(a)))
}

func newAccept(a *app.App) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "accept [--yes]", Short: "Encrypt to those whom .sage/recipients names, and to nobody else", Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := listRecipients(c.Context(), a); err != nil {
				return err
			}
			switch {
			case yes:
			case !a.TTY || !a.InputTTY():
				return exit.WithHint(errors.New("accepting must be confirmed, and there is no terminal"), "'--yes' accepts without asking")
			case !a.Ask("encrypt to these?", "nothing was changed"):
				return exit.ErrNo
			}
			return changeRecipients(c.Context(), a, func(m *recall.Memory) (added, removed []gitstore.Reader, err error) {
				return m.Store.Vault.Accept()
			})
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "accept without asking")
	return c
}

func newKeygen(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "keygen", Short: "Print your public key for encrypted remotes; make it if there is none", Args: usage.NoArgs,
		Long: `Print your public key, for the file .sage/recipients. If there is none it is
made, and the private one kept in ~/.sage/age/identity, readable by you alone.
Keep a copy of that file: without a key nobody can read what is on the remote.`,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			key, made, err := m.Store.Vault.MakeKey()
			if err != nil {
				return err
			}
			if a.JSON {
				return a.PrintJSON(map[string]any{"key": key, "made": made})
			}
			_, err = a.Out.Write([]byte(key + "\n"))
			if made {
				a.Hint("'git sage remote recipients add %s <whose>' lets it read; keep a copy of ~/.sage/age/identity", key)
			}
			return err
		},
	}
}

func listRecipients(ctx context.Context, a *app.App) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	all, err := m.Store.Vault.Readers()
	if err != nil {
		return err
	}
	if len(all) == 0 && !a.JSON {
		a.Say("nobody can read encrypted remotes; 'git sage remote keygen' prints your key, to add")
		return nil
	}
	t := term.Table{Head: []string{"WHOSE", "READS", "KEY"}}
	for _, r := range all {
		if a.JSON {
			if err := a.PrintJSON(map[string]any{"key": r.Key, "whose": r.Who, "accepted": r.Accepted, "in_file": r.InFile, "mine": r.Mine}); err != nil {
				return err
			}
			continue
		}
		reads := "yes"
		switch {
		case !r.Accepted:
			reads = "not accepted"
		case !r.InFile:
			reads = "yes, but not in .sage/recipients"
		}
		who := cmp.Or(term.Visible(r.Who), "-")
		if r.Mine {
			who += " (you)"
		}
		t.Add(who, reads, term.Visible(r.Key))
	}
	if a.JSON {
		return nil
	}
	return t.Print(&a.Terminal)
}

// changeRecipients changes who reads and says so.
func changeRecipients(ctx context.Context, a *app.App, do func(*recall.Memory) (added, removed []gitstore.Reader, err error)) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	added, removed, err := do(m)
	if err != nil {
		return err
	}
	keys := func(list []gitstore.Reader) []string {
		return lists.Map(list, func(r gitstore.Reader) string { return r.Key })
	}
	if a.JSON {
		return a.PrintJSON(map[string][]string{"added": keys(added), "removed": keys(removed)})
	}
	for _, r := range added {
		a.Say("%s can read all of it behind your next push", r.Name())
	}
	for _, r := range removed {
		a.Say("%s reads nothing that is pushed from now on; what there is they may have", r.Name())
	}
	if len(added)+len(removed) == 0 {
		a.Say("nothing changed")
	}
	return nil
}

// howToRead is what to type so that somebody can read what is encrypted, where nobody is accepted;
// named is that the project's file names somebody.
func howToRead(named bool) string {
	if !named {
		return "'git sage remote keygen' prints your key, 'git sage remote recipients add <key> <whose>' lets it read"
	}
	return "'git sage remote recipients accept' accepts those in .sage/recipients"
}

// printReaders says who can read what goes to an encrypted remote, and warns where the project
// encrypts and a remote does not.
func printReaders(a *app.App, m *recall.Memory, name string) error {
	all, err := m.Store.Vault.Readers()
	if err != nil {
		return err
	}
	var names []string
	for _, r := range all {
		if r.Accepted {
			names = append(names, r.Name())
		}
	}
	switch {
	case m.Store.Remotes.Sealed(name) && len(names) == 0:
		a.Warn("it is encrypted, and nobody is accepted as a reader: %s", howToRead(len(all) > 0))
	case m.Store.Remotes.Sealed(name):
		a.Say("it is encrypted, to %s: the host sees when you push, and how much", strings.Join(names, ", "))
	case len(all) > 0:
		a.Warn("this project encrypts its memory (.sage/recipients), and '%s' would get it in plain: 'git sage remote add --encrypt <name> <url>' adds one that does not", term.Visible(name))
	}
	return nil
}
