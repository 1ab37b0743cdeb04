// Package walk finds what a shell line does to files, and what it looks for in them, by the
// programs that agents read, search and write files with.
package walk

import (
	"path"
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
)

// A walk goes through the commands of a shell line.
type walk struct {
	root     *files.Root
	dirs     []string // the working directory in each (, "" if it is not known
	touches  []files.Touch
	searches []Search
	piped    int // the touch, counted from 1, of the file that the command before prints
}

// maxTouches is how many files of one call are kept.
const maxTouches = 16

func (w *walk) dir() string { return w.dirs[len(w.dirs)-1] }

func (w *walk) cd(args []shell.Word) {
	to := ""
	if len(args) == 1 && args[0].Plain && args[0].Text != "-" {
		if to = args[0].Text; !path.IsAbs(to) && w.dir() != "" {
			to = path.Join(w.dir(), to)
		}
	}
	w.dirs[len(w.dirs)-1] = to
}

// add notes a file, if it is plain which.
func (w *walk) add(f shell.Word, t files.Touch) {
	if !f.Plain || f.Text == "-" || strings.HasSuffix(f.Text, "/") || len(w.touches) >= maxTouches {
		return
	}
	in := false
	if t.File, in = w.root.Rel(w.dir(), f.Text); t.File != "" {
		t.Out = !in
		w.touches = append(w.touches, t)
	}
}

// Line finds what a shell line does to files, in its plain cases, from the working
// directory dir.
func Line(r *files.Root, dir string, cmds []shell.Command) ([]files.Touch, []Search) {
	w := &walk{root: r, dirs: []string{dir}}
	for _, c := range cmds {
		w.command(c)
	}
	return w.touches, w.searches
}

func (w *walk) command(c shell.Command) {
	w.dirs = w.dirs[:min(len(w.dirs), c.Depth+1)]
	for len(w.dirs) <= c.Depth {
		w.dirs = append(w.dirs, w.dir())
	}
	for _, f := range c.Reads {
		w.add(f, files.Touch{Did: files.Read})
	}
	for _, f := range c.Wrote {
		w.add(f, files.Touch{Did: files.Changed})
	}
	if !c.Fed {
		w.piped = 0
	}
	before := w.piped
	if name, args := c.Program(); name == "cd" {
		w.cd(args)
	} else if run := programs()[name]; run != nil {
		run(w, c, args)
	}
	if w.piped == before { // only the very next command knows what it is given
		w.piped = 0
	}
}
