package transcript

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

// A command is one simple command of a shell line. One without words is the end of a loop, of
// a condition or of a function, so that what is in them does not end the line.
type command struct {
	words []word
	reads []word // behind <
	wrote []word // behind > and >>
	fed   bool   // it reads what another one prints
	then  string // what follows: && || ; | &
	depth int    // how many ( it stands in
}

// commands reads a shell line into its commands. It gives up at what is no shell: the rest of
// the line, with the statement that it is in, is left out then. A here-document that does not
// end is ended where the line does, as a shell does it.
func commands(line string) []command {
	line = line[:min(len(line), maxShell)]
	out, err := parse(line)
	if end := openDocument(err); end != "" {
		out, _ = parse(line + "\n" + end + "\n")
	}
	return out
}

// parse lists the commands before what is wrong with a line. It goes on after an error, behind
// which there is nothing: to break there makes the iterator panic.
func parse(line string) (out []command, wrong error) {
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
	out    []command
	before []word // ! and time, of the next command
	depth  int
}

func (l *lister) add(c command, then string) {
	c.words = append(l.before, c.words...)
	l.before = nil
	c.then, c.depth = then, l.depth
	c.fed = len(l.out) > 0 && l.out[len(l.out)-1].then == "|"
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
		l.before = append(l.before, word{"!", true})
	}
	var c command
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
		l.before = append(l.before, word{"time", true})
		l.statement(x.Stmt, then)
	default:
		if !c.call(x) {
			l.compound(x)
		}
		l.add(c, then)
	}
}

// group lists what is in brackets, and the files that all of it reads or writes, if any.
func (l *lister) group(stmts []*syntax.Stmt, files command, then string, deeper int) {
	inside, redirected := then, len(files.reads)+len(files.wrote) > 0
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
