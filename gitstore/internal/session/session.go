package session

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
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A Stand is where a session's thought is: which line it is on, which ref holds
// it, and which checkpoint it last saw. An empty seen means the tip of the
// line, whatever that is when it saves.
type Stand struct {
	Session string    `json:"session,omitempty"`
	Line    string    `json:"line"`
	Ref     string    `json:"ref,omitempty"`  // the line's ref, or a fork's
	Seen    string    `json:"seen,omitempty"` // id
	Began   time.Time `json:"began,omitzero"`
	Met     time.Time `json:"met,omitzero"` // by who cannot show it what there is

	Branch string          `json:"branch,omitempty"` // of git's, where one is followed
	Others map[string]spot `json:"others,omitempty"` // where it stood while HEAD was on others, by branch
	Left   string          `json:"left,omitempty"`   // the line that it left last with a switch

	Begins bool `json:"-"` // the line does not exist yet: a save begins it, at Seen
}

// A spot is where a session stood.
type spot struct {
	Line string `json:"line"`
	Ref  string `json:"ref,omitempty"`
	Seen string `json:"seen,omitempty"`
}

// sound reports whether a spot is one that we could have written.
func (p spot) sound() bool {
	return refname.CheckName(p.Line) == nil && (p.Ref == "" || strings.HasPrefix(p.Ref, refname.HeadsPrefix) || strings.HasPrefix(p.Ref, refname.ForksPrefix)) && (p.Seen == "" || record.IsHex(p.Seen))
}

func (t Stand) On() string {
	if t.Ref != "" {
		return t.Ref
	}
	return refname.HeadRef(t.Line)
}

// StandFile is where a session's stand is kept. For a person at the shell the
// work tree is the session, from `restore` until the next `switch` or `merge`.
func (s *Memory) StandFile() string {
	switch {
	case s.repo.Options.Session == "" && s.repo.Options.Folder != "":
		return s.repo.FolderHere().File + ".json"
	case s.repo.Options.Session == "":
		return s.repo.WorktreeDir("stand.json")
	}
	return s.repo.Dir("sessions", refname.Hash16(s.repo.Options.Session)+".json")
}

// Stand reads where the session is. One that is unreadable, or was never
// written, is a session that has seen nothing yet.
func (s *Memory) Stand() Stand {
	t, ok := ReadStand(s.StandFile())
	f := s.Follow()
	switch {
	case !ok:
		t = Stand{Session: s.repo.Options.Session, Line: s.LineHere(), Branch: f.Branch}
	case f.Branch != "":
		t = t.movedTo(f)
	case t.Branch != "" && t.Seen == "": // branches are not followed any more, and it saved nothing
		t.Line, t.Ref, t.Branch = s.LineHere(), "", ""
	}
	if f.Start != "" && t.Line == f.Line && t.Seen == "" && t.Ref == "" {
		t.Seen, t.Begins = f.Start, true
	}
	t.Seen = s.rewritten.StandIn(t.Seen)
	return t
}

func ReadStand(file string) (t Stand, ok bool) {
	b, err := fsx.ReadOwn(file)
	if err != nil || json.Unmarshal(b, &t) != nil || refname.CheckName(t.Line) != nil {
		return Stand{}, false
	}
	if !(spot{t.Line, t.Ref, t.Seen}).sound() {
		return Stand{}, false
	}
	return t, true
}

// Position is the ref that the session is on, and the checkpoint that it last
// saw, "" if it has seen none. It asks nobody.
func (s *Memory) Position() (ref, seen string) {
	t := s.Stand()
	return t.On(), t.Seen
}

// StandFiles are where sessions, work trees and folders outside of git stand.
func (s *Memory) StandFiles() []string {
	files := append(fsx.FilesBelow(s.repo.Dir("sessions")), fsx.FilesBelow(s.repo.FoldersDir())...) // no pattern: a path of the user's may hold signs of one
	for _, dir := range s.repo.OwnFolders() {
		files = append(files, filepath.Join(dir, "stand.json"))
	}
	return files
}

func (s *Memory) KeepStand(t Stand) error {
	if err := s.repo.MakeFoldersDir(); err != nil {
		return err
	}
	return KeepStandAt(s.StandFile(), t)
}

func KeepStandAt(file string, t Stand) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := fsx.WriteDerived(file, append(b, '\n'), 0o644); err != nil {
		return fmt.Errorf("%w: %w", repo.ErrNotKept, err)
	}
	return nil
}

// Forget ends what `restore` began for a person at the shell.
func (s *Memory) Forget() error {
	err := fsx.Remove(s.StandFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Begin records which line the session is on, if it is new, so that a person
// who switches lines meanwhile does not move it.
func (s *Memory) Begin(ctx context.Context) error {
	if s.repo.Options.Session == "" {
		return nil
	}
	t, ok := ReadStand(s.StandFile())
	if ok && (t.Met.IsZero() || !t.Began.IsZero()) {
		return nil
	}
	if !ok {
		t = Stand{Session: s.repo.Options.Session, Line: s.LineHere(), Branch: s.Follow().Branch}
	}
	t.Began = s.repo.Options.Now().UTC().Truncate(time.Second)
	return s.KeepStand(t)
}

// Meet records which line the session is on as [Memory.Begin] does, for who cannot show it
// what there is: it has not begun yet, but is known.
func (s *Memory) Meet(ctx context.Context) error {
	if s.repo.Options.Session == "" {
		return nil
	}
	if _, ok := ReadStand(s.StandFile()); ok {
		return nil
	}
	return s.KeepStand(Stand{Session: s.repo.Options.Session, Line: s.LineHere(), Branch: s.Follow().Branch, Met: s.repo.Options.Now().UTC().Truncate(time.Second)})
}

// Begun reports whether [Memory.Begin] recorded the session: whoever does that shows it
// what there is.
func (s *Memory) Begun() bool {
	t, ok := ReadStand(s.StandFile())
	return ok && !t.Began.IsZero()
}

// CurrentLine is the line of this work tree, or of the session if it has one.
func (s *Memory) CurrentLine() string {
	if s.repo.Options.Session != "" {
		return s.Stand().Line
	}
	return s.LineHere()
}

// LineHere is the line of this work tree: that which goes with git's branch, where one is
// followed. Outside of git it is that of the folder.
func (s *Memory) LineHere() string {
	if f := s.Follow(); f.Branch != "" {
		return f.Line
	}
	if s.repo.Options.Folder != "" {
		return readLine(s.repo.CurrentFile(), s.repo.FolderHere().Line)
	}
	return s.SwitchedTo()
}

// PreviousLine is the line that a switch left last in this session or work tree, "" for none.
func (s *Memory) PreviousLine() string {
	if s.repo.Options.Session != "" {
		return s.Stand().Left
	}
	return readLine(previousFile(s.repo), "")
}

// KeepPrevious records the line that a switch left.
func (s *Memory) KeepPrevious(line string) error {
	if s.repo.Options.Session == "" {
		return fsx.WriteDerived(previousFile(s.repo), []byte(line+"\n"), 0o644)
	}
	t, ok := ReadStand(s.StandFile()) // as it is kept: where a line begins is found out anew
	if !ok {
		return nil
	}
	t.Left = line
	return s.KeepStand(t)
}

// SwitchedTo is the line to which somebody switched in this work tree while no branches were
// followed, else the default line.
func (s *Memory) SwitchedTo() string { return readLine(s.repo.CurrentFile(), refname.DefaultLine) }

// readLine is the line that a file names, or else this one.
func readLine(file, otherwise string) string {
	b, err := fsx.ReadOwn(file)
	if name := git.Text(b); err == nil && refname.CheckName(name) == nil {
		return name
	}
	return otherwise
}

// previousFile is where the line is kept that somebody left last with a switch in this work
// tree, or outside of git in this folder.
func previousFile(rp *repo.Repo) string {
	if rp.Options.Folder != "" {
		return rp.FolderHere().File + ".previous"
	}
	return rp.WorktreeDir("previous")
}
