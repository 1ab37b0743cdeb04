package gitstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A stand is where a session's thought is: which line it is on, which ref holds
// it, and which checkpoint it last saw. An empty seen means the tip of the
// line, whatever that is when it saves.
type stand struct {
	Session string    `json:"session,omitempty"`
	Line    string    `json:"line"`
	Ref     string    `json:"ref,omitempty"`  // the line's ref, or a fork's
	Seen    string    `json:"seen,omitempty"` // id
	Began   time.Time `json:"began,omitzero"`
	Met     time.Time `json:"met,omitzero"` // by who cannot show it what there is

	Branch string          `json:"branch,omitempty"` // of git's, where one is followed
	Others map[string]spot `json:"others,omitempty"` // where it stood while HEAD was on others, by branch

	begins bool // the line does not exist yet: a save begins it, at Seen
}

// A spot is where a session stood.
type spot struct {
	Line string `json:"line"`
	Ref  string `json:"ref,omitempty"`
	Seen string `json:"seen,omitempty"`
}

// sound reports whether a spot is one that we could have written.
func (p spot) sound() bool {
	return CheckName(p.Line) == nil && (p.Ref == "" || strings.HasPrefix(p.Ref, headsPrefix) || strings.HasPrefix(p.Ref, forksPrefix)) && (p.Seen == "" || isHex(p.Seen))
}

func (t stand) ref() string {
	if t.Ref != "" {
		return t.Ref
	}
	return headRef(t.Line)
}

// standFile is where a session's stand is kept. For a person at the shell the
// work tree is the session, from `restore` until the next `switch` or `merge`.
func (s *Store) standFile() string {
	switch {
	case s.o.Session == "" && s.o.Folder != "":
		return s.folderHere().file + ".json"
	case s.o.Session == "":
		return s.worktreeDir("stand.json")
	}
	return s.dir("sessions", hash16(s.o.Session)+".json")
}

// stand reads where the session is. One that is unreadable, or was never
// written, is a session that has seen nothing yet.
func (s *Store) stand() stand {
	t, ok := readStand(s.standFile())
	f := s.follow()
	switch {
	case !ok:
		t = stand{Session: s.o.Session, Line: s.lineHere(), Branch: f.branch}
	case f.branch != "":
		t = t.movedTo(f)
	case t.Branch != "" && t.Seen == "": // branches are not followed any more, and it saved nothing
		t.Line, t.Ref, t.Branch = s.lineHere(), "", ""
	}
	if f.start != "" && t.Line == f.line && t.Seen == "" && t.Ref == "" {
		t.Seen, t.begins = f.start, true
	}
	t.Seen = s.standIn(t.Seen)
	return t
}

func readStand(file string) (t stand, ok bool) {
	b, err := fsx.ReadOwn(file)
	if err != nil || json.Unmarshal(b, &t) != nil || CheckName(t.Line) != nil {
		return stand{}, false
	}
	if !(spot{t.Line, t.Ref, t.Seen}).sound() {
		return stand{}, false
	}
	return t, true
}

// Position is the ref that the session is on, and the checkpoint that it last
// saw, "" if it has seen none. It asks nobody.
func (s *Store) Position() (ref, seen string) {
	t := s.stand()
	return t.ref(), t.Seen
}

// standFiles are where sessions, work trees and folders outside of git stand.
func (s *Store) standFiles() []string {
	files := append(filesBelow(s.dir("sessions")), filesBelow(s.foldersDir())...) // no pattern: a path of the user's may hold signs of one
	for _, dir := range s.ownFolders() {
		files = append(files, filepath.Join(dir, "stand.json"))
	}
	return files
}

func (s *Store) keepStand(t stand) error {
	if err := s.makeFoldersDir(); err != nil {
		return err
	}
	return keepStandAt(s.standFile(), t)
}

func keepStandAt(file string, t stand) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := fsx.WriteDerived(file, append(b, '\n'), 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	return nil
}

// forget ends what `restore` began for a person at the shell.
func (s *Store) forget() error {
	err := fsx.Remove(s.standFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Begin records which line the session is on, if it is new, so that a person
// who switches lines meanwhile does not move it.
func (s *Store) Begin(ctx context.Context) error {
	if s.o.Session == "" {
		return nil
	}
	t, ok := readStand(s.standFile())
	if ok && (t.Met.IsZero() || !t.Began.IsZero()) {
		return nil
	}
	if !ok {
		t = stand{Session: s.o.Session, Line: s.lineHere(), Branch: s.follow().branch}
	}
	t.Began = s.o.Now().UTC().Truncate(time.Second)
	return s.keepStand(t)
}

// Meet records which line the session is on as [Store.Begin] does, for who cannot show it
// what there is: it has not begun yet, but is known.
func (s *Store) Meet(ctx context.Context) error {
	if s.o.Session == "" {
		return nil
	}
	if _, ok := readStand(s.standFile()); ok {
		return nil
	}
	return s.keepStand(stand{Session: s.o.Session, Line: s.lineHere(), Branch: s.follow().branch, Met: s.o.Now().UTC().Truncate(time.Second)})
}

// Begun reports whether [Store.Begin] recorded the session: whoever does that shows it
// what there is.
func (s *Store) Begun() bool {
	t, ok := readStand(s.standFile())
	return ok && !t.Began.IsZero()
}

// CurrentLine is the line of this work tree, or of the session if it has one.
func (s *Store) CurrentLine() string {
	if s.o.Session != "" {
		return s.stand().Line
	}
	return s.lineHere()
}

// lineHere is the line of this work tree: that which goes with git's branch, where one is
// followed. Outside of git it is that of the folder.
func (s *Store) lineHere() string {
	if f := s.follow(); f.branch != "" {
		return f.line
	}
	if s.o.Folder != "" {
		return readLine(s.currentFile(), s.folderHere().line)
	}
	return readLine(s.currentFile(), DefaultLine)
}

// readLine is the line that a file names, or else this one.
func readLine(file, otherwise string) string {
	b, err := fsx.ReadOwn(file)
	if name := text(b); err == nil && CheckName(name) == nil {
		return name
	}
	return otherwise
}

// refGuess is the ref whose value the discovery should ask for.
func (s *Store) refGuess(d dirs) string {
	if s.o.Folder != "" { // which line that is on is only known behind it
		return headRef(DefaultLine)
	}
	g := Store{o: s.o} // which follows nothing: nobody knows the settings yet
	g.where.gitDir, g.where.commonDir = d.git, d.common
	if s.o.Global {
		g.where.gitDir, g.where.commonDir = s.o.Dir, s.o.Dir
	}
	return g.stand().ref()
}

// Restore makes rev the parent of the session's next save and returns it. If
// it is the newest of a line or fork, the next save moves that on. Where that cannot be
// written down, as in a repository that may only be read, it is returned with an
// ErrNotKept.
func (s *Store) Restore(ctx context.Context, rev string) (*sage.Checkpoint, error) {
	c, err := s.Load(ctx, rev)
	if err != nil {
		return nil, err
	}
	t := s.stand()
	if rev == "@" && s.o.Session == "" && t.Seen == "" { // on the line already, at its tip
		return c, nil
	}
	lines, err := s.Lines(ctx)
	if err != nil {
		return nil, err
	}
	if t.begins && t.Seen == c.ID && !hasLine(lines, rev) { // the line of the branch begins there all the same
		t.Seen = ""
		return c, s.keepStand(t)
	}
	if l := headedBy(lines, c.ID, rev, t.Line); l != nil {
		t.Line, t.Ref = l.Of, l.Ref
	} else {
		t.Ref = ""
	}
	t.Seen = c.ID
	if s.o.Session == "" && rev == t.Line && t.Ref == headRef(rev) {
		t.Seen = "" // a person who names a line stands on it as on a branch of git
	}
	return c, s.keepStand(t)
}

// headedBy is the line or fork whose newest checkpoint is id, or nil. Of
// several it is the one that was asked for by name, else the one where the
// session is, else any line before any fork.
func headedBy(lines []Line, id, name, current string) (best *Line) {
	most := -1
	for i, l := range lines {
		rank := 0
		switch {
		case l.Latest == nil || l.Latest.ID != id:
			continue
		case l.Name == name:
			rank = 3
		case l.Name == current:
			rank = 2
		case !l.Fork:
			rank = 1
		}
		if rank > most {
			best, most = &lines[i], rank
		}
	}
	return best
}

// Seen returns what the session's next save continues: what it last saw, else
// the newest checkpoint of its line. It is nil if there is none.
func (s *Store) Seen(ctx context.Context) (*Record, error) {
	t := s.stand()
	if t.Seen != "" {
		if id, err := s.liveAt(ctx, t.ref(), t.Seen); err == nil && id == "" {
			return nil, nil
		} else if r, err := s.Record(ctx, id); err == nil {
			return &r, nil
		}
	}
	return s.latest(ctx, t.ref())
}

// latest is the newest checkpoint of a ref that is not removed, or nil. A ref whose commit
// git lost is no empty line: the commit comes back from the backup, or that is an error.
func (s *Store) latest(ctx context.Context, ref string) (*Record, error) {
	recs, err := s.Log(ctx, Query{Revs: []string{ref}, Max: 1})
	none := func() bool { return errors.Is(err, ErrNotFound) || err == nil && len(recs) == 0 }
	if none() {
		tip, terr := s.tip(ctx, ref)
		if tip == "" || terr != nil {
			return nil, terr
		}
		if err := s.holdsOne(ctx, ref, tip); err != nil {
			return nil, err
		}
		recs, err = s.Log(ctx, Query{Revs: []string{ref}, Max: 1})
	}
	if none() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &recs[0], nil
}
