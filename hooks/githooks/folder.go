package githooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Folder is the one with hooks in the git directory of a repository, which all of its work
// trees share. One that core.hooksPath names is somebody else's: its files are tracked, or
// of all of the user's repositories.
type Folder struct {
	Path    string
	Used    string // where git looks for hooks instead; "" is here
	Trailer bool   // whether the messages of commits are to name checkpoints; where they do, they go on
}

// In is the folder of a repository with a common git directory, where base is the folder that
// its git runs hooks in, and configured what core.hooksPath says, without a leading ~.
func In(common, base, configured string) Folder {
	f := Folder{Path: filepath.Join(common, "hooks")}
	used := configured
	if !filepath.IsAbs(used) {
		used = filepath.Join(base, used)
	}
	if own := filepath.Join(real(common), "hooks"); configured != "" && real(used) != own {
		f.Used = configured
	} else if real(f.Path) != own {
		f.Used = real(f.Path)
	}
	return f
}

// real is a path without its links, of which the last part may be missing.
func real(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return filepath.Clean(path)
}

// A Result tells of a hook.
type Result struct {
	Path string
	Did  string // "" if all was as it should be
	Left string // why it was left, although it is not as it should be
}

// An ElsewhereError says that git looks for hooks in a folder that is not the repository's.
type ElsewhereError struct{ Used string }

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("git looks for hooks in '%s', where git-sage writes nothing", e.Used)
}

// Install writes our hooks. A dry one only tells what it would do.
func (f Folder) Install(dry bool) ([]Result, error) {
	if f.Used != "" {
		return nil, &ElsewhereError{f.Used}
	}
	return f.each(func(h hook) (Result, error) { return h.install(dry) })
}

// Uninstall removes our hooks and puts those back that were there before.
func (f Folder) Uninstall(dry bool) ([]Result, error) {
	return f.each(func(h hook) (Result, error) { return h.uninstall(dry) })
}

// State tells which hooks are as [Folder.Install] leaves them, and what is wrong with the
// others; both are empty where there are none of ours.
func (f Folder) State() (fine []string, wrong []Result, err error) {
	all, err := f.each(func(h hook) (Result, error) { return h.install(true) })
	for i, r := range all {
		if r == (Result{Path: r.Path}) {
			fine = append(fine, filepath.Base(all[i].Path))
		} else {
			wrong = append(wrong, r)
		}
	}
	if len(fine) == 0 && !slices.ContainsFunc(f.names(), func(name string) bool { return f.hook(name).has() }) {
		wrong = nil
	}
	return fine, wrong, err
}

// names are the hooks that are written here.
func (f Folder) names() []string {
	if f.Trailer || f.hook(trailerHook).has() {
		return append(slices.Clone(Names), trailerHook)
	}
	return Names
}

func (f Folder) each(do func(hook) (Result, error)) (all []Result, err error) {
	for _, name := range f.names() {
		h := f.hook(name)
		r, err := do(h)
		if err != nil {
			return all, err
		}
		r.Path = h.path
		all = append(all, r)
	}
	return all, nil
}

// A hook is one file in a folder.
type hook struct{ name, path, own string }

func (f Folder) hook(name string) hook {
	path := filepath.Join(f.Path, name)
	return hook{name, path, path + aside}
}

// has reports whether anything of ours, or for our sake, is there.
func (h hook) has() bool {
	text, err := h.read()
	ours, _ := isOurs(text)
	return err == nil && ours || exists(h.own)
}

// read reads the hook; that of the user may be a link.
func (h hook) read() (string, error) {
	b, err := plainfile.ReadLinked(h.path, 1<<20)
	return string(b), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// begun reports whether the hook of the user has its second name, and still its first.
func (h hook) begun() bool {
	now, err := os.Lstat(h.path)
	own, err2 := os.Lstat(h.own)
	if err != nil || err2 != nil {
		return false
	}
	target, err := os.Readlink(h.path)
	second, err2 := os.Readlink(h.own)
	return os.SameFile(now, own) || err == nil && err2 == nil && target == second
}

// setAside gives the hook of the user its second name, and fails if another has that: of two
// installs one goes on. Until ours takes its place it keeps the first, but where a file can
// have only one.
func (h hook) setAside() error {
	if h.begun() {
		return nil
	}
	target, err := os.Readlink(h.path)
	if err == nil {
		return os.Symlink(target, h.own)
	}
	if err = os.Link(h.path, h.own); err != nil && !exists(h.own) {
		err = os.Rename(h.path, h.own)
	}
	return err
}

// unchanged fails if somebody wrote the hook since it was read.
func (h hook) unchanged(was string) error {
	now, err := h.read()
	if err == nil && now != was && now != text(h.name) {
		err = fmt.Errorf("'%s' was written meanwhile, and stays: try again", h.path)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}

// install writes a hook. Killed anywhere, what was there still runs, and the next one
// completes it.
func (h hook) install(dry bool) (r Result, err error) {
	now, err := h.read()
	ours, edited := isOurs(now)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists(h.path):
		r.Did = "added"
	case err != nil:
		return Result{Left: "it is no hook that can be read, and stays: " + err.Error()}, nil
	case now == text(h.name) && executable(h.path):
		return r, nil
	case ours && edited:
		return Result{Left: editedSince}, nil
	case ours:
		r.Did = "updated"
	case exists(h.own) && !h.begun():
		return Result{Left: "somebody replaced the hook of git-sage; keep one of it and " + filepath.Base(h.own)}, nil
	case ownName().MatchString(now):
		return Result{Left: "it goes by its own name, and stays; add a line to it: " + ByHand}, nil
	default:
		r.Did = "added, before which yours runs, now in " + filepath.Base(h.own)
	}
	if dry {
		return r, nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o777); err != nil {
		return r, err
	}
	if strings.HasPrefix(r.Did, "added,") {
		if err := h.setAside(); err != nil {
			return r, err
		}
	}
	return r, plainfile.Replace(h.path, []byte(text(h.name)), plainfile.Replacement{
		Temp: "." + h.name + "*", Mode: 0o755, Check: func() error { return h.unchanged(now) },
	})
}

const editedSince = "it was edited since git-sage wrote it, and stays; remove it, or what is git-sage's in it"

// ownName matches a hook that looks at what it is called, as those do that serve several
// events: run by another name it would do something else. So may what it reads in, as husky 4
// has it, and "$0.d".
var ownName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`basename\b|\$\{0[#:]|\$0"?\.|\$PROGRAM_NAME|argv\[0\]|BASH_SOURCE|(?m)^\s*(\.|source)\s`)
})

func executable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && (st.Mode()&0o111 != 0 || os.PathSeparator == '\\')
}

func (h hook) uninstall(dry bool) (r Result, err error) {
	now, err := h.read()
	ours, edited := isOurs(now)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists(h.path):
		if !exists(h.own) {
			return r, nil
		}
	case !ours && exists(h.own) && !h.begun():
		return Result{Left: "somebody replaced the hook of git-sage; yours from before is " + filepath.Base(h.own)}, nil
	case !ours && !exists(h.own):
		return r, nil
	case edited:
		return Result{Left: editedSince}, nil
	}
	undo := func() error { return os.Remove(h.path) }
	if r.Did = "removed"; h.begun() {
		r.Did = "restored as it was"
		undo = func() error { return os.Remove(h.own) } // to rename one name of a file to the other does nothing
	} else if exists(h.own) {
		r.Did = "restored as it was"
		undo = func() error { return os.Rename(h.own, h.path) }
	}
	if dry {
		return r, nil
	}
	return r, undo()
}
