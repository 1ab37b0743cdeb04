package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// A Sidecar is where derived data of the repository lies, for one user and machine.
// What does not carry its ID is another repository's, or came with a clone.
type Sidecar struct{ Dir, ID string }

// Sidecar decides where derived data lies, and makes the folder. The cases, in order:
//
//  1. the repository lies on a file system that other machines write to, where no
//     lock and no mapped file can be relied on: a folder of cache, the user's
//  2. it has a main work tree in which .sage/local is ours: a folder and no link on
//     the way, excluded from git, with nothing in it tracked, and with our id or none.
//     All linked work trees share it
//  3. else a folder beside git's objects: in bare repositories, submodules, with
//     --separate-git-dir, and where init was not called or somebody else was there
//
// It costs no process unless git's index changed since it was last asked.
func (s *Store) Sidecar(ctx context.Context, cache string) (Sidecar, error) {
	if _, err := s.giveID(); err != nil {
		return Sidecar{}, err
	}
	b, err := fsx.ReadOwn(s.dir("id"))
	id := text(b)
	if err != nil || len(id) != 32 || !isHex(id) {
		return Sidecar{}, fmt.Errorf("'%s' holds no id of the repository; run 'git sage fsck'", s.dir("id"))
	}
	dir := s.dir("index")
	if top := s.mainTop(); !isLocal(s.where.commonDir) && cache != "" {
		dir = filepath.Join(cache, "git-sage", id)
	} else if local := filepath.Join(top, ".sage", "local"); top != "" && s.sidecarIn(ctx, top, local, id) {
		dir = local
	}
	if err := fsx.Mkdir(dir); err != nil {
		return Sidecar{}, err
	}
	if st, err := fsx.Lstat(dir); err != nil || !st.IsDir() {
		return Sidecar{}, fmt.Errorf("'%s' is no folder; remove it", dir)
	}
	return Sidecar{dir, id}, nil
}

// isLocal is replaced by tests, which have no network file system.
var isLocal = func(path string) bool {
	_, local := fsx.Kind(path)
	return local
}

// mainTop is the top of the main work tree; "" if there is none, or it does not lie
// around the git directory.
func (s *Store) mainTop() string {
	common := s.where.commonDir
	top := filepath.Dir(common)
	st, err := fsx.Lstat(common)
	switch {
	case err != nil || !st.IsDir() || filepath.Base(common) != ".git":
		return ""
	case s.where.gitDir == common:
		if s.where.top == top {
			return top
		}
		return ""
	}
	for _, file := range []string{"config", "config.worktree"} { // in a linked one git would have to be asked
		b, err := fsx.ReadFile(filepath.Join(common, file))
		if err == nil && !plainCore(string(b)) {
			return ""
		}
	}
	return top
}

// plainCore reports whether a configuration does not say that the repository is bare,
// or that its work tree is elsewhere. What git would read otherwise costs the place,
// no more.
func plainCore(config string) bool {
	for line := range strings.Lines(config) {
		key, value, has := strings.Cut(strings.ToLower(strings.TrimSpace(line)), "=")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "worktree":
			return false
		case "bare":
			if !has || value != "false" && value != "no" && value != "off" && value != "0" {
				return false
			}
		}
	}
	return true
}

// sidecarIn reports whether derived data may lie in local, and puts our id there.
func (s *Store) sidecarIn(ctx context.Context, top, local, id string) bool {
	for _, dir := range []string{filepath.Dir(local), local} {
		if st, err := fsx.Lstat(dir); err == nil && !st.IsDir() {
			return false
		}
	}
	if !isLocal(top) || !s.excluded() || s.tracked(ctx, top) {
		return false
	}
	file := filepath.Join(local, "id")
	b, err := fsx.ReadOwn(file)
	if err == nil {
		return text(b) == id
	}
	if _, err := fsx.Lstat(file); err == nil { // a link, or what cannot be read
		return false
	}
	return fsx.Mkdir(local) == nil && fsx.WriteDerived(file, []byte(id+"\n"), 0o644) == nil
}

// excluded reports whether init kept the folder out of git.
func (s *Store) excluded() bool {
	b, err := fsx.ReadFile(filepath.Join(s.where.commonDir, "info", "exclude"))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(b)) {
		if strings.TrimSpace(line) == sidecarLine {
			return true
		}
	}
	return false
}

// sidecarLine is what init adds to info/exclude.
const sidecarLine = "/.sage/local/"

// tracked reports whether git's index of the main work tree has files in the folder.
// It is asked when the index is not what it was.
func (s *Store) tracked(ctx context.Context, top string) bool {
	now := ""
	if st, err := fsx.Stat(filepath.Join(s.where.commonDir, "index")); err == nil {
		now = fmt.Sprintf("%d %d %d", st.Size(), st.ModTime().UnixNano(), fsx.Inode(st))
	}
	file := s.dir("cache", "untracked")
	if b, err := fsx.ReadOwn(file); err == nil && text(b) == now {
		return false
	}
	out, err := s.git.In(top).Run(ctx, "ls-files", "-z", "--", ".sage/local")
	if err != nil || len(out) > 0 {
		return true
	}
	_ = fsx.WriteDerived(file, []byte(now), 0o600)
	return false
}
