package item

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/editor"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/recall"
)

// Edit lets a person change what has a key, or takes what they changed from a file.
func Edit(ctx context.Context, a *app.App, m *recall.Memory, key, file, again string, quiet bool) error {
	k, err := m.Knowledge.Item(ctx, key)
	if err != nil {
		return Missing(ctx, m, err)
	}
	if len(k.Withheld) > 0 || k.Titled { // an agent can name an editor, too, and would save what stands in its place
		return needsReview(key)
	}
	base := k.Blob
	save := func(it *sage.Item) error { return saveEdit(ctx, a, m, k, base, it, quiet) }
	if file == "" {
		if k.IsAsLeft() && !a.IsPerson() { // the editor shows what somebody elsewhere made of it
			return needsReview(key)
		}
		text, err := storedText(k)
		if err != nil {
			return err
		}
		return EditNew(ctx, a, m, text, baseMark+base+" -->\n"+editItemHelp, again, save)
	}
	data, err := ReadFile(a, file)
	if err != nil {
		return err
	}
	text, below, cut := editor.Cut(string(data))
	if cut {
		base = baseOf(below, base)
	}
	it, err := Parse(file, []byte(text))
	if err != nil {
		return err
	}
	return save(it)
}

func needsReview(key string) error {
	return exit.WithHint(fmt.Errorf("an agent cannot edit '%s' before a person reviewed it", term.Visible(key)), "a person goes through what waits with 'git sage review'")
}

// storedText is an item as it lies in git, also one that cannot be read.
func storedText(k recall.Known) (string, error) {
	if k.Err == nil {
		return string(codec.MarshalItem(k.Sent())), nil // what somebody elsewhere made of it, too: the person judges it
	}
	return "", exit.WithHint(k.Err, "'git show %s' prints it; 'git sage knowledge add --force --id %s <file>' replaces it", k.Blob[:min(12, len(k.Blob))], k.Item.ID)
}

// saveEdit saves what was made of an item, against the version that it was made from.
func saveEdit(ctx context.Context, a *app.App, m *recall.Memory, k recall.Known, base string, it *sage.Item, quiet bool) error {
	if it.ID != "" && it.ID != k.Item.ID {
		return fmt.Errorf("the id of an item cannot change from '%s': add '%s', then link or remove this one", k.Item.ID, term.Visible(it.ID))
	}
	if IsEmpty(it) {
		return errEmptyItem
	}
	if k.Err == nil && isContentAlone(it) {
		content := it.Content
		it = k.Sent().Clone()
		it.Content = content
	}
	written, err := m.Write.Items(ctx, "", recall.ItemChange{ItemChange: gitstore.ItemChange{Key: k.Key, Item: it, Base: base, Whole: true}})
	if err != nil {
		return err
	}
	if len(written) == 0 || written[0].Commit == "" {
		a.Say("nothing was changed")
		return exit.ErrNo
	}
	return PrintWritten(a, "changed", []string{k.Key}, written, quiet)
}

// isContentAlone reports whether an item was written without front matter. Stored ones
// have an id there: whoever says no field at all wants to lose none.
func isContentAlone(it *sage.Item) bool {
	bare, err := codec.ParseItem([]byte(it.Content))
	return err == nil && reflect.DeepEqual(bare, it)
}

// baseMark introduces, below the scissors, the version that a text was made from, so
// that one that was kept is merged as it would have been.
const baseMark = "<!-- base: "

func baseOf(below, otherwise string) string {
	if _, rest, ok := strings.Cut(below, baseMark); ok {
		if id, _, ok := strings.Cut(rest, " -->"); ok {
			return id
		}
	}
	return otherwise
}

const editItemHelp = `
For each field in conflict ('variants:'), write the version that counts. In the
content, keep one version and delete the lines '<!-- sage: ... -->'.
`
