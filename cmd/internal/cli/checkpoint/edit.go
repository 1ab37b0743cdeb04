package checkpoint

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/draft"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/ingest"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

// EditOptions say how a checkpoint is corrected.
type EditOptions struct {
	Fields      *draft.Fields
	file        string
	edit, quiet bool

	Instead bool   // the correction takes the place of the checkpoint
	Line    string // at the tip of this line; "" is the current one
}

const editLong = `Open a checkpoint in your editor and record the corrected text as its successor.
With options or -F <file>, the editor stays closed. Nothing is rewritten: the
old checkpoint stays, and the new one names the one it corrects.

If other checkpoints continue the old one, the correction becomes a fork and you
stay where you are; 'git sage merge <fork>' brings it in.`

func newEditCmd(a *app.App) *cobra.Command {
	var o EditOptions
	cmd := &cobra.Command{
		Use: "edit [<options>] <id>",
		Example: `git sage checkpoint edit 3f2a91c0
git sage checkpoint edit 3f2a91c0 -c 0.9`,
		Short: "Correct a checkpoint",
		Long:  editLong,
		Args:  usage.ExactArgs("id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return Edit(cmd.Context(), a, &o, args[0])
		},
	}
	o.Fields = draft.AddFields(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.file, "file", "F", "", "read the corrected checkpoint from `file`; - is standard input")
	f.BoolVarP(&o.edit, "edit", "e", false, "open the editor even if options are given")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return cmd
}

// Edit corrects the checkpoint that rev names.
func Edit(ctx context.Context, a *app.App, o *EditOptions, rev string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	old, err := m.Store.Commits.Load(ctx, rev)
	if err != nil {
		return err
	}
	if err := m.Provenance.AdmitWhole(ctx, old); err != nil { // an agent can name an editor as well
		return err
	}
	c := successor(old)
	if o.file != "" {
		data, err := a.ReadInput(o.file)
		if err != nil {
			return err
		}
		if c, err = draft.Parse(data); err != nil {
			return draft.OfFile(o.file, err)
		}
	}
	if err := o.Fields.Apply(c); err != nil {
		return err
	}
	parent, err := o.parent(ctx, m, old.ID)
	if err != nil {
		return err
	}
	finish := func(c *sage.Checkpoint) (save.Note, error) {
		was := successor(old)
		if ingest.NameSources(was); sameThought(c, was) {
			a.Say("nothing was changed")
			return save.Note{}, exit.ErrNo
		}
		correct(c, old.ID)
		c.Elsewhere = old.Elsewhere && !(a.IsPerson() && saysOther(c, old))
		return save.Note{Draft: gitstore.Draft{Checkpoint: *c, Line: o.Line, Parent: parent, Aside: parent != "", Correction: o.Instead, ByHand: true, Before: old.CodeRefs}}, nil
	}
	if o.edit || o.file == "" && !o.Fields.Given() {
		return draft.SaveEdited(ctx, a, m, c, finish, "git sage checkpoint edit "+a.Short(old.ID)+" -F", o.quiet)
	}
	_, err = draft.SaveNow(ctx, a, m, c, finish, "git sage checkpoint edit -m <thesis> "+a.Short(old.ID), o.quiet)
	return err
}

// parent is what a correction continues: the tip of its line, if it takes the place of the
// checkpoint.
func (o *EditOptions) parent(ctx context.Context, m *recall.Memory, id string) (string, error) {
	if o.Instead {
		return "", nil
	}
	return continued(ctx, m, id)
}

// continued is the parent of a correction: the checkpoint itself, or nothing
// when the session stands there anyway, so that the line simply moves on.
func continued(ctx context.Context, m *recall.Memory, id string) (string, error) {
	seen, err := m.Store.Commits.Seen(ctx)
	if err != nil || seen != nil && seen.ID == id {
		return "", err
	}
	return id, nil
}

// successor is a copy of c without what belongs to the commit and the moment.
func successor(c *sage.Checkpoint) *sage.Checkpoint {
	n := c.Clone()
	n.ID, n.Parents, n.Author, n.Time = "", nil, "", time.Time{}
	n.Session, n.Agent, n.Aliases, n.MergeSources = "", "", nil, nil
	n.CheckpointTokens, n.CompressionRatio = 0, 0
	return n
}

// correct notes in c which checkpoint it stands for, and that the theses which
// it settles are settled.
func correct(c *sage.Checkpoint, id string) {
	c.Extra = slices.DeleteFunc(c.Extra, func(e sage.Entry) bool { return e.Key == sage.CorrectsKey })
	c.Extra = append(c.Extra, sage.Entry{Key: sage.CorrectsKey, Value: id})
	if c.Thesis != sage.NeedsSynthesis {
		c.ComponentTheses = nil
	}
}

// saysOther reports whether two drafts differ in what was thought, and not only in what is
// told of it: a person who says anew what came from elsewhere stands for it.
func saysOther(a, b *sage.Checkpoint) bool {
	said := func(c *sage.Checkpoint) []byte {
		return codec.Marshal(&sage.Checkpoint{
			CoreQuestion: c.CoreQuestion, Thesis: c.Thesis, KeyEvidence: c.KeyEvidence, ReasoningTrace: c.ReasoningTrace,
			OpenQuestions: c.OpenQuestions, Sources: c.Sources, Tensions: c.Tensions, UniqueContributions: c.UniqueContributions,
		})
	}
	return !slices.Equal(said(a), said(b))
}

// sameThought compares what is stored of two drafts.
func sameThought(a, b *sage.Checkpoint) bool {
	return slices.Equal(codec.Marshal(successor(a)), codec.Marshal(successor(b)))
}
