package health

import (
	"fmt"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/distill"
	"github.com/git-sage/git-sage/internal/hint"
)

// distillState tells how the records by a model are; nil if they are switched off.
func distillState(a *app.App, s *gitstore.Store) *wire.Distill {
	c, err := a.Config(s)
	if err != nil || !app.DistillSettings(c).IsOn() {
		return nil
	}
	set := app.DistillSettings(c)
	b := distill.Budget{Home: a.Home(), Tokens: set.Tokens, Now: a.Now}
	q := distill.QueueOf(s.Repo.Folder(), a.Now)
	all := q.All()
	j := &wire.Distill{By: set.String(), Used: b.Spent(), Left: b.Left(), Limit: set.Tokens, Waiting: len(all)}
	for _, e := range all {
		if at := e.NotBefore; at.After(a.Now()) && (j.Next == nil || at.Before(*j.Next)) {
			j.Next = &at
		}
	}
	if t := q.Trouble(); t != nil {
		j.Failed, j.Why, j.Cure = &t.Time, t.Why, t.Cure
	}
	return j
}

// distillNews says that in a line or two, "" if it is switched off.
func distillNews(a *app.App, j *wire.Distill) string {
	if j == nil {
		return ""
	}
	news := fmt.Sprintf("distill: %s, %d of %d tokens used today", j.By, j.Used, j.Limit)
	if j.Waiting > 0 {
		news += ", " + legible.Count(j.Waiting, "conversation") + " waiting"
	}
	if j.Next != nil {
		news += ", tried again after " + j.Next.In(a.Now().Location()).Format("2006-01-02 15:04")
	}
	if j.Failed != nil {
		news += fmt.Sprintf("\n  failed %s: %s", term.Age(a.Now(), *j.Failed), term.Visible(j.Why))
		if j.Cure != "" {
			news += "; try: " + term.Visible(j.Cure)
		}
	}
	return news
}

// distillWell is what doctor says of distilling; nothing if it is switched off.
func distillWell(a *app.App, s *gitstore.Store) []gitstore.Diagnosis {
	j := distillState(a, s)
	if j == nil {
		return nil
	}
	d := gitstore.Diagnosis{Name: "distill", State: gitstore.StateOK, Detail: fmt.Sprintf("%s, %d tokens left today", j.By, j.Left)}
	if j.Failed != nil {
		d.State, d.Detail, d.Cure = gitstore.StateWarning, j.Why, hint.Typed(j.Cure)
		if j.Cure == "" {
			d.Detail += "; it will be tried again, and records by rules are saved meanwhile"
		}
	}
	return []gitstore.Diagnosis{d}
}
