package verify

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// sidecar checks the folder of derived files in the work tree, which a clone can
// bring along: it is believed only if it is ours, and no link leads out of it.
func (k *checker) sidecar() {
	top := k.s.repo.Where.Top
	if top == "" {
		return
	}
	for _, dir := range []string{filepath.Join(top, ".sage"), filepath.Join(top, ".sage", "local")} {
		st, err := fsx.Lstat(dir)
		if os.IsNotExist(err) {
			return
		}
		if err != nil {
			k.warn("sidecar", dir, repo.PlainError(err)+"; it is not used", "")
			return
		}
		if !st.IsDir() {
			k.warn("sidecar", dir, "is "+linkWord(dir, st.Mode())+" and not a folder; it is not used", "rm '"+dir+"'")
			return
		}
	}
	k.sidecarOurs(filepath.Join(top, ".sage", "local"))
}

func (k *checker) sidecarOurs(dir string) {
	if out, err := k.s.repo.Git.Run(k.ctx, "-C", k.s.repo.Where.Top, "ls-files", "-z", "--", ".sage/local"); err == nil && len(out) > 0 {
		k.warn("sidecar", dir, "came with the repository: its files are tracked; they are not used", "git rm -r --cached .sage/local")
	}
	theirs, err := fsx.ReadOwn(filepath.Join(dir, "id"))
	ours, err2 := fsx.ReadOwn(k.s.repo.Dir("id"))
	if err == nil && (err2 != nil || repo.Text(theirs) != repo.Text(ours)) {
		k.warn("sidecar", dir, "belongs to another repository; it is not used", "rm -r '"+dir+"'")
	}
}

func linkWord(path string, m fs.FileMode) string {
	if to, err := fsx.Readlink(path); err == nil {
		return "a symbolic link to '" + sage.OneLine(to) + "'"
	}
	return "a " + modeWord(m)
}
