package transcript

import (
	"strings"
	"sync"
)

// A program finds what a command does to files from its arguments.
type program func(w *walk, c command, args []word)

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
	return func(w *walk, c command, args []word) {
		before, files := len(w.touches), operands(args, valued, ignore)
		for _, f := range files {
			w.add(f, touch{Did: didRead, Part: c.then == "|"})
		}
		if c.then == "|" && len(files) == 1 && len(w.touches) > before {
			w.piped = len(w.touches)
		}
	}
}

// changer is a program that changes the files that it names, from one on. What may be
// a folder is left out.
func changer(from int) program {
	return func(w *walk, _ command, args []word) {
		files := operands(args, "", ignore)
		for _, f := range files[min(from, len(files)):] {
			if from == 0 || fileLike(f.text) {
				w.add(f, touch{Did: didChange})
			}
		}
	}
}

func (w *walk) head(c command, args []word) {
	n := 10
	files := operands(args, "-n -c --lines --bytes", func(name string, v word) {
		switch {
		case name == "-c" || name == "--bytes" || strings.HasPrefix(v.text, "-"): // all but the last
			n = 0
		case name == "-n" || name == "--lines":
			n = lineCount(v.text)
		case lineCount(name) > 0:
			n = lineCount(name)
		}
	})
	w.lines(c, files, 1, n)
}

// tail shows a part of a file of which only the client knows how long it is.
func (w *walk) tail(c command, args []word) {
	w.lines(c, operands(args, "-n -c --lines --bytes", ignore), 0, 0)
}

// lines notes which part of files is shown, or of the file that the command before
// prints; 0 is not known.
func (w *walk) lines(c command, files []word, from, to int) {
	t := touch{Did: didRead, Part: true}
	if from > 0 && to >= from && c.then != "|" {
		t.Part, t.Lines = false, [2]int{from, to}
	}
	for _, f := range files {
		w.add(f, t)
	}
	if len(files) == 0 && c.fed && w.piped > 0 {
		old := &w.touches[w.piped-1]
		old.Lines, old.Part = t.Lines, t.Part
		w.piped = 0
	}
}

// sed prints lines with -n 'a,bp', edits with -i, and else prints what it makes of all.
func (w *walk) sed(c command, args []word) {
	quiet, edits, scripts := false, false, []string{}
	rest := operands(args, "-e -f --expression --file -l", func(name string, v word) {
		switch {
		case takes(name, "-e -f --expression --file"):
			scripts = append(scripts, v.text)
		case strings.HasPrefix(name, "-i") || name == "--in-place":
			edits = true
		case !strings.HasPrefix(name, "--") && strings.Contains(name, "n") || takes(name, "--quiet --silent"):
			quiet = true
		}
	})
	if len(scripts) == 0 && len(rest) > 0 {
		scripts, rest = []string{rest[0].text}, rest[1:]
	}
	if quiet && !edits {
		from, to := printed(scripts)
		w.lines(c, rest, from, to)
		return
	}
	for _, f := range rest {
		w.add(f, touch{Did: map[bool]string{true: didChange, false: didRead}[edits]})
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
	return lineCount(strings.TrimSpace(a)), lineCount(strings.TrimSpace(b))
}

// shellLine finds what a shell line does to files, in its plain cases, from the working
// directory dir.
func (r *root) shellLine(dir string, cmds []command) ([]touch, []Search) {
	w := &walk{root: r, dirs: []string{dir}}
	for _, c := range cmds {
		w.command(c)
	}
	return w.touches, w.searches
}

func (w *walk) command(c command) {
	w.dirs = w.dirs[:min(len(w.dirs), c.depth+1)]
	for len(w.dirs) <= c.depth {
		w.dirs = append(w.dirs, w.dir())
	}
	for _, f := range c.reads {
		w.add(f, touch{Did: didRead})
	}
	for _, f := range c.wrote {
		w.add(f, touch{Did: didChange})
	}
	if !c.fed {
		w.piped = 0
	}
	before := w.piped
	if name, args := c.program(); name == "cd" {
		w.cd(args)
	} else if run := programs()[name]; run != nil {
		run(w, c, args)
	}
	if w.piped == before { // only the very next command knows what it is given
		w.piped = 0
	}
}
