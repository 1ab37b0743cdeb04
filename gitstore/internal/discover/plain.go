package discover

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// Plain finds the commonest kinds of repository without asking git, which saves
// every command the 1.5 ms of a process that all others wait for: the work tree of
// a person's own repository, one that 'git worktree add' made beside it, and the
// user's own store as makeOwn makes it. What git reads of them belongs to the user,
// and the config names no extension, other work tree, included file or newer format.
// Anything else is for git to find or refuse: ok is false.
//
// Measured, processor time of a prompt's hook, found by git and so: in a linked work
// tree 20 and 13 ms, with a store of one's own 21 and 14 ms.
//
// What is read here is only where things lie. Every ref is still moved by git,
// which finds the repository, and checks whose it is, by itself.
func Plain(dir string, global bool, env []string) (d Place, ok bool) {
	if redirected(env) {
		return Place{}, false
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return d, false
	}
	if global {
		d.GitDir, d.CommonDir = dir, dir
	} else if d, ok = around(dir); !ok {
		return d, false
	}
	d.Objects, d.Format = filepath.Join(d.CommonDir, "objects"), "sha1"
	if !d.simple() {
		return Place{}, false
	}
	d.Plain = true
	return d, true
}

// around is the work tree that a folder lies in, and its git directories.
func around(dir string) (d Place, ok bool) {
	top, ok := climb(dir)
	if !ok {
		return d, false
	}
	name := filepath.Join(top, ".git")
	st, err := fsx.Lstat(name)
	if err != nil || st.IsDir() {
		return Place{Top: top, GitDir: name, CommonDir: name}, err == nil
	}
	if _, mine := fsx.Mine(name); !st.Mode().IsRegular() || !mine {
		return d, false
	}
	to := linked(top, name)
	d.Top = top
	if d.GitDir, err = filepath.EvalSymlinks(to.Git); err != nil {
		return d, false
	}
	d.CommonDir, err = filepath.EvalSymlinks(to.Common)
	return d, err == nil && d.CommonDir != d.GitDir
}

// LookUp is Value with whether that is all there is to say: of what stands in a ref's place
// and is none, git has to say what it takes that for.
func (d Place) LookUp(name string) (id string, ok bool) {
	refs, err := Refs(d.CommonDir, []string{name})
	switch {
	case err != nil:
		return "", false
	case len(refs) == 0:
		_, err := fsx.Lstat(filepath.Join(d.CommonDir, filepath.FromSlash(name)))
		return "", os.IsNotExist(err)
	}
	i := slices.IndexFunc(refs, func(r refname.Ref) bool { return r.Name == name })
	if i < 0 { // refs below a folder of its name
		return "", false
	}
	return refs[i].ID, true
}

// redirected reports whether the environment that git gets tells it where to
// look, or how.
func redirected(env []string) bool {
	return slices.ContainsFunc(env, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(redirecting, name)
	})
}

var redirecting = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_CEILING_DIRECTORIES",
	"GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_QUARANTINE_PATH", "GIT_TEST_ASSUME_DIFFERENT_OWNER",
}

// climb walks up to the folder that holds .git. Like git it stops at the border
// of a file system, and looks at each folder for a bare repository too.
func climb(dir string) (top string, ok bool) {
	first, _ := fsx.Mine(dir)
	for ; ; dir = filepath.Dir(dir) {
		dev, mine := fsx.Mine(dir)
		if dev != first || looksBare(dir) {
			return "", false
		}
		if _, err := fsx.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, mine
		}
		if filepath.Dir(dir) == dir {
			return "", false
		}
	}
}

func looksBare(dir string) bool {
	_, head := fsx.Lstat(filepath.Join(dir, "HEAD"))
	_, objects := fsx.Lstat(filepath.Join(dir, "objects"))
	return head == nil && objects == nil
}

// isWhole reports whether the git directories have what git wants of them. Git
// passes by one that has not, and looks further up.
func (d Place) isWhole() bool {
	for _, name := range []string{"objects", "refs"} {
		if st, err := fsx.Stat(filepath.Join(d.CommonDir, name)); err != nil || !st.IsDir() {
			return false
		}
	}
	st, err := fsx.Lstat(filepath.Join(d.GitDir, "HEAD"))
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	b, err := fsx.ReadFile(filepath.Join(d.GitDir, "HEAD"))
	head := git.Text(b)
	return err == nil && (strings.HasPrefix(head, "ref: refs/") || len(head) == 40 && record.IsHex(head))
}

// simple reports whether the git directories are the user's own and of the oldest
// and commonest form.
func (d Place) simple() bool {
	for _, dir := range []string{d.GitDir, d.CommonDir} {
		st, err := fsx.Lstat(dir)
		if _, mine := fsx.Mine(dir); err != nil || !st.IsDir() || !mine {
			return false
		}
	}
	if _, err := fsx.Lstat(filepath.Join(d.CommonDir, "commondir")); err == nil || !d.isWhole() {
		return false
	}
	config, err := fsx.ReadFile(filepath.Join(d.CommonDir, "config"))
	if err != nil {
		return false
	}
	mayBeBare := d.Top == "" || d.CommonDir != d.GitDir // as a store that has linked work trees alone
	for line := range bytes.Lines(bytes.ToLower(config)) {
		line := strings.Join(strings.Fields(string(line)), "")
		if odd(line) && !(mayBeBare && line == "bare=true") {
			return false
		}
	}
	return true
}

// odd judges a line of a config file, in lower case and without blanks.
func odd(line string) bool {
	for _, word := range []string{"[extensions", "[include", "worktree", "\\"} {
		if strings.Contains(line, word) {
			return true
		}
	}
	version, isVersion := strings.CutPrefix(line, "repositoryformatversion=")
	bare, isBare := strings.CutPrefix(line, "bare=")
	return isVersion && version != "0" || isBare && bare != "false" || line == "bare" ||
		strings.Contains(line, "]") && (strings.Contains(line, "repositoryformatversion") || strings.Contains(line, "bare"))
}
