package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// choose obeys what a person said a ref is to be, where several values are
// possible. What is not among them is refused.
func (k *checker) choose(ctx context.Context, set map[string]string) error {
	for ref, id := range set {
		name, err := k.s.refNamed(ctx, ref)
		if err != nil {
			return err
		}
		all := append(k.remembered(name), was{id: k.idOf(name)})
		i := slices.IndexFunc(all, func(w was) bool { return len(id) >= 4 && strings.HasPrefix(w.id, id) })
		if i < 0 {
			return fmt.Errorf("no record that '%s' was ever at '%s'; 'git sage fsck' lists the choices", ref, id)
		}
		k.set(name, all[i].id)
	}
	return nil
}

// chosen is the source of a value that a person named.
const chosen = "the choice"

// set makes a repair set a ref to id, whatever it would have done.
func (k *checker) set(name, id string) {
	k.fixes = slices.DeleteFunc(k.fixes, func(f fix) bool { r, ok := f.(*refFix); return ok && r.name == name })
	f := &refFix{name: name, to: was{id: id, source: chosen}, old: k.idOf(name), title: k.title(id)}
	if raw, broken := k.rawOf(name); broken {
		f.raw, f.hasRaw, f.old = raw, true, k.packed(name)
	}
	k.fixes = append(k.fixes, f)
}

// refNamed is the full name of a ref that a person named: a line, a fork, or the
// full name itself.
func (ve *Verifier) refNamed(_ context.Context, ref string) (string, error) {
	if repo.RefKind(ref) != "" {
		return ref, nil
	}
	line, fork, isFork := strings.Cut(ref, "/")
	if err := repo.CheckName(line); err != nil {
		return "", err
	}
	if !isFork {
		return repo.HeadRef(line), nil
	}
	return repo.ForkRef(line, fork), repo.CheckName(fork)
}
