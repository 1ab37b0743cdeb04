package write

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// A Chain is checkpoints that were made elsewhere and are saved together, each behind the one
// before it. Nothing of the moment is added to them: no session, no agent, no state of the
// code. They are not signed: nobody signed them when they were made.
type Chain struct {
	Line        string            // line to save on
	Fork        string            // name of a fork beside it; "" is the line itself
	Parent      string            // id of what the first one continues; "" begins the line
	Checkpoints []sage.Checkpoint // each with its time
	From        string            // the tool that made them, as the log of the ref names it
}

// A SavedChain says what became of a [Chain].
type SavedChain struct {
	Ref      string
	IDs      []string // of the commits, in order
	Redacted []redact.Finding
	Warnings []remedy.Note
}

// SaveChain writes a chain and moves its ref, all or nothing: when it returns nil all of it is
// on disk and stays there. ErrChanged says that the ref is not where the chain begins.
func (sv *Saver) SaveChain(ctx context.Context, ch Chain) (out SavedChain, err error) {
	if err := sv.repo.Enabled(); err != nil {
		return out, err
	}
	if out.Ref, err = ch.ref(); err != nil {
		return out, err
	}
	list, found, err := prepareAll(ctx, sv, ch.Checkpoints)
	if err != nil {
		return out, err
	}
	out.Redacted = found
	done := sv.backup.Turn(ctx)
	defer done()
	p, err := placeChain(ctx, sv, ch, out.Ref)
	if err != nil {
		return out, err
	}
	w := &ledger.Work{Now: sv.repo.Options.Now()}
	w.Fill(ctx, sv.ledger, true)
	objects, ids, err := chainObjects(sv, w, list, p.parents)
	if err != nil {
		return out, err
	}
	rest, err := sv.backup.PutAll(ctx, objects...)
	if err != nil {
		return out, err
	}
	why := fmt.Sprintf("sage: %s: %d%s%s", record.KindCheckpoint, len(ids), journal.ImportedFrom, ch.From)
	said, err := sv.ledger.MoveTo(ctx, why, rest, []journal.Move{{Ref: p.ref, Old: p.old, New: ids[len(ids)-1]}}, func() error {
		if err := sv.stillThere(p); err != nil {
			return err
		}
		return sv.backup.LeftBehind(ctx, objects, rest)
	}, ownership.Making{IDs: ids})
	if errors.Is(err, journal.ErrMoved) {
		err = repo.ErrChanged
	}
	if err != nil {
		return out, err
	}
	out.IDs = ids
	out.Warnings = append(append(w.Saved.Warnings, said...), remedy.Notes(sv.backup.TookBack())...)
	if ch.Fork == "" {
		out.Warnings = append(out.Warnings, sv.follow.NoteBranch(ctx, ch.Line)...)
	}
	sv.session.Refollow()
	return out, nil
}

// ref is the full name of what a chain moves.
func (ch Chain) ref() (string, error) {
	if len(ch.Checkpoints) == 0 {
		return "", repo.ErrNothing
	}
	if err := refname.CheckTypedName(ch.Line); err != nil {
		return "", err
	}
	if ch.Fork == "" {
		return refname.HeadRef(ch.Line), nil
	}
	if err := refname.CheckName(ch.Fork); err != nil {
		return "", err
	}
	return refname.ForkRef(ch.Line, ch.Fork), nil
}

// placeChain finds out whether a chain may begin where it wants to.
func placeChain(ctx context.Context, sv *Saver, ch Chain, ref string) (place, error) {
	tip, err := sv.repo.Tip(ctx, ref)
	if err != nil {
		return place{}, err
	}
	if err := sv.history.Guard(ctx, ref, tip); err != nil {
		return place{}, err
	}
	p := place{ref: ref, old: tip, line: ch.Line, forked: ch.Fork != ""}
	switch {
	case tip != ch.Parent && tip != "":
		return p, repo.ErrChanged
	case tip != "":
		err = sv.commits.HoldsOne(ctx, ref, tip)
	case ch.Parent != "":
		err = sv.admission.Admit(ctx, ch.Parent, "")
	case ch.Fork == "":
		err = sv.repo.CheckNewName(ch.Line)
	}
	if ch.Parent != "" {
		p.parents = []string{ch.Parent}
	}
	return p, err
}

// prepareAll is prepare of all of a chain, side by side: to look for secrets takes most of the
// time.
func prepareAll(ctx context.Context, sv *Saver, given []sage.Checkpoint) ([]*sage.Checkpoint, []redact.Finding, error) {
	list, found, errs := make([]*sage.Checkpoint, len(given)), make([][]redact.Finding, len(given)), make([]error, len(given))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				list[i], found[i], errs[i] = sv.prepare(ledger.Draft{Checkpoint: given[i]})
			}
		})
	}
	for i := range given {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, nil, err
		}
	}
	for i, c := range list {
		c.Session, c.Agent = given[i].Session, given[i].Agent
	}
	return list, redact.Merge(found...), ctx.Err()
}

// chainObjects makes the objects of a chain, and says which are its commits.
func chainObjects(sv *Saver, w *ledger.Work, list []*sage.Checkpoint, parents []string) (objects []loose.Object, ids []string, err error) {
	for _, c := range list {
		codec.Measure(c)
		blob := sv.repo.Objects.New("blob", codec.Marshal(c))
		if len(blob.Data) > codec.MaxSize {
			return nil, nil, fmt.Errorf("the checkpoint of %s has %d bytes, more than the limit of %d; nothing was saved", c.Time.Format(time.RFC3339), len(blob.Data), codec.MaxSize)
		}
		tree := sv.repo.Objects.New("tree", gittree.Encode(gittree.Entry{Mode: gittree.ModeFile, Name: "checkpoint.md", ID: blob.ID}))
		o := sv.repo.Objects.New("commit", record.Commit{
			Tree: tree.ID, Parents: parents, Message: record.Message(c, record.KindCheckpoint, sage.Describe(c, c.MessageCount)),
			Author: w.Author.Stamp(c.Time.In(w.Now.Location())), Committer: w.Committer.Stamp(w.Now),
		}.Encode())
		objects, ids, parents = append(objects, blob, tree, o), append(ids, o.ID), []string{o.ID}
	}
	return objects, ids, nil
}
