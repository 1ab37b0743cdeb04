package verify

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// refFiles looks at the files of our refs, since git passes over what it cannot
// read: a file without content, which a power cut leaves, makes a push delete the
// remote's ref; one of anything else makes the user's own gc fail.
func (k *checker) refFiles() {
	root := filepath.Join(k.s.repo.Where.CommonDir, "refs", "sage")
	_ = fsx.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			k.add("unreadable", k.under(path), repo.PlainError(err), "fix the permissions of '"+path+"'")
			return nil
		case d.IsDir():
			return nil
		}
		k.refFile(path, k.under(path), d.Type())
		return nil
	})
	k.locked(filepath.Join(k.s.repo.Where.CommonDir, "packed-refs.lock"), "packed-refs.lock", noSave)
	k.lockedLogs()
}

// lockedLogs names locks of the logs of our refs: a gc that was killed while it
// shortened one leaves it, and no gc and no purge ends well until it is gone.
func (k *checker) lockedLogs() {
	for _, path := range k.s.purge.LogFiles() {
		if strings.HasSuffix(path, ".lock") {
			k.locked(path, k.under(path), "gc and purge fail")
		}
	}
}

// under is the name of a file beneath the git directory.
func (k *checker) under(path string) string {
	name, err := filepath.Rel(k.s.repo.Where.CommonDir, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(name)
}

func (k *checker) refFile(path, name string, mode fs.FileMode) {
	if strings.HasSuffix(name, ".lock") {
		k.locked(path, name, noSave)
		return
	}
	if mode&fs.ModeSymlink == 0 && !mode.IsRegular() {
		k.add("bad-ref", name, "not a regular file but a "+repo.ModeWord(mode), "rm '"+path+"'")
		return
	}
	b, err := fsx.ReadFile(path)
	switch value := repo.Text(b); {
	case os.IsNotExist(err), k.listed(name):
		return // git removed it meanwhile, or reads it
	case err != nil:
		k.add("unreadable", name, repo.PlainError(err), "fix the permissions of '"+path+"'")
	case len(b) == 0:
		k.add("empty-ref", name, "the file is empty, as after a power cut", "")
		k.replace(name, b)
	case strings.HasPrefix(value, "ref:"):
		k.add("symbolic-ref", name, "points to "+legible.OneLine(strings.TrimSpace(value[4:]))+" instead of a checkpoint", "git symbolic-ref --delete "+name)
		k.replace(name, b) // git 2.46 and later set no ref that points to nothing
	case len(value) == len(k.s.repo.Objects.Zero()) && record.IsHex(value):
		return // packed meanwhile, or of a name that git does not take
	default:
		k.add("broken-ref", name, fmt.Sprintf("the file holds %s, not an id", quoted(b)), "")
		k.replace(name, b)
	}
}

func (k *checker) listed(name string) bool { _, ok := k.named()[name]; return ok }

// noSave is what a lock on a ref costs.
const noSave = "nothing can be saved there"

// locked names a lock that git left, or that is held just now, and what it costs.
func (k *checker) locked(path, name, cost string) {
	st, err := fsx.Lstat(path)
	if err != nil {
		return
	}
	age := time.Since(st.ModTime())
	if age >= 0 && age < ledger.LockAge {
		k.warn("lock", name, "held by a running git, or by one killed a moment ago", "check again in a few seconds")
		return
	}
	k.add("lock", name, fmt.Sprintf("'%s' has existed for %s: %s", path, repo.Lasted(age), cost), "")
	k.mend(&lockFix{path: path, name: name, inode: fsx.Inode(st), at: st.ModTime()})
}

// quoted is the beginning of what a file holds, in print.
func quoted(b []byte) string {
	return fmt.Sprintf("%q", record.ClipBytes(strings.ToValidUTF8(string(b[:min(len(b), 200)]), "?"), 40))
}

// rawOf returns what the file of a ref holds, and whether git cannot read it.
func (k *checker) rawOf(name string) (b []byte, broken bool) {
	b, err := fsx.ReadFile(k.s.refFile(name))
	return b, err == nil && !k.listed(name)
}
