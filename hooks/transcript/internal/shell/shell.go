// Package shell reads a shell line into its simple commands, with the quotes taken off.
package shell

import (
	"errors"
	"io"
	"runtime"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// maxShell is how much of a shell line is looked at, in bytes: a file that is written
	// with a here-document may be in it.
	maxShell = 256 << 10
	// maxFrames is how deep the parser may stand in its own functions: it calls itself for
	// each bracket that is in another one.
	maxFrames = 2000
)

// A Command is one simple command of a shell line. One without words is the end of a loop, of
// a condition or of a function, so that what is in them does not end the line.
type Command struct {
	Words []Word
	Reads []Word // behind <
	Wrote []Word // behind > and >>
	Fed   bool   // it reads what another one prints
	Then  string // what follows: && || ; | &
	Depth int    // how many ( it stands in
}

// Commands reads a shell line into its commands. It gives up at what is no shell: the rest of
// the line, with the statement that it is in, is left out then. A here-document that does not
// end is ended where the line does, as a shell does it.
func Commands(line string) []Command {
	line = line[:min(len(line), maxShell)]
	out, err := parse(line)
	if end := openDocument(err); end != "" {
		out, _ = parse(line + "\n" + end + "\n")
	}
	return out
}

// parse lists the commands before what is wrong with a line. It goes on after an error, behind
// which there is nothing: to break there makes the iterator panic.
func parse(line string) (out []Command, wrong error) {
	l := &lister{}
	for s, err := range syntax.NewParser().StmtsSeq(shallow{strings.NewReader(line)}) {
		if err != nil {
			wrong = err
			continue
		}
		l.statement(s, ";")
	}
	return l.out, wrong
}

// openDocument is the word that ends a here-document if all that is wrong is that it is not
// there, else "".
func openDocument(err error) string {
	var p syntax.ParseError
	if !errors.As(err, &p) {
		return ""
	}
	quoted, ok := strings.CutPrefix(p.Text, "unclosed here-document ")
	end, err := strconv.Unquote(quoted)
	if !ok || err != nil {
		return ""
	}
	return end
}

// A shallow source ends for a parser that stands too deep. That it asks for the text bit by
// bit, while it reads, bounds its stack whatever is nested.
type shallow struct{ src io.Reader }

var errDeep = errors.New("nested too deeply")

func (s shallow) Read(b []byte) (int, error) {
	var deepest [1]uintptr
	if runtime.Callers(maxFrames, deepest[:]) > 0 {
		return 0, errDeep
	}
	return s.src.Read(b)
}

// A lister lists the simple commands of statements, in the order in which they are written.
type lister struct {
	out    []Command
	before []Word // ! and time, of the next command
	depth  int
}

func (l *lister) add(c Command, then string) {
	c.Words = append(l.before, c.Words...)
	l.before = nil
	c.Then, c.Depth = then, l.depth
	c.Fed = len(l.out) > 0 && l.out[len(l.out)-1].Then == "|"
	l.out = append(l.out, c)
}

func (l *lister) list(stmts []*syntax.Stmt, then string) {
	for i, s := range stmts {
		if i < len(stmts)-1 {
			l.statement(s, ";")
		} else {
			l.statement(s, then)
		}
	}
}

// statement lists a statement, nil for one that is missing. then is what follows it.
func (l *lister) statement(s *syntax.Stmt, then string) {
	if s == nil {
		return
	}
	if s.Background {
		then = "&"
	}
	if s.Negated {
		l.before = append(l.before, Word{"!", true})
	}
	var c Command
	for _, r := range s.Redirs {
		c.redirect(r)
	}
	switch x := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		op := x.Op.String()
		if x.Op == syntax.PipeAll {
			op = "|"
		}
		l.statement(x.X, op)
		l.statement(x.Y, then)
	case *syntax.Subshell:
		l.group(x.Stmts, c, then, 1)
	case *syntax.Block:
		l.group(x.Stmts, c, then, 0)
	case *syntax.TimeClause:
		l.before = append(l.before, Word{"time", true})
		l.statement(x.Stmt, then)
	default:
		if !c.call(x) {
			l.compound(x)
		}
		l.add(c, then)
	}
}

// group lists what is in brackets, and the files that all of it reads or writes, if any.
func (l *lister) group(stmts []*syntax.Stmt, files Command, then string, deeper int) {
	inside, redirected := then, len(files.Reads)+len(files.Wrote) > 0
	if redirected {
		inside = ";"
	}
	l.depth += deeper
	l.list(stmts, inside)
	l.depth -= deeper
	if redirected {
		l.add(files, then)
	}
}

// compound lists what is in a loop, a condition or a function, of which nobody knows whether
// it runs.
func (l *lister) compound(c syntax.Command) {
	switch x := c.(type) {
	case *syntax.IfClause:
		for ; x != nil; x = x.Else {
			l.list(x.Cond, ";")
			l.list(x.Then, ";")
		}
	case *syntax.WhileClause:
		l.list(x.Cond, ";")
		l.list(x.Do, ";")
	case *syntax.ForClause:
		l.list(x.Do, ";")
	case *syntax.CaseClause:
		for _, i := range x.Items {
			l.list(i.Stmts, ";")
		}
	case *syntax.FuncDecl:
		l.statement(x.Body, ";")
	case *syntax.CoprocClause:
		l.statement(x.Stmt, ";")
	}
}
