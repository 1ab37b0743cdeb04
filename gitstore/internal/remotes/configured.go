package remotes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/vault"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Add adds a remote to the configuration of the repository, for the memory alone: it has no
// refspec, and what fetches from all remotes leaves it out. push may be "". Of a sealed one its
// host can read nothing.
func (r *Remotes) Add(ctx context.Context, name, url, push string, sealed bool) error {
	if err := refname.CheckTypedName(name); err != nil {
		return err
	}
	if err := checkURL(url); err != nil {
		return err
	}
	if err := checkURL(push); push != "" && err != nil {
		return err
	}
	all, err := r.repo.Remotes(ctx)
	if err != nil {
		return err
	}
	if slices.Contains(all, name) {
		return remedy.For(fmt.Errorf("remote '%s' %w", name, repo.ErrExists), remedy.SetRemote.On(name))
	}
	key := "remote." + name + "."
	set := [][2]string{{key + "skipFetchAll", "true"}, {key + "skipDefaultUpdate", "true"}, {key + "url", url}} // the address last: it is what makes it one
	if sealed {
		set = append([][2]string{{key + sealedKey, vault.DefaultRef}}, set...)
	}
	if push != "" {
		set = append(set, [2]string{key + "pushurl", push})
	}
	for _, kv := range set {
		if _, err := r.repo.Git.Run(ctx, "config", "--local", kv[0], kv[1]); err != nil {
			return fmt.Errorf("add remote '%s': %w", name, err)
		}
	}
	return nil
}

// checkURL refuses what names a program.
func checkURL(url string) error {
	switch {
	case strings.TrimSpace(url) == "" || strings.HasPrefix(url, "-") || legible.OneLine(url) != url:
		return fmt.Errorf("'%s' is no address of a repository", legible.OneLine(url))
	case strings.HasPrefix(url, "ext::") || strings.HasPrefix(url, "fd::"):
		return fmt.Errorf("'%s' runs a program: name a repository", legible.OneLine(url))
	}
	return nil
}

// SetURL changes the address of a remote, or the one that pushes go to.
func (r *Remotes) SetURL(ctx context.Context, name, url string, push bool) error {
	if err := r.Check(ctx, name); err != nil {
		return err
	}
	if err := checkURL(url); err != nil {
		return err
	}
	key := "url"
	if push {
		key = "pushurl"
	}
	if _, err := r.repo.Git.Run(ctx, "config", "--local", "--replace-all", "remote."+name+"."+key, url); err != nil {
		return fmt.Errorf("change remote '%s': %w", name, err)
	}
	r.keep(name, func(s *State) { *s = State{} }) // which was of the other address
	return nil
}

// Remove takes a remote out of the configuration, with what was fetched from it and what was said
// of it. One that the user's own branches come from stays.
func (r *Remotes) Remove(ctx context.Context, name string) error {
	if err := r.Check(ctx, name); err != nil {
		return err
	}
	if _, err := r.repo.Git.Run(ctx, "config", "--get-all", "remote."+name+".fetch"); err == nil {
		return remedy.For(fmt.Errorf("'%s' is a remote of your own branches too", name),
			remedy.Unshare.On(wording.InShell(name)),
			remedy.Typed("git remote rm "+wording.InShell(name)).To("removes it altogether"))
	}
	if _, err := r.repo.Git.Run(ctx, "remote", "remove", "--", name); err != nil {
		return fmt.Errorf("remove remote '%s': %w", name, err)
	}
	refs, err := r.repo.Refs(ctx, refname.RemotePrefix+name+"/")
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, ref := range refs {
		fmt.Fprintf(&b, "delete %s %s\n", ref.Name, ref.ID)
	}
	if b.Len() > 0 {
		if _, err := r.repo.Git.Feed(ctx, []byte(b.String()), "update-ref", "--stdin"); err != nil {
			return fmt.Errorf("remove what was fetched from '%s': %w", name, err)
		}
	}
	r.keep(name, func(s *State) { *s = State{} })
	if err := r.vault.Forget(name); err != nil {
		return err
	}
	if r.agreed(name).Since.IsZero() && !r.agreed(name).Joined {
		return nil
	}
	return r.say(name, func(c *agreement) { *c = agreement{Word: c.Word, Name: name} })
}
