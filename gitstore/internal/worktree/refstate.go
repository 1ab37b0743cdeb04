// Package worktree looks at the user's own files: whether a path lies inside the work tree,
// and how what references refer to is now. It writes nothing.
package worktree

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/internal/hunks"
)

const (
	maxCompared = 4 << 20                // bytes of a file that is compared with what a reference saw
	maxLooked   = 64 << 20               // of all that are compared at a time
	movedWithin = 300 * time.Millisecond // for git to say where a file went
)

// UserFiles are the files of a work tree.
type UserFiles struct {
	top    string // "" is none
	git    *git.Runner
	object func(id string) (git.Object, error)
	redact func(string) string
	plain  func() *git.Runner
	sha256 bool

	Symbols Symbols // nil: a reference to a symbol is one to its file
}

// New returns the files below top; object reads an object of the repository, redact takes
// secrets out of what is shown of a file, and plain returns a git that looks into files of the
// work tree without the filters that the repository's own configuration names.
func New(top string, run *git.Runner, object func(id string) (git.Object, error), redact func(string) string, plain func() *git.Runner, sha256 bool) *UserFiles {
	return &UserFiles{top: top, git: run, object: object, redact: redact, plain: plain, sha256: sha256}
}

// A reader reads files of the user's own for references, and none that lies elsewhere,
// whatever a path or a link says.
type reader struct {
	root   *os.Root // nil is none
	sha256 bool
	room   int64               // bytes that may be read yet
	blobs  map[string][]string // of files: their ids, or none
	lines  map[string]int      // of files that were read: how many they have
	absent map[string]bool
	last   comparison // of two versions of a file: who refers to one does so often
}

// A comparison is what changed in a file since a version of it.
type comparison struct {
	blob, file string
	old, now   []string
	hunks      []hunks.Hunk
}

func (fl *UserFiles) read() *reader {
	w := &reader{sha256: fl.sha256, room: maxLooked, blobs: map[string][]string{}, lines: map[string]int{}, absent: map[string]bool{}}
	if fl.top != "" {
		w.root, _ = fsx.OpenRoot(fl.top)
	}
	return w
}

func (w *reader) close() {
	if w.root != nil {
		_ = w.root.Close()
	}
}

// ids are the object ids of a file's content: of the bytes as they are, and, where lines
// end as on Windows, of what git makes of them. There are none of what is no plain file
// inside the work tree of a usual size.
func (w *reader) ids(file string) (ids []string, absent bool) {
	if w.root == nil || naming.PathProblem(file) != "" {
		return nil, false
	}
	if _, known := w.blobs[file]; !known {
		b, err := w.read(filepath.FromSlash(file))
		w.absent[file] = os.IsNotExist(err)
		w.blobs[file] = nil
		if err == nil {
			w.lines[file] = countLines(b)
			w.blobs[file] = []string{blobID(b, w.sha256)}
			if bytes.Contains(b, []byte("\r\n")) {
				w.blobs[file] = append(w.blobs[file], blobID(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), w.sha256))
			}
		}
	}
	return w.blobs[file], w.absent[file]
}

func (w *reader) read(file string) ([]byte, error) {
	st, err := w.root.Stat(file) // first, for who opens a pipe waits
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxCompared || st.Size() > w.room {
		return nil, fmt.Errorf("'%s' is not compared", file)
	}
	w.room -= st.Size()
	f, err := w.root.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxCompared))
}

// blobID is the id that git gives a file with this content.
func blobID(b []byte, is256 bool) string {
	h := sha1.New()
	if is256 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(b))
	_, _ = h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

// FileBlob is the object id of a file of the work tree as it is; "" if it is no plain file
// inside of at most 4 MiB.
func (fl *UserFiles) FileBlob(file string) string {
	w := fl.read()
	defer w.close()
	if ids, _ := w.ids(file); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// FileLines is how many lines a file of the work tree has; ok is false of what FileBlob
// knows nothing of.
func (fl *UserFiles) FileLines(file string) (n int, ok bool) {
	w := fl.read()
	defer w.close()
	ids, _ := w.ids(file)
	return w.lines[file], len(ids) > 0
}

// countLines counts lines as an editor does: the last needs no end.
func countLines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// NoteBlobs gives each reference that has no blob that of its file as it is now.
func (fl *UserFiles) NoteBlobs(refs []sage.CodeRef) {
	w := fl.read()
	defer w.close()
	for i, r := range refs {
		if r.Blob != "" {
			continue
		}
		if ids, _ := w.ids(r.File); len(ids) > 0 {
			refs[i].Blob = ids[0]
		}
	}
}

// RefStates say how what references refer to is now, in their order. No path is looked at
// that leads out of the work tree. Somebody waits for it: what takes long is not known.
func (fl *UserFiles) RefStates(ctx context.Context, refs []sage.CodeRef) []sage.RefState {
	return fl.refStates(ctx, refs, maxLooked, movedWithin)
}

// CheckRefs is RefStates for who would rather wait than not know.
func (fl *UserFiles) CheckRefs(ctx context.Context, refs []sage.CodeRef) []sage.RefState {
	return fl.refStates(ctx, refs, math.MaxInt64, git.Timeout)
}

func (fl *UserFiles) refStates(ctx context.Context, refs []sage.CodeRef, room int64, patience time.Duration) []sage.RefState {
	out := make([]sage.RefState, len(refs))
	if len(refs) == 0 {
		return out
	}
	w := fl.read()
	w.room = room
	defer w.close()
	lost := map[string]*lostFile{}
	for i, r := range refs {
		if ctx.Err() != nil {
			return out
		}
		switch ids, absent := w.ids(r.File); {
		case absent:
			out[i].State = sage.RefGone
			lost[r.File] = &lostFile{}
		case len(ids) == 0:
		case r.Blob == "":
			out[i] = w.snippetNow(r, r.File)
		case slices.Contains(ids, r.Blob) && r.Lines[1] > w.lines[r.File]:
			out[i].State, out[i].NoLines = sage.RefGone, true
		case slices.Contains(ids, r.Blob):
			out[i].State = sage.RefCurrent
		default:
			out[i] = fl.linesNow(ctx, w, r, r.File)
		}
	}
	for _, r := range refs {
		if l := lost[r.File]; l != nil && r.Blob != "" {
			l.blobs = append(l.blobs, r.Blob)
		}
	}
	if len(lost) > 0 {
		within, cancel := context.WithTimeout(ctx, patience)
		fl.findLost(within, w, lost)
		cancel()
	}
	for i, r := range refs {
		switch l := lost[r.File]; {
		case l == nil || out[i].State != sage.RefGone:
		case l.now == "":
			if old := fl.symbolThen(ctx, r); old != "" {
				if to := fl.symbolElsewhere(ctx, w, r, old); to != "" {
					out[i] = sage.RefState{State: sage.RefMoved, To: to}
				}
			}
		default:
			out[i] = sage.RefState{State: sage.RefMoved, To: l.now}
			if ids, _ := w.ids(l.now); r.Blob != "" && !slices.Contains(ids, r.Blob) {
				switch now := fl.linesNow(ctx, w, r, l.now); now.State {
				case sage.RefChanged:
					now.To = l.now
					out[i] = now
				case sage.RefMoved, sage.RefGone:
					out[i] = now
				}
			}
		}
	}
	return out
}

// linesNow says how the lines of a reference are in a file whose content changed since:
// as they were, at another place, or changed, and how. What git no longer has is compared by
// its snippet, and lines that stand there several times are at none of the places for certain.
// Without lines it is what the reference names.
func (fl *UserFiles) linesNow(ctx context.Context, w *reader, r sage.CodeRef, file string) sage.RefState {
	changed := sage.RefState{State: sage.RefChanged}
	if r.Lines == [2]int{} {
		if now, ok := fl.symbolNow(ctx, w, r, file); ok {
			return now
		}
		return changed
	}
	c, err := fl.compare(w, r.Blob, file)
	if err != nil {
		if now := w.snippetNow(r, file); now.State != "" {
			return now
		}
		return changed
	}
	from, to := r.Lines[0]-1, r.Lines[1]
	if from < 0 || to > len(c.old) || to <= from || isBlank(c.old[from:to]) {
		return changed
	}
	if found := placed(c.old[from:to], c.now, from, file); found.State != "" {
		return found
	}
	first, end := spanNow(c.hunks, from, to)
	if lines := shortDiff(c.hunks, c.old, c.now, from, to); lines != "" {
		if end = min(end, len(c.now)); end > first {
			changed.Now = [2]int{first + 1, end}
		}
		changed.Diff = fl.redact(fmt.Sprintf("@@ -%s +%s @@\n%s", span(from, to), span(first, end), lines))
	}
	return changed
}

// compare says what changed in a file since git had it as blob.
func (fl *UserFiles) compare(w *reader, blob, file string) (*comparison, error) {
	if w.last.blob == blob && w.last.file == file {
		return &w.last, nil
	}
	was, err := fl.object(blob)
	if err != nil {
		return nil, err
	}
	if len(was.Data) > maxCompared {
		return nil, fmt.Errorf("'%s' is not compared", file)
	}
	b, err := w.read(filepath.FromSlash(file))
	if err != nil {
		return nil, err
	}
	old, now := textLines(was.Data), textLines(b)
	w.last = comparison{blob, file, old, now, hunks.Between(old, now)}
	return &w.last, nil
}

// snippetNow says where the snippet of a reference stands in a file; the zero state is that
// it does not, since who wrote it may have left something out.
func (w *reader) snippetNow(r sage.CodeRef, file string) sage.RefState {
	lines := textLines([]byte(strings.Trim(r.Snippet, "\r\n")))
	if isBlank(lines) {
		return sage.RefState{}
	}
	b, err := w.read(filepath.FromSlash(file))
	if err != nil {
		return sage.RefState{}
	}
	now := textLines(b)
	if r.Lines == [2]int{} && len(places(lines, now)) > 0 {
		return sage.RefState{State: sage.RefCurrent}
	}
	return placed(lines, now, r.Lines[0]-1, file)
}

// placed says of lines that were at from whether they still are, or moved to the one other
// place that has them.
func placed(lines, now []string, from int, file string) sage.RefState {
	at := places(lines, now)
	switch {
	case slices.Contains(at, from):
		return sage.RefState{State: sage.RefCurrent}
	case len(at) == 1:
		return sage.RefState{State: sage.RefMoved, To: file, Lines: [2]int{at[0] + 1, at[0] + len(lines)}}
	}
	return sage.RefState{}
}

// places are everywhere that some lines stand in a text, from 0.
func places(lines, text []string) (at []int) {
	for i := 0; i+len(lines) <= len(text); i++ {
		if slices.Equal(text[i:i+len(lines)], lines) {
			at = append(at, i)
		}
	}
	return at
}

func isBlank(lines []string) bool { return strings.TrimSpace(strings.Join(lines, "")) == "" }

// textLines are the lines of a text without their ends, as on Windows or elsewhere.
func textLines(b []byte) []string {
	return strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
}

// A lostFile is one that references name and that is no longer there.
type lostFile struct {
	blobs []string // that references saw in it
	now   string   // the file that has one of them, or that git takes it to be renamed to
}

// findLost says where files are now: first those whose content lies elsewhere, in files
// that git has in its index as they are, then in those that are new or changed, and last
// where git sees that a file was renamed and changed, in the index or before. What git does
// not say in time is gone, which is true as well.
func (fl *UserFiles) findLost(ctx context.Context, w *reader, lost map[string]*lostFile) {
	byBlob := map[string][]*lostFile{}
	for _, l := range lost {
		for _, blob := range l.blobs {
			byBlob[blob] = append(byBlob[blob], l)
		}
	}
	found := func(name, blob string) {
		for _, l := range byBlob[blob] {
			if ids, _ := w.ids(name); l.now == "" && slices.Contains(ids, blob) {
				l.now = name
			}
		}
	}
	missing := func() bool {
		for _, l := range lost {
			if l.now == "" {
				return true
			}
		}
		return false
	}
	if len(byBlob) > 0 {
		_ = fl.git.Records(ctx, func(b []byte) bool {
			head, name, ok := strings.Cut(string(b), "\t")
			if f := strings.Fields(head); ok && len(f) == 3 && naming.PathProblem(name) == "" {
				found(name, f[1])
			}
			return true
		}, "ls-files", "-s", "-z", "--full-name", ":/")
		if !missing() {
			return
		}
		_ = fl.plain().Records(ctx, func(b []byte) bool {
			name := string(b)
			ids, _ := w.ids(name)
			for _, id := range ids {
				found(name, id)
			}
			return missing()
		}, "ls-files", "-m", "-o", "--exclude-standard", "-z", "--full-name", ":/")
	}
	if missing() {
		fl.findRenamed(ctx, lost)
	}
	if missing() {
		fl.follow(ctx, w, lost)
	}
}

// findRenamed says which files git takes for renamed since the last commit, by its index: to
// look into files of the work tree it would run filters.
func (fl *UserFiles) findRenamed(ctx context.Context, lost map[string]*lostFile) {
	fl.renames(ctx, func(was, now string) {
		if l := lost[was]; l != nil && l.now == "" {
			l.now = now
		}
	}, "diff-index", "--cached", "-z", "-M", "--name-status", "--diff-filter=R", "HEAD")
}

// renames calls found with each rename that a git of the diff family tells of.
func (fl *UserFiles) renames(ctx context.Context, found func(was, now string), args ...string) {
	var fields []string // of one: R<score>, the name before, the name now
	_ = fl.git.Records(ctx, func(b []byte) bool {
		if fields = append(fields, string(b)); len(fields) == 3 {
			if naming.PathProblem(fields[2]) == "" {
				found(fields[1], fields[2])
			}
			fields = nil
		}
		return true
	}, args...)
}

// mostFollowed bounds how often a file was renamed.
const mostFollowed = 8

// follow says where files went that a commit renamed, and changed at once or later: it looks
// for the commit that took each away, and again where the new name is gone as well.
func (fl *UserFiles) follow(ctx context.Context, w *reader, lost map[string]*lostFile) {
	search := map[string][]*lostFile{} // by the name that they had last
	for file, l := range lost {
		if l.now == "" {
			search[file] = append(search[file], l)
		}
	}
	for range mostFollowed {
		next := map[string][]*lostFile{}
		for commit, files := range fl.removedBy(ctx, slices.Sorted(maps.Keys(search))) {
			fl.renames(ctx, func(was, now string) {
				if !slices.Contains(files, was) {
					return
				}
				if _, absent := w.ids(now); absent {
					next[now] = append(next[now], search[was]...)
					return
				}
				for _, l := range search[was] {
					l.now = now
				}
			}, "diff-tree", "-r", "-z", "-M", "--no-commit-id", "--name-status", "--diff-filter=R", commit)
		}
		if search = next; len(search) == 0 || ctx.Err() != nil {
			return
		}
	}
}

// mostNamed is how many files git is asked for at once: some systems bound a command line.
const mostNamed = 200

// removedBy are the last commits that removed files, with those that each removed.
func (fl *UserFiles) removedBy(ctx context.Context, files []string) map[string][]string {
	out := map[string][]string{}
	for part := range slices.Chunk(files, mostNamed) {
		args := []string{"log", "-z", "--format=%x01%H", "--no-renames", "--diff-filter=D", "--name-only", "HEAD", "--"}
		left := map[string]bool{}
		for _, f := range part {
			args, left[f] = append(args, ":(top,literal)"+f), true
		}
		commit := ""
		_ = fl.git.Records(ctx, func(b []byte) bool {
			name := strings.TrimPrefix(string(b), "\n")
			if id, ok := strings.CutPrefix(name, "\x01"); ok {
				commit = id
			} else if left[name] {
				out[commit] = append(out[commit], name)
				delete(left, name)
			}
			return len(left) > 0
		}, args...)
	}
	return out
}
