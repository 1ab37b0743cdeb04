package discover

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// NoPlace says why git finds no repository from dir, if there is something that was
// one: a .git that lost its HEAD or its objects, or a file that leads to a folder which
// is gone. Whoever works there means that one, and what they save is not to go into the
// store of the user instead. Of a place that has none it returns ErrNotRepository.
func NoPlace(dir string, env []string) error {
	if slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "GIT_DIR=") }) {
		return ErrNotRepository
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	first, _ := fsx.Mine(dir)
	for ; ; dir = filepath.Dir(dir) {
		if dev, _ := fsx.Mine(dir); dev != first { // where git stops, too
			return ErrNotRepository
		}
		if err := wasRepository(filepath.Join(dir, ".git")); err != nil || filepath.Dir(dir) == dir {
			return orElse(err, ErrNotRepository)
		}
	}
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

var repositoryParts = []string{"HEAD", "objects", "refs"}

// wasRepository returns an error if a .git is the rest of a repository. A folder with
// nothing of one in it is none, which git passes over.
func wasRepository(at string) error {
	st, err := fsx.Stat(at)
	if err != nil {
		return nil
	}
	if !st.IsDir() {
		b, _ := fsx.ReadFile(at)
		to := strings.TrimPrefix(git.Text(b), "gitdir: ")
		return fmt.Errorf("'%s' points to '%s', which is not a git repository; if it was moved, run 'git worktree repair' there", at, to)
	}
	var lacks []string
	for _, name := range repositoryParts {
		if st, err := fsx.Stat(filepath.Join(at, name)); err != nil || st.IsDir() == (name == "HEAD") {
			lacks = append(lacks, name)
		}
	}
	if len(lacks) == 0 && !(Place{GitDir: at, CommonDir: at}).isWhole() {
		lacks = []string{"HEAD"}
	}
	if len(lacks) == 0 || len(lacks) == len(repositoryParts) {
		return nil
	}
	return fmt.Errorf("'%s' %w: %s is missing or malformed", at, ErrBroken, strings.Join(lacks, ", "))
}
