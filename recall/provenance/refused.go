package provenance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
)

// What a person refused is told by the sum of what it says, whatever id it has, so that it stays
// refused when it is fetched again; a checkpoint by its id as well, which lists know of it. The
// sums lie in an archived item of the user's own store, which goes with them to their other
// machines, as a list: merges unite it. With each sum is one of the words, for one blank more
// makes no other text of it. In the repository the text stays what it is, for others
// who want it.
const (
	refusedID  = "refused-texts"
	refusedKey = "refused"

	// aCheckpoint stands before the id of one that was refused. Ids of items have no blank.
	aCheckpoint = "checkpoint "
)

// Refusals are what the user refused: by the sum of each text what it was called, see
// [Labeller.RefusedCheckpoint].
func (la *Labeller) Refusals(ctx context.Context) (map[string]string, error) {
	list, err := la.refusals(ctx)
	out := map[string]string{}
	seen := map[string]bool{} // checkpoints, of whose two sums the one of words is behind the other
	for _, r := range list {
		if !seen[r.name] {
			out[r.sum] = r.name
		}
		seen[r.name] = strings.HasPrefix(r.name, aCheckpoint)
	}
	return out, err
}

func (la *Labeller) refusals(ctx context.Context) (list []refusal, err error) {
	own, err := la.stores.Own(ctx)
	if own == nil || err != nil {
		return nil, err
	}
	e, err := own.Knowledge.ItemInPlace(ctx, refusedID)
	if errors.Is(err, gitstore.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, s := range refusedList(e.Item) {
		if r := refusalOf(s); r.name != "" {
			list = append(list, r)
		}
	}
	return list, nil
}

const sumSize = 64

func refusedList(it *sage.Item) (list []string) {
	for _, x := range it.Extra {
		values, _ := x.Value.([]any)
		if x.Key != refusedKey {
			continue
		}
		for _, v := range values {
			if s, ok := v.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// IsRefused reports whether the user refused what an item says.
func (la *Labeller) IsRefused(k knowledge.Known) bool {
	return k.Err == nil && len(la.refused()) > 0 && la.RefusedAs(k.Sent()) != "" && la.waits(k)
}

// RefusedAs is the name under which the user refused what an item says, wherever it lies; "" if they
// did not.
func (la *Labeller) RefusedAs(it *sage.Item) string {
	return cmp.Or(la.refused()[gitstore.TextSum(it)], la.refused()[wordsOf(it)])
}

func (la *Labeller) refuses(e gitstore.ItemEntry) bool {
	return la.IsRefused(knowledge.Known{ItemEntry: e})
}

// refusedIDs are the checkpoints that the user refused.
func (la *Labeller) refusedIDs() map[string]bool {
	out := map[string]bool{}
	for _, name := range la.refused() {
		if id, ok := strings.CutPrefix(name, aCheckpoint); ok {
			out[id] = true
		}
	}
	return out
}

// RefusedCheckpoint is the id of a checkpoint that [Labeller.Refusals] names; "" if it names an item.
func (la *Labeller) RefusedCheckpoint(name string) string {
	id, ok := strings.CutPrefix(name, aCheckpoint)
	if !ok {
		return ""
	}
	return id
}

// IsRefusedCheckpoint reports whether the user refused a checkpoint, or what it says. Where refs
// cannot be read, which of others hold something refused is not known, and all count as refused.
func (la *Labeller) IsRefusedCheckpoint(ctx context.Context, c *sage.Checkpoint) bool {
	if !c.Elsewhere || len(la.refused()) == 0 {
		return false
	}
	if sum := gitstore.CheckpointSum(c); sum != "" && (la.refused()[sum] != "" || la.refused()[wordsIn(c)] != "") {
		return true
	}
	isRefused, err := la.stores.Store.Commits.Refusals(ctx)
	la.stores.Complain(err)
	return err != nil || isRefused(c.ID)
}

// A refusal is a text by its sum, what it is called, and the sum of its words.
type refusal struct{ sum, name, words string }

// refusalOf reads an entry of the list: without a name if it is none.
func refusalOf(s string) (r refusal) {
	if len(s) <= sumSize {
		return r
	}
	r = refusal{sum: s[:sumSize], name: s[sumSize+1:]}
	if !strings.HasPrefix(r.name, aCheckpoint) {
		r.name, r.words, _ = strings.Cut(r.name, " ")
	}
	return r
}

// entries are what is noted of it: of a checkpoint, behind whose id nothing stands, two.
func (t refusal) entries() []string {
	switch {
	case t.words == "":
		return []string{t.sum + " " + t.name}
	case strings.HasPrefix(t.name, aCheckpoint):
		return []string{t.sum + " " + t.name, t.words + " " + t.name}
	}
	return []string{t.sum + " " + t.name + " " + t.words}
}

// isOf reports whether it is a refusal that was noted; one without a sum is any of its name.
func (t refusal) isOf(r refusal) bool {
	return r.sum == t.sum || t.sum == "" && r.name == t.name || t.words != "" && (r.words == t.words || r.sum == t.words) || r.name == t.name && strings.HasPrefix(r.name, aCheckpoint)
}

// wordsOf is the sum of the words of an item, whatever it says of itself.
func wordsOf(it *sage.Item) string {
	return wordsSum("", it.Content, it.Approach, it.WhyFailed, it.Learned)
}

// wordsIn is the sum of the words of a checkpoint.
func wordsIn(c *sage.Checkpoint) string {
	return wordsSum(aCheckpoint, append(slices.Concat(c.KeyEvidence, c.OpenQuestions), c.Thesis, c.CoreQuestion, c.ReasoningTrace)...)
}

// wordsSum is the sum of the words of texts of a kind, without what stands between them or is not
// seen; "" if there are none.
func wordsSum(kind string, texts ...string) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, strings.Join(texts, " ")))
	if len(words) == 0 {
		return ""
	}
	return gitstore.TextSum(&sage.Item{Content: kind + strings.Join(words, " ")})
}

// Refuse notes in one commit that the user refuses what items and checkpoints say, or takes that
// back; nothing is written if none of them is refused, or all that was sent of one says what the
// user had left of it. The error is [gitstore.ErrNoPerson] if an agent wants it.
func (la *Labeller) Refuse(ctx context.Context, refuse bool, items []knowledge.Known, checkpoints ...*sage.Checkpoint) error {
	var texts []refusal
	for _, k := range items {
		if words := wordsOf(k.Sent()); !refuse || k.Changed == nil || words != "" && words != wordsOf(k.Changed.Left) {
			texts = append(texts, refusal{gitstore.TextSum(k.Sent()), k.Item.ID, words})
		}
	}
	for _, c := range checkpoints {
		sum := gitstore.CheckpointSum(c)
		if sum == "" { // nothing that another could say as well
			sum = gitstore.TextSum(&sage.Item{Content: c.ID})
		}
		texts = append(texts, refusal{sum, aCheckpoint + c.ID, wordsIn(c)})
	}
	return la.refuse(ctx, refuse, texts)
}

// Unrefuse takes back what the user refused under some names, also where nothing here says it.
func (la *Labeller) Unrefuse(ctx context.Context, names ...string) error {
	return la.refuse(ctx, false, legible.Each(names, func(name string) refusal { return refusal{name: name} }))
}

func (la *Labeller) refuse(ctx context.Context, refuse bool, texts []refusal) error {
	if !refuse {
		list, err := la.refusals(ctx)
		if err != nil || !slices.ContainsFunc(texts, func(t refusal) bool { return slices.ContainsFunc(list, t.isOf) }) {
			return err
		}
	}
	if la.forAgent() {
		return gitstore.ErrNoPerson
	}
	if len(texts) == 0 {
		return nil
	}
	own, err := la.stores.MakeOwn(ctx)
	if err != nil {
		return err
	}
	if own == nil {
		return errors.New("refuse: all of your own store is yours")
	}
	edit := func(it *sage.Item) error {
		list := refusedList(it)
		for _, t := range texts {
			list = slices.DeleteFunc(list, func(s string) bool { // a purge may have changed what a checkpoint says
				return t.isOf(refusalOf(s))
			})
			if refuse {
				list = append(list, t.entries()...)
			}
		}
		it.Extra = slices.DeleteFunc(it.Extra, func(x sage.Entry) bool { return x.Key == refusedKey })
		if len(list) > 0 {
			it.Extra = append(it.Extra, sage.Entry{Key: refusedKey, Value: anyOf(list)})
		}
		return nil
	}
	change := gitstore.ItemChange{Key: refusedID, Edit: edit}
	if _, err := own.Knowledge.ItemInPlace(ctx, refusedID); errors.Is(err, gitstore.ErrNotFound) {
		it := &sage.Item{ID: refusedID, Type: sage.Reference, Status: sage.Archived, Content: "Sums of texts of others that you refused; git-sage keeps this list."}
		_ = edit(it) // which never fails
		change = gitstore.ItemChange{Item: it}
	}
	subject := map[bool]string{true: "refuse ", false: "take back the refusal of "}[refuse] + legible.Count(len(texts), "text")
	if _, err := own.Knowledge.WriteItems(ctx, subject, change); err != nil {
		return fmt.Errorf("record what you refuse: %w", err)
	}
	la.RereadRefusals()
	return nil
}

// RereadRefusals has what the user refused read when somebody asks next: another process may
// have changed it.
func (la *Labeller) RereadRefusals() {
	la.refused = sync.OnceValue(func() map[string]string {
		list, err := la.refusals(context.Background())
		la.stores.Complain(err)
		out := map[string]string{}
		for _, r := range list {
			out[r.sum] = r.name
			if r.words != "" {
				out[r.words] = r.name
			}
		}
		return out
	})
}

func anyOf(list []string) (out []any) {
	for _, s := range list {
		out = append(out, s)
	}
	return out
}
