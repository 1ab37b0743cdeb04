package remotes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/vault"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// sealedKey is the setting of a remote whose host is to read nothing: the ref that its vault
// lies on. It is in the configuration of the repository, so that a copy of it does not push
// there in plain.
const sealedKey = "sageVault"

// branchVault is where a vault lies on a remote that takes branches only.
const branchVault = underBranch + "vault"

// Sealed reports whether a remote gets the memory encrypted, and in no other way.
func (r *Remotes) Sealed(name string) bool { return r.vaultRef(name) != "" }

func (r *Remotes) vaultRef(name string) string {
	ref, _, _ := r.repo.Config("remote." + name + ".sagevault")
	return ref
}

// becameSealed reports whether a remote was made an encrypted one since this process read the
// configuration: nothing goes there in plain.
func (r *Remotes) becameSealed(ctx context.Context, name string) bool {
	if r.repo.Holds() {
		return r.Sealed(name)
	}
	out, _ := r.repo.Git.Run(ctx, "config", "--get", "remote."+name+"."+sealedKey)
	return len(out) > 0
}

// sealed is how the vault on a remote is reached: by its addresses as they are, for the git there
// has no remote of that name.
func (r *Remotes) sealed(ctx context.Context, w Way, name, ref string) (vault.Remote, error) {
	push, err := r.addresses(ctx, name, "--push", "--all")
	if err == nil && len(push) != 1 {
		err = fmt.Errorf("'%s' has %d addresses to push to: what is encrypted goes to one", legible.OneLine(name), len(push))
	}
	fetch, err2 := r.addresses(ctx, name)
	if err = cmp.Or(err, err2); err != nil {
		return vault.Remote{}, err
	}
	return vault.Remote{Name: name, URL: strings.Join(fetch, "\n"), Push: push[0], Ref: ref, Talk: func(ctx context.Context, gitDir string, args ...string) ([]byte, error) {
		return r.talkIn(ctx, w, name, gitDir, nil, args...)
	}}, nil
}

// fetchSealed is [Remotes.Fetch] of what is encrypted.
func (r *Remotes) fetchSealed(ctx context.Context, w Way, name string) (got Arrived, err error) {
	for _, ref := range slices.Compact([]string{r.vaultRef(name), branchVault}) {
		at, err := r.sealed(ctx, w, name, ref)
		if err != nil {
			return got, err
		}
		rep, err := r.vault.Fetch(ctx, at)
		got = Arrived{Changed: got.Changed || len(rep.Refs) > 0, Has: rep.Has, Notes: rep.Notes}
		if err != nil {
			return got, err
		}
		if rep.Has > 0 {
			return got, r.setVaultRef(ctx, name, ref)
		}
	}
	return got, nil
}

// setVaultRef keeps where a vault lies.
func (r *Remotes) setVaultRef(ctx context.Context, name, ref string) error {
	if ref == r.vaultRef(name) {
		return nil
	}
	return r.repo.SetConfig(ctx, "remote."+name+"."+sealedKey, ref)
}

// PushSealed pushes to all encrypted remotes that the memory is shared with, as behind a purge,
// and says which were encrypted anew.
func (r *Remotes) PushSealed(ctx context.Context) (anew []string, err error) {
	all, err := r.repo.Remotes(ctx)
	for _, name := range all {
		if !r.Sealed(name) || len(r.agreed(name).Push) == 0 {
			continue
		}
		p, e := r.Push(ctx, name, Way{})
		if p.Anew {
			anew = append(anew, name)
		}
		err = cmp.Or(err, e)
	}
	return anew, err
}

// pushSealed sends a plan encrypted. It pushes also where the plan is empty: somebody may have
// been added, or something purged.
func (r *Remotes) pushSealed(ctx context.Context, w Way, name string, plan []Sent, p *Pushed) error {
	refs := map[string]string{}
	for _, s := range plan {
		refs[s.Ref] = s.New
	}
	ref := r.vaultRef(name)
	at, err := r.sealed(ctx, w, name, ref)
	if err != nil {
		return err
	}
	rep, err := r.vault.Push(ctx, at, refs)
	if errors.Is(err, vault.ErrDeclined) && ref == vault.DefaultRef && rep.Has == 0 {
		at.Ref = branchVault
		if there, err2 := r.vault.Push(ctx, at, refs); err2 == nil {
			rep, err = there, r.setVaultRef(ctx, name, branchVault)
			p.Branch = true
		}
	}
	p.Notes, p.Anew = rep.Notes, rep.Base
	if err != nil {
		return err
	}
	for _, s := range plan {
		if slices.Contains(rep.Behind, s.Ref) {
			s.Err, s.outraced = errors.New("somebody else moved it meanwhile"), true
		}
		p.Sent = append(p.Sent, s)
	}
	slices.SortFunc(p.Sent, func(a, b Sent) int { return cmp.Compare(a.Ref, b.Ref) })
	return nil
}
