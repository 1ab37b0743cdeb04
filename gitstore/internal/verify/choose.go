package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// choose obeys what a person said a ref is to be, where several values are
// possible. What is not among them is refused.
func choose(p *pass.Pass, set map[string]string) error {
	for ref, id := range set {
		name, err := refNamed(ref)
		if err != nil {
			return err
		}
		all := append(p.Remembered(name), pass.Value{ID: p.IDOf(name)})
		i := slices.IndexFunc(all, func(w pass.Value) bool { return len(id) >= 4 && strings.HasPrefix(w.ID, id) })
		if i < 0 {
			return remedy.For(fmt.Errorf("no record that '%s' was ever at '%s'", ref, id), remedy.Check.On().To("lists the choices"))
		}
		setRef(p, name, all[i].ID)
	}
	return nil
}

// setRef makes a repair set a ref to id, whatever it would have done.
func setRef(p *pass.Pass, name, id string) {
	p.Fixes = slices.DeleteFunc(p.Fixes, func(f fixes.Fix) bool { r, ok := f.(*fixes.Ref); return ok && r.Name == name })
	f := p.FixTo(name, pass.Value{ID: id}, p.IDOf(name))
	if raw, broken := p.RawOf(name); broken {
		f.Raw, f.HasRaw, f.Old = raw, true, p.Packed(name)
	}
	p.Fixes = append(p.Fixes, f)
}

// refNamed is the full name of a ref that a person named: a line, a fork, or the
// full name itself.
func refNamed(ref string) (string, error) {
	if refname.Kind(ref) != "" {
		return ref, nil
	}
	line, fork, isFork := strings.Cut(ref, "/")
	if err := refname.CheckName(line); err != nil {
		return "", err
	}
	if !isFork {
		return refname.HeadRef(line), nil
	}
	return refname.ForkRef(line, fork), refname.CheckName(fork)
}
