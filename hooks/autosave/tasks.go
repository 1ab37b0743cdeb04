package autosave

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Tasks that are left to a process of their own, by the name of the hook that does them.
const (
	Closing    = "closing"    // what is worth it of a session that ended is saved
	Recovering = "recovering" // likewise, of one that was cut off
	Keeping    = "keeping"    // the conversations that are wanted are kept
	Distilling = "distilling" // a model writes the records of conversations that wait for it
)

// An order is what a task is told, as hooks read it.
type order struct {
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path,omitempty"`
	Dir        string `json:"cwd"`
	Anchor     string `json:"sage_anchor,omitempty"` // the work tree that stays when that of the session is removed
}

// later leaves a task to a process that nobody waits for.
func (a *Agent) later(ctx context.Context, task string) error {
	if a.Later == nil {
		return a.Do(ctx, task)
	}
	in, err := json.Marshal(order{a.Session, a.Transcript, cmp.Or(a.Dir, a.Cwd), a.Memory.Store.Repo.Anchor()})
	if err != nil {
		return err
	}
	return a.Later(task, in)
}

// Do does a task for which nobody waits.
func (a *Agent) Do(ctx context.Context, task string) error {
	switch task {
	case Closing:
		return a.saveRest(ctx, sage.SessionEnd)
	case Recovering:
		return a.saveRest(ctx, sage.Recovery)
	case Keeping:
		return a.keepConversations(ctx)
	case Distilling:
		return a.distiller().run(ctx)
	}
	return fmt.Errorf("unknown task %q", task)
}

// CatchUp does what earlier sessions left undone: it saves what those came to that were
// killed, if this one begins behind them, and goes on with what waits for a process that
// nobody waits for.
func (a *Agent) CatchUp(ctx context.Context, begins bool) {
	if begins {
		a.rescue(ctx)
	}
	a.keepRest(ctx)
	a.distilRest(ctx)
}

// End leaves a session behind: the client ends all hooks after 1.5 s, and waits for them as
// well.
func (a *Agent) End(ctx context.Context) error {
	if a.File() == "" {
		return nil
	}
	return a.later(ctx, Closing)
}

// saveRest saves what is worth it of a session that is over.
func (a *Agent) saveRest(ctx context.Context, why sage.Trigger) error {
	file := a.File()
	if file == "" {
		return nil
	}
	if _, err := a.SaveUnsaved(ctx, why); err != nil {
		return err
	}
	a.Distil(ctx, why)
	return a.state().NoteEnd(file)
}

// What a compaction waits for: compactionWithin is above what 80 MB of a transcript take
// that no event has read yet. A person who wants to be held waits for the disk as well, up to
// heldWithin, below the 10 s after which the client gives a hook up.
const (
	compactionWithin = 1200 * time.Millisecond
	heldWithin       = 6 * time.Second
)

// SaveBeforeCompaction is [Agent.SaveUnsaved] for a client that waits: what takes longer is
// left to a process. What goes wrong is reported. Where held is set, the person wants to be
// held while something is unsaved, the last answer too.
func (a *Agent) SaveBeforeCompaction(ctx context.Context, held bool) *Loss {
	if a.File() == "" {
		return nil
	}
	within := compactionWithin
	if held {
		within = heldWithin
	}
	ctx, cancel := context.WithTimeout(ctx, a.within(within))
	defer cancel()
	if held {
		a.awaitLastAnswer(ctx)
	}
	l, err := a.SaveUnsaved(ctx, sage.Recovery)
	if err != nil && ctx.Err() != nil && a.Later != nil {
		err = a.later(ctx, Recovering)
	}
	if a.Report(err); err != nil {
		return nil
	}
	return l
}
