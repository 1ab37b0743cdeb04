package ledger

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// A Work is a checkpoint on its way into the store.
type Work struct {
	C          *sage.Checkpoint
	Kind       record.Kind
	Blob, Tree loose.Object
	Author     identity.Person
	Committer  identity.Person
	Now        time.Time
	Sign       bool
	automatic  bool
	Correction bool          // see Draft.Correction
	Aside      bool          // see Draft.Aside
	mover      func() *Mover // started before its input is known; nil once it is used
	Trailers   [][2]string   // further lines of the last paragraph
	Follows    record.Record // the thought that it continues, see takeOver
	Saved      Saved
}

func (led *Ledger) NewWork(ctx context.Context, c *sage.Checkpoint, kind record.Kind, d Draft) *Work {
	w := &Work{C: c, Kind: kind, Now: led.repo.Options.Now(), Correction: d.Correction, Aside: d.Aside}
	w.Saved.Description = sage.Describe(c, c.MessageCount)
	w.mover = repo.Early(func() *Mover {
		m, _ := led.Mover(ctx, w.Why()) // if it cannot start now, attempt says so
		return m
	})
	if !d.NoCode {
		w.Saved.Redacted = led.repo.CodeState(ctx, c)
	}
	w.Encode(led)
	return w
}

// Encode makes the objects of the checkpoint.
func (w *Work) Encode(s *Ledger) {
	w.Blob = s.repo.Objects.New("blob", codec.Marshal(w.C))
	w.Tree = s.repo.Objects.New("tree", gittree.Encode(gittree.Entry{Mode: "100644", Name: "checkpoint.md", ID: w.Blob.ID}))
}

// TakeMover returns the git that was started early, once.
func (w *Work) TakeMover() *Mover {
	if w.mover == nil {
		return nil
	}
	m := w.mover()
	w.mover = nil
	return m
}

// Stop ends what was started for a work that came to nothing.
func (w *Work) Stop() { w.TakeMover().Cancel() }

// Why is what the log of a ref says of the move.
func (w *Work) Why() string { return "sage: " + string(w.Kind) + ": " + w.Saved.Description }

func (w *Work) Fill(ctx context.Context, s *Ledger, automatic bool) {
	var nobodyA, nobodyC bool
	w.Author, nobodyA = s.repo.PersonOf(ctx, "author")
	w.Committer, nobodyC = s.repo.PersonOf(ctx, "committer")
	if nobodyA || nobodyC {
		w.Saved.Warnings = append(w.Saved.Warnings, remedy.Notef("git has no identity for you; saved as %s (set user.name and user.email)", identity.Nobody.String()))
	}
	w.Saved.Warnings = append(w.Saved.Warnings, remedy.Notes(s.repo.OddSwitches())...)
	w.Sign, w.automatic = s.signs(), automatic
}
