package transcript

import (
	"path"
	"strings"
)

// A walk goes through the commands of a shell line.
type walk struct {
	root     *root
	dirs     []string // the working directory in each (, "" if it is not known
	touches  []touch
	searches []Search
	piped    int // the touch, counted from 1, of the file that the command before prints
}

// maxTouches is how many files of one call are kept.
const maxTouches = 16

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
