package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"go.yaml.in/yaml/v3"
)

// List lists the lines and forks, by name, forks after their line. The
// current line is there even before its first checkpoint; a fork of it is current, too,
// if the session stands there.
func (li *Lines) List(ctx context.Context) ([]commits.Line, error) {
	snap, err := li.commits.Look(ctx).Get()
	if err != nil {
		return nil, err
	}
	notes := li.notesAt(li.follow.Notes(ctx), snap.Refs)
	t, found := li.session.Stand(), false
	tips := li.tipRecords(snap.Refs)
	var out []commits.Line
	for _, r := range snap.Refs {
		l, ok := commits.LineOf(r)
		if !ok {
			continue
		}
		l.Current = !l.Fork && l.Name == t.Line || l.Fork && l.Ref == t.Ref
		l.Note = notes[l.Name]
		if l.Fork {
			l.Of = NowCalled(notes, l.Of)
		}
		if l.Latest, err = li.latestOf(ctx, snap, r, tips); err != nil {
			return nil, err
		}
		if l.Latest != nil {
			if m := li.commits.Unsettled(ctx, *l.Latest); m != nil && !snap.Removed[m.ID] && !snap.IsRefused(m.ID) {
				l.Open = m
			}
		}
		found = found || l.Name == t.Line
		out = append(out, l)
	}
	if !found {
		out = append(out, commits.Line{Name: t.Line, Ref: refname.HeadRef(t.Line), Current: true, Of: t.Line})
	}
	li.follow.ShowTurns(ctx, out)
	return commits.ShownByRef(sorted(out)), nil
}

// ClosedLines are the lines that are closed, as far as the knowledge says so, each with what
// it was renamed to.
func (sv *Saver) ClosedLines(ctx context.Context) map[string]string {
	closed := map[string]string{}
	notes := sv.follow.Notes(ctx)
	for _, n := range notes {
		if !n.Closed {
			continue
		}
		refs, err := sv.repo.Refs(ctx, refname.HeadsPrefix)
		if err != nil {
			return closed
		}
		for name, n := range sv.lines.notesAt(notes, refs) {
			if n.Closed {
				closed[name] = n.RenamedTo
			}
		}
		break
	}
	return closed
}

// sorted puts forks behind their lines, and those whose line is gone behind all.
func sorted(lines []commits.Line) []commits.Line {
	forks := map[string][]commits.Line{}
	for _, l := range lines {
		if l.Fork {
			forks[l.Of] = append(forks[l.Of], l)
		}
	}
	var out []commits.Line
	for _, l := range lines {
		if !l.Fork {
			out = append(append(out, l), forks[l.Name]...)
			delete(forks, l.Name)
		}
	}
	for _, l := range lines {
		if _, left := forks[l.Of]; l.Fork && left {
			out = append(out, l)
		}
	}
	return out
}

// tipRecords reads what lines and forks point to, all at once.
func (li *Lines) tipRecords(refs []refname.Ref) map[string]record.Record {
	var ids []string
	for _, r := range refs {
		if _, ok := commits.LineOf(r); ok {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	return li.commits.CommitRecords(slices.Compact(ids))
}

// latestOf is the newest checkpoint at or behind a tip. Nearly always it is the
// tip itself, which costs no walk.
func (li *Lines) latestOf(ctx context.Context, snap *commits.Snapshot, r refname.Ref, tips map[string]record.Record) (*record.Record, error) {
	var names []string
	rec, ok := tips[r.ID]
	for step := 0; ok && rec.Kind == record.KindTombstone && len(rec.Parents) == 1 && step < history.MaxSteps; step++ {
		names = append(names, commits.Heritable(snap.Names[rec.ID])...)
		next, err := li.commits.CommitRecord(rec.Parents[0])
		rec, ok = next, err == nil
	}
	if ok && rec.Kind != record.KindTombstone && !snap.Removed[rec.ID] && !snap.IsRefused(rec.ID) {
		rec.Names = slices.Clip(snap.Names[rec.ID]) // shared: of many lines at one commit each would have a copy
		if len(names) > 0 {
			rec.Names = slices.Concat(names, rec.Names)
		}
		return &rec, nil
	}
	latest, err := li.commits.Latest(ctx, r.Name)
	if err != nil { // one damaged line must not hide the others; fsck names it
		return nil, ctx.Err()
	}
	return latest, nil
}

// Branch makes a line at rev, or at what the session last saw. ErrExists says
// that there is one of that name, open or closed.
func (li *Lines) Branch(ctx context.Context, name, rev string) (commits.Line, error) {
	if err := li.repo.CheckNewName(name); err != nil {
		return commits.Line{}, err
	}
	return li.branch(ctx, name, rev, nil)
}

// branch makes a line, and does what is to follow before that is acknowledged.
func (li *Lines) branch(ctx context.Context, name, rev string, then func() error) (commits.Line, error) {
	id, err := li.commits.Resolve(ctx, commits.OrAt(rev))
	if err != nil {
		return commits.Line{}, err
	}
	if err := li.admission.Admit(ctx, id, ""); err != nil {
		return commits.Line{}, err
	}
	if err = li.history.Guard(ctx, refname.HeadRef(name), ""); err == nil {
		err = li.ledger.MoveThen(ctx, "sage: branch from "+record.Short(id), then, journal.Move{Ref: refname.HeadRef(name), Old: "", New: id})
	}
	if errors.Is(err, journal.ErrMoved) {
		return commits.Line{}, fmt.Errorf("line '%s' %w", name, repo.ErrExists)
	}
	if err != nil {
		return commits.Line{}, fmt.Errorf("make line '%s': %w", name, err)
	}
	r, err := li.commits.CommitRecord(id)
	return commits.Line{Name: name, Ref: refname.HeadRef(name), Tip: id, Of: name, Latest: &r}, err
}

// Switch makes name the current line of this work tree, or of the session if
// there is one, or has the next save continue the fork of that name. With create
// the line is made at rev first; one that was never saved on may be switched to when
// nothing was saved yet at all, or it goes with the branch.
func (li *Lines) Switch(ctx context.Context, name string, create bool, rev string) (commits.Line, error) {
	left := li.session.CurrentLine()
	l, err := li.switchTo(ctx, name, create, rev)
	if err == nil && l.Of != left {
		_ = li.session.KeepPrevious(left) // without it 'switch -' leads to where it led before
	}
	return l, err
}

func (li *Lines) switchTo(ctx context.Context, name string, create bool, rev string) (commits.Line, error) {
	if !create {
		name = strings.TrimPrefix(name, refname.HeadsPrefix) // as one is shown that reads as an id
	}
	if strings.Contains(name, "/") && !create {
		return li.switchToFork(ctx, name)
	}
	if err := refname.CheckTypedName(name); err != nil {
		return commits.Line{}, err
	}
	l := commits.Line{Name: name, Ref: refname.HeadRef(name), Of: name}
	var err error
	if create {
		if err := li.repo.CheckNewName(name); err != nil {
			return commits.Line{}, err
		}
		if l, err = li.branch(ctx, name, rev, func() error { return li.StepOn(name) }); errors.Is(err, repo.ErrNotFound) && rev == "" {
			l = commits.Line{Name: name, Ref: refname.HeadRef(name), Of: name} // nothing saved yet
			err = li.StepOn(name)
		}
	} else if l.Latest, err = li.commits.Latest(ctx, l.Ref); err == nil && l.Latest == nil && name != refname.DefaultLine && name != li.session.Follow().Line {
		err = &commits.NotFoundError{Kind: "line", Name: name}
	} else if err == nil {
		err = li.StepOn(name)
	}
	if err == nil && l.Tip == "" {
		l.Tip, err = li.repo.Tip(ctx, l.Ref)
	}
	if err != nil {
		return commits.Line{}, err
	}
	l.Current = true
	return l, nil
}

// switchToFork has the next save continue a fork, by the name that [Lines.List] has for it.
func (li *Lines) switchToFork(ctx context.Context, name string) (commits.Line, error) {
	lines, err := li.List(ctx)
	if err != nil {
		return commits.Line{}, err
	}
	i := slices.IndexFunc(lines, func(l commits.Line) bool { return l.Fork && (l.Name == name || l.Ref == name) })
	if i < 0 || lines[i].Latest == nil {
		return commits.Line{}, &commits.NotFoundError{Kind: "fork", Name: name}
	}
	if _, err := li.Restore(ctx, lines[i].Name); err != nil {
		return commits.Line{}, err
	}
	lines[i].Current = true
	return lines[i], nil
}

// StepOn makes a line the current one: that of the session; of a person that of the work
// tree, or that which goes with the branch from now on, where one is followed.
func (li *Lines) StepOn(name string) error {
	if li.repo.Options.Session != "" {
		t := li.session.Stand()
		t.Line, t.Ref, t.Seen = name, "", ""
		return li.session.KeepStand(t)
	}
	restored, _ := fsx.ReadOwn(li.session.StandFile())
	if err := li.session.Forget(); err != nil { // saves would go on from what was restored, beside the old line
		return fmt.Errorf("switch: %w", err)
	}
	// Last: a disk that let nothing be removed could not take it back either.
	if err := li.keepCurrent(name); err != nil {
		if restored != nil {
			_ = fsx.WriteDerived(li.session.StandFile(), restored, 0o644)
		}
		return fmt.Errorf("switch: %w", err)
	}
	return nil
}

func (li *Lines) keepCurrent(name string) error {
	if branch := li.session.Follow().Branch; branch != "" {
		return li.follow.Bind(branch, name)
	}
	if err := li.repo.MakeFoldersDir(); err != nil {
		return err
	}
	return fsx.WriteDerived(li.repo.CurrentFile(), []byte(name+"\n"), 0o644)
}

// Delete closes a line: it is no longer listed, and its checkpoints stay.
// A ref is not deleted, since a teammate's next push would bring it back.
func (li *Lines) Delete(ctx context.Context, name string) error {
	if name == li.session.Stand().Line {
		return fmt.Errorf("line '%s' is the current one: switch to another first", name)
	}
	tip, err := li.repo.Tip(ctx, refname.HeadRef(name))
	if err != nil {
		return err
	}
	if n := li.follow.Notes(ctx)[name]; n.ClosedByHand() && n.ClosedAt == tip {
		return fmt.Errorf("line '%s' is closed already", name)
	}
	return li.note(ctx, name, "close line "+name, func(n *commits.LineNote, tip string) { n.Closed, n.ClosedAt, n.Gone = true, tip, nil }, contents.Also{})
}

// Rename gives a line another name. The old name stays as a closed line
// that says what became of it.
func (li *Lines) Rename(ctx context.Context, old, name string) error {
	if err := li.repo.CheckNewName(name); err != nil {
		return err
	}
	old = strings.TrimPrefix(old, refname.HeadsPrefix)
	id, err := li.commits.Resolve(ctx, refname.HeadRef(old))
	if err != nil {
		return err
	}
	if taken, err := li.repo.Tip(ctx, refname.HeadRef(name)); err != nil {
		return err
	} else if taken != "" {
		return fmt.Errorf("line '%s' %w", name, repo.ErrExists)
	}
	if err := li.mayRename(ctx, old); err != nil {
		return err
	}
	if err := li.history.Guard(ctx, refname.HeadRef(name), ""); err != nil {
		return err
	}
	if err := li.keepPrivate(ctx, old, name); err != nil {
		return err
	}
	and := contents.Also{Moves: []journal.Move{{Ref: refname.HeadRef(name), Old: "", New: id}}, Then: func() error { return li.follow.Rebind(old, name) }}
	if old == li.session.Stand().Line {
		and.Then = func() error { return cmp.Or(li.follow.Rebind(old, name), li.StepOn(name)) }
	}
	return li.renameNote(ctx, old, name, and)
}

// keepPrivate has the new name of a private line be private too, before there is such a line.
func (li *Lines) keepPrivate(ctx context.Context, old, name string) error {
	if !li.repo.IsPrivate(old) {
		return nil
	}
	return li.repo.ChangePrivateLines(ctx, func(list []repo.PrivateLine) []repo.PrivateLine {
		i := slices.IndexFunc(list, func(p repo.PrivateLine) bool { return p.Name == old })
		if i < 0 || slices.ContainsFunc(list, func(p repo.PrivateLine) bool { return p.Name == name }) {
			return list
		}
		return append(list, repo.PrivateLine{Base: list[i].Base, Name: name})
	})
}

// mayRename refuses a line that is closed: its old name would stay, as that of a second
// line, and what it was renamed to is the line.
func (li *Lines) mayRename(ctx context.Context, name string) error {
	tip, err := li.repo.Tip(ctx, refname.HeadRef(name))
	if err != nil || name == li.session.Stand().Line {
		return err
	}
	n := li.notesAt(li.follow.Notes(ctx), []refname.Ref{{Name: refname.HeadRef(name), ID: tip}})[name]
	switch {
	case n.RenamedTo != "":
		return fmt.Errorf("line '%s' was renamed to '%s'", name, n.RenamedTo)
	case n.Closed:
		return remedy.For(fmt.Errorf("line '%s' is closed", name), remedy.SwitchLine.On(name).To("and a save reopen it"))
	}
	return nil
}

// renameNote says in the note of a line what it is called now, and has the new one go with
// its branches.
func (li *Lines) renameNote(ctx context.Context, old, name string, and contents.Also) error {
	tip, err := li.repo.Tip(ctx, refname.HeadRef(old))
	if err != nil || tip == "" {
		return cmp.Or(err, error(&commits.NotFoundError{Kind: "line", Name: old}))
	}
	notes := li.follow.Notes(ctx)
	was, is := notes[old], notes[name]
	is.Branches, is.Gone, is.Began = was.Branches, was.Gone, was.Began
	was.Branches, was.Gone, was.Began, was.Closed, was.ClosedAt, was.RenamedTo = nil, nil, "", true, tip, name
	left, err := li.follow.NoteFile(old)
	if err != nil {
		return err
	}
	files := map[string][]byte{left: []byte(was.Yaml())}
	if text := is.Yaml(); text != "" {
		taken, err := li.follow.NoteFile(name)
		if err != nil {
			return err
		}
		files[taken] = []byte(text)
	}
	return li.contents.WriteAnd(ctx, "rename line "+old+" to "+name, files, and)
}

// note changes what the knowledge tree says of a line.
func (li *Lines) note(ctx context.Context, name, subject string, change func(n *commits.LineNote, tip string), and contents.Also) error {
	if err := refname.CheckName(name); err != nil {
		return err
	}
	tip, err := li.repo.Tip(ctx, refname.HeadRef(name))
	if err != nil || tip == "" {
		return cmp.Or(err, error(&commits.NotFoundError{Kind: "line", Name: name}))
	}
	n := li.follow.Notes(ctx)[name]
	change(&n, tip)
	b, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	file, err := li.follow.NoteFile(name)
	if err != nil {
		return err
	}
	return li.contents.WriteAnd(ctx, subject, map[string][]byte{file: b}, and)
}

// notesAt are the notes of lines whose tips refs tell. A line that was closed and
// has been saved on since is open: what is new must not stay out of sight.
func (li *Lines) notesAt(notes map[string]commits.LineNote, refs []refname.Ref) map[string]commits.LineNote {
	for _, r := range refs {
		l, _ := commits.LineOf(r)
		n, ok := notes[l.Name]
		if !ok || l.Fork || n.ClosedAt == "" || n.ClosedAt == r.ID {
			continue
		}
		now, err := li.commits.SkipTombstones(r.ID)
		then, err2 := li.commits.SkipTombstones(li.rewritten.StandIn(n.ClosedAt))
		if errors.Join(err, err2) == nil && now != then && !li.history.SameHeads(now, then) {
			n.Closed, n.ClosedAt, n.RenamedTo = false, "", ""
			notes[l.Name] = n
		}
	}
	return notes
}
