package app

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// IsFile reports whether an argument names a file that is there.
func (a *App) IsFile(name string) bool {
	st, err := os.Stat(a.Path(name))
	return err == nil && st.Mode().IsRegular()
}

// maxInput is the most that a checkpoint may bring: far above what fits into
// the context of an agent, far below what would hurt a repository.
const maxInput = codec.MaxSize

// ReadInput reads the text of a checkpoint from a file, or from standard input
// if the name is "-".
func (a *App) ReadInput(name string) ([]byte, error) {
	return a.ReadUpTo(maxInput, name, fmt.Sprintf("%d MiB: a checkpoint holds conclusions, not the material", maxInput>>20))
}

// ReadUpTo reads a file, or standard input if the name is "-", unless it has more than
// so many bytes; limit says what it is larger than then, and what to do.
func (a *App) ReadUpTo(most int, name, limit string) ([]byte, error) {
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
