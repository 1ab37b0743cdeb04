package verify

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/checks"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/part"
)

// checks are the checks in the order of their findings. What follows from another finding
// comes behind it.
func (ve *Verifier) checks() []pass.Check {
	return []pass.Check{
		checks.PackIndexes{},
		checks.RefFiles{Purge: ve.purge},
		checks.Targets{}, // which notes the tips
		checks.LostRefs{History: ve.history},
		checks.History{Rewritten: ve.rewritten}, // of the tips
		checks.Forks{Commits: ve.commits},
		checks.Knowledge{Contents: ve.contents, History: ve.history, Admission: ve.admission},
		checks.Purges{Purge: ve.purge, Rewritten: ve.rewritten},
		checks.Positions{Commits: ve.commits},
		checks.OwnFiles{Journal: ve.journal, Ownership: ve.ownership},
		checks.Journal{Journal: ve.journal, Backup: ve.backup, History: ve.history},
		checks.Clone{},
		checks.Parts{Parts: ve.parts},
		checks.Leftovers{},
		checks.Graphs{},
	}
}

// A Report is what [Verifier.Check] found, and how much it read.
type Report = pass.Report

// Findings checks our refs, commits and files, and says what it finds. It changes
// nothing.
func (ve *Verifier) Findings(ctx context.Context) ([]part.Finding, error) {
	r, err := ve.Check(ctx)
	return r.Findings, err
}

// Check is Findings with numbers.
func (ve *Verifier) Check(ctx context.Context) (Report, error) {
	r, err := ve.Examine(ctx, 0)
	if err != nil {
		return Report{}, err
	}
	return r, ctx.Err()
}

// run runs every check. from is the git directory of a clone that may have what is missing
// here, or "". Of the newest commits of each kind of ref, and of files, it reads at most so
// many; of 0 it reads all.
func (ve *Verifier) run(ctx context.Context, from string, most int) (*pass.Pass, error) {
	p, err := pass.New(ctx, pass.Rooms{
		Repo: ve.repo, Journal: ve.journal, Backup: ve.backup, Rewritten: ve.rewritten, Ownership: ve.ownership, History: ve.history,
	}, from, most)
	if err != nil {
		return nil, err
	}
	checks.PackedRefs{}.Run(p)
	if err := p.ListRefs(); err != nil && len(p.Report.Findings) > 0 { // git reads no ref: all else follows from that
		return p, nil
	} else if err != nil {
		p.Close()
		return nil, err
	}
	p.Remember()
	for _, c := range ve.checks() {
		c.Run(p)
	}
	p.Report.Lost = len(p.Bad)
	return p, nil
}

// examineAgain is how often it is looked again at what seemed broken while others were at
// work.
const examineAgain = 2

// Examine is Check that reads at most so many of the newest commits of each kind of ref, and
// as many files; 0 is all. It does not take for broken what is in motion: while git packs
// refs and objects, something is in neither place for whoever lists one and then the
// other. Of 177 looks beside saves, pack-refs and gc without end, one named something.
func (ve *Verifier) Examine(ctx context.Context, most int) (Report, error) {
	for n := 0; ; n++ {
		before := ve.motion()
		p, err := ve.run(ctx, "", most)
		if err != nil {
			return Report{}, err
		}
		p.Close()
		if n == examineAgain || p.Report.Broken() == nil || before == ve.motion() && !ve.packing() {
			return p.Report, nil
		}
	}
}

// motion changes when refs move or are packed, and objects come or go.
func (ve *Verifier) motion() (all string) {
	for _, name := range []string{"packed-refs", "refs/sage", "refs/sage/heads", "refs/sage/forks", "objects/pack", "sage/journal"} {
		if st, err := fsx.Stat(filepath.Join(ve.repo.Where.CommonDir, filepath.FromSlash(name))); err == nil {
			all += fmt.Sprintln(st.ModTime().UnixNano(), st.Size())
		}
	}
	return all
}

// packing reports whether a git packs refs or objects just now.
func (ve *Verifier) packing() bool {
	return ve.repo.GcAtWork() || fsx.There(filepath.Join(ve.repo.Where.CommonDir, "packed-refs.lock"))
}
