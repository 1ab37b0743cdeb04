package write

import (
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Unsaid fills what a side says nothing about from the base. A short save names
// a thesis and no more; that does not mean to drop the question and all evidence, as a
// side does that says to have none.
func Unsaid(side, base *sage.Checkpoint) {
	if base == nil {
		return
	}
	var none []string
	for _, name := range side.SaidNone {
		if side.SaysNone(name) {
			none = append(none, name)
		}
	}
	for _, f := range [][2]*string{
		{&side.CoreQuestion, &base.CoreQuestion}, {&side.ReasoningTrace, &base.ReasoningTrace},
		{&side.Action.Goal, &base.Action.Goal}, {&side.Action.Type, &base.Action.Type}, {&side.Action.Deadline, &base.Action.Deadline},
	} {
		if *f[0] == "" {
			*f[0] = *f[1]
		}
	}
	fillEmpty(&side.KeyEvidence, base.KeyEvidence)
	fillEmpty(&side.OpenQuestions, base.OpenQuestions)
	fillEmpty(&side.Sources, base.Sources)
	fillEmpty(&side.Tensions, base.Tensions)
	fillEmpty(&side.UniqueContributions, base.UniqueContributions)
	fillEmpty(&side.CodeRefs, base.CodeRefs)
	fillEmpty(&side.FilesExplored, base.FilesExplored)
	fillEmpty(&side.FilesChanged, base.FilesChanged)
	fillEmpty(&side.Action.Stakeholders, base.Action.Stakeholders)
	if len(side.DomainData) == 0 && side.Domain == "" {
		side.Domain, side.DomainData = base.Domain, base.DomainData
	}
	if len(side.Fields) == 0 {
		side.Fields = base.Fields
	}
	side.SayNone(none...)
	side.TakeOverNone(base)
}

func fillEmpty[T any](side *[]T, base []T) {
	if len(*side) == 0 {
		*side = base
	}
}
