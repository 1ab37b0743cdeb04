package verify

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/part"
)

// examineAgain is how often it is looked again at what seemed broken while others were at
// work.
const examineAgain = 2

// Examine is checkSome that does not take for broken what is in motion: while git packs
// refs and objects, something is in neither place for whoever lists one and then the
// other. Of 177 looks beside saves, pack-refs and gc without end, one named something.
func (ve *Verifier) Examine(ctx context.Context, most int) (*checker, error) {
	for n := 0; ; n++ {
		before := ve.motion()
		k, err := ve.checkSome(ctx, "", most)
		if err != nil || n == examineAgain || k.Report.Broken() == nil || before == ve.motion() && !ve.packing() {
			return k, err
		}
		k.Close()
	}
}

// Broken are the findings that are neither warnings nor locks.
func (r Report) Broken() (list []part.Finding) {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f part.Finding) bool { return f.Warning || f.Kind == "lock" })
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
	return ve.repo.GcAtWork() || repo.There(filepath.Join(ve.repo.Where.CommonDir, "packed-refs.lock"))
}
