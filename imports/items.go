package imports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
)

// FitName is the name that stands for one which an item, a skill or a note cannot have here.
// It is the same for the same name.
func FitName(name string) string {
	fit := name
	if naming.NameProblem(name) != "" {
		fit = naming.SuggestName(name)
	}
	if fit == "" || isSecret(name) || isSecret(fit) {
		return hiddenName(name)
	}
	return fit
}

// isSecret reports whether a name holds a secret, as that of a file may.
func isSecret(name string) bool {
	_, found, err := redact.Default().Text(name)
	return err != nil || len(found) > 0
}

// lookAtItems finds out which items are here, and gives those of the source their ids.
func (w *writer) lookAtItems(ctx context.Context) error {
	byAlias := map[string]string{}
	w.private, w.coming = map[string]bool{}, map[string]bool{}
	if !w.empty {
		list, err := w.s.Knowledge.EveryItem(ctx)
		if err != nil {
			return err
		}
		for _, e := range list {
			w.items[e.Key] = e
			w.private[e.Key] = e.Item.IsPrivate()
			if !strings.Contains(e.Key, "/") {
				for _, a := range e.Item.Aliases {
					byAlias[a] = e.Key
				}
			}
		}
	}
	w.ids = map[string]string{}
	taken := map[string]bool{}
	for _, n := range w.r.names {
		if n.Own == w.own && byAlias[n.Name] != "" {
			w.ids[n.Name] = byAlias[n.Name]
			taken[byAlias[n.Name]] = true
		}
	}
	for _, n := range w.r.names {
		if n.Own != w.own || w.ids[n.Name] != "" {
			continue
		}
		id := n.ID
		if id == "" {
			id = n.Name
		}
		if id = FitName(id); w.r.ahead[Name{Own: n.Own, Name: n.Name}].tells {
			id = hiddenName(n.Name)
		}
		w.ids[n.Name] = w.free(id, taken, w.known(n.Name))
		taken[w.ids[n.Name]] = true
	}
	for name, id := range w.ids {
		w.coming[id] = true
		w.private[id] = w.private[id] || w.r.ahead[Name{Own: w.own, Name: name}].private
	}
	return nil
}

// known reports whether an item of this name was brought in.
func (w *writer) known(name string) bool {
	_, ok := w.brought[w.nameSum(itemLedger, name)]
	return ok
}

// free is the id, or one like it that no other item has. mine says that the item that has it
// was brought in under it, unless it names another tool.
func (w *writer) free(id string, taken map[string]bool, mine bool) string {
	free := id
	for n := 2; taken[free] || w.items[free].Item != nil && !(mine && !w.byAnyTool(free)) && !w.bySameTool(free); n++ {
		tail := fmt.Sprintf("-%d", n)
		free = strings.TrimRight(id[:min(len(id), naming.MaxName-len(tail))], "._-") + tail
	}
	return free
}

// bySameTool reports whether an item that is here came from the tool, as far as it tells: a run
// that was killed may not have come to note what it wrote.
func (w *writer) bySameTool(id string) bool {
	return comesFrom(w.items[id].Item, w.r.src.Tool())
}

// byAnyTool reports whether an item that is here names the tool that it came from.
func (w *writer) byAnyTool(id string) bool {
	return slices.ContainsFunc(w.items[id].Item.Extra, func(x sage.Entry) bool { return x.Key == ImportedKey })
}

// ImportedKey is the key of an item's Extra that names the tool which it was brought in from.
const ImportedKey = "imported_from"

// item brings in an item, unless it is here as it is there.
func (w *writer) item(ctx context.Context, rec Record, t Item) error {
	renamed, c := len(w.r.report.Renamed), w.count(t.kind())
	came := c.New + c.Updated
	err := w.bringIn(ctx, rec, t)
	if c.New+c.Updated == came { // it had its name before, or comes under none
		w.r.report.Renamed = w.r.report.Renamed[:renamed]
	}
	return err
}

func (w *writer) bringIn(ctx context.Context, rec Record, t Item) error {
	it, key := w.asHere(t, rec.Name)
	if t.Shelf == "" {
		w.unlink(rec, it)
	}
	if w.dropInvalid(rec, it) {
		return nil
	}
	note := gitstore.Brought{Name: w.nameSum(cmp.Or(t.Shelf, itemLedger), rec.Name), Sum: gitstore.BroughtSum(string(codec.MarshalItem(it)))}
	c := w.count(t.kind())
	b, known := w.brought[note.Name]
	here, there := w.items[key]
	switch {
	case known && !there && !w.r.o.Again:
		c.Removed++
		return nil
	case there && known && b.Sum == note.Sum:
		c.Had++
		return nil
	case there && (w.says(here, it) || !known && t.Shelf == "" && w.movedIn(here, it)):
		c.Had++
		return w.note([]gitstore.Brought{{Name: note.Name, Sum: note.Sum, Made: here.Blob}})
	case there && (known || t.Shelf != "") && (!known || here.Err != nil || !here.Item.Updated.Equal(here.Item.Added)):
		c.Had++
		w.r.problem(rec, Noted, fmt.Sprintf("%s is here with other text, which stays", key), "")
		return nil
	case there && !known: // another item of the same tool, from another folder
		taken := map[string]bool{}
		for _, id := range w.ids {
			taken[id] = true
		}
		w.ids[rec.Name] = w.free(key, taken, false)
		return w.item(ctx, rec, t)
	}
	if w.full(len(w.changes)) {
		if err := w.flushItems(ctx); err != nil {
			return err
		}
	}
	it.Updated = it.Added
	w.changes = append(w.changes, gitstore.ItemChange{Key: key, Item: it, Replace: there, Unconfirmed: t.Unconfirmed})
	w.notes = append(w.notes, note)
	w.bytes += len(it.Content) + 1000
	if there {
		c.Updated++
	} else {
		c.New++
	}
	w.items[key] = gitstore.ItemEntry{Key: key, Item: it}
	return nil
}

// asHere is an item in the form that it has here, and its key.
func (w *writer) asHere(t Item, name string) (it *sage.Item, key string) {
	it = t.Clone()
	if t.Shelf != "" {
		it.ID = FitName(it.ID)
		key = t.Shelf + "/" + it.ID
	} else {
		w.rename(it, name)
		key = it.ID
	}
	it.Extra = append(it.Extra, sage.Entry{Key: ImportedKey, Value: w.r.src.Tool()})
	it.Tidy()
	return it, key
}

// itemLedger is the kind under which an item that lies on no shelf is known again.
const itemLedger = "item"

// rename gives an item its id, and its links those of the others.
func (w *writer) rename(it *sage.Item, old string) {
	id := w.ids[old]
	if id == "" {
		id = FitName(it.ID)
	}
	if id != old && id != it.ID { // a name that the tool did not give it tells nobody anything
		if !slices.Contains(it.Aliases, old) {
			it.Aliases = append(it.Aliases, old)
		}
		r := Renaming{Kind: it.Type.Kind(), Old: old, New: id}
		if w.hidden(old) {
			r.Old = "a name that holds a secret"
		}
		if !slices.Contains(w.r.report.Renamed, r) {
			w.r.report.Renamed = append(w.r.report.Renamed, r)
		}
	}
	it.ID = id
	w.unname(it)
	link := func(to string) string {
		if now := w.ids[to]; now != "" {
			return now
		}
		return FitName(to)
	}
	for i, l := range it.Links {
		it.Links[i].To = link(l.To)
	}
	if it.Replacement != "" {
		it.Replacement = link(it.Replacement)
	}
	it.Links = slices.DeleteFunc(it.Links, func(l sage.Link) bool { return l.To == id })
}

// dropInvalid takes out of an item what none may have here, and says so. It reports whether
// nothing is left that could be saved.
func (w *writer) dropInvalid(rec Record, it *sage.Item) (skip bool) {
	err := validate.Item(it)
	if err == nil {
		return false
	}
	problems := strings.Split(err.Error(), "\n")
	for _, drop := range []struct {
		list *[]string
		bad  func(string) bool
	}{
		{&it.Patterns, func(s string) bool { _, err := validate.CompilePattern(s); return err != nil }},
		{&it.Keywords, func(s string) bool { return strings.ContainsAny(s, "\n\r") || len(s) > 200 }},
		{&it.Scope.Skills, func(s string) bool { return naming.NameProblem(s) != "" }},
	} {
		*drop.list = slices.DeleteFunc(*drop.list, drop.bad)
	}
	if err = validate.Item(it); err != nil {
		w.r.problem(rec, Skipped, strings.ReplaceAll(err.Error(), "\n", "; "), "shorten it there, and import again")
		return true
	}
	w.r.problem(rec, Partial, "left out: "+strings.Join(problems, "; "), "")
	return false
}

// says reports whether an item that is here says what another would, whenever it was written.
func (w *writer) says(here gitstore.ItemEntry, it *sage.Item) bool {
	if w.s == nil || here.Err != nil {
		return false
	}
	x, y := here.Item.Clone(), it.Clone()
	if _, err := w.s.Repo.Options.Redact.Item(y); err != nil {
		return false
	}
	x.Updated, y.Updated = x.Added, y.Added
	if y.Added.IsZero() {
		y.Added, y.Updated = x.Added, x.Added
	}
	return string(codec.MarshalItem(x)) == string(codec.MarshalItem(y))
}

// movedIn reports whether an item that is here says the same and came from the same file, under
// another heading for one.
func (w *writer) movedIn(here gitstore.ItemEntry, it *sage.Item) bool {
	if w.s == nil || here.Err != nil || it.Source == "" || here.Item.Source != it.Source {
		return false
	}
	x := it.Clone()
	_, err := w.s.Repo.Options.Redact.Item(x)
	return err == nil && x.Text() == here.Item.Text()
}

// flushItems writes the items that wait.
func (w *writer) flushItems(ctx context.Context) error {
	if len(w.changes) == 0 {
		return nil
	}
	changes, notes := w.changes, w.notes
	w.changes, w.notes, w.bytes = nil, nil, 0
	if w.r.o.DryRun {
		return nil
	}
	saved, err := w.s.Knowledge.WriteItems(ctx, fmt.Sprintf("import %s from %s", legible.Count(len(changes), "item"), w.r.src.Tool()), changes...)
	ofItem := errors.Is(err, gitstore.ErrExists) || errors.Is(err, gitstore.ErrName)
	if ofItem && len(changes) > 1 { // somebody else added one meanwhile, or the store refuses a name
		return w.oneByOne(ctx, changes, notes)
	}
	if err != nil {
		w.uncount(changes)
	}
	switch {
	case errors.Is(err, gitstore.ErrExists):
		w.count(Item{Item: changes[0].Item}.kind()).Had++
		w.r.report.Problems = append(w.r.report.Problems, Problem{Where: changes[0].Key, Grade: Noted, What: "somebody added it meanwhile, and theirs stays"})
		return nil
	case ofItem:
		w.r.report.Problems = append(w.r.report.Problems, Problem{Where: changes[0].Item.Source, Grade: Skipped, What: err.Error()})
		return nil
	case err != nil:
		return err
	}
	w.said(saved.Redacted, nil) // warnings of single items are told by those
	if saved.Commit == "" {     // another import was faster
		return nil
	}
	for i := range notes {
		notes[i].Made = saved.Commit
	}
	return w.note(notes)
}

// uncount takes items out of the report that were not written.
func (w *writer) uncount(changes []gitstore.ItemChange) {
	for _, x := range changes {
		if c := w.count(Item{Item: x.Item}.kind()); x.Replace {
			c.Updated--
		} else {
			c.New--
		}
	}
}

// oneByOne writes items each for itself.
func (w *writer) oneByOne(ctx context.Context, changes []gitstore.ItemChange, notes []gitstore.Brought) error {
	for i := range changes {
		w.changes, w.notes = changes[i:i+1], notes[i:i+1]
		if err := w.flushItems(ctx); err != nil {
			return err
		}
	}
	return nil
}

// core brings in a core file, unless it is here.
func (w *writer) core(ctx context.Context, rec Record, t CoreFile) error {
	c := w.count(t.kind())
	note := gitstore.Brought{Name: w.nameSum(t.kind(), rec.Name), Sum: gitstore.BroughtSum(t.Path + "\n" + t.Summary)}
	switch _, known := w.brought[note.Name]; {
	case known && !w.r.o.Again:
		c.Had++
		return nil
	case !w.empty && w.coresHere == nil:
		list, err := w.s.Knowledge.CoreFiles(ctx)
		if err != nil {
			w.r.problem(rec, Skipped, err.Error(), "")
			return nil
		}
		w.coresHere = map[string]bool{}
		for _, x := range list {
			w.coresHere[x.Path] = true
		}
	}
	if w.coresHere[t.Path] {
		c.Had++
		return nil
	}
	w.cores = append(w.cores, gitstore.CoreFile{Path: t.Path, Summary: t.Summary, Added: t.Added})
	w.coreNotes = append(w.coreNotes, note)
	c.New++
	return nil
}

// flushCores writes the core files that wait.
func (w *writer) flushCores(ctx context.Context) error {
	if len(w.cores) == 0 || w.r.o.DryRun {
		return nil
	}
	if err := w.s.Knowledge.MarkCores(ctx, w.cores...); err != nil {
		return err
	}
	made, err := w.s.Repo.Tip(ctx, gitstore.KnowledgeRef)
	if err != nil {
		return err
	}
	for i := range w.coreNotes {
		w.coreNotes[i].Made = made
	}
	notes := w.coreNotes
	w.cores, w.coreNotes = nil, nil
	return w.note(notes)
}

// said adds what a store said of what it wrote.
func (w *writer) said(found []redact.Finding, warnings []remedy.Note) {
	w.r.report.Redacted = redact.Merge(w.r.report.Redacted, found)
	for _, n := range warnings {
		if !slices.ContainsFunc(w.r.report.Warnings, func(x remedy.Note) bool { return x.Text == n.Text }) {
			w.r.report.Warnings = append(w.r.report.Warnings, n)
		}
	}
}

// noteLine notes where checkpoints of the project went.
func (w *writer) noteLine(name string) {
	if !w.own && !slices.Contains(w.r.report.Lines, name) {
		w.r.report.Lines = append(w.r.report.Lines, name)
	}
}
