package exchange

import (
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// adopted says which of our own refs a purge of somebody else's moved.
func adopted(moves []journal.Move) (out []Fetched) {
	for _, m := range moves {
		if purge.IsOursToMove(m) {
			out = append(out, Fetched{Ref: m.Ref, Act: FetchedPurged, Old: m.Old, New: m.New,
				Detail: remedy.Note{Text: "part of it was purged elsewhere", Remedies: []remedy.Remedy{remedy.FinishPurge.On().To("removes it from this clone too")}}})
		}
	}
	return out
}

// holding says which remotes had what is purged when they were last fetched from: what
// was fetched is clean now, and they are not.
func holding(moves []journal.Move) (out []Fetched) {
	for _, m := range moves {
		if remote, _ := refname.Tracks(m.Ref); remote != "" {
			out = append(out, Fetched{Ref: m.Ref, Act: FetchedHolds, Old: m.Old, New: m.New, Remotes: []string{remote},
				Detail: remedy.Note{Text: "it had purged content at the last fetch", Remedies: []remedy.Remedy{remedy.FinishPush.On().To("replaces it there")}}})
		}
	}
	return out
}
