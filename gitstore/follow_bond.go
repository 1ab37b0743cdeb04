package gitstore

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// A bond is what is kept here of a git branch and its line, beside git. It says that the
// branch was here, so that one that is gone can be told from one that is a teammate's;
// and what was decided here stands against what others' notes say.
type bond struct {
	Branch  string `json:"branch"`
	Line    string `json:"line"`
	Created string `json:"created,omitempty"` // which branch of that name: see Store.created
	From    string `json:"from,omitempty"`    // the commit at which it was made, else its commit then
	Noted   bool   `json:"noted,omitempty"`   // lines/<line>.yaml says so, too
}

// A file for each, so that two processes need no lock: what one writes is whole.
func (s *Store) bondFile(branch string) string { return s.dir("branches", hash16(branch)+".json") }

// bondOf is what is kept of a branch; nil is nothing that could be read.
func (s *Store) bondOf(branch string) *bond {
	b := readBond(s.bondFile(branch))
	if b == nil || b.Branch != branch {
		return nil
	}
	return b
}

func readBond(file string) *bond {
	var b bond
	text, err := fsx.ReadOwn(file)
	if err != nil || json.Unmarshal(text, &b) != nil || CheckName(b.Line) != nil || !branchName(b.Branch) {
		return nil
	}
	return &b
}

// bonds are all that are kept.
func (s *Store) bonds() (out []*bond) {
	list, _ := fsx.ReadDir(s.dir("branches")) // else there is none
	for _, e := range list {
		if b := readBond(s.dir("branches", e.Name())); b != nil && e.Name() == filepath.Base(s.bondFile(b.Branch)) {
			out = append(out, b)
		}
	}
	return out
}

func (s *Store) keepBond(b bond) error {
	text, err := json.Marshal(b)
	if err == nil {
		err = fsx.WriteDerived(s.bondFile(b.Branch), append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("keep which line goes with branch '%s': %w", b.Branch, err)
	}
	return nil
}

func (s *Store) forgetBond(branch string) { _ = fsx.Remove(s.bondFile(branch)) }

// bind has a line go with a branch from now on.
func (s *Store) bind(branch, line string) error {
	defer s.refollow()
	b := bond{Branch: branch, Line: line, Created: s.created(branch), From: s.code().Commit}
	if e, ok := logHead(s.branchLog(branch)); ok && b.Created != "" {
		b.From = e.id
	}
	return s.keepBond(b)
}

// rebind has all branches of a line go with another.
func (s *Store) rebind(old, line string) error {
	defer s.refollow()
	for _, b := range s.bonds() {
		if b.Line != old {
			continue
		}
		b.Line = line
		if err := s.keepBond(*b); err != nil {
			return err
		}
	}
	return nil
}

// madeAgain reports whether a branch is not the one that a bond is about: its log begins
// with another making of it. A log that lost its beginning says nothing.
func (s *Store) madeAgain(b *bond) bool {
	now := s.created(b.Branch)
	return now != "" && now != b.Created
}

// remote branches are named with their remote: origin/main.
func withoutRemote(branch string) string {
	_, name, ok := strings.Cut(branch, "/")
	if !ok {
		return branch
	}
	return name
}
