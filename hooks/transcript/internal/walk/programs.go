package walk

import (
	"strings"
	"sync"

	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
)

// A program finds what a command does to files from its arguments.
type program func(w *walk, c shell.Command, args []shell.Word)

// programs are the ones that agents read, search and write files with.
var programs = sync.OnceValue(func() map[string]program {
	return map[string]program{
		"cat": reader(""), "less": reader(""), "more": reader(""), "bat": reader("-r --line-range -l --language"),
		"nl": reader("-b -d -f -h -i -l -n -s -v -w"), "head": (*walk).head, "tail": (*walk).tail, "sed": (*walk).sed,
		"grep": (*walk).grep, "egrep": (*walk).grep, "fgrep": (*walk).grep, "rg": (*walk).rg, "ag": (*walk).rg,
		"git": (*walk).git, "tee": changer(0), "rm": changer(0), "mv": changer(0), "cp": changer(1),
	}
})

// reader is a program that prints whole files.
func reader(valued string) program {
	return func(w *walk, c shell.Command, args []shell.Word) {
		before, named := len(w.touches), shell.Operands(args, valued, shell.IgnoreOption)
		for _, f := range named {
			w.add(f, files.Touch{Did: files.Read, Part: c.Then == "|"})
		}
		if c.Then == "|" && len(named) == 1 && len(w.touches) > before {
			w.piped = len(w.touches)
		}
	}
}

// changer is a program that changes the files that it names, from one on. What may be
// a folder is left out.
func changer(from int) program {
	return func(w *walk, _ shell.Command, args []shell.Word) {
		named := shell.Operands(args, "", shell.IgnoreOption)
		for _, f := range named[min(from, len(named)):] {
			if from == 0 || files.LooksLikeFile(f.Text) {
				w.add(f, files.Touch{Did: files.Changed})
			}
		}
	}
}

func (w *walk) head(c shell.Command, args []shell.Word) {
	n := 10
	named := shell.Operands(args, "-n -c --lines --bytes", func(name string, v shell.Word) {
		switch {
		case name == "-c" || name == "--bytes" || strings.HasPrefix(v.Text, "-"): // all but the last
			n = 0
		case name == "-n" || name == "--lines":
			n = files.LineCount(v.Text)
		case files.LineCount(name) > 0:
			n = files.LineCount(name)
		}
	})
	w.lines(c, named, 1, n)
}

// tail shows a part of a file of which only the client knows how long it is.
func (w *walk) tail(c shell.Command, args []shell.Word) {
	w.lines(c, shell.Operands(args, "-n -c --lines --bytes", shell.IgnoreOption), 0, 0)
}

// lines notes which part of files is shown, or of the file that the command before
// prints; 0 is not known.
func (w *walk) lines(c shell.Command, named []shell.Word, from, to int) {
	t := files.Touch{Did: files.Read, Part: true}
	if from > 0 && to >= from && c.Then != "|" {
		t.Part, t.Lines = false, [2]int{from, to}
	}
	for _, f := range named {
		w.add(f, t)
	}
	if len(named) == 0 && c.Fed && w.piped > 0 {
		old := &w.touches[w.piped-1]
		old.Lines, old.Part = t.Lines, t.Part
		w.piped = 0
	}
}

// sed prints lines with -n 'a,bp', edits with -i, and else prints what it makes of all.
func (w *walk) sed(c shell.Command, args []shell.Word) {
	quiet, edits, scripts := false, false, []string{}
	rest := shell.Operands(args, "-e -f --expression --file -l", func(name string, v shell.Word) {
		switch {
		case shell.TakesValue(name, "-e -f --expression --file"):
			scripts = append(scripts, v.Text)
		case strings.HasPrefix(name, "-i") || name == "--in-place":
			edits = true
		case !strings.HasPrefix(name, "--") && strings.Contains(name, "n") || shell.TakesValue(name, "--quiet --silent"):
			quiet = true
		}
	})
	if len(scripts) == 0 && len(rest) > 0 {
		scripts, rest = []string{rest[0].Text}, rest[1:]
	}
	if quiet && !edits {
		from, to := printed(scripts)
		w.lines(c, rest, from, to)
		return
	}
	for _, f := range rest {
		w.add(f, files.Touch{Did: map[bool]string{true: files.Changed, false: files.Read}[edits]})
	}
}

// printed reads the lines of a script such as 5p or 10,20p.
func printed(scripts []string) (from, to int) {
	lines, ok := strings.CutSuffix(strings.TrimSpace(strings.Join(scripts, ";")), "p")
	if !ok {
		return 0, 0
	}
	a, b, ranged := strings.Cut(lines, ",")
	if !ranged {
		b = a
	}
	if strings.Trim(a+b, "0123456789 ") != "" {
		return 0, 0
	}
	return files.LineCount(strings.TrimSpace(a)), files.LineCount(strings.TrimSpace(b))
}
