package admin

import (
	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/internal/lists"
)

// purgeJSON is what --json prints of a purge, or of the plan of one, behind the
// checkpoints that it touches, each of which is an object with act, id and description.
type purgeJSON struct {
	Dry           bool            `json:"dry_run,omitempty"`       // a plan: nothing was changed
	Complete      bool            `json:"complete"`                // nothing is left of it here, and each remote took what was pushed
	Refs          []string        `json:"refs"`                    // that move, in full
	Commits       int             `json:"commits"`                 // that get another id, or go
	Files         int             `json:"files"`                   // that are replaced, or go
	Living        []string        `json:"living,omitempty"`        // files of the knowledge that are there now and go
	Conversations int             `json:"conversations,omitempty"` // objects of conversations that hold some of it
	Beside        int             `json:"beside,omitempty"`        // files kept of sessions, or derived, that hold some of it
	Waiting       int             `json:"waiting,omitempty"`       // conversations not read yet, in which it may be
	Unfinished    int             `json:"unfinished"`              // traces of an earlier purge that were found first
	Quoted        []string        `json:"quoted,omitempty"`        // ids of commits that stay and quote a purged checkpoint
	Quotes        string          `json:"quotes,omitempty"`        // the pattern for --match that cleans those
	Objects       int             `json:"objects"`                 // that were removed
	Searched      int             `json:"searched"`                // that were searched in the end
	Left          []purgeLeftJSON `json:"left"`
	Remotes       []string        `json:"remotes"`       // that had it when they were last fetched from
	Others        []string        `json:"other_remotes"` // of which nobody knows
	Unreachable   []string        `json:"unreachable"`   // other places where copies may stay, for people
	Pushed        []purgePushJSON `json:"pushed,omitempty"`
}

// purgeLeftJSON is an object or file that still holds what was purged.
type purgeLeftJSON struct {
	Name   string `json:"name"`
	Detail string `json:"detail"`
}

// purgePushJSON is a ref of a remote; new is absent for one that went.
type purgePushJSON struct {
	Remote string `json:"remote"`
	Ref    string `json:"ref"`
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"`
	Error  string `json:"error,omitempty"` // why the remote did not take it
}

func toPlanJSON(p gitstore.PurgePlan) purgeJSON {
	quoted := lists.Map(p.Quoted, func(i gitstore.PurgeItem) string { return i.ID })
	living := lists.Map(p.Living, func(f gitstore.LivingFile) string { return f.Path })
	return purgeJSON{Living: living, Quoted: quoted, Quotes: p.Quotes, Refs: wire.NotNil(p.Refs), Commits: p.Rewritten, Files: p.Files, Conversations: p.Conversations, Beside: p.Beside, Waiting: p.Waiting, Unfinished: p.Unfinished, Left: []purgeLeftJSON{},
		Remotes: wire.NotNil(p.Remotes), Others: wire.NotNil(p.Others), Unreachable: wire.NotNil(hint.Notes(p.Unreachable))}
}

// printPlanJSON prints a plan with --json, and nothing without.
func printPlanJSON(a *app.App, p gitstore.PurgePlan) error {
	if !a.JSON {
		return nil
	}
	j := toPlanJSON(p)
	j.Dry, j.Complete = true, idle(p)
	return a.PrintJSON(j)
}

// printPurgedJSON prints with --json what a purge did, and nothing without.
func printPurgedJSON(a *app.App, out gitstore.Purged, unfinished int, pushes []gitstore.PurgePush, complete bool) error {
	if !a.JSON {
		return nil
	}
	j := toPlanJSON(out.PurgePlan)
	j.Unfinished, j.Objects, j.Searched, j.Complete = unfinished, out.Objects, out.Searched, complete
	for _, l := range out.Left {
		j.Left = append(j.Left, purgeLeftJSON{l.Name, hint.Note(l.Note())})
	}
	for _, p := range pushes {
		t := purgePushJSON{Remote: p.Remote, Ref: p.Ref, Old: p.Old, New: p.New}
		if p.Err != nil {
			t.Error = hint.Error(p.Err)
		}
		j.Pushed = append(j.Pushed, t)
	}
	return a.PrintJSON(j)
}
