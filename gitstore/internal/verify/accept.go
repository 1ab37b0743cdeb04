package verify

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// titled is an id with the description of its checkpoint, if it can be read.
func (ve *Verifier) titled(id string) string {
	r, err := ve.commits.CommitRecord(id)
	if err != nil || r.Description == "" {
		return record.Short(id)
	}
	return record.Short(id) + " '" + cut.Runes(legible.OneLine(r.Description), 60) + "'"
}

// Accept makes what git has for a ref the truth, though something that was saved
// there is gone: saves go on from it. ref is a line, a fork or a full name.
func (ve *Verifier) Accept(ctx context.Context, ref string) (string, error) {
	done := ve.repo.Queue(ctx)
	defer done()
	name, err := refNamed(ref)
	if err != nil {
		return "", err
	}
	known, err := ve.journal.Journaled()
	if err != nil {
		return "", err
	}
	tip, err := ve.repo.Tip(ctx, name)
	if err != nil {
		return "", err
	}
	was := known[name].New
	if was == "" && tip == "" {
		return "", fmt.Errorf("no %s '%s'", refSort(name), refname.ShortName(name))
	}
	if was == "" || was == tip || tip != "" && ve.commits.IsAncestor(ctx, was, tip) {
		return "", fmt.Errorf("'%s' has lost nothing: %w", refname.ShortName(name), repo.ErrNothing)
	}
	r, err := ve.fixes().Begin(ctx, nil)
	if err != nil {
		return "", err
	}
	r.Add(fixes.Step{Kind: "accept", Subject: name, Old: tip, New: tip, Journal: was, Since: known[name].At})
	if err := r.Write(); err != nil {
		return "", fmt.Errorf("record the acceptance: %w", err)
	}
	said := fmt.Sprintf("'%s' now continues from %s; dropped %s", refname.ShortName(name), ve.titled(tip), ve.titled(was))
	if tip == "" {
		said = fmt.Sprintf("'%s' stays deleted; the next save there starts over", refname.ShortName(name))
	}
	return said, r.SetJournal(name, tip, r.At())
}

// refSort is what a ref is, for people.
func refSort(ref string) string {
	switch {
	case strings.HasPrefix(ref, refname.HeadsPrefix):
		return "line"
	case strings.HasPrefix(ref, refname.ForksPrefix):
		return "fork"
	}
	return "ref"
}
