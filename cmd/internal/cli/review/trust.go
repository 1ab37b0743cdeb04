package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// NewTrust makes 'git sage trust'.
func NewTrust(a *app.App) *cobra.Command {
	var list, remove bool
	c := &cobra.Command{
		Use:   "trust (--list | [--remove] <email | key | remote>)",
		Short: "Trust what somebody signs, or what a remote has",
		Long: `Count what comes from a source as reviewed: agents are given it in full, marked
with its author's name. It is not yours before you confirm it, and what is
suspect is withheld all the same.

  <email>   whoever signs with a key that your gpg.ssh.allowedSignersFile or
            your keyring has for it
  <key>     whoever signs with it: SHA256:... of an ssh key, or the fingerprint
            of a gpg key
  <remote>  all that comes by it, whoever wrote it: a name that nobody signs
            proves nothing, so trust a remote only if you trust all who push

It holds for you, in this repository. An agent cannot trust anybody.`,
		Example: "git sage trust ann@example.org\ngit sage trust origin\ngit sage trust --remove origin",
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if list && (remove || len(args) > 0) {
			return usage.Errorf("--list takes no source and no --remove")
		}
		if list {
			return nil
		}
		return usage.RangeArgs(1, 1, "source")(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		ctx := c.Context()
		m, err := a.Open(ctx)
		if err != nil {
			return err
		}
		switch {
		case list:
			return listTrusted(a, m)
		case remove:
			return distrust(ctx, a, m, args[0])
		}
		s, err := sourceOf(ctx, m, strings.TrimSpace(args[0]))
		if err != nil {
			return err
		}
		if err := m.Store.Review.Trust(ctx, s); err != nil {
			return err
		}
		return printTrusted(a, s)
	}
	c.Flags().BoolVar(&list, "list", false, "list whom you trust, and whose texts you confirmed")
	c.Flags().BoolVar(&remove, "remove", false, "trust a source no longer")
	return c
}

// sshKey is the length of the fingerprint by which git names an ssh key. One that was cut would
// be the name of none.
const sshKey = len("SHA256:") + 43

// sourceOf is the source that somebody names.
func sourceOf(ctx context.Context, m *recall.Memory, name string) (s gitstore.TrustedSource, err error) {
	remotes, err := m.Store.Repo.Remotes(ctx)
	if err != nil {
		return s, err
	}
	if slices.Contains(remotes, name) {
		return gitstore.TrustedSource{Kind: gitstore.TrustRemote, Name: name}, nil
	}
	if strings.HasPrefix(name, "SHA256:") && len(name) == sshKey || len(name) >= 40 && strings.Trim(strings.ToLower(name), "0123456789abcdef") == "" {
		return gitstore.TrustedSource{Kind: gitstore.TrustKey, Name: name}, nil
	}
	mail := strings.TrimSuffix(name[strings.LastIndexByte(name, '<')+1:], ">")
	if strings.Contains(mail, "@") {
		return gitstore.TrustedSource{Kind: gitstore.TrustSigner, Name: mail}, nil
	}
	return s, exit.WithHint(fmt.Errorf("'%s' is no remote, key or email address", term.Visible(name)), "'git remote' lists the remotes, 'git sage show <id>' names the key of a checkpoint")
}

// means says what trust in a source of some kind means.
var means = map[string]string{
	gitstore.TrustSigner: "what is signed with a key of this address",
	gitstore.TrustKey:    "what is signed with this key",
	gitstore.TrustRemote: "all that comes by it, whoever wrote it",
	gitstore.TrustAuthor: "you confirmed something by this name",
}

func printTrusted(a *app.App, s gitstore.TrustedSource) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"act": "trusted", "kind": s.Kind, "name": s.Name})
	}
	_, err := fmt.Fprintf(a.Out, "trusted %s %s: %s\n", s.Kind, term.Visible(s.Name), means[s.Kind])
	return err
}

// distrust takes back the trust in all sources of a name.
func distrust(ctx context.Context, a *app.App, m *recall.Memory, name string) error {
	if err := m.Store.Review.Distrust(ctx, name); exit.IsNotFound(err) {
		return exit.WithHint(fmt.Errorf("'%s' is not trusted", term.Visible(name)), "'git sage trust --list' lists who is")
	} else if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"act": "distrusted", "name": name})
	}
	_, err := fmt.Fprintf(a.Out, "no longer trusted: %s\n", term.Visible(name))
	return err
}

func listTrusted(a *app.App, m *recall.Memory) error {
	list, err := m.Store.Ownership.Trusted()
	if err != nil {
		return err
	}
	t := term.Table{Head: []string{"KIND", "NAME", "MEANS"}}
	for _, s := range list {
		if a.JSON {
			if err := a.PrintJSON(map[string]any{"kind": s.Kind, "name": s.Name}); err != nil {
				return err
			}
		}
		t.Add(s.Kind, s.Name, means[s.Kind])
	}
	if a.JSON {
		return nil
	}
	if len(list) == 0 {
		a.Say("nobody is trusted")
		return nil
	}
	return t.Print(&a.Terminal)
}
