package purge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A PurgePush is a ref of a remote that held what is purged, or the records of it.
type PurgePush struct {
	Remote, Ref string // its name there, in full
	Old, New    string // ids; New is "" for a ref that is to go, Old for a new one
	Err         error  // why the remote did not take it
}

// Push replaces on every remote the refs that hold what was purged, each
// only if it still has the value that was seen, and pushes the records, by which
// clones that still have it let go of it. It is the only push with force there is.
func (pu *Purger) Push(ctx context.Context) (out []PurgePush, err error) {
	remotes, err := pu.repo.Remotes(ctx)
	if err != nil {
		return nil, err
	}
	v, err := pu.admission.Verifier(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, remote := range remotes {
		pushes, e := pu.pushesTo(ctx, remote)
		for i := range pushes {
			if pushes[i].Err == nil && pushes[i].New != "" && pushes[i].Ref != backup.NotesRef {
				pushes[i].Err = v.MayLeave(pushes[i].New)
			}
			if pushes[i].Err == nil {
				pushes[i].Err = pu.push(ctx, &pushes[i])
			}
		}
		out = append(out, pushes...)
		if e = about(remote, e); err != nil && e != nil {
			err = fmt.Errorf("%w; %w", err, e)
		} else if e != nil {
			err = e
		}
	}
	return out, err
}

// about says which remote did not answer.
func about(remote string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = remedy.For(fmt.Errorf("no answer within %s: %w", git.Timeout, err), remedy.FinishPush.On())
	}
	return fmt.Errorf("remote '%s': %w", legible.OneLine(remote), err)
}

// pushesTo asks a remote what it has, and says what must change there. The records
// come first: whoever fetches in between, and has the old history, knows it for that.
func (pu *Purger) pushesTo(ctx context.Context, remote string) (out []PurgePush, err error) {
	list, err := pu.repo.Outside().Run(ctx, "ls-remote", "--refs", "--upload-pack=git-upload-pack", "--end-of-options", remote, "refs/sage/*", backup.NotesRef)
	if err != nil {
		return nil, err
	}
	memory, records := false, PurgePush{Remote: remote, Ref: refname.KnowledgeRef}
	for l := range strings.Lines(string(list)) {
		id, ref, ok := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		if !ok || !rewritten.IsID(id) || ref == refname.VaultRef { // which the package vault makes anew
			continue
		}
		memory = memory || ref != backup.NotesRef
		now, gone := pu.rewritten.Purged(id)
		if gone && strings.HasPrefix(ref, refname.TagsPrefix) {
			now = ""
		}
		switch {
		case ref == refname.KnowledgeRef:
			records.Old, records.New = id, now
		case now != id:
			out = append(out, PurgePush{Remote: remote, Ref: ref, Old: id, New: now, Err: pu.toPush(remote, now)})
		case ref != backup.NotesRef && pu.isUnknown(id):
			out = append(out, PurgePush{Remote: remote, Ref: ref, Old: id, New: id, Err: notFetched(remote, "it has commits that were not fetched, and may hold what was purged")})
		}
	}
	if !memory {
		return out, nil
	}
	records.New, records.Err = pu.withRecords(ctx, remote, records.Old, records.New)
	if records.New != records.Old || records.Err != nil {
		out = append([]PurgePush{records}, out...)
	}
	return out, nil
}

// isUnknown reports whether nobody can say here what a commit of a remote holds.
func (pu *Purger) isUnknown(id string) bool {
	_, err := pu.repo.Object(id)
	return errors.Is(err, git.ErrMissing)
}

func notFetched(remote, what string) error {
	return remedy.For(errors.New(what), remedy.FetchAndPush.On(wording.InShell(remote)))
}

// toPush returns an error if what took the place of a ref's value is not here: another
// clone made it.
func (pu *Purger) toPush(remote, id string) error {
	if id == "" {
		return nil
	}
	if pu.isUnknown(id) {
		return notFetched(remote, "it was purged in another clone, whose new history is not here: push it from there first")
	}
	return nil
}

// withRecords is what a remote's knowledge tree is to become, so that it says what
// was purged: its own with our records, which hold ids only. Whatever else we have
// leaves by a sync, to whom it is shared with.
func (pu *Purger) withRecords(ctx context.Context, remote, old, now string) (string, error) {
	tip, err := pu.repo.Tip(ctx, refname.KnowledgeRef)
	if err != nil || tip == "" || len(pu.rewritten.Purges()) == 0 {
		return now, err
	}
	if old == "" {
		return pu.recordsOn(ctx, "", tip)
	}
	has, err := pu.rewritten.PurgeRecords(ctx, old)
	switch {
	case err == nil && now == old && pu.rewritten.Purges().Within(has):
		return now, nil
	case pu.commits.IsAncestor(ctx, now, tip):
		return pu.recordsOn(ctx, now, tip)
	case now == old:
		return now, notFetched(remote, "it has commits that were not fetched")
	}
	return now, nil
}

// recordsOn is a commit behind base, which may be "", with what the knowledge tree at tip says of
// purges; tip itself, if it has nothing else that base lacks.
func (pu *Purger) recordsOn(ctx context.Context, base, tip string) (string, error) {
	var had, has []gittree.Entry
	for at, entries := range map[string]*[]gittree.Entry{base: &had, tip: &has} {
		if at == "" {
			continue
		}
		root, err := pu.repo.Batch.Get(at + "^{tree}")
		if err != nil {
			return "", fmt.Errorf("read the records of purges: %w", err)
		}
		*entries = gittree.Parse(root.Data, pu.repo.IDSize())
	}
	isRecords := func(e gittree.Entry) bool { return e.Name == rewritten.PurgedDir }
	i := slices.IndexFunc(has, isRecords)
	if i < 0 {
		return base, nil
	}
	entries := append(slices.DeleteFunc(had, isRecords), has[i])
	slices.SortFunc(entries, gittree.Entry.Compare)
	if string(gittree.Encode(entries...)) == string(gittree.Encode(has...)) && pu.onlyRecords(ctx, base, tip) {
		return tip, nil
	}
	tree := pu.repo.Objects.New("tree", gittree.Encode(entries...))
	w := &ledger.Work{Kind: record.KindKnowledge, Now: pu.repo.Options.Now()}
	w.Fill(ctx, pu.ledger, true)
	c := record.Commit{Tree: tree.ID, Author: w.Author.Stamp(w.Now), Committer: w.Committer.Stamp(w.Now),
		Message: fmt.Sprintf("records of purges\n\nSage-Format: %d\nSage-Kind: %s\n", record.PlainFormat(), record.KindKnowledge)}
	if base != "" {
		c.Parents = []string{base}
	}
	o := pu.repo.Objects.New("commit", c.Encode())
	return o.ID, pu.backup.Put(ctx, tree, o)
}

// onlyRecords reports whether what came behind base changed nothing but records.
func (pu *Purger) onlyRecords(ctx context.Context, base, tip string) bool {
	args := []string{"rev-list", "--max-count=1", tip, "--", ":(exclude)" + rewritten.PurgedDir}
	if base != "" {
		args = slices.Insert(args, 3, "^"+base)
	}
	out, err := pu.repo.Git.Run(ctx, args...)
	return err == nil && len(out) == 0
}

// pushTime bounds a push, which may be of all that there is and over a slow line.
const pushTime = time.Hour

func (pu *Purger) push(ctx context.Context, p *PurgePush) error {
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	_, err := pu.repo.Outside().Run(ctx, "push", "--quiet", "--no-verify", "--no-signed", "--receive-pack=git-receive-pack",
		"--force-with-lease="+p.Ref+":"+p.Old, "--end-of-options", p.Remote, p.New+":"+p.Ref)
	var e *git.Error
	if errors.As(err, &e) && git.Outraced(e.Stderr) {
		return notFetched(p.Remote, "somebody else moved it meanwhile")
	}
	if err != nil {
		return err
	}
	tracking := refname.TrackingRef(p.Remote, p.Ref)
	if tip, err := pu.repo.Tip(ctx, tracking); err == nil && tip != "" && tip != p.New {
		return pu.ledger.Move(ctx, "sage: push what was purged", journal.Move{Ref: tracking, Old: tip, New: p.New})
	}
	return nil
}
