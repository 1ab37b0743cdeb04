// Package export holds the command that writes checkpoints and knowledge as files for others: a
// folder, one page, or the forms of other tools.
package export

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports/markdown"
	"github.com/git-sage/git-sage/recall"
)

type exportOptions struct {
	output, format, line string
	html                 string
	update, all, force   bool
	template             bool // in the form of each checkpoint's template
	private              bool // also what is private
}

const exportLong = `Write checkpoints and knowledge as self-contained files.

Given an id, write that checkpoint to standard output, or to -o <path>. Given a
folder, write the checkpoints of the current line as <time>_<words>.md, linked
so that Obsidian shows their lineage. A folder is a path with a slash in it, or
one that exists; with --all, --line or --update, any new name. --update writes
what changed into an earlier export, and leaves all other files alone. Where a
file is named, - is standard output.

--html writes the current line, one line or all as one page with graph and
filter, for somebody who has nothing but a browser. It loads and sends nothing.

What is private stays out: items, checkpoints of private lines, and what was
merged from these. --line exports a private line, --private all that is private.

Markdown and JSON are written as stored, so that 'checkpoint save -F' reads them
back. --json prints the JSON of a checkpoint on one line; for a folder it says
what was written. With --template the files take the form of the checkpoint's
template, for people to read.

With --all the knowledge goes into the folder as well: 'git sage import
obsidian' brings all of it in again. --format agents, mcp-memory or beads writes
the knowledge into a file or to standard output, --format obsidian, basic-memory
or adr into a folder, as 'git sage import' reads it.

What you wrote stays: only what an export wrote and nobody changed since is
written anew. A folder lists that in .git-sage-export; in a file of rules it is
the part between two marks. --force replaces other files, but none of rules.`

const exportExample = `git sage export @ > now.md
git sage export --format json 3f2a91c0
git sage export --all --update ./notes
git sage export --all --html memory.html
git sage export --format agents AGENTS.md`

// New makes 'git sage export'.
func New(a *app.App) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:     "export [<options>] (<id> | <folder> | --html <file>)",
		Short:   "Write checkpoints and knowledge as files",
		Long:    exportLong,
		Example: exportExample,
		Args:    usage.RangeArgs(0, 1, "id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runExport(cmd.Context(), a, &o, args)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "write to this `path`; - is standard output")
	f.StringVar(&o.format, "format", "", "write this `format`: md, json or html, or one for knowledge")
	f.BoolVar(&o.template, "template", false, "use each checkpoint's template, where it has one")
	f.StringVar(&o.html, "html", "", "write one page with graph and filter to this `file`; - is standard output")
	f.StringVar(&o.line, "line", "", "export this `line` into the folder or page")
	f.BoolVar(&o.all, "all", false, "export every line and fork into the folder or page")
	f.BoolVar(&o.private, "private", false, "also write private lines and private items")
	f.BoolVar(&o.update, "update", false, "update an earlier export")
	f.BoolVarP(&o.force, "force", "f", false, "replace files that you wrote or changed")
	return cmd
}

func runExport(ctx context.Context, a *app.App, o *exportOptions, args []string) error {
	if err := o.check(args); err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if o.html != "" {
		return exportFile(ctx, a, m, o)
	}
	if isKnowledgeForm(o.format) {
		return exportKnowledge(ctx, a, m, o, args)
	}
	if len(args) == 0 {
		return exportFolder(ctx, a, m, o, a.Path(o.output))
	}
	isFolder, err := o.namesFolder(ctx, a, m, args[0])
	switch {
	case err != nil:
		return err
	case isFolder && o.output != "":
		return usage.Errorf("both '%s' and -o name a folder", args[0])
	case isFolder:
		return exportFolder(ctx, a, m, o, a.Path(args[0]))
	}
	return exportOne(ctx, a, m, o, args[0])
}

func (o *exportOptions) check(args []string) error {
	switch o.format {
	case "", "md", "json", "html":
	case "markdown":
		o.format = "md"
	default:
		if !isKnowledgeForm(o.format) {
			return usage.Errorf("--format is md, json, html, agents, mcp-memory, beads, obsidian, basic-memory or adr, not '%s'", o.format)
		}
	}
	if o.html != "" && (len(args) > 0 || o.output != "" || o.format != "" || o.template || o.update) {
		return usage.Errorf("--html <file> takes --line, --all and --private, and nothing else")
	}
	if isKnowledgeForm(o.format) {
		return o.checkKnowledge(args)
	}
	if o.html == "" && len(args) == 0 && (o.output == "" || o.output == "-") {
		return usage.Errorf("<id>, <folder> or --html <file> is missing")
	}
	if o.template && o.format == "json" {
		return usage.Errorf("--template is for md and html")
	}
	if o.all && o.line != "" {
		return usage.Errorf("options '--all' and '--line' cannot be used together")
	}
	return nil
}

// namesFolder tells a folder from a checkpoint: what is written like a path is
// one; of other words, those that name no checkpoint are one where only a folder makes sense.
func (o *exportOptions) namesFolder(ctx context.Context, a *app.App, m *recall.Memory, arg string) (bool, error) {
	if strings.ContainsRune(arg, '/') || strings.ContainsRune(arg, filepath.Separator) || arg == "." || arg == ".." {
		return true, nil
	}
	_, err := m.Store.Commits.Resolve(ctx, arg)
	if !errors.Is(err, gitstore.ErrNotFound) && !errors.Is(err, gitstore.ErrName) {
		return false, err
	}
	if st, statErr := os.Stat(a.Path(arg)); statErr == nil && st.IsDir() || o.all || o.line != "" || o.update {
		return true, nil
	}
	if strings.HasPrefix(arg, "@") {
		return false, err
	}
	return false, exit.WithHint(err, "'git sage export ./%s' exports into a new folder", arg)
}

// exportOne writes one checkpoint. Its links would lead nowhere, so it has
// none.
func exportOne(ctx context.Context, a *app.App, m *recall.Memory, o *exportOptions, rev string) error {
	switch {
	case o.update || o.all || o.line != "":
		return usage.Errorf("--update, --all and --line are for folders, and '%s' is a checkpoint", rev)
	case a.JSON && o.template:
		return usage.Errorf("--template is for md and html")
	case a.JSON && o.format != "" && o.format != "json":
		return usage.Errorf("options '--json' and '--format %s' cannot be used together", o.format)
	case a.JSON:
		o.format = "json"
	}
	o.format = cmp.Or(o.format, "md")
	c, err := m.Store.Commits.Load(ctx, rev)
	if err != nil {
		return err
	}
	if lines, err := PrivateLines(ctx, m, c.ID); err != nil {
		return err
	} else if len(lines) > 0 && !o.private {
		return exit.WithHint(fmt.Errorf("checkpoint %s holds what is private on %s", a.Short(c.ID), strings.Join(lines, ", ")), "'git sage export --private %s' writes it", a.Short(c.ID))
	}
	if err := m.Provenance.AdmitWhole(ctx, c); err != nil {
		return err
	}
	p := pages([]*sage.Checkpoint{c}, nil)[0]
	if o.template {
		p.text = history.InTemplate(ctx, a, m, c)
	}
	data, err := p.render(o.format, false)
	if err != nil {
		return err
	}
	if o.output == "" || o.output == "-" {
		if a.JSON {
			return a.PrintJSON(json.RawMessage(data))
		}
		_, err := a.Out.Write(data)
		return err
	}
	path := a.Path(o.output)
	if st, err := os.Stat(path); strings.HasSuffix(o.output, "/") || err == nil && st.IsDir() {
		path = filepath.Join(path, p.name+"."+o.format)
	}
	return writeNew(path, o.output, data, o.force)
}

func exportFolder(ctx context.Context, a *app.App, m *recall.Memory, o *exportOptions, path string) error {
	o.format = cmp.Or(o.format, "md")
	list, left, err := exported(ctx, a, m, o)
	if err != nil && !errors.Is(err, errNothing) {
		return err
	}
	items, ierr := o.itemsBeside(ctx, a, m, &left)
	switch {
	case ierr != nil:
		return ierr
	case err != nil && len(items) == 0:
		return err
	}
	f, err := newFolder(path, o.update, o.force)
	if err != nil {
		return err
	}
	err = f.close(putPages(ctx, a, m, o, f, list, items))
	if err == nil || len(f.kept) > 0 {
		err = errors.Join(printExported(a, f, len(list), len(items), left), err)
	}
	return err
}

// itemsBeside are the items that go into a folder beside the checkpoints.
func (o *exportOptions) itemsBeside(ctx context.Context, a *app.App, m *recall.Memory, left *leftOut) ([]*sage.Item, error) {
	if !o.all || o.format != "md" {
		return nil, nil
	}
	return itemsToExport(ctx, a, m, o, left)
}

// putPages writes a file for each checkpoint, and for each item one in a folder of their own.
func putPages(ctx context.Context, a *app.App, m *recall.Memory, o *exportOptions, f *folder, list []*page, items []*sage.Item) error {
	for _, p := range list {
		if o.template {
			p.text = history.InTemplate(ctx, a, m, p.c)
		}
		data, err := p.render(o.format, true)
		if err != nil {
			return err
		}
		if err := f.put(p.name+"."+o.format, data); err != nil {
			return err
		}
	}
	if o.format == "html" {
		data, err := indexHTML(list)
		if err != nil {
			return err
		}
		if err := f.put("index.html", data); err != nil {
			return err
		}
	}
	if len(items) == 0 {
		return nil
	}
	return f.putAll("knowledge", markdown.WriteVault(items))
}

func printExported(a *app.App, f *folder, checkpoints, items int, left leftOut) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"folder": f.path, "checkpoints": checkpoints, "items": items, "written": f.written, "unchanged": f.same, "private": left.checkpoints + left.items})
	}
	what := legible.Count(checkpoints, "checkpoint")
	switch n := legible.Count(items, "item"); {
	case checkpoints == 0:
		what = n
	case items > 0:
		what += " and " + n
	}
	a.Say("exported %s to '%s': %d written, %d unchanged", what, f.path, f.written, f.same)
	left.say(a)
	return nil
}

// exported are the pages of what the options choose, oldest first, without what was removed,
// what is private, and what is withheld from an agent.
func exported(ctx context.Context, a *app.App, m *recall.Memory, o *exportOptions) ([]*page, leftOut, error) {
	records, left, err := toExport(ctx, m, o)
	if err != nil {
		return nil, left, err
	}
	var ids []string
	graves := map[string][]string{}
	for _, r := range slices.Backward(records) {
		switch {
		case r.Kind == gitstore.KindTombstone:
			graves[r.ID] = r.Parents
		case r.Counts():
			ids = append(ids, r.ID)
		}
	}
	cs, err := m.Store.Commits.LoadAll(ctx, ids)
	if err != nil {
		return nil, left, err
	}
	return pages(withoutWithheld(ctx, a, m, cs), graves), left, nil
}

// withoutWithheld leaves out what an agent may not read whole, and warns that it does.
func withoutWithheld(ctx context.Context, a *app.App, m *recall.Memory, cs []*sage.Checkpoint) []*sage.Checkpoint {
	all := len(cs)
	ctx = m.Store.Commits.ViewingOnce(ctx)
	cs = slices.DeleteFunc(cs, func(c *sage.Checkpoint) bool { return m.Provenance.AdmitWhole(ctx, c) != nil })
	warnWithheld(a, all-len(cs), "checkpoint")
	return cs
}

// warnWithheld says how much an export leaves out for an agent.
func warnWithheld(a *app.App, n int, what string) {
	if n > 0 {
		a.Warn("left out %s from elsewhere: suspect, or not reviewed yet; a person reviews with 'git sage review'", legible.Count(n, what))
	}
}
