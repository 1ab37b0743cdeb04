package walk

import (
	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
)

// A Step is a simple command of a shell line: a program, and what it is given with the
// quotes taken off.
type Step struct {
	Program string
	Args    []string
	Search  string // what it looks for in files, as grep and rg do; "" if it looks for nothing
}

// Steps are the commands of a shell line that run a program of a plain name, at most so
// many. What only sifts the output of another one is left out.
func Steps(line string, most int) (out []Step) {
	for _, c := range shell.Commands(line) {
		name, args := c.Program()
		if name == "" || len(out) == most {
			continue
		}
		w := &walk{root: files.NewRoot(""), dirs: []string{""}}
		w.command(c)
		s := Step{Program: name}
		if len(w.searches) > 0 {
			s.Search = w.searches[0].Query
		}
		if s.Search == "" && c.Fed && sifts(name) {
			continue
		}
		for _, a := range args {
			s.Args = append(s.Args, a.Text)
		}
		out = append(out, s)
	}
	return out
}

// sifts reports whether a program looks for something.
func sifts(name string) bool {
	switch name {
	case "grep", "egrep", "fgrep", "rg", "ag":
		return true
	}
	return false
}
