package watch

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/git-sage/git-sage/hooks/transcript"
)

// A file is a transcript.
type file struct {
	name    string              // <project>/<session>.jsonl
	pos     transcript.Position // up to where it was read
	from    int64               // where reading begins if there is no position: what is before it is old
	size    int64               // when it was last looked at
	mod     time.Time
	is      fs.FileInfo   // which file it was; nil before it was looked at
	grew    time.Duration // when something was last read of it
	dir     string        // working directory of the session
	summary string        // uuid of the last that was seen
	active  bool          // something was written since the daemon knows it, and it has not ended
	live    bool          // its client was seen to run
	begun   bool          // its session was told of
	busy    bool          // what it said is being dealt with
	failed  int           // how often that failed
}

func (f *file) session() string { return strings.TrimSuffix(path.Base(f.name), ".jsonl") }

// A finding is what is new in a transcript.
type finding struct {
	pos     transcript.Position
	dir     string // "" if nothing says
	summary string // uuid of the last one; "" is none
	read    int64  // bytes
}

// openPlain opens a transcript in the folder: what leads out of it is not opened, and what is
// no plain file neither, also if somebody puts it there just now.
func openPlain(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return f, nil
}

// longest is the longest line that may be a summary, in bytes: some have 20 kB, and their
// author cannot write more than 64,000 tokens.
const longest = 1 << 20

// news reads what is new.
func (f *file) news(root *os.Root) (n finding, err error) {
	h, err := openPlain(root, f.name)
	if err != nil {
		return n, err
	}
	at := f.pos
	if st, err := h.Stat(); err == nil && at.Offset == 0 && f.from > 0 && f.from <= st.Size() {
		at = transcript.Behind(h, f.from)
	}
	r := transcript.From(h, at)
	r.Limit(longest)
	defer r.Close()
	from := r.Position().Offset
	for {
		rec, err := r.Next()
		if err == io.EOF {
			n.pos = r.Position()
			n.read = n.pos.Offset - from
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if filepath.IsAbs(rec.Dir) {
			n.dir = rec.Dir
		}
		if rec.Summary && !rec.Side && rec.UUID != "" {
			n.summary = rec.UUID
		}
	}
}

// plain reports whether a name in a project's folder is that of a transcript.
func plain(name string) bool { return path.Ext(name) == ".jsonl" && !strings.HasPrefix(name, ".") }
