package confirm

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// The file sage/imports lists what was brought in from other tools, a line each: a sum of its
// name there, a sum of what it said, and the id of what was made of it. There are sums and ids
// in it and nothing else. What it lists is not brought in again, also where it was removed
// here since; without it what is here is known by what it says.

// A Brought is something that was brought in from another tool.
type Brought struct {
	Name string // of the tool, the kind, and what the tool calls it
	Sum  string // of what it said, see [BroughtSum]
	Made string // id of the commit that has it
}

// BroughtSum is the sum of a text by which it is known again.
func BroughtSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

func (co *Confirmer) broughtFile() string { return co.repo.Dir("imports") }

// BroughtIn returns what was brought in, the last of each name, by the sum of the name. What a
// purge took out is made of nothing.
func (co *Confirmer) BroughtIn() (map[string]Brought, error) {
	b, err := fsx.ReadOwn(co.broughtFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what was imported: %w", err)
	}
	known := map[string]Brought{}
	for l := range strings.Lines(string(b)) {
		f := strings.Fields(l)
		if len(f) != 3 || !co.repo.IsID(f[2]) {
			continue // half a line of a writer that was killed
		}
		if _, gone := co.rewritten.Purged(f[2]); gone {
			f[2] = ""
		}
		known[f[0]] = Brought{f[0], f[1], f[2]}
	}
	return known, nil
}

// NoteBrought adds to [Confirmer.BroughtIn]; the names are sums.
func (co *Confirmer) NoteBrought(list ...Brought) error {
	var b strings.Builder
	for _, x := range list {
		fmt.Fprintf(&b, "%s %s %s\n", x.Name, x.Sum, x.Made)
	}
	if b.Len() == 0 {
		return nil
	}
	if _, err := fsx.Append(co.broughtFile(), []byte(b.String())); err != nil {
		return fmt.Errorf("record what was imported: %w", err)
	}
	return nil
}
