package transcript

import "strings"

// A lexer reads a shell line, as far as POSIX goes, and gives up at what is not plain to
// see: the rest of the line is left out then.
type lexer struct {
	s     string
	i     int
	docs  []string // here-documents that begin at the next line
	cmd   command
	out   []command
	depth int
}

// A command is one simple command of a shell line.
type command struct {
	words []word
	reads []word // behind <
	wrote []word // behind > and >>
	fed   bool   // it reads what another one prints
	then  string // what follows: && || ; | & or "" for nothing
	depth int    // how many ( it stands in
}

// A word is a word of a shell line with its quotes taken off. Its text is what the shell
// makes of it only if it is plain: no variable, no pattern, no command in it.
type word struct {
	text  string
	plain bool
}

// until is where a text begins in s, or the end of s.
func until(s, what string) int {
	if i := strings.Index(s, what); i >= 0 {
		return i
	}
	return len(s)
}
