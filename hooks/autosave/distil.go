package autosave

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/git-sage/git-sage/converse"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/distill"
	"github.com/git-sage/git-sage/hooks/session"
)

const (
	// leastSaid is how much was said, in bytes, of what a model is asked about.
	leastSaid  = 400
	distilTask = "distil"
)

// A distiller works on the conversations that wait for a model.
type distiller struct {
	*Agent
	queue distill.Queue
	model distill.Settings
	world converse.World
}

func (a *Agent) distilQueue() distill.Queue {
	return distill.QueueOf(a.Memory.Store.Repo.Folder(), a.now)
}

func (a *Agent) distiller() *distiller {
	return &distiller{
		Agent: a, queue: a.distilQueue(),
		model: a.settings().Distill, world: converse.World{Env: a.Env, Home: a.Home, Now: a.now},
	}
}

// due are the conversations that it is time to ask the model about.
func (d *distiller) due() []distill.Entry { return d.queue.Due(d.model.Identity(d.world)) }

// Distil has the conversation of the session distilled, if its user wants that, by another
// process. What rules tell of it is saved already.
func (a *Agent) Distil(ctx context.Context, why sage.Trigger) {
	file := a.File()
	if file == "" {
		return
	}
	d := a.distiller()
	if !d.model.IsOn() {
		return
	}
	st, err := os.Stat(file)
	if err == nil && st.Size() == 0 {
		return
	}
	if err == nil {
		err = d.queue.Add(distill.Entry{
			Session: a.Session, Transcript: file, Dir: cmp.Or(a.Dir, a.Cwd), Until: st.Size(), Trigger: string(why),
		})
	}
	if err == nil {
		err = a.later(ctx, Distilling)
	}
	a.Report(err)
}

// distilRest goes on with what waits: for a model that was busy, or after a process that
// was killed.
func (a *Agent) distilRest(ctx context.Context) {
	q := a.distilQueue()
	a.Report(q.Sweep())
	if len(q.All()) == 0 {
		return
	}
	if d := a.distiller(); !d.model.IsOn() || len(d.due()) > 0 {
		a.Report(a.later(ctx, Distilling))
	}
}

// run distils what waits, one conversation after the other, unless another process
// does. What waits until its user switches that off is forgotten.
func (d *distiller) run(ctx context.Context) error {
	if !d.model.IsOn() {
		return errors.Join(d.queue.Clear(), d.queue.NoteTrouble(nil))
	}
	done, ok := d.Memory.Store.Session.Only(ctx, distilTask)
	defer done()
	if !ok {
		return nil
	}
	tried := map[string]int64{} // a session that goes on is looked at again
	for {
		var next *distill.Entry
		for _, entry := range d.due() {
			if tried[entry.Session] < entry.Until {
				next = &entry
				break
			}
		}
		if next == nil || ctx.Err() != nil {
			return nil
		}
		tried[next.Session] = next.Until
		if err := d.one(ctx, *next); err != nil {
			return err
		}
	}
}

// one distils a conversation, and notes what became of it.
func (d *distiller) one(ctx context.Context, entry distill.Entry) error {
	err := d.record(ctx, entry)
	switch {
	case ctx.Err() != nil: // it waits for the next process
		return nil
	case err == nil, errors.Is(err, os.ErrNotExist): // the client removed the transcript
		return errors.Join(d.queue.Done(entry), d.queue.NoteTrouble(nil))
	}
	d.Report(err)
	_, failed := d.queue.Failed(entry, d.model.Identity(d.world), err)
	return errors.Join(failed, d.queue.NoteTrouble(err))
}

// record saves the record that a model writes of a conversation.
func (d *distiller) record(ctx context.Context, entry distill.Entry) error {
	dir := Folder(d.Cwd, entry.Dir, d.Memory.Store.Repo.Anchor())
	m, err := d.Open(ctx, dir, entry.Session)
	if err != nil {
		return err
	}
	defer m.Close()
	if _, err := os.Stat(entry.Transcript); err != nil {
		return err
	}
	if _, err := saveUnsaved(ctx, m, entry.Transcript, sage.Trigger(entry.Trigger), d.Cost); err != nil { // rules first
		return err
	}
	own, err := distilOwn(ctx, m, entry)
	if err != nil {
		return err
	}
	if own.already {
		return session.Of(m.Store).NoteDistilled(entry.Until)
	}
	part, err := distilPart(m.Store, entry, own.thought)
	if err != nil {
		return err
	}
	said, err := distill.Read(ctx, part, m.Store.Session.Redactor(), d.Cost)
	if err != nil || said.Said() < leastSaid {
		return err
	}
	settle, err := distill.Budget{Home: d.Home, Tokens: d.model.Tokens, Now: d.now}.Reserve(distill.Estimate(said))
	if err != nil {
		return err
	}
	r, err := distill.Distil(ctx, d.model, d.world, said)
	if used := r.Use.Input + r.Use.Output; used > 0 || converse.IsUnread(err) {
		settle(used)
	}
	if err != nil {
		return err
	}
	if err := saveFacts(ctx, m, r, entry.Session); err != nil {
		return err
	}
	if !own.later {
		if err := d.save(ctx, m, own, r, entry); err != nil {
			return err
		}
	}
	return session.Of(m.Store).NoteDistilled(entry.Until)
}
