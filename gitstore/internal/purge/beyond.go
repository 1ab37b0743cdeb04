package purge

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// packsWith are the indexes of the packs here that hold an object.
func (pu *Purger) packsWith(id string) (out []string) {
	for _, f := range fsx.FilesBelow(filepath.Join(pu.repo.Where.Objects, "pack")) {
		if !strings.HasSuffix(f, ".idx") {
			continue
		}
		if x, err := packs.Read(f, pu.repo.IDSize()); err == nil && x.Has(id) {
			out = append(out, f)
		}
	}
	return out
}

// beyond says where copies may be, besides remotes, that a purge of this repository
// does not reach. Some of that the parts said.
func (p *purge) beyond(parts []remedy.Note) (out []remedy.Note) {
	if b, err := fsx.ReadFile(filepath.Join(p.s.repo.Where.Objects, "info", "alternates")); err == nil {
		for _, dir := range strings.Fields(string(b)) {
			out = append(out, remedy.Notef("the repository that this one borrows objects from, %s", dir))
		}
	}
	out = append(out, parts...)
	if n := p.s.others(); n > 0 {
		out = append(out, remedy.Notef("session files of other users of this repository (%d in .git/sage); each user must run the same purge", n))
	}
	for _, f := range p.s.unfinished() {
		out = append(out, remedy.Notef("'%s', left by a running or killed git; delete it if no git is running here", filepath.ToSlash(f)))
	}
	out = append(out,
		remedy.Note{Text: "other clones", Remedies: []remedy.Remedy{remedy.PurgeClones.On()}},
		remedy.Notef("servers, mirrors, hosted forks and backups of this disk; on a server, 'git gc --prune=now' removes it"),
	)
	return out
}

// others counts the files beside git that only another user of the repository can read.
func (pu *Purger) others() (n int) {
	for _, file := range pu.ownFiles() {
		f, err := fsx.OpenFile(file, os.O_RDONLY, 0)
		if err == nil {
			_ = f.Close()
		} else if errors.Is(err, fs.ErrPermission) {
			n++
		}
	}
	return n
}

// unfinished are packs and folders of objects that a git was writing. None lists
// what is in them, and they are git's: it may be at work. Single objects are
// tempObjects.
func (pu *Purger) unfinished() (out []string) {
	for dir, mine := range map[string][]string{"pack": {"tmp_", ".tmp-"}, ".": {"tmp_objdir-", "incoming-"}} {
		list, _ := fsx.ReadDir(filepath.Join(pu.repo.Where.Objects, dir))
		for _, e := range list {
			if slices.ContainsFunc(mine, func(p string) bool { return strings.HasPrefix(e.Name(), p) }) {
				out = append(out, filepath.Join(pu.repo.Where.Objects, dir, e.Name()))
			}
		}
	}
	slices.Sort(out)
	return out
}
