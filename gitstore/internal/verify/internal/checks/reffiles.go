package checks

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// RefFiles looks at the files of our refs, since git passes over what it cannot
// read: a file without content, which a power cut leaves, makes a push delete the
// remote's ref; one of anything else makes the user's own gc fail.
type RefFiles struct{ Purge *purge.Purger }

func (c RefFiles) Run(p *pass.Pass) {
	root := filepath.Join(p.Repo.Where.CommonDir, "refs", "sage")
	_ = fsx.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			p.Add("unreadable", p.Under(path), wording.PlainError(err), remedy.Typed("fix the permissions of '"+path+"'"))
			return nil
		case d.IsDir():
			return nil
		}
		refFile(p, path, p.Under(path), d.Type())
		return nil
	})
	locked(p, filepath.Join(p.Repo.Where.CommonDir, "packed-refs.lock"), "packed-refs.lock", noSave)
	c.lockedLogs(p)
}

// lockedLogs names locks of the logs of our refs: a gc that was killed while it
// shortened one leaves it, and no gc and no purge ends well until it is gone.
func (c RefFiles) lockedLogs(p *pass.Pass) {
	for _, path := range c.Purge.LogFiles() {
		if strings.HasSuffix(path, ".lock") {
			locked(p, path, p.Under(path), "gc and purge fail")
		}
	}
}

func refFile(p *pass.Pass, path, name string, mode fs.FileMode) {
	if strings.HasSuffix(name, ".lock") {
		locked(p, path, name, noSave)
		return
	}
	if mode&fs.ModeSymlink == 0 && !mode.IsRegular() {
		p.Add("bad-ref", name, "not a regular file but a "+fsx.ModeWord(mode), remedy.Typed("rm '"+path+"'"))
		return
	}
	b, err := fsx.ReadFile(path)
	switch value := git.Text(b); {
	case os.IsNotExist(err), p.Listed(name):
		return // git removed it meanwhile, or reads it
	case err != nil:
		p.Add("unreadable", name, wording.PlainError(err), remedy.Typed("fix the permissions of '"+path+"'"))
	case len(b) == 0:
		p.Add("empty-ref", name, "the file is empty, as after a power cut")
		p.Replace(name, b)
	case strings.HasPrefix(value, "ref:"):
		p.Add("symbolic-ref", name, "points to "+legible.OneLine(strings.TrimSpace(value[4:]))+" instead of a checkpoint", remedy.Typed("git symbolic-ref --delete "+name))
		p.Replace(name, b) // git 2.46 and later set no ref that points to nothing
	case len(value) == len(p.Repo.Objects.Zero()) && record.IsHex(value):
		return // packed meanwhile, or of a name that git does not take
	default:
		p.Add("broken-ref", name, fmt.Sprintf("the file holds %s, not an id", pass.Quoted(b)))
		p.Replace(name, b)
	}
}

// noSave is what a lock on a ref costs.
const noSave = "nothing can be saved there"

// locked names a lock that git left, or that is held just now, and what it costs.
func locked(p *pass.Pass, path, name, cost string) {
	st, err := fsx.Lstat(path)
	if err != nil {
		return
	}
	age := time.Since(st.ModTime())
	if age >= 0 && age < ledger.LockAge {
		p.Warn("lock", name, "held by a running git, or by one killed a moment ago", remedy.Typed("check again in a few seconds"))
		return
	}
	p.Add("lock", name, fmt.Sprintf("'%s' has existed for %s: %s", path, legible.Lasted(age), cost))
	p.Mend(&fixes.Lock{Path: path, Name: name, Inode: fsx.Inode(st), At: st.ModTime()})
}
