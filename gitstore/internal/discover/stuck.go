package discover

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/internal/environ"
)

// Stuck returns why a git at work in d may never end: one of its files is a pipe,
// which it waits for, or a device, which it reads without end. An archive can
// bring such a file, and the config that came with it can name one anywhere. It
// is asked only while a git takes long, and returns nil if nothing is found.
func (d GitDirs) Stuck(env []string) error {
	if d.Git == "" {
		return nil
	}
	for _, dir := range slices.Compact([]string{d.Git, d.Common}) { // mostly one and the same
		for _, name := range gitFiles {
			if err := waits(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
		for _, name := range []string{"refs/sage", "logs/refs/sage", "objects/pack"} {
			if err := waitsBelow(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	home := environ.Get(env, "HOME")
	for _, config := range []string{filepath.Join(d.Common, "config"), filepath.Join(d.Git, "config.worktree"),
		filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"), environ.Get(env, "GIT_CONFIG_GLOBAL")} {
		if err := includesWait(config, home, maxIncludes); err != nil {
			return err
		}
	}
	return nil
}

// gitFiles are those that git opens for what we ask of it.
var gitFiles = []string{"HEAD", "config", "config.worktree", "commondir", "gitdir", "index", "shallow", "packed-refs",
	"info/attributes", "objects/info/alternates", "objects/info/commit-graph", "objects/info/commit-graphs/commit-graph-chain"}

const (
	maxIncludes = 10      // how deep git itself follows includes
	maxWalk     = 100_000 // files that are looked at for a pipe, 0.2 s
)

// waits returns an error if path, or what it leads to, makes its reader wait.
func waits(path string) error {
	st, err := fsx.Stat(path)
	if err != nil || st.Mode()&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeSocket) == 0 || isNull(st) {
		return nil
	}
	what := "a device"
	if st.Mode()&fs.ModeNamedPipe != 0 {
		what = "a pipe"
	}
	return fmt.Errorf("'%s' is %s, which would hang git; remove it", path, what)
}

// isNull reports whether st is of the empty device, which is common in place of a
// file that is not wanted.
func isNull(st fs.FileInfo) bool {
	null, err := fsx.Stat(os.DevNull)
	return err == nil && os.SameFile(null, st)
}

// waitsBelow is waits for what lies below a folder. What cannot be listed is not
// what git waits for.
func waitsBelow(dir string) (found error) {
	n := 0
	_ = fsx.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if n++; n > maxWalk || found != nil {
			return fs.SkipAll
		}
		if err == nil && !e.IsDir() && !e.Type().IsRegular() {
			found = waits(path)
		}
		return nil
	})
	return found
}

// includesWait looks at the files that a file of git's configuration includes,
// and at those that these include.
func includesWait(file, home string, depth int) error {
	b, err := fsx.ReadFile(file)
	if err != nil || depth == 0 {
		return nil
	}
	for _, path := range includes(string(b)) {
		path = strings.Trim(path, `"`)
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		if err := waits(path); err != nil {
			return fmt.Errorf("'%s' includes a file: %w", file, err)
		}
		if err := includesWait(path, home, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// includes are the paths that a config names in [include] and [includeIf "..."],
// whatever their conditions are.
func includes(config string) (paths []string) {
	inside := false
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			head, rest, _ := strings.Cut(line, "]")
			inside = strings.HasPrefix(strings.ToLower(head), "[include")
			line = strings.TrimSpace(rest)
		}
		key, value, ok := strings.Cut(line, "=")
		if inside && ok && strings.EqualFold(strings.TrimSpace(key), "path") {
			paths = append(paths, strings.TrimSpace(value))
		}
	}
	return paths
}
