package hooks

import (
	"context"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
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

// CodeContext adds to a checkpoint what the store's session read and changed since its
// last save, as far as its transcript is known and tells so within 300 ms; what the
// checkpoint has stays in front. It is for [recall.Memory.Around]: saved takes note that
// the checkpoint was saved; it is nil if nothing is known of the session.
func CodeContext(ctx context.Context, m *recall.Memory, c *sage.Checkpoint) (saved func(id string)) {
	ctx, cancel := context.WithTimeout(ctx, codeWithin)
	defer cancel()
	type found struct {
		code
		at mark
	}
	done := make(chan *found, 1)
	go func() {
		defer func() { _ = recover() }() // a save goes on without
		defer close(done)
		t, _ := follow(ctx, m.Store, "", nil) // what is known is better than nothing
		if t == nil {
			return
		}
		_ = t.keep() // else it is read again
		done <- &found{t.code(), t.here("")}
	}()
	select {
	case f := <-done:
		if f == nil {
			return nil
		}
		f.addTo(c)
		return func(id string) { noteSaved(m, f.at, id) }
	case <-ctx.Done():
		return nil
	}
}

// noteSaved moves the mark of the last save to where the conversation was when the save
// was asked for.
func noteSaved(m *recall.Memory, at mark, id string) {
	done, alone := m.Store.LockKept(context.Background())
	defer done()
	if !alone { // the next event finds out
		return
	}
	now := readMemo(m.Store)
	at.Checkpoint = id
	now.Saved = at
	_ = keepMemo(m.Store, now)
}

// code is what was read and changed since the last save.
func (t *trail) code() (out code) {
	fresh := map[string]bool{}
	for _, f := range t.digest.Files {
		fresh[f.Path] = f.Offset >= t.memo.Saved.Offset
	}
	old := func(path string) bool { return !fresh[path] }
	out.explored = slices.DeleteFunc(t.digest.FilesExplored(), old)
	out.changed = slices.DeleteFunc(t.digest.FilesChanged(), old)
	out.refs = slices.DeleteFunc(t.digest.CodeRefs(), func(r sage.CodeRef) bool { return !fresh[r.File] })
	return out
}

// addTo adds to c what it does not have.
func (f code) addTo(c *sage.Checkpoint) {
	c.FilesExplored = union(c.FilesExplored, f.explored)
	c.FilesChanged = union(c.FilesChanged, f.changed)
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

func union(have, more []string) []string {
	for _, s := range more {
		if len(have) < mostFiles && !slices.Contains(have, s) {
			have = append(have, s)
		}
	}
	return have
}
