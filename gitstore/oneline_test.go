package gitstore_test

import (
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Case B18: where nothing can be written at all, that is said once and not for
// each file, what is there is read, and the next save works.
func TestOneLineForOneTrouble(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES} {
		w := storetest.New(t)
		w.Repo("r")
		s := open(t, w, "r")
		first := save(t, s, "first")
		restore := fsx.Inject(func(op fsx.Op, path string) error {
			if op.Changes() {
				return &fs.PathError{Op: string(op), Path: path, Err: errno}
			}
			return nil
		})
		_, err := s.Checkpoints.Save(ctx, thesis("second"))
		list := subjects(t, s, gitstore.Query{})
		restore()
		if err == nil || strings.Contains(err.Error(), "\n") || strings.Count(err.Error(), errno.Error()) != 1 {
			t.Errorf("got %v", err)
		}
		wantList(t, list, "first")
		if got := save(t, s, "third"); got.Parents[0] != first.ID {
			t.Errorf("saved %+v", got)
		}
	}
}
