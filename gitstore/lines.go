package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Lines lists the lines and forks, by name, forks after their line. The
// current line is there even before its first checkpoint.
func (s *Store) Lines(ctx context.Context) ([]Line, error) {
	snap, err := s.look(ctx).get()
	if err != nil {
		return nil, err
	}
	notes := s.notesAt(s.notes(ctx), snap.refs)
	current, found := s.stand().Line, false
	var out []Line
	for _, r := range snap.refs {
		l, ok := lineOf(r)
		if !ok {
			continue
		}
		l.Current = !l.Fork && l.Name == current
		l.Note = notes[l.Name]
		if l.Fork {
			l.Of = nowCalled(notes, l.Of)
		}
		if l.Latest, err = s.latestOf(ctx, snap, r); err != nil {
			return nil, err
		}
		found = found || l.Current
		out = append(out, l)
	}
	if !found {
		out = append(out, Line{Name: current, Ref: headRef(current), Current: true, Of: current})
	}
	return sorted(out), nil
}

// sorted puts forks behind their lines.
func sorted(lines []Line) []Line {
	var out []Line
	for _, l := range lines {
		if l.Fork {
			continue
		}
		out = append(out, l)
		for _, f := range lines {
			if f.Fork && f.Of == l.Name {
				out = append(out, f)
			}
		}
	}
	for _, f := range lines { // whose line is gone
		if f.Fork && !hasLine(out, f.Name) {
			out = append(out, f)
		}
	}
	return out
}

func hasLine(lines []Line, name string) bool {
	for _, l := range lines {
		if l.Name == name {
			return true
		}
	}
	return false
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

// latestOf is the newest checkpoint at or behind a tip. Nearly always it is the
// tip itself, which costs no walk.
func (s *Store) latestOf(ctx context.Context, snap *snapshot, r ref) (*Record, error) {
	rec, err := s.commitRecord(r.id)
	if err == nil && rec.Kind != KindTombstone && !snap.removed[r.id] {
		rec.Names = snap.names[r.id]
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
	if err := CheckName(name); err != nil {
		return Line{}, err
	}
	id, err := s.Resolve(ctx, orAt(rev))
	if err != nil {
		return Line{}, err
	}
	if err = s.guard(ctx, headRef(name), ""); err == nil {
		err = s.move(ctx, "sage: branch from "+short(id), move{headRef(name), "", id})
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
// there is one. With create it is made at rev first; one that was never saved
// on may be switched to when nothing was saved yet at all.
func (s *Store) Switch(ctx context.Context, name string, create bool, rev string) (Line, error) {
	if err := CheckName(name); err != nil {
		return Line{}, err
	}
	l := Line{Name: name, Ref: headRef(name), Of: name}
	var err error
	switch {
	case create:
		if l, err = s.Branch(ctx, name, rev); errors.Is(err, ErrNotFound) && rev == "" {
			l, err = Line{Name: name, Ref: headRef(name), Of: name}, nil // nothing saved yet
		}
	default:
		if l.Latest, err = s.latest(ctx, l.Ref); err == nil && l.Latest == nil && name != DefaultLine {
			err = fmt.Errorf("%w: line '%s'", ErrNotFound, name)
		}
	}
	if err != nil {
		return Line{}, err
	}
	l.Current = true
	if err = s.stepOn(name); err != nil && create && l.Tip != "" {
		err = s.unbranch(l, err)
	}
	return l, err
}

func (s *Store) stepOn(name string) error {
	if s.o.Session != "" {
		t := s.stand()
		t.Line, t.Ref, t.Seen = name, "", ""
		return s.keepStand(t)
	}
	if err := fsx.WriteDerived(s.worktreeDir("line"), []byte(name+"\n"), 0o644); err != nil {
		return fmt.Errorf("switch: %w", err)
	}
	return s.forget()
}

// DeleteLine closes a line: it is no longer listed, and its checkpoints stay.
// A ref is not deleted, since a teammate's next push would bring it back.
func (s *Store) DeleteLine(ctx context.Context, name string) error {
	if name == s.stand().Line {
		return fmt.Errorf("line '%s' is the current one: switch to another first", name)
	}
	return s.note(ctx, name, "close line "+name, func(n *LineNote, tip string) { n.Closed, n.ClosedAt = true, tip })
}

// RenameLine gives a line another name. The old name stays as a closed line
// that says what became of it.
func (s *Store) RenameLine(ctx context.Context, old, name string) error {
	l, err := s.Branch(ctx, name, headRef(old))
	if err != nil {
		return err
	}
	if err := s.note(ctx, old, "rename line "+old+" to "+name, func(n *LineNote, tip string) {
		n.Closed, n.ClosedAt, n.RenamedTo = true, tip, name
	}); err != nil {
		return s.unbranch(l, err)
	}
	if old == s.stand().Line {
		return s.stepOn(name)
	}
	return nil
}

// unbranch takes a new line back because of cause, and returns that. A line that
// was saved on meanwhile stays.
func (s *Store) unbranch(l Line, cause error) error {
	ctx, cancel := context.WithTimeout(context.Background(), undoWait)
	defer cancel()
	if err := s.move(ctx, "sage: undo a new line", move{l.Ref, l.Tip, ""}); err != nil {
		return fmt.Errorf("%w; line '%s' was made and could not be taken back", cause, l.Name)
	}
	return cause
}

func (s *Store) note(ctx context.Context, name, subject string, change func(n *LineNote, tip string)) error {
	if err := CheckName(name); err != nil {
		return err
	}
	tip, err := s.tip(ctx, headRef(name))
	if err != nil || tip == "" {
		return errors.Join(err, fmt.Errorf("%w: line '%s'", ErrNotFound, name))
	}
	n := s.notes(ctx)[name]
	change(&n, tip)
	b, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	return s.WriteFiles(ctx, subject, map[string][]byte{"lines/" + name + ".yaml": b})
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
		if errors.Join(err, err2) == nil && now != then {
			n.Closed, n.ClosedAt, n.RenamedTo = false, "", ""
			notes[l.Name] = n
		}
	}
	return notes
}

// notes reads what the knowledge tree says of lines. What cannot be read says
// nothing: a note never keeps a line from being used.
func (s *Store) notes(ctx context.Context) map[string]LineNote {
	notes := map[string]LineNote{}
	files, err := s.Files(ctx, "lines")
	if err != nil {
		return notes
	}
	for _, f := range files {
		name, ok := strings.CutSuffix(strings.TrimPrefix(f, "lines/"), ".yaml")
		b, err := s.readFile(ctx, f)
		var n LineNote
		if ok && err == nil && yaml.Unmarshal(b, &n) == nil {
			notes[name] = n
		}
	}
	return notes
}
