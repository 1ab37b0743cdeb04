package undo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/prose/cut"
)

// undoKnowledge puts the files that a commit of the knowledge changed back, in a new one,
// and refs that went along with it. It refuses where one of them changed since.
func (u *Undoer) undoKnowledge(ctx context.Context, a Act) (Undone, error) {
	var files []fileStep
	did, subjects := statesOf(a), map[string]string{}
	for _, m := range a.moves {
		if !refname.IsKnowledge(m.Ref) {
			continue
		}
		some, err := u.filesOf(ctx, m)
		if err != nil {
			return Undone{}, err
		}
		files, subjects[m.Ref] = append(files, some...), undoSubject(Act{What: u.subjectAgain(m.New)})
	}
	if err := u.mayLeave(files); err != nil {
		return Undone{}, err
	}
	if err := u.hasRenamed(a, did); err != nil {
		return Undone{}, err
	}
	back, err := u.movesBack(ctx, a)
	if err != nil {
		return Undone{}, err
	}
	subject := cmp.Or(subjects[refname.KnowledgeRef], subjects[refname.PrivateRef])
	if err := u.announceDurably(back, "sage: "+cut.Runes(subject, 72)); err != nil {
		return Undone{}, err
	}
	and := contents.Also{Moves: back, Then: u.renamedBack(did, back)}
	out, err := u.contents.WritePlan(ctx, func(state string) (contents.TreeChange, error) {
		put, err := u.filesBack(state, files)
		return contents.TreeChange{Subject: subject, Private: subjects[refname.PrivateRef], Files: put, Versions: u.versionsBack(put, files)}, err
	}, and)
	if err != nil {
		return Undone{}, err
	}
	if out.Commit == "" {
		return Undone{}, &UndoError{"already undone", remedy.ListActions.On()}
	}
	done := Undone{Act: a, Commit: out.Commit, Warnings: out.Warnings}
	for ref := range subjects {
		done.Back = append(done.Back, ref)
	}
	slices.Sort(done.Back)
	for _, m := range back {
		done.Back = append(done.Back, m.Ref)
	}
	return done, nil
}

// statesOf is the move of an act from one state of the knowledge to another, of the halves that it
// moved.
func statesOf(a Act) (did journal.Move) {
	var old, now [2]string
	for _, m := range a.moves {
		switch m.Ref {
		case refname.KnowledgeRef:
			old[0], now[0] = m.Old, m.New
		case refname.PrivateRef:
			old[1], now[1] = m.Old, m.New
		}
	}
	return journal.Move{Ref: refname.KnowledgeRef, Old: refname.State(old[0], old[1]), New: refname.State(now[0], now[1])}
}

// mayLeave refuses an agent that would have something private lie among what is shared again.
func (u *Undoer) mayLeave(files []fileStep) error {
	if u.repo.Options.Person {
		return nil
	}
	back := map[string]bool{}
	for _, f := range files {
		back[f.path] = f.old != ""
	}
	for _, f := range files {
		if contents.IsPrivate(f.path) && f.old == "" && back[contents.Public(f.path)] {
			return fmt.Errorf("%s is private: %w", knowledge.ItemName(knowledge.ItemKey(f.path)), repo.ErrNoSharing)
		}
	}
	return nil
}

// subjectAgain is the subject of a commit as [undoSubject] takes it.
func (u *Undoer) subjectAgain(id string) string {
	r, err := u.commits.CommitRecord(id)
	if err != nil {
		return record.Short(id)
	}
	for _, verb := range []string{"undo: ", "redo: "} {
		if strings.HasPrefix(r.Description, verb) {
			return past(r.Description)
		}
	}
	return r.Description
}

// A fileStep is what a commit made of a file: ids of blobs, "" is none.
type fileStep struct{ path, old, new string }

// filesOf are the files that a move of the knowledge changed, if it was one commit of one
// author, and no purge.
func (u *Undoer) filesOf(ctx context.Context, m journal.Move) (files []fileStep, err error) {
	r, err := u.commits.CommitRecord(m.New)
	if err != nil {
		return nil, err
	}
	if len(r.Parents) > 1 || m.Old != "" && !slices.Equal(r.Parents, []string{m.Old}) {
		return nil, &UndoError{"it merged others' work, which the next fetch would bring back", remedy.RemoveItem.On().To(oneOf)}
	}
	zero, mark := u.repo.Objects.Zero(), u.repo.Objects.New("blob", nil).ID // see [rewritten.Map.PrivateMark]
	var ids []string
	err = u.repo.Git.Records(ctx, func(b []byte) bool { // ":<mode> <mode> <old> <new> <letter>", then the path
		if f := strings.Fields(string(b)); strings.HasPrefix(string(b), ":") && len(f) == 5 {
			ids = f[2:4]
			return true
		}
		files = append(files, fileStep{string(b), idOrNone(ids[0], zero), idOrNone(ids[1], zero)})
		return true
	}, "diff-tree", "-r", "-z", "--root", "--no-renames", "--no-commit-id", "--raw", "--no-abbrev", m.New)
	for _, f := range files {
		if strings.HasPrefix(contents.Public(f.path), rewritten.PurgedDir+"/") && f.new != mark || f.path == "format.yaml" || f.old != "" && u.rewritten.StandIn(f.old) != f.old {
			return nil, &UndoError{"a purge cannot be undone", remedy.ListChanges.On()}
		}
	}
	return files, err
}

// filesBack is what is to be written so that files are as they were. Those that are so
// already stay.
func (u *Undoer) filesBack(state string, files []fileStep) (map[string][]byte, error) {
	put := map[string][]byte{}
	for _, f := range files {
		now, err := u.contents.FileAt(state, f.path)
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return nil, fmt.Errorf("read '%s': %w", f.path, u.repo.LeftOut(err))
		}
		switch now.ID {
		case f.old:
			continue
		case f.new:
		default:
			return nil, u.changedSince(f)
		}
		if f.old == "" {
			put[f.path] = nil
			continue
		}
		was, err := u.repo.Object(f.old)
		if err != nil {
			return nil, fmt.Errorf("read the old '%s': %w", f.path, u.repo.LeftOut(err))
		}
		put[f.path] = append([]byte{}, was.Data...)
	}
	return put, nil
}

func (u *Undoer) changedSince(f fileStep) error {
	if key := knowledge.ItemKey(f.path); knowledge.CheckKey(key) == nil && knowledge.IsInPlace(f.path) {
		if strings.HasPrefix(key, contents.SystemDir+"/") || strings.HasPrefix(key, contents.SkillsDir+"/") {
			return &UndoError{knowledge.ItemName(key) + " has changed since", remedy.ListActions.On()}
		}
		return &UndoError{knowledge.ItemName(key) + " has changed since", remedy.ListChanges.On(key)}
	}
	return &UndoError{"'" + f.path + "' has changed since", remedy.ListActions.On()}
}

// hasRenamed refuses a rename of which only the knowledge is known any more: without the
// line's own ref there would be two lines behind it, or none.
func (u *Undoer) hasRenamed(a Act, did journal.Move) error {
	was, now := u.follow.NotesIn(did.Old), u.follow.NotesIn(did.New)
	for _, notes := range []map[string]commits.LineNote{was, now} {
		for line, n := range notes {
			to := n.RenamedTo
			if to == "" || was[line].RenamedTo == now[line].RenamedTo || slices.ContainsFunc(a.moves, func(m journal.Move) bool { return m.Ref == refname.HeadRef(to) }) {
				continue
			}
			from := line
			if now[line].RenamedTo == "" {
				from, to = to, from
			}
			return &UndoError{"the journal was shortened and no longer has the ref of line '" + to + "'", remedy.RenameLine.On(to, from)}
		}
	}
	return nil
}

// renamedBack is what follows where a line gets its old name back, or its new one again:
// the branches of git's that go with it, and who stands on it, go along.
func (u *Undoer) renamedBack(did journal.Move, back []journal.Move) func() error {
	i := slices.IndexFunc(back, func(m journal.Move) bool { return strings.HasPrefix(m.Ref, refname.HeadsPrefix) })
	if i < 0 {
		return nil
	}
	name := strings.TrimPrefix(back[i].Ref, refname.HeadsPrefix)
	from, to := "", name
	for _, at := range []string{did.New, did.Old} {
		for line, n := range u.follow.NotesIn(at) {
			if n.RenamedTo == name {
				from = cmp.Or(from, line)
			}
		}
	}
	if from == "" {
		return nil
	}
	if back[i].New == "" {
		from, to = to, from
	}
	stands := u.session.Stand().Line == from
	return func() error {
		if err := u.follow.Rebind(from, to); err != nil || !stands {
			return err
		}
		return u.lines.StepOn(to)
	}
}

// versionsBack are the versions of items, among files that go back, that this user left
// before, and those that they took away again: what came from elsewhere waits as it did. What
// they had before any were listed is theirs by its text, if what they made of it is what was
// adopted.
func (u *Undoer) versionsBack(put map[string][]byte, files []fileStep) (list []ownership.Version) {
	v := u.ownership.Versions()
	for _, f := range files {
		key := knowledge.ItemKey(f.path)
		data, ok := put[f.path]
		if !ok || v == nil || !contents.IsItemPath(f.path) {
			continue
		}
		made := ownership.Version{Blob: cmp.Or(f.new, u.repo.Objects.Zero()), Key: key}
		before := v.Before(made)
		if f.old == "" {
			if v.There(key) != "" {
				list = append(list, ownership.Version{Blob: cmp.Or(before, u.repo.Objects.Zero()), Key: key})
			}
			continue
		}
		if v.Of(key) == made.Blob && before != "" {
			list = append(list, ownership.Version{Blob: before, Key: key})
			continue
		}
		was := knowledge.ReadItem(f.path, git.Object{ID: f.old, Data: data})
		unlisted := v.Of(key) == "" || v.IsAdopted(key) && v.Of(key) == f.new
		switch {
		case v.Lists(ownership.Version{Blob: f.old, Key: key}) || unlisted && was.Err == nil && u.ownership.Vouched(ownership.SumOf(key, was.Item, false)):
			list = append(list, ownership.Version{Blob: f.old, Key: key})
		case v.Of(key) == made.Blob && f.new != "": // it was somebody else's
			list = append(list, ownership.Version{Blob: u.repo.Objects.Zero(), Key: key})
		}
	}
	return list
}
