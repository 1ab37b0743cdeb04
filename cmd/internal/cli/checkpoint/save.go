package checkpoint

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/draft"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

type saveOptions struct {
	fields       *draft.Fields
	file         string
	line, parent string
	keep         bool
	edit, quiet  bool
	skill, text  string // of the arguments
}

const saveLong = `Record what you hold now, why, and what is still open, as a checkpoint.

An argument of several words is the thesis, as with -m; one word is the skill.
Give the other fields as options, in a file (-F <file>, or -F - for standard
input) or in your editor (-e). A file is Markdown, YAML or JSON, or a longer
text with a fenced checkpoint block or <checkpoint> tags. Options override the
file. With nothing given, open the editor on a terminal, and read standard input
in a pipe.

A checkpoint says what it says alone. With --keep it has the question, evidence,
open questions, sources and tensions of the one that it continues, where you
give none.

Give a list by repeating its option; --open-question none says that nothing is
open any more, and no merge brings it back. Write a source as
id:type:relation:take, or as id=..;type=..;identifier=..;take=..; a tension as
'a vs b: nature [resolution]'; a unique contribution as 'type: content'; a code
reference as file:from-to:relevance.

GIT_AUTHOR_DATE, GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL work as in git commit,
except that a date in the future is ignored.`

const saveExample = `git sage save 'Tokens rotate hourly' -c 0.8 \
    --core-question 'How do we rotate tokens?'
git sage save privacy -m 'Keep no logs' \
    --key-evidence 'GDPR art. 5' \
    --source 'gdpr:document:supports:Data minimisation'
git sage save -F notes.md --json`

// NewSave makes 'git sage save'.
func NewSave(a *app.App) *cobra.Command {
	var o saveOptions
	cmd := &cobra.Command{
		Use:     "save [<options>] [<skill>] [<thesis>]",
		Short:   "Record a checkpoint",
		Long:    saveLong,
		Example: saveExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.take(args); err != nil {
				return err
			}
			return runSave(cmd.Context(), a, &o)
		},
	}
	o.fields = draft.AddFields(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.file, "file", "F", "", "read the checkpoint from `file`; - is standard input")
	f.BoolVarP(&o.edit, "edit", "e", false, "open the checkpoint in the editor first")
	f.BoolVar(&o.keep, "keep", false, "keep what the one before says beside its thesis")
	f.StringVar(&o.line, "line", "", "save on this `line`")
	f.StringVar(&o.parent, "parent", "", "continue from this `revision`")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return cmd
}

// take reads the arguments: a word is the skill, and a text the thesis.
func (o *saveOptions) take(args []string) error {
	if len(args) > 0 && !usage.IsText(args[0]) {
		o.skill, args = args[0], args[1:]
	}
	switch {
	case len(args) == 0:
		return nil
	case len(args) > 1 || !usage.IsText(args[0]):
		return &usage.Error{
			Msg:   fmt.Sprintf("too many arguments: '%s'", args[len(args)-1]),
			Hints: []string{"put a thesis of several words in quotes"},
		}
	case o.fields.Changed("thesis"):
		return usage.Errorf("the thesis is given twice: with -m and as '%s'", args[0])
	}
	o.text = strings.TrimSpace(args[0])
	return nil
}

func runSave(ctx context.Context, a *app.App, o *saveOptions) error {
	a.Writing = true
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	before := &sage.Checkpoint{}
	if o.keep {
		before, err = kept(ctx, m, cmp.Or(o.parent, o.line, "@"))
		if exit.IsNotFound(err) && o.parent == "" { // nothing is before it
			before, err = &sage.Checkpoint{}, nil
		}
		if err != nil {
			return err
		}
	}
	c, err := draftOf(a, o, before)
	if err != nil {
		return err
	}
	date, err := m.Store.Repo.AuthorDate(ctx)
	if err != nil {
		return err
	}
	finish := func(c *sage.Checkpoint) (save.Note, error) {
		if c.Time.IsZero() {
			c.Time = date
		}
		c.Elsewhere = before.Elsewhere
		return save.Note{Draft: gitstore.Draft{Checkpoint: *c, Line: o.line, Parent: o.parent, ByHand: true}}, nil
	}
	if o.edit {
		return draft.SaveEdited(ctx, a, m, c, finish, "git sage save -F", o.quiet)
	}
	again := "git sage save -m <thesis>"
	if o.skill != "" { // a thesis of one word is taken for a skill
		again = fmt.Sprintf("git sage save %[1]s -m <thesis>; if '%[1]s' is one: git sage save -m %[1]s", o.skill)
	}
	saved, err := draft.SaveNow(ctx, a, m, c, finish, again, o.quiet)
	if err == nil && saved.Follows != "" && !saved.Unsettling && bare(c) && o.line == "" && o.parent == "" && !o.quiet {
		hintLeft(ctx, a, m, c, saved.Follows)
	}
	return err
}

// bare reports whether a checkpoint is a thesis alone.
func bare(c *sage.Checkpoint) bool {
	return c.Thesis != "" && c.CoreQuestion == "" && len(c.KeyEvidence)+len(c.OpenQuestions) == 0
}

// hintLeft says what a bare checkpoint does not say any more, and the next session is not
// shown.
func hintLeft(ctx context.Context, a *app.App, m *recall.Memory, c *sage.Checkpoint, before string) {
	all, err := m.Store.Commits.LoadAll(ctx, []string{before})
	if err != nil { // what is wrong with it was told when it was saved, or fsck tells
		return
	}
	was := all[0]
	var has []string
	for _, x := range []struct {
		is   bool
		name string
	}{{was.CoreQuestion != "", "a question"}, {len(was.KeyEvidence) > 0 && !c.SaysNone("key_evidence"), "evidence"}, {len(was.OpenQuestions) > 0 && !c.SaysNone("open_questions"), "open questions"}} {
		if x.is {
			has = append(has, x.name)
		}
	}
	if len(has) > 0 {
		them := "them"
		if len(has) == 1 && has[0] != "open questions" {
			them = "it"
		}
		a.Hint("%s has %s that this one does not; to keep %s: 'git sage undo --last', then 'git sage save --keep -m <thesis>'", a.Short(before), term.Listed(has), them)
	}
}

// kept is what a checkpoint holds that the next one may go on from.
func kept(ctx context.Context, m *recall.Memory, rev string) (*sage.Checkpoint, error) {
	was, err := m.Store.Commits.Load(ctx, rev)
	if err != nil {
		return nil, err
	}
	if err := m.Provenance.AdmitWhole(ctx, was); err != nil {
		return nil, err
	}
	return &sage.Checkpoint{
		CoreQuestion: was.CoreQuestion, KeyEvidence: was.KeyEvidence, OpenQuestions: was.OpenQuestions,
		Sources: was.Sources, Tensions: was.Tensions, Elsewhere: was.Elsewhere,
	}, nil
}

// draftOf is the checkpoint as files, arguments and options give it, which goes on from another.
// Without any of them it decides whether to edit.
func draftOf(a *app.App, o *saveOptions, c *sage.Checkpoint) (*sage.Checkpoint, error) {
	file := o.file
	if file == "" && o.text == "" && !o.fields.Given() && !o.edit {
		if o.edit = a.InputTTY(); !o.edit {
			file = "-"
		}
	}
	if file != "" && o.keep {
		return nil, usage.Errorf("--keep goes with a thesis, not with a file, which says all")
	}
	if file != "" {
		data, err := a.ReadInput(file)
		if err != nil {
			return nil, err
		}
		if c, err = draft.Parse(data); err != nil {
			return nil, draft.OfFile(file, err)
		}
	}
	c.Skill, c.Thesis = cmp.Or(o.skill, c.Skill), cmp.Or(o.text, c.Thesis)
	return c, o.fields.Apply(c)
}
