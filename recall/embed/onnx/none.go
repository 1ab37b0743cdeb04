//go:build !hugot

package onnx

import (
	"errors"

	"github.com/git-sage/git-sage/recall/embed"
)

// Available says whether this program can run such models.
const Available = false

// Open fails.
func Open(dir, name string) (embed.Embedder, error) {
	return nil, errors.New("this git-sage was built without -tags hugot, which such models need")
}
