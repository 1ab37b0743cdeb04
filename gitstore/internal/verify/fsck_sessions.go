package verify

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/session"
)

// sessions names positions that point to what is gone. They keep nobody from
// saving: the next save says so and continues the line.
func (k *checker) sessions() {
	for _, f := range append(k.s.sessionFiles(), append(repo.FilesBelow(k.s.repo.FoldersDir()), k.s.repo.WorktreeDir("stand.json"))...) {
		t, ok := session.ReadStand(f)
		if !ok || t.Seen == "" {
			continue
		}
		if gone, err := k.s.commits.IsGone(k.ctx, t.Seen); err != nil || !gone {
			continue
		}
		if _, err := k.anywhere(t.Seen); err != nil { // else a repair brings it
			k.warn("lost-position", record.Short(t.Seen), "a session stands at a checkpoint that is gone", "")
			k.mend(&fileFix{file: f, name: "session at " + record.Short(t.Seen), what: "clears that position", done: "cleared that position; the session continues from its line"})
		}
	}
}

func (ve *Verifier) sessionFiles() (out []string) {
	list, _ := fsx.ReadDir(ve.repo.Dir("sessions"))
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && record.IsHex(name) { // else see Keep
			out = append(out, ve.repo.Dir("sessions", e.Name()))
		}
	}
	return out
}
