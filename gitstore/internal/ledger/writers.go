package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// A git that is killed while it moves a ref leaves the lock of the ref, after
// which nobody can move it: git never breaks a lock. So a writer keeps a record in
// sage/writers while git works for it, and who finds a lock in the way looks there
// whether it is that of a writer who is dead.
//
// That a writer is dead is not told by process ids, which are used again, and mean
// something else in a container: the record is locked (flock) by the writer, and
// the git that it starts inherits the lock, so that the kernel gives it up when
// both are gone, however they went, a power cut included. Where flock reaches only
// this machine, another one's record looks free: so a record is believed only on
// the run of the kernel, or the host, that it names.
//
// A lock is removed if
//
//   - a dead writer's record names its ref (or deletes a ref, for packed-refs),
//   - it is not older than the record, and not much younger: a git works for at
//     most git.Timeout,
//   - it holds nothing or the id that the record says,
//   - it cannot be that of a writer who lives: no live record names the ref, or
//     the lock is older than that record, or holds another's id.
//
// A record that cannot be read may be anyone's, and then nothing is removed. Two who
// clear do so one after the other. What remains is a git of somebody else
// that locks a ref of ours, in those two minutes behind a writer who was killed
// without leaving a lock, and then stands still for the 100 ms that git waited: its
// lock would be taken for the dead one's.

// A writerRecord says what a writer is about to do.
type writerRecord struct {
	held  *fsx.Held
	moves []journal.Move // as written
	files []string
}

// NewRecord makes an empty record. There is none where files cannot be locked, or
// nothing can be written; then a lock that is left is a stranger's.
func (led *Ledger) NewRecord() *writerRecord {
	for range 3 {
		name := led.repo.Dir("writers", strconv.Itoa(os.Getpid())+"-"+strconv.FormatUint(uint64(rand.Uint32()), 36))
		h, err := fsx.Hold(name)
		if os.IsNotExist(err) {
			if fsx.Mkdir(led.repo.Dir("writers")) != nil {
				return nil
			}
			continue
		}
		if err != nil {
			return nil
		}
		return &writerRecord{held: h}
	}
	return nil
}

func (r *writerRecord) File() *os.File {
	if r == nil {
		return nil
	}
	return r.held.File()
}

// Write says what is about to be done: moves of refs, and files that git makes
// under a lock of their name. Without its last line a record says nothing.
func (r *writerRecord) Write(moves []journal.Move, child int, files ...string) error {
	if r == nil {
		return nil
	}
	var b strings.Builder
	host, _ := os.Hostname() // now, and not before git was started, which then starts sooner
	fmt.Fprintf(&b, "boot %s\nhost %s\npid %d\ngit %d\n", record.Dash(fsx.Boot()), record.Dash(host), os.Getpid(), child)
	for _, m := range moves {
		fmt.Fprintf(&b, "move %s %s\n", record.Dash(m.New), m.Ref)
	}
	for _, f := range files {
		if !strings.Contains(f, "\n") { // else its lock is a stranger's
			fmt.Fprintf(&b, "file %s\n", f)
		}
	}
	b.WriteString("end\n")
	r.moves, r.files = moves, files
	if err := r.held.Write([]byte(b.String())); err != nil {
		return fmt.Errorf("record the pending write: %w", err)
	}
	return nil
}

func (r *writerRecord) Remove() {
	if r != nil {
		r.held.Remove()
	}
}

// release gives the record up and leaves it for the next writer.
func (r *writerRecord) release() { r.held.Release() }

// A writer is what a record says of who wrote it.
type writer struct {
	boot, host string
	pid, git   string
	moves      []journal.Move
	files      []string
	at         time.Time // when it was written, by the clock of the file system
}

func parseWriter(b []byte, at time.Time) (w writer, ok bool) {
	w.at = at
	for l := range strings.Lines(string(b)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		switch key {
		case "boot":
			w.boot = strings.TrimPrefix(value, "-")
		case "host":
			w.host = strings.TrimPrefix(value, "-")
		case "pid":
			w.pid = value
		case "git":
			w.git = value
		case "move":
			id, ref, _ := strings.Cut(value, " ")
			w.moves = append(w.moves, journal.Move{Ref: ref, New: strings.TrimPrefix(id, "-")})
		case "file":
			w.files = append(w.files, value)
		case "end":
			return w, true
		}
	}
	return w, false
}

// here reports whether this machine can tell that the writer is dead.
func (w writer) here() bool {
	host, _ := os.Hostname()
	return w.boot != "" && w.boot == fsx.Boot() || w.host != "" && w.host == host
}

// anything is what the lock of a file may hold.
const anything = "\x00"

// locks are the lock files that git may make, each with what it may hold.
func (w writer) locks(commonDir string) map[string]string {
	out := map[string]string{}
	for _, m := range w.moves {
		out[filepath.Join(commonDir, filepath.FromSlash(m.Ref))+".lock"] = m.New
		out[filepath.Join(commonDir, "logs", filepath.FromSlash(m.Ref))+".lock"] = "" // of one whose log is emptied
		if m.New == "" {
			out[filepath.Join(commonDir, "packed-refs.lock")] = ""
		}
	}
	for _, f := range w.files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(commonDir, f)
		}
		out[f+".lock"] = anything
	}
	return out
}
