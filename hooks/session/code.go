package session

import (
	"context"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
)

const (
	// codeWithin is how long a save waits for what its session did: one that is asked
	// about every few minutes is there in 5 ms, the first look at 100 MB is not.
	codeWithin = 300 * time.Millisecond
	mostFiles  = 100 // explored, and as many changed: nobody reads more
	mostRefs   = 100
)

// A code is what a session did to files.
type code struct {
	explored, changed []string
	refs              []sage.CodeRef
}

// AddCode adds to a checkpoint what the session read and changed since its last save, as
// far as its transcript is known and tells so within 300 ms; what the checkpoint has stays in
// front. saved takes note that the checkpoint was saved; it is nil if nothing is known of
// the session.
func (s State) AddCode(ctx context.Context, c *sage.Checkpoint) (saved func(id string)) {
	ctx, cancel := context.WithTimeout(ctx, codeWithin)
	defer cancel()
	type found struct {
		code
		at Mark
	}
	done := make(chan *found, 1)
	go func() {
		defer func() { _ = recover() }() // a save goes on without
		defer close(done)
		t, _ := s.Follow(ctx, "", nil) // what is known is better than nothing
		if t == nil {
			return
		}
		_ = t.Keep() // else it is read again
		done <- &found{t.code(), t.Here("")}
	}()
	select {
	case f := <-done:
		if f == nil {
			return nil
		}
		f.addTo(c)
		return func(id string) {
			f.at.Checkpoint = id
			_ = s.NoteSaved(f.at) // else the next event finds out
		}
	case <-ctx.Done():
		return nil
	}
}

// AddCode adds to a checkpoint what was read and changed since the last save.
func (t *Trail) AddCode(c *sage.Checkpoint) { t.code().addTo(c) }

// code is what was read and changed since the last save.
func (t *Trail) code() (out code) {
	fresh := map[string]bool{}
	for _, f := range t.Digest.Files {
		fresh[f.Path] = f.Offset >= t.Memo.Saved.Offset
	}
	old := func(path string) bool { return !fresh[path] }
	out.explored = slices.DeleteFunc(t.Digest.FilesExplored(), old)
	out.changed = slices.DeleteFunc(t.Digest.FilesChanged(), old)
	out.refs = slices.DeleteFunc(t.Digest.CodeRefs(), func(r sage.CodeRef) bool { return !fresh[r.File] })
	out.refs = out.refs[:min(len(out.refs), mostRefs)]
	t.of.store.Repo.NoteBlobs(out.refs) // of which the transcript holds a part alone
	return out
}

// addTo adds to c what it does not have.
func (f code) addTo(c *sage.Checkpoint) {
	c.FilesExplored = added(c.FilesExplored, f.explored)
	c.FilesChanged = added(c.FilesChanged, f.changed)
	for _, r := range f.refs {
		same := func(o sage.CodeRef) bool { return o.File == r.File && o.Lines == r.Lines }
		if i := slices.IndexFunc(c.CodeRefs, same); i >= 0 {
			if c.CodeRefs[i].Blob == "" {
				c.CodeRefs[i].Blob = r.Blob
			}
		} else if len(c.CodeRefs) < mostRefs {
			c.CodeRefs = append(c.CodeRefs, r)
		}
	}
}

// added are the files of have, and those of more that it lacks as far as there is room.
func added(have, more []string) []string {
	all := lists.Union(have, more)
	return all[:min(len(all), max(len(have), mostFiles))]
}
