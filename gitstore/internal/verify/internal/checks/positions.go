package checks

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
)

// Positions names positions of sessions that point to what is gone. They keep nobody from
// saving: the next save says so and continues the line.
type Positions struct{ Commits *commits.Commits }

func (c Positions) Run(p *pass.Pass) {
	for _, f := range append(sessionFiles(p.Repo), append(fsx.FilesBelow(p.Repo.FoldersDir()), p.Repo.WorktreeDir("stand.json"))...) {
		t, ok := session.ReadStand(f)
		if !ok || t.Seen == "" {
			continue
		}
		if gone, err := c.Commits.IsGone(p.Ctx, t.Seen); err != nil || !gone {
			continue
		}
		if _, err := p.Anywhere(t.Seen); err != nil { // else a repair brings it
			if !p.IsGone(t.Seen) {
				p.Warn("lost-position", record.Short(t.Seen), "a session stands at a checkpoint that cannot be read", pass.FetchCure())
				continue
			}
			p.Warn("lost-position", record.Short(t.Seen), "a session stands at a checkpoint that is gone")
			p.Mend(&fixes.File{Path: f, Name: "session at " + record.Short(t.Seen), What: "clears that position", Done: "cleared that position; the session continues from its line"})
		}
	}
}

func sessionFiles(r *repo.Repo) (out []string) {
	list, _ := fsx.ReadDir(r.Dir("sessions"))
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && record.IsHex(name) { // else see Keep
			out = append(out, r.Dir("sessions", e.Name()))
		}
	}
	return out
}
