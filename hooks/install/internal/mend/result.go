package mend

import (
	"fmt"

	"github.com/git-sage/git-sage/hooks/install/internal/entry"
)

// A Result says what was done, in words for people. No Changes means that
// everything was as it should be, and that nothing was written.
type Result struct {
	Path    string   // the file
	Changes []string // such as "added hook SessionStart"
	Notes   []string // what a person should know besides
	Also    []string // what was done to another file for it, in words
}

// OtherServer is the error for a server of our name that runs something else.
func OtherServer(program string) error {
	return fmt.Errorf("a server '%s' exists already and runs %s: remove or rename it first", entry.Server, entry.Shown(program))
}
