package knowledge

import (
	"context"
	"errors"
	"path"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/recall"
)

// A shelving is how a command writes what lies on a shelf: a note, a skill, a text of one.
type shelving struct {
	of           item.Noun
	input        itemInput
	force, quiet bool
}

// flags are its options, with those of the command's own among them; what is what it writes.
func (o *shelving) flags(c *cobra.Command, what string, own func(*pflag.FlagSet)) {
	f := c.Flags()
	f.SortFlags = false
	o.input.flags(f)
	own(f)
	f.BoolVarP(&o.force, "force", "f", false, "replace "+what+" with the same name")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
}

const shelvedHelp = `
Write the note below the second '---'. An empty one aborts.
`

// write saves what was given, which a person may edit before; again is the command line that
// goes on with what they wrote.
func (o *shelving) write(ctx context.Context, a *app.App, m *recall.Memory, it *sage.Item, again string, save func(*sage.Item) error) error {
	if o.input.edit {
		return item.EditNew(ctx, a, m, string(codec.MarshalItem(it)), shelvedHelp, again, save)
	}
	return save(it)
}

// put saves what is to lie under a key.
func (o *shelving) put(ctx context.Context, a *app.App, m *recall.Memory, key string, it *sage.Item) error {
	if item.IsEmpty(it) {
		return exit.WithHint(errors.New("nothing to remember"), "give -m <text> or a file")
	}
	it.ID = path.Base(key)
	written, err := m.Write.Items(ctx, "", recall.ItemChange{ItemChange: gitstore.ItemChange{Key: key, Item: it, Replace: o.force}})
	if errors.Is(err, gitstore.ErrExists) {
		return exit.WithHint(err, "'git sage %s edit %s' changes it, --force replaces it", o.of.Name, item.KeyName(key))
	}
	if err != nil {
		return err
	}
	return item.PrintWritten(a, "added", []string{key}, written, o.quiet)
}
