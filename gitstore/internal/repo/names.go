package repo

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// CheckNewName is [refname.CheckTypedName] for a line or tag that is made. A name goes wherever its ref
// goes, and no placeholder can stand in it: one that holds a secret is refused, and not
// repeated. One that reads as a short id would be taken for that, or stand in its place.
func (rp *Repo) CheckNewName(name string) error {
	if err := refname.CheckTypedName(name); err != nil {
		return err
	}
	_, found, err := rp.Options.Redact.Text(name)
	if err != nil {
		return fmt.Errorf("look for secrets: %w; nothing was saved", err)
	}
	if len(found) > 0 {
		return fmt.Errorf("%w: it looks like a secret (%s); choose another", refname.ErrName, found[0].Rule)
	}
	if refname.ReadsAsID(name) {
		return fmt.Errorf("%w '%s': it looks like a short checkpoint id; choose one with a letter after f, or a dash", refname.ErrName, name)
	}
	return nil
}
