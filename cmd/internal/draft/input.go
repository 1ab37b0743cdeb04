package draft

import (
	"fmt"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// OfFile says in which file the mistake is, and what to do.
func OfFile(name string, err error) error {
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
