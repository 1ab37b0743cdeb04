package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// examineAgain is how often it is looked again at what seemed broken while others were at
// work.
const examineAgain = 2

// examine is checkSome that does not take for broken what is in motion: while git packs
// refs and objects, something is in neither place for whoever lists one and then the
// other. Of 177 looks beside saves, pack-refs and gc without end, one named something.
func (s *Store) examine(ctx context.Context, most int) (*checker, error) {
	for n := 0; ; n++ {
		before := s.motion()
		k, err := s.checkSome(ctx, "", most)
		if err != nil || n == examineAgain || k.report.broken() == nil || before == s.motion() && !s.packing() {
			return k, err
		}
		k.close()
	}
}

// broken are the findings that are neither warnings nor locks.
func (r Report) broken() (list []Finding) {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Warning || f.Kind == "lock" })
}

// motion changes when refs move or are packed, and objects come or go.
func (s *Store) motion() (all string) {
	for _, name := range []string{"packed-refs", "refs/sage", "refs/sage/heads", "refs/sage/forks", "objects/pack", "sage/journal"} {
		if st, err := fsx.Stat(filepath.Join(s.where.commonDir, filepath.FromSlash(name))); err == nil {
			all += fmt.Sprintln(st.ModTime().UnixNano(), st.Size())
		}
	}
	return all
}

// packing reports whether a git packs refs or objects just now.
func (s *Store) packing() bool {
	return s.gcAtWork() || there(filepath.Join(s.where.commonDir, "packed-refs.lock"))
}
