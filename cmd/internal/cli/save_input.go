package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// maxInput is the most that a checkpoint may bring: far above what fits into
// the context of an agent, far below what would hurt a repository.
const maxInput = sage.MaxSize

// readInput reads the text of a checkpoint from a file, or from standard input
// if the name is "-".
func (a *app) readInput(name string) ([]byte, error) {
	return a.readUpTo(maxInput, name, fmt.Sprintf("%d MiB: a checkpoint holds conclusions, not the material", maxInput>>20))
}

// readUpTo reads a file, or standard input if the name is "-", unless it has more than
// so many bytes; limit says what it is larger than then, and what to do.
func (a *app) readUpTo(most int, name, limit string) ([]byte, error) {
	r := a.In
	if name != "-" {
		f, err := os.Open(a.Path(name))
		if err != nil {
			return nil, fmt.Errorf("cannot read '%s': %w", name, errors.Unwrap(err))
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("read '%s': %w", name, err)
	}
	if len(data) > most {
		return nil, fmt.Errorf("'%s' is larger than %s", name, limit)
	}
	return data, nil
}

// ofFile says in which file the mistake is, and what to do.
func ofFile(name string, err error) error {
	if name == "-" {
		name = "standard input"
	}
	return exit.WithHint(fmt.Errorf("%s: %w", name, err), "nothing was saved; correct it and run the command again: see 'git sage help save'")
}

// isEmpty reports whether c says nothing at all: all that would be stored of
// it is when and why.
func isEmpty(c *sage.Checkpoint) bool {
	return c.CoreQuestion == "" && c.Thesis == "" && c.ReasoningTrace == "" &&
		c.Description == "" && c.Action.Goal == "" &&
		len(c.KeyEvidence)+len(c.OpenQuestions)+len(c.Sources)+len(c.Tensions) == 0 &&
		len(c.UniqueContributions)+len(c.Fields)+len(c.DomainData)+len(c.CodeRefs) == 0 &&
		len(c.FilesExplored)+len(c.FilesChanged) == 0
}
