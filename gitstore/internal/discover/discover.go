// Package discover finds where a repository lies: by its files where it is of the commonest
// form, through git otherwise.
package discover

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Questions that callers ask of an error.
var (
	ErrNotRepository = errors.New("not a git repository")
	ErrBroken        = errors.New("is no longer a git repository") // parts of it are missing
)

// A Place is where a repository lies: what one `git rev-parse` tells of it.
type Place struct {
	GitDir, CommonDir, Objects, Format string
	Top                                string // of the work tree; "" if there is none
	Code                               sage.CodeState
	Plain                              bool // found without git; see plain.go
}

// Ask asks git where it is. One call tells all; git prints what it found before it
// stops at a HEAD that is not born.
func Ask(ctx context.Context, run *git.Runner) (Place, error) {
	out, err := run.Run(ctx, "rev-parse", "--path-format=absolute", "--absolute-git-dir", "--git-common-dir", "--git-path", "objects", "--show-object-format", "--is-inside-work-tree", "--show-cdup",
		"HEAD")
	d, ok := parseDiscovery(ctx, run, out)
	if !ok {
		return d, notRepository(err)
	}
	d.Code.Branch = HeadBranch(ctx, run, d.GitDir)
	return d, nil
}

// HeadBranch reads which branch HEAD is on. Where refs are kept in a table the
// file says nothing and git is asked.
func HeadBranch(ctx context.Context, run *git.Runner, gitDir string) string {
	b, err := fsx.ReadFile(filepath.Join(gitDir, "HEAD"))
	name, symbolic := strings.CutPrefix(git.Text(b), "ref: refs/heads/")
	if err == nil && symbolic && name != ".invalid" {
		return name
	}
	if err == nil && record.IsHex(git.Text(b)) {
		return "" // detached
	}
	out, _ := run.Run(ctx, "symbolic-ref", "-q", "--short", "HEAD")
	return git.Text(out)
}

// parseDiscovery reads the answer from its end, since a path may hold newlines.
func parseDiscovery(ctx context.Context, run *git.Runner, out []byte) (d Place, ok bool) {
	lines := strings.Split(git.Text(out), "\n")
	at := -1
	for i, l := range lines {
		if i >= 3 && (l == "sha1" || l == "sha256") {
			at = i
		}
	}
	if at < 0 {
		return d, false
	}
	d.GitDir, d.CommonDir, d.Objects, d.Format = lines[0], lines[1], lines[2], lines[at]
	if at > 3 {
		d.GitDir = RevParse(ctx, run, "--absolute-git-dir")
		d.CommonDir = RevParse(ctx, run, "--path-format=absolute", "--git-common-dir")
		d.Objects = RevParse(ctx, run, "--path-format=absolute", "--git-path", "objects")
	}
	d.Top = topOf(run.Dir(), lines[at+1:])
	rest := slices.DeleteFunc(lines[at+1:], func(l string) bool { return !record.IsHex(l) }) // git echoes what it does not know
	if len(rest) >= 1 {
		d.Code = sage.CodeState{Commit: rest[0]}
	}
	return d, true
}

// topOf reads the top of the work tree: the way up from inside it, its path from
// outside, nothing where there is none.
func topOf(dir string, lines []string) string {
	if len(lines) < 2 {
		return ""
	}
	if lines[0] == "false" {
		if filepath.IsAbs(lines[1]) {
			return lines[1]
		}
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Join(dir, lines[1])
}

// RevParse is what git rev-parse prints for one question.
func RevParse(ctx context.Context, run *git.Runner, args ...string) string {
	out, _ := run.Run(ctx, append([]string{"rev-parse"}, args...)...)
	return string(bytes.TrimSuffix(out, []byte("\n")))
}

func notRepository(err error) error {
	var e *git.Error
	if errors.As(err, &e) && e.NotRepository() {
		return ErrNotRepository
	}
	if err == nil {
		return git.ErrOld
	}
	return err
}

// RetryBare opens a bare repository, which git was told to refuse, unless it
// lies in the work tree of another: then it came with a clone.
func RetryBare(ctx context.Context, run *git.Runner, err error) (*git.Runner, Place, error) {
	var e *git.Error
	if !errors.As(err, &e) || !e.BareRefused() {
		return nil, Place{}, err
	}
	bare := run.Bare()
	d, err := Ask(ctx, bare)
	if err != nil {
		return nil, d, err
	}
	outer := RevParse(ctx, run.In(filepath.Dir(d.GitDir)), "--show-toplevel")
	if outer != "" && filepath.Base(d.GitDir) != ".git" {
		return nil, d, fmt.Errorf("refusing the bare repository '%s' inside the work tree of '%s'", d.GitDir, outer)
	}
	return bare, d, nil
}
