package transcript

import (
	"path"
	"strings"
)

// What was done to a file.
const (
	didRead   = "read"
	didSee    = "see" // another version of it, or that it holds something
	didChange = "change"
)

// A touch is what a call of a tool does to a file, once it succeeds.
type touch struct {
	File  string `json:"file"` // relative to the root with slashes, or absolute
	Out   bool   `json:"out,omitempty"`
	Did   string `json:"did"`
	Lines [2]int `json:"lines,omitzero"` // zero is all of it
	Part  bool   `json:"part,omitempty"` // of which nobody knows the lines

	// What only the answer tells.
	Blob  string `json:"-"` // of the whole content
	Count int    `json:"-"` // lines in it
	Hunks []hunk `json:"-"` // where it was changed
}

// maxTouches is how many files of one call are kept.
const maxTouches = 16

// A walk goes through the commands of a shell line.
type walk struct {
	root     *root
	dirs     []string // the working directory in each (, "" if it is not known
	touches  []touch
	searches []Search
	piped    int // the touch, counted from 1, of the file that the command before prints
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
	} else if run := programs[name]; run != nil {
		run(w, c, args)
	}
	if w.piped == before { // only the very next command knows what it is given
		w.piped = 0
	}
}

func (w *walk) dir() string { return w.dirs[len(w.dirs)-1] }

func (w *walk) cd(args []word) {
	to := ""
	if len(args) == 1 && args[0].plain && args[0].text != "-" {
		if to = args[0].text; !path.IsAbs(to) && w.dir() != "" {
			to = path.Join(w.dir(), to)
		}
	}
	w.dirs[len(w.dirs)-1] = to
}

// add notes a file, if it is plain which.
func (w *walk) add(f word, t touch) {
	if !f.plain || f.text == "-" || strings.HasSuffix(f.text, "/") || len(w.touches) >= maxTouches {
		return
	}
	in := false
	if t.File, in = w.root.rel(w.dir(), f.text); t.File != "" {
		t.Out = !in
		w.touches = append(w.touches, t)
	}
}
