package install

import "fmt"

// A Result says what was done, in words for people. No Changes means that
// everything was as it should be, and that nothing was written.
type Result struct {
	Path    string   // the file
	Changes []string // such as "added hook SessionStart"
	Notes   []string // what a person should know besides
	Also    []string // what was done to another file for it, in words
}

func otherServer(program string) error {
	return fmt.Errorf("a server '%s' exists already and runs %s: remove or rename it first", server, shown(program))
}
