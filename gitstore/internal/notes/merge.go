package notes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// MergeFetched merges the notes of remotes, which were fetched to
// refs/sage/remotes/<remote>/notes, into ours, and returns on how many commits notes are new
// or other: without a remote, those of all. Notes on one commit are united line by line, so
// that there is no conflict, and whoever merges the same makes the same commit. Notes on
// commits that are not here stay. Anything but notes is refused, with an error for each remote
// that has it: what a remote names of the user's own would go out with the next push.
func (ns *Notes) MergeFetched(ctx context.Context, remotes ...string) (n int, err error) {
	if err := ns.repo.Enabled(); err != nil {
		return 0, err
	}
	refs, err := ns.repo.Refs(ctx, refname.RemotePrefix)
	if err != nil {
		return 0, err
	}
	done := ns.backup.Turn(ctx)
	defer done()
	for _, r := range refs {
		remote, name := refname.Tracks(r.Name)
		if name != TrackedAs || len(remotes) > 0 && !slices.Contains(remotes, remote) {
			continue
		}
		more, failed := 0, journal.ErrMoved
		for try := 0; try < repo.MaxTries && errors.Is(failed, journal.ErrMoved); try++ {
			more, failed = ns.tryMerge(ctx, r.ID)
		}
		if n += more; failed != nil {
			err = errors.Join(err, fmt.Errorf("the notes of remote '%s' were not merged: %w", legible.OneLine(remote), failed))
		}
	}
	return n, err
}

func (ns *Notes) tryMerge(ctx context.Context, theirs string) (int, error) {
	ours, err := ns.repo.Tip(ctx, backup.NotesRef)
	if err != nil || ours == theirs || ours != "" && ns.commits.IsAncestor(ctx, theirs, ours) {
		return 0, err
	}
	if err := ns.judge(ctx, ours, theirs); err != nil {
		return 0, err
	}
	have, err := ns.listed(ours)
	if err != nil {
		return 0, err
	}
	more, err := ns.listed(theirs)
	if err != nil {
		return 0, err
	}
	e, changed := &edit{ns: ns}, 0
	files := maps.Clone(have)
	for commit, file := range more {
		switch old := have[commit]; old {
		case file:
			continue
		case "":
			files[commit] = file
		default:
			both, err := ns.united(old, file)
			if err != nil {
				return 0, err
			}
			files[commit] = e.add("blob", both.encode())
		}
		if files[commit] != have[commit] {
			changed++
		}
	}
	tip := theirs
	if ours != "" && !ns.commits.IsAncestor(ctx, ours, theirs) {
		if tip, err = ns.join(e, files, ours, theirs); err != nil {
			return 0, err
		}
	} else {
		e.objects = nil
	}
	return changed, ns.move(ctx, e, ours, tip, "notes: merged by git-sage")
}

// listed is list of a tip that need not be there.
func (ns *Notes) listed(tip string) (map[string]string, error) {
	if tip == "" {
		return map[string]string{}, nil
	}
	return ns.list(tip)
}

// united is what two files say of a commit.
func (ns *Notes) united(a, b string) (note, error) {
	out := newNote()
	for _, id := range []string{min(a, b), max(a, b)} {
		o, err := ns.repo.Object(id)
		if err != nil {
			return out, fmt.Errorf("read note %s: %w", record.Short(id), err)
		}
		out = out.with(parse(o.Data, len(id)))
	}
	return out, nil
}

// join makes the commit of a merge: by nobody, of the date of its latest parent.
func (ns *Notes) join(e *edit, files map[string]string, tips ...string) (string, error) {
	root, err := e.put("", 0, files)
	if err != nil {
		return "", err
	}
	var latest time.Time
	for _, tip := range tips {
		o, err := ns.repo.Object(tip)
		if err != nil {
			return "", err
		}
		var r record.Record
		r.ParseCommit(o.Data)
		latest = record.Later(latest, r.Recorded)
	}
	by := identity.Nobody.Stamp(latest.UTC())
	c := record.Commit{Tree: root, Parents: slices.Sorted(slices.Values(tips)), Author: by, Committer: by, Message: "Notes merged by git-sage\n"}
	return e.add("commit", c.Encode()), nil
}

// mostNew bounds the objects that a merge of notes takes in.
const mostNew = 500_000

// judge returns an error if what theirs has and ours has not is no history of notes: a commit
// that git or git-sage wrote for notes, a tree that names commits alone, a text with a line of
// ours. Of what was purged here nothing comes back.
func (ns *Notes) judge(ctx context.Context, ours, theirs string) error {
	return ns.judged(ctx, ours, theirs, func(git.Object) error { return nil })
}

// judged is judge with more to say against an object.
func (ns *Notes) judged(ctx context.Context, ours, theirs string, more func(git.Object) error) error {
	in := theirs + "\n"
	if ours != "" {
		in += "^" + ours + "\n"
	}
	list, err := ns.repo.Git.Feed(ctx, []byte(in), "rev-list", "--objects", "--no-object-names", "--stdin")
	if err != nil {
		return err
	}
	ids := strings.Fields(string(list))
	if len(ids) > mostNew {
		return fmt.Errorf("%d objects are more than notes have", len(ids))
	}
	for _, id := range ids {
		if ns.rewritten.StandIn(id) != id {
			return remedy.For(fmt.Errorf("%s was purged here", record.Short(id)), remedy.FinishPush.On().To("replaces it there"))
		}
		o, err := ns.repo.Object(id)
		if err != nil {
			return err
		}
		if !isOfNotes(o.Type, o.Data, ns.repo.IDSize()) {
			return fmt.Errorf("%s %s is no part of notes", o.Type, record.Short(id))
		}
		if err := more(o); err != nil {
			return err
		}
	}
	return nil
}

// MayLeave returns an error if what a remote that has some notes lacks of ours is no part of
// notes, or names a checkpoint of a private line: one that became private when the note was there.
// has is "" where it has none.
func (ns *Notes) MayLeave(ctx context.Context, tip, has string) error {
	private, err := ns.repo.PrivateCheckpoints(ctx)
	if err != nil {
		return err
	}
	return ns.judged(ctx, has, tip, func(o git.Object) error {
		for id := range parse(o.Data, 2*ns.repo.IDSize()).checkpoints {
			if line, ok := private[id]; ok && o.Type == "blob" {
				return remedy.For(fmt.Errorf("a note names %s of the private line '%s'", record.Short(id), line), remedy.Publish.On(line))
			}
		}
		return nil
	})
}

// isOfNotes reports whether an object is what a history of notes is made of.
func isOfNotes(typ string, data []byte, size int) bool {
	switch typ {
	case "commit":
		_, message, _ := strings.Cut(string(data), "\n\n")
		return strings.HasPrefix(message, "Notes ") || strings.HasPrefix(message, "notes: ")
	case "tree":
		entries := gittree.Parse(data, size)
		return string(gittree.Encode(entries...)) == string(data) && !slices.ContainsFunc(entries, func(e gittree.Entry) bool {
			isFolder := e.Mode == gittree.ModeDir && len(e.Name) == 2
			isFile := e.Mode == gittree.ModeFile && len(e.Name) <= 2*size && len(e.Name) >= 2*size-2*mostDepth
			return !record.IsHex(e.Name) || !isFolder && !isFile
		})
	case "blob":
		n := parse(data, 2*size)
		return len(data) <= mostBytes && len(n.checkpoints)+len(n.patches) > 0
	}
	return false
}
