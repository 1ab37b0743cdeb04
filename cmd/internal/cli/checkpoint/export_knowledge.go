package checkpoint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports/markdown"
	"github.com/git-sage/git-sage/imports/records"
	"github.com/git-sage/git-sage/recall"
)

// Forms in which knowledge is written for other tools: into one file, or into a folder.
var (
	oneFile = map[string]func([]*sage.Item) ([]byte, int){
		"agents":     func(list []*sage.Item) ([]byte, int) { return markdown.WriteInstructions(list), 0 },
		"mcp-memory": func(list []*sage.Item) ([]byte, int) { return records.WriteGraph(list), 0 },
		"beads":      records.WriteIssues,
	}
	manyFiles = map[string]func([]*sage.Item) (map[string][]byte, int){
		"obsidian":     func(list []*sage.Item) (map[string][]byte, int) { return markdown.WriteVault(list), 0 },
		"basic-memory": func(list []*sage.Item) (map[string][]byte, int) { return markdown.WriteBasicMemory(list), 0 },
		"adr":          markdown.WriteDecisions,
	}
)

// isKnowledgeForm reports whether a format is one of knowledge.
func isKnowledgeForm(format string) bool { return oneFile[format] != nil || manyFiles[format] != nil }

// itemsToExport are the items of the repository, by their ids. What this user keeps private stays.
func itemsToExport(ctx context.Context, m *recall.Memory) (out []*sage.Item, err error) {
	list, err := m.Store.Knowledge.EveryItem(ctx)
	for _, e := range list {
		if e.Err == nil && !strings.Contains(e.Key, "/") && !e.Item.IsPrivate() {
			out = append(out, e.Item)
		}
	}
	slices.SortFunc(out, func(x, y *sage.Item) int { return strings.Compare(x.ID, y.ID) })
	return out, err
}

// exportKnowledge writes the knowledge in the form of another tool.
func exportKnowledge(ctx context.Context, a *app.App, m *recall.Memory, o *exportOptions, args []string) error {
	path := o.output
	switch {
	case len(args) > 0 && path != "":
		return usage.Errorf("both '%s' and -o say where to write", args[0])
	case len(args) > 0:
		path = args[0]
	}
	items, err := itemsToExport(ctx, m)
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
		return fmt.Errorf("there is no knowledge to export, or nobody confirmed it")
	}
	if write := oneFile[o.format]; write != nil {
		data, others := write(items)
		if path == "" || path == "-" {
			_, err = a.Out.Write(data)
		} else if err = os.MkdirAll(filepath.Dir(a.Path(path)), 0o777); err == nil {
			if _, there := os.Lstat(a.Path(path)); there == nil && !o.update {
				return fmt.Errorf("'%s' is there already: --update replaces it", path)
			}
			err = replaceFile(a.Path(path), data)
		}
		if err != nil {
			return err
		}
		if unconfirmed > 0 {
			a.Warn("left out %s that nobody confirmed: agents obey what stands in such a file", legible.Count(unconfirmed, "item"))
		}
		sayExported(a, o.format, len(items)-others, others)
		return nil
	}
	files, others := manyFiles[o.format](items)
	f, err := newFolder(a.Path(path), o.update)
	if err != nil {
		return err
	}
	if err := f.putItems("", files); err != nil {
		return err
	}
	sayExported(a, o.format, len(items)-others, others)
	return nil
}

// putItems writes files of items into a folder below.
func (f *folder) putItems(below string, files map[string][]byte) error {
	if len(files) > 0 {
		if err := os.MkdirAll(filepath.Join(f.path, below), 0o777); err != nil {
			return err
		}
	}
	for name, data := range files {
		if err := f.put(filepath.Join(below, name), "---\n", data); err != nil {
			return err
		}
	}
	return nil
}

func sayExported(a *app.App, format string, n, others int) {
	more := ""
	if others > 0 {
		more = fmt.Sprintf("; left out %s that '%s' has no form for", legible.Count(others, "item"), format)
	}
	a.Say("exported %s%s", legible.Count(n, "item"), more)
}
