package gitstore

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A work is a checkpoint on its way into the store.
type work struct {
	c          *sage.Checkpoint
	kind       Kind
	blob, tree loose.Object
	author     person
	committer  person
	now        time.Time
	sign       bool
	automatic  bool
	correction bool          // see Draft.Correction
	aside      bool          // see Draft.Aside
	mover      func() *mover // started before its input is known; nil once it is used
	trailers   [][2]string   // further lines of the last paragraph
	follows    Record        // the thought that it continues, see takeOver
	saved      Saved
}

func (s *Store) newWork(ctx context.Context, c *sage.Checkpoint, kind Kind, d Draft) *work {
	w := &work{c: c, kind: kind, now: s.o.Now(), correction: d.Correction, aside: d.Aside}
	w.saved.Description = sage.Describe(c, c.MessageCount)
	w.mover = early(func() *mover {
		m, _ := s.mover(ctx, w.why()) // if it cannot start now, attempt says so
		return m
	})
	if !d.NoCode {
		w.saved.Redacted = s.codeState(ctx, c)
	}
	w.encode(s)
	return w
}

// encode makes the objects of the checkpoint.
func (w *work) encode(s *Store) {
	w.blob = s.objects.New("blob", sage.Marshal(w.c))
	w.tree = s.objects.New("tree", encodeTree(treeEntry{"100644", "checkpoint.md", w.blob.ID}))
}

// takeMover returns the git that was started early, once.
func (w *work) takeMover() *mover {
	if w.mover == nil {
		return nil
	}
	m := w.mover()
	w.mover = nil
	return m
}

// stop ends what was started for a work that came to nothing.
func (w *work) stop() { w.takeMover().cancel() }

// why is what the log of a ref says of the move.
func (w *work) why() string { return "sage: " + string(w.kind) + ": " + w.saved.Description }

func (w *work) fill(ctx context.Context, s *Store, automatic bool) {
	var nobodyA, nobodyC bool
	w.author, nobodyA = s.identity(ctx, "author")
	w.committer, nobodyC = s.identity(ctx, "committer")
	if nobodyA || nobodyC {
		w.saved.Warnings = append(w.saved.Warnings, "git knows no identity here; saved as "+nobody.String()+" (set user.name and user.email)")
	}
	w.saved.Warnings = append(w.saved.Warnings, s.oddSwitches()...)
	w.sign, w.automatic = s.signs(), automatic
}
