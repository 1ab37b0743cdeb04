package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// Lines lists the lines and forks, by name, forks after their line. The
// current line is there even before its first checkpoint; a fork of it is current, too,
// if the session stands there.
func (s *Store) Lines(ctx context.Context) ([]Line, error) {
	snap, err := s.look(ctx).get()
	if err != nil {
		return nil, err
	}
	notes := s.notesAt(s.notes(ctx), snap.refs)
	t, found := s.stand(), false
	tips := s.tipRecords(snap.refs)
	var out []Line
	for _, r := range snap.refs {
		l, ok := lineOf(r)
		if !ok {
			continue
		}
		l.Current = !l.Fork && l.Name == t.Line || l.Fork && l.Ref == t.Ref
		l.Note = notes[l.Name]
		if l.Fork {
			l.Of = nowCalled(notes, l.Of)
		}
		if l.Latest, err = s.latestOf(ctx, snap, r, tips); err != nil {
			return nil, err
		}
		found = found || l.Name == t.Line
		out = append(out, l)
	}
	if !found {
		out = append(out, Line{Name: t.Line, Ref: headRef(t.Line), Current: true, Of: t.Line})
	}
	s.showTurns(ctx, out)
	return shownByRef(sorted(out)), nil
}

// shownByRef gives lines that would read as ids the names of their refs.
func shownByRef(lines []Line) []Line {
	for i, l := range lines {
		if !l.Fork && readsAsID(l.Name) {
			lines[i].Name = l.Ref
		}
	}
	return lines
}

// sorted puts forks behind their lines, and those whose line is gone behind all.
func sorted(lines []Line) []Line {
	forks := map[string][]Line{}
	for _, l := range lines {
		if l.Fork {
			forks[l.Of] = append(forks[l.Of], l)
		}
	}
	var out []Line
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

func hasLine(lines []Line, name string) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return l.Name == name })
}

func lineOf(r ref) (Line, bool) {
	if name, ok := strings.CutPrefix(r.name, headsPrefix); ok {
		return Line{Name: name, Ref: r.name, Tip: r.id, Of: name}, true
	}
	if name, ok := strings.CutPrefix(r.name, forksPrefix); ok {
		of, _, _ := strings.Cut(name, "/")
		return Line{Name: name, Ref: r.name, Tip: r.id, Fork: true, Of: of}, true
	}
	return Line{}, false
}

// tipRecords reads what lines and forks point to, all at once.
func (s *Store) tipRecords(refs []ref) map[string]Record {
	var ids []string
	for _, r := range refs {
		if _, ok := lineOf(r); ok {
			ids = append(ids, r.id)
		}
	}
	slices.Sort(ids)
	return s.commitRecords(slices.Compact(ids))
}

// maxSteps is how many removals at a tip are passed by without a walk by git.
const maxSteps = 20

// latestOf is the newest checkpoint at or behind a tip. Nearly always it is the
// tip itself, which costs no walk.
func (s *Store) latestOf(ctx context.Context, snap *snapshot, r ref, tips map[string]Record) (*Record, error) {
	var names []string
	rec, ok := tips[r.id]
	for step := 0; ok && rec.Kind == KindTombstone && len(rec.Parents) == 1 && step < maxSteps; step++ {
		names = append(names, heritable(snap.names[rec.ID])...)
		next, err := s.commitRecord(rec.Parents[0])
		rec, ok = next, err == nil
	}
	if ok && rec.Kind != KindTombstone && !snap.removed[rec.ID] {
		rec.Names = slices.Clip(snap.names[rec.ID]) // shared: of many lines at one commit each would have a copy
		if len(names) > 0 {
			rec.Names = slices.Concat(names, rec.Names)
		}
		return &rec, nil
	}
	latest, err := s.latest(ctx, r.name)
	if err != nil { // one damaged line must not hide the others; fsck names it
		return nil, ctx.Err()
	}
	return latest, nil
}

// Branch makes a line at rev, or at what the session last saw. ErrExists says
// that there is one of that name, open or closed.
func (s *Store) Branch(ctx context.Context, name, rev string) (Line, error) {
	if err := s.checkNewName(name); err != nil {
		return Line{}, err
	}
	return s.branch(ctx, name, rev, nil)
}

// branch makes a line, and does what is to follow before that is acknowledged.
func (s *Store) branch(ctx context.Context, name, rev string, then func() error) (Line, error) {
	id, err := s.Resolve(ctx, orAt(rev))
	if err != nil {
		return Line{}, err
	}
	if err := s.admit(ctx, id, ""); err != nil {
		return Line{}, err
	}
	if err = s.guard(ctx, headRef(name), ""); err == nil {
		err = s.moveThen(ctx, "sage: branch from "+short(id), then, move{headRef(name), "", id})
	}
	if errors.Is(err, errMoved) {
		return Line{}, fmt.Errorf("line '%s' %w", name, ErrExists)
	}
	if err != nil {
		return Line{}, fmt.Errorf("make line '%s': %w", name, err)
	}
	r, err := s.commitRecord(id)
	return Line{Name: name, Ref: headRef(name), Tip: id, Of: name, Latest: &r}, err
}

// Switch makes name the current line of this work tree, or of the session if
// there is one, or has the next save continue the fork of that name. With create
// the line is made at rev first; one that was never saved on may be switched to when
// nothing was saved yet at all, or it goes with the branch.
func (s *Store) Switch(ctx context.Context, name string, create bool, rev string) (Line, error) {
	if !create {
		name = strings.TrimPrefix(name, headsPrefix) // as one is shown that reads as an id
	}
	if strings.Contains(name, "/") && !create {
		return s.switchToFork(ctx, name)
	}
	if err := CheckName(name); err != nil {
		return Line{}, err
	}
	l := Line{Name: name, Ref: headRef(name), Of: name}
	var err error
	if create {
		if err := s.checkNewName(name); err != nil {
			return Line{}, err
		}
		if l, err = s.branch(ctx, name, rev, func() error { return s.stepOn(name) }); errors.Is(err, ErrNotFound) && rev == "" {
			l = Line{Name: name, Ref: headRef(name), Of: name} // nothing saved yet
			err = s.stepOn(name)
		}
	} else if l.Latest, err = s.latest(ctx, l.Ref); err == nil && l.Latest == nil && name != DefaultLine && name != s.follow().line {
		err = fmt.Errorf("%w: line '%s'", ErrNotFound, name)
	} else if err == nil {
		err = s.stepOn(name)
	}
	if err == nil && l.Tip == "" {
		l.Tip, err = s.tip(ctx, l.Ref)
	}
	if err != nil {
		return Line{}, err
	}
	l.Current = true
	return l, nil
}

// switchToFork has the next save continue a fork, by the name that [Store.Lines] has for it.
func (s *Store) switchToFork(ctx context.Context, name string) (Line, error) {
	lines, err := s.Lines(ctx)
	if err != nil {
		return Line{}, err
	}
	i := slices.IndexFunc(lines, func(l Line) bool { return l.Fork && (l.Name == name || l.Ref == name) })
	if i < 0 || lines[i].Latest == nil {
		return Line{}, fmt.Errorf("%w: fork '%s'", ErrNotFound, name)
	}
	if _, err := s.Restore(ctx, lines[i].Name); err != nil {
		return Line{}, err
	}
	lines[i].Current = true
	return lines[i], nil
}

// stepOn makes a line the current one: that of the session; of a person that of the work
// tree, or that which goes with the branch from now on, where one is followed.
func (s *Store) stepOn(name string) error {
	if s.o.Session != "" {
		t := s.stand()
		t.Line, t.Ref, t.Seen = name, "", ""
		return s.keepStand(t)
	}
	restored, _ := fsx.ReadOwn(s.standFile())
	if err := s.forget(); err != nil { // saves would go on from what was restored, beside the old line
		return fmt.Errorf("switch: %w", err)
	}
	// Last: a disk that let nothing be removed could not take it back either.
	if err := s.keepCurrent(name); err != nil {
		if restored != nil {
			_ = fsx.WriteDerived(s.standFile(), restored, 0o644)
		}
		return fmt.Errorf("switch: %w", err)
	}
	return nil
}

func (s *Store) keepCurrent(name string) error {
	if branch := s.follow().branch; branch != "" {
		return s.bind(branch, name)
	}
	if err := s.makeFoldersDir(); err != nil {
		return err
	}
	return fsx.WriteDerived(s.currentFile(), []byte(name+"\n"), 0o644)
}

// DeleteLine closes a line: it is no longer listed, and its checkpoints stay.
// A ref is not deleted, since a teammate's next push would bring it back.
func (s *Store) DeleteLine(ctx context.Context, name string) error {
	if name == s.stand().Line {
		return fmt.Errorf("line '%s' is the current one: switch to another first", name)
	}
	return s.note(ctx, name, "close line "+name, func(n *LineNote, tip string) { n.Closed, n.ClosedAt, n.Gone = true, tip, nil }, also{})
}

// RenameLine gives a line another name. The old name stays as a closed line
// that says what became of it.
func (s *Store) RenameLine(ctx context.Context, old, name string) error {
	if err := s.checkNewName(name); err != nil {
		return err
	}
	old = strings.TrimPrefix(old, headsPrefix)
	id, err := s.Resolve(ctx, headRef(old))
	if err != nil {
		return err
	}
	if taken, err := s.tip(ctx, headRef(name)); err != nil {
		return err
	} else if taken != "" {
		return fmt.Errorf("line '%s' %w", name, ErrExists)
	}
	if err := s.mayRename(ctx, old); err != nil {
		return err
	}
	if err := s.guard(ctx, headRef(name), ""); err != nil {
		return err
	}
	and := also{moves: []move{{headRef(name), "", id}}, then: func() error { return s.rebind(old, name) }}
	if old == s.stand().Line {
		and.then = func() error { return cmp.Or(s.rebind(old, name), s.stepOn(name)) }
	}
	return s.renameNote(ctx, old, name, and)
}

// mayRename refuses a line that is closed: its old name would stay, as that of a second
// line, and what it was renamed to is the line.
func (s *Store) mayRename(ctx context.Context, name string) error {
	tip, err := s.tip(ctx, headRef(name))
	if err != nil || name == s.stand().Line {
		return err
	}
	n := s.notesAt(s.notes(ctx), []ref{{name: headRef(name), id: tip}})[name]
	switch {
	case n.RenamedTo != "":
		return fmt.Errorf("line '%s' is called '%s' now", name, n.RenamedTo)
	case n.Closed:
		return fmt.Errorf("line '%s' is closed: 'git sage switch %s' has it back", name, name)
	}
	return nil
}

// renameNote says in the note of a line what it is called now, and has the new one go with
// its branches.
func (s *Store) renameNote(ctx context.Context, old, name string, and also) error {
	tip, err := s.tip(ctx, headRef(old))
	if err != nil || tip == "" {
		return cmp.Or(err, fmt.Errorf("%w: line '%s'", ErrNotFound, old))
	}
	notes := s.notes(ctx)
	was, is := notes[old], notes[name]
	is.Branches, is.Gone, is.Began = was.Branches, was.Gone, was.Began
	was.Branches, was.Gone, was.Began, was.Closed, was.ClosedAt, was.RenamedTo = nil, nil, "", true, tip, name
	files := map[string][]byte{"lines/" + old + ".yaml": []byte(was.yaml())}
	if text := is.yaml(); text != "" {
		files["lines/"+name+".yaml"] = []byte(text)
	}
	return s.writeAnd(ctx, "rename line "+old+" to "+name, files, and)
}

// note changes what the knowledge tree says of a line.
func (s *Store) note(ctx context.Context, name, subject string, change func(n *LineNote, tip string), and also) error {
	if err := CheckName(name); err != nil {
		return err
	}
	tip, err := s.tip(ctx, headRef(name))
	if err != nil || tip == "" {
		return cmp.Or(err, fmt.Errorf("%w: line '%s'", ErrNotFound, name))
	}
	n := s.notes(ctx)[name]
	change(&n, tip)
	b, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	return s.writeAnd(ctx, subject, map[string][]byte{"lines/" + name + ".yaml": b}, and)
}

// notesAt are the notes of lines whose tips refs tell. A line that was closed and
// has been saved on since is open: what is new must not stay out of sight.
func (s *Store) notesAt(notes map[string]LineNote, refs []ref) map[string]LineNote {
	for _, r := range refs {
		l, _ := lineOf(r)
		n, ok := notes[l.Name]
		if !ok || l.Fork || n.ClosedAt == "" || n.ClosedAt == r.id {
			continue
		}
		now, err := s.skipTombstones(r.id)
		then, err2 := s.skipTombstones(s.standIn(n.ClosedAt))
		if errors.Join(err, err2) == nil && now != then && !s.sameHeads(now, then) {
			n.Closed, n.ClosedAt, n.RenamedTo = false, "", ""
			notes[l.Name] = n
		}
	}
	return notes
}

// notes reads what the knowledge tree says of lines.
func (s *Store) notes(ctx context.Context) map[string]LineNote { return s.notesIn(s.knowledge()) }

// notesIn reads that of a version of the tree. What cannot be read says nothing: a note
// never keeps a line from being used.
func (s *Store) notesIn(tree string) map[string]LineNote {
	notes := map[string]LineNote{}
	if s.mayRead(tree) != nil {
		return notes
	}
	entries, err := s.folder(tree + ":" + linesDir)
	if err != nil {
		return notes
	}
	sum := tally{bound: lineBound}
	_ = s.eachItem(lineBound.boundedFiles(linesDir, entries), func(f treeEntry, o git.Object, err error) {
		if err != nil || o.Type != "blob" || sum.add(f.name, len(o.Data)) != nil {
			return
		}
		if n, err := parseNote(o.Data); err == nil {
			notes[strings.TrimSuffix(path.Base(f.name), ".yaml")] = n
		}
	})
	return notes
}
