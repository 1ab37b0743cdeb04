package export

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports/markdown"
	"github.com/git-sage/git-sage/imports/records"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall"
)

// Forms in which knowledge is written for other tools: into one file, or into a folder.
var (
	oneFile = map[string]func([]*sage.Item) ([]byte, int){
		"agents":     markdown.WriteInstructions,
		"mcp-memory": func(list []*sage.Item) ([]byte, int) { return records.WriteGraph(list), 0 },
		"beads":      records.WriteIssues,
	}
	manyFiles = map[string]func([]*sage.Item) (map[string][]byte, int){
		"obsidian":     func(list []*sage.Item) (map[string][]byte, int) { return markdown.WriteVault(list), 0 },
		"basic-memory": func(list []*sage.Item) (map[string][]byte, int) { return markdown.WriteBasicMemory(list), 0 },
		"adr":          markdown.WriteDecisions,
	}
)

func isKnowledgeForm(format string) bool { return oneFile[format] != nil || manyFiles[format] != nil }

// itemsToExport are the items of the repository, by their ids. Private ones stay, and are
// counted, unless they were asked for; what an agent may not read whole is left out of what it
// exports.
func itemsToExport(ctx context.Context, a *app.App, m *recall.Memory, o *exportOptions, left *leftOut) (out []*sage.Item, err error) {
	list, err := m.Store.Knowledge.EveryItem(ctx)
	withheld := 0
	for _, k := range m.Provenance.Admit(ctx, lists.Map(list, func(e gitstore.ItemEntry) recall.Known { return recall.Known{ItemEntry: e} })) {
		switch {
		case k.Err != nil || strings.Contains(k.Key, "/"):
		case k.Item.IsPrivate() && !o.private:
			left.items++
		case k.IsRefused():
		case len(k.Withheld) > 0 || k.Titled:
			withheld++
		default:
			out = append(out, k.Item)
		}
	}
	warnWithheld(a, withheld, "item")
	slices.SortFunc(out, func(x, y *sage.Item) int { return strings.Compare(x.ID, y.ID) })
	return out, err
}

// checkKnowledge refuses what an export of knowledge does not take.
func (o *exportOptions) checkKnowledge(args []string) error {
	switch {
	case len(args) > 0 && o.output != "":
		return usage.Errorf("both '%s' and -o say where to write", args[0])
	case o.force && o.format == "agents":
		return usage.Errorf("--format agents replaces no file: --update writes a part of it, and leaves the rest alone")
	case o.line != "" || o.all || o.template:
		return usage.Errorf("--format %s writes knowledge, and --line, --all and --template are for checkpoints", o.format)
	case manyFiles[o.format] != nil && (len(args) == 0 && o.output == "" || o.output == "-" || slices.Contains(args, "-")):
		return usage.Errorf("<folder> is missing")
	}
	return nil
}

// exportKnowledge writes the knowledge in the form of another tool.
func exportKnowledge(ctx context.Context, a *app.App, m *recall.Memory, o *exportOptions, args []string) error {
	path := o.output
	if len(args) > 0 {
		path = args[0]
	}
	var left leftOut
	items, err := itemsToExport(ctx, a, m, o, &left)
	if err != nil {
		return err
	}
	unconfirmed := 0
	if o.format == "agents" { // an agent obeys what stands there
		keys, err := m.Store.Knowledge.UnconfirmedItems(ctx)
		if err != nil {
			return err
		}
		all := len(items)
		items = slices.DeleteFunc(items, func(it *sage.Item) bool { return slices.Contains(keys, it.ID) })
		unconfirmed = all - len(items)
	}
	if len(items) == 0 {
		left.say(a)
		return fmt.Errorf("there is no knowledge to export, or nobody confirmed it")
	}
	if unconfirmed > 0 {
		a.Warn("left out %s that nobody confirmed: agents obey what stands in such a file", legible.Count(unconfirmed, "item"))
	}
	more := ""
	if o.format == "agents" && o.update {
		all := len(items)
		if data, there, err := readPlain(a.Path(path), path); err == nil && there {
			items = markdown.Unsaid(items, data)
		}
		if n := all - len(items); n > 0 {
			more = fmt.Sprintf("; '%s' says %s by itself", path, legible.Count(n, "other"))
		}
	}
	others, err := writeItems(a, o, path, items)
	if err != nil {
		return err
	}
	switch {
	case others > 0 && o.format == "agents":
		more += fmt.Sprintf("; left out %s no longer in force", legible.Count(others, "item"))
	case others > 0:
		more += fmt.Sprintf("; left out %s that '%s' has no form for", legible.Count(others, "item"), o.format)
	}
	a.Say("exported %s%s", legible.Count(len(items)-others, "item"), more)
	left.say(a)
	return nil
}

// writeItems writes items into a file or a folder, or prints them. others is how many the form
// cannot say. A file of rules without one is not written, but an earlier one is updated: its
// rules may be those that no longer hold.
func writeItems(a *app.App, o *exportOptions, path string, items []*sage.Item) (others int, err error) {
	if write := manyFiles[o.format]; write != nil {
		files, others := write(items)
		f, err := newFolder(a.Path(path), o.update, o.force)
		if err != nil {
			return 0, err
		}
		return others, f.close(f.putAll("", files))
	}
	data, others := oneFile[o.format](items)
	switch file := a.Path(path); {
	case o.format == "agents" && others == len(items) && !o.update:
		return 0, fmt.Errorf("no confirmed item holds any more, and agents obey what stands in such a file")
	case path == "" || path == "-":
		_, err = a.Out.Write(data)
	case o.format == "agents":
		err = writePart(file, path, data, o.update)
	default: // a file of the other tool's, which it may have written to since
		err = writeNew(file, path, data, o.force)
	}
	return others, err
}

// putAll writes files into a folder below. One that is a link leads among files of others, and
// is left alone.
func (f *folder) putAll(below string, files map[string][]byte) error {
	dir := filepath.Join(f.path, below)
	if err := plainfile.CheckFolder(f.path, dir); errors.Is(err, plainfile.ErrOther) {
		f.kept = append(f.kept, dir)
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := f.put(filepath.Join(below, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}
