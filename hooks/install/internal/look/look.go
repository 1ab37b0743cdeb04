// Package look reads a client's files to find out what of ours is in them.
package look

import (
	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// Files reads the files of a client.
type Files struct{ place.Place }

// Look reads the file of a part to find something out; nil if that cannot be done.
func (p Files) Look(part place.Part, s place.Scope) *draft.Draft {
	path, _, err := p.File(part, s)
	if err != nil {
		return nil
	}
	return p.ReadFile(path)
}

// ReadFile reads a file of the client's to find something out; nil if it cannot be read,
// or holds nothing.
func (p Files) ReadFile(path string) *draft.Draft {
	t, err := disk.Open(path, true)
	if err != nil {
		return nil
	}
	d, err := p.Read(t.Data)
	if err != nil || d.Root == nil {
		return nil
	}
	return d
}

// Read parses a file of the client's.
func (p Files) Read(src []byte) (*draft.Draft, error) {
	k := p.Client.Kind()
	return draft.Read(src, k != nil && k.TOML)
}
