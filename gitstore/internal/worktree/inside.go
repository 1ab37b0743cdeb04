package worktree

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/prose/cut"
)

// ErrPath says that a path is none of a file of the repository.
var ErrPath = errors.New("bad path")

// PathInside is the path of a file of the user's own as it is kept: relative to the root
// of the work tree, with slashes. An absolute path inside becomes one; what leads out of
// the work tree, also by a link that is there, or is git's own, is an ErrPath.
func (fl *UserFiles) PathInside(file string) (string, error) {
	fail := func(why string) error {
		return fmt.Errorf("%w '%s': it %s; want one below the repository's root", ErrPath, legible.OneLine(cut.Runes(file, 200)), why)
	}
	rel := file
	if filepath.IsAbs(file) && fl.top != "" {
		var ok bool
		if rel, ok = relativeTo(fl.top, file); !ok {
			return "", fail("lies outside of the repository")
		}
	}
	if why := naming.PathProblem(rel); why != "" && why != leadsOut {
		return "", fail(why)
	}
	rel = path.Clean(strings.ReplaceAll(rel, `\`, "/"))
	if why := naming.PathProblem(rel); why != "" { // a/../b stays inside
		return "", fail(why)
	}
	if fl.top == "" {
		return rel, nil
	}
	to, ok := relativeTo(fl.top, WithoutLinks(filepath.Join(fl.top, filepath.FromSlash(rel))))
	if !ok {
		return "", fail("is a link that leads out of the repository")
	}
	if why := naming.PathProblem(filepath.ToSlash(to)); why != "" && to != "." {
		return "", fail("is a link to a path that " + why)
	}
	return rel, nil
}

const leadsOut = "leads out of the repository"

// relativeTo is a path relative to a folder, by the names that both have with and without
// links.
func relativeTo(top, name string) (rel string, ok bool) {
	for _, root := range []string{top, WithoutLinks(top)} {
		for _, file := range []string{name, WithoutLinks(name)} {
			if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel), true
			}
		}
	}
	return "", false
}

// WithoutLinks is a path without symbolic links, as far as it is there.
func WithoutLinks(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	dir := filepath.Dir(name)
	if dir == name {
		return name
	}
	return filepath.Join(WithoutLinks(dir), filepath.Base(name))
}

// TakeRefs are references that somebody gave, with their files as [UserFiles.PathInside] has
// them, and without a blob none whose file is there: they get that of the file as it is.
// The error names each that is outside. Those before, which were not given just now, stay
// as they are, for what a file is now says nothing of what they saw, and are left out
// where they are outside, for nobody is there to correct them.
func (fl *UserFiles) TakeRefs(given, before []sage.CodeRef) (out []sage.CodeRef, err error) {
	if len(given) == 0 {
		return nil, nil
	}
	w := fl.read()
	defer w.close()
	var errs []error
	for i, r := range given {
		file, err := fl.PathInside(r.File)
		known := slices.Contains(before, r)
		if err != nil && !known {
			errs = append(errs, fmt.Errorf("code_refs[%d].file: %w", i, err))
		}
		if err != nil {
			continue
		}
		r.File = file
		if ids, _ := w.ids(file); r.Blob == "" && !known && len(ids) > 0 {
			r.Blob = ids[0]
		}
		out = append(out, r)
	}
	return out, errors.Join(errs...)
}
