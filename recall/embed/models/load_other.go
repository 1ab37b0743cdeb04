//go:build !unix

package models

import (
	"io"
	"os"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// load reads a file.
func load(path string) (string, error) {
	f, err := plainfile.Open(path, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return string(data), err
}
