package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

type saveOptions struct {
	fields       *fieldFlags
	file         string
	line, parent string
	edit, quiet  bool
}

const saveLong = `Record what is held now, why, and what is still open, as a checkpoint.

The fields come from options, from a file (-F <file>, or -F - for standard
input), or from your editor (-e). A file may be Markdown, YAML or JSON, or a
longer text with a fenced checkpoint block or <checkpoint> tags in it. Options
override the file. With nothing given, the editor opens on a terminal, and
standard input is read in a pipe.

A list has one option for each of its items. A source is written
id:type:relation:take, or as pairs: id=..;type=..;identifier=..;take=..; a
tension 'a vs b: nature [resolution]'; a unique contribution 'type: content'; a
code reference file:from-to:relevance.`

const saveExample = `git sage checkpoint save -m 'Tokens rotate hourly' -c 0.8 \
    --core-question 'How do we rotate tokens?'
git sage checkpoint save privacy -m 'Keep no logs' \
    --key-evidence 'GDPR art. 5' \
    --source 'gdpr:document:supports:Data minimisation'
git sage checkpoint save -F notes.md --json`

func newSaveCmd(a *app) *cobra.Command {
	var o saveOptions
	cmd := &cobra.Command{
		Use:     "save [<options>] [<skill>]",
		Short:   "Record a checkpoint",
		Long:    saveLong,
		Example: saveExample,
		Args:    rangeArgs(0, 1, "skill"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.save(cmd.Context(), &o, args)
		},
	}
	o.fields = addFieldFlags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.file, "file", "F", "", "read the checkpoint from `file`; - is standard input")
	f.BoolVarP(&o.edit, "edit", "e", false, "open the checkpoint in the editor first")
	f.StringVar(&o.line, "line", "", "save on this `line`")
	f.StringVar(&o.parent, "parent", "", "continue this `revision`")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return cmd
}

func (a *app) save(ctx context.Context, o *saveOptions, args []string) error {
	a.writing = true
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	c, err := a.draft(o, args)
	if err != nil {
		return err
	}
	finish := func(c *sage.Checkpoint) (recall.Note, error) {
		return recall.Note{Draft: gitstore.Draft{Checkpoint: *c, Line: o.line, Parent: o.parent}}, nil
	}
	if o.edit {
		return a.saveEdited(ctx, m, c, finish, o.quiet)
	}
	saved, err := a.saveNow(ctx, m, c, finish, o.quiet)
	if err == nil && saved.Follows != "" && bare(c) && o.line == "" && o.parent == "" && !o.quiet {
		a.hintLeft(ctx, m, saved.Follows)
	}
	return err
}

// bare reports whether a checkpoint is a thesis alone.
func bare(c *sage.Checkpoint) bool {
	return c.Thesis != "" && c.CoreQuestion == "" && len(c.KeyEvidence)+len(c.OpenQuestions) == 0
}

// hintLeft says what a bare checkpoint does not say any more, and the next session is not
// shown.
func (a *app) hintLeft(ctx context.Context, m *recall.Memory, before string) {
	all, err := m.Store.LoadAll(ctx, []string{before})
	if err != nil { // what is wrong with it was told when it was saved, or fsck tells
		return
	}
	was := all[0]
	var has []string
	for _, x := range []struct {
		is   bool
		name string
	}{{was.CoreQuestion != "", "a question"}, {len(was.KeyEvidence) > 0, "evidence"}, {len(was.OpenQuestions) > 0, "open questions"}} {
		if x.is {
			has = append(has, x.name)
		}
	}
	if len(has) > 0 {
		a.hint("%s has %s that this one does not: 'git sage checkpoint edit -m <thesis> @' keeps them", a.short(before), listed(has))
	}
}

// listed are names as one says them.
func listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// draft is the checkpoint as files, arguments and options give it. Without any
// of them it decides whether to edit.
func (a *app) draft(o *saveOptions, args []string) (*sage.Checkpoint, error) {
	file := o.file
	if file == "" && !o.fields.given() && !o.edit {
		if o.edit = a.inputTTY(); !o.edit {
			file = "-"
		}
	}
	c := &sage.Checkpoint{}
	if file != "" {
		data, err := a.readInput(file)
		if err != nil {
			return nil, err
		}
		if c, err = parseDraft(data); err != nil {
			return nil, ofFile(file, err)
		}
	}
	if len(args) > 0 {
		c.Skill = args[0]
	}
	return c, o.fields.apply(c)
}

// A finish turns what was written into what is to be saved, or says why not.
type finish func(*sage.Checkpoint) (recall.Note, error)

func (a *app) saveNow(ctx context.Context, m *recall.Memory, c *sage.Checkpoint, f finish, quiet bool) (gitstore.Saved, error) {
	if isEmpty(c) {
		return gitstore.Saved{}, withHint(errors.New("nothing to save"), "say what is held now: git sage checkpoint save -m <thesis>")
	}
	note, err := f(c)
	if err != nil {
		return gitstore.Saved{}, err
	}
	saved, err := m.Save(ctx, note)
	if err != nil {
		return gitstore.Saved{}, err
	}
	return saved, a.printSaved(saved, quiet)
}
