// Command git-sage is a memory for coding agents that lives inside git.
package main

import (
	"os"

	"github.com/git-sage/git-sage/cmd/internal/cli"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/recall/embed/weights"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], models.Weights{Prose: weights.Prose, Code: weights.Code}))
}
