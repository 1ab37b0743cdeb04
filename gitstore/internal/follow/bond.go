package follow

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/session"
)

// A file for each, so that two processes need no lock: what one writes is whole.
func (fo *Follower) bondFile(branch string) string {
	return fo.repo.Dir("branches", refname.Hash16(branch)+".json")
}

// bondOf is what is kept of a branch; nil is nothing that could be read.
func (fo *Follower) bondOf(branch string) *session.Bond {
	b := readBond(fo.bondFile(branch))
	if b == nil || b.Branch != branch {
		return nil
	}
	return b
}

func readBond(file string) *session.Bond {
	var b session.Bond
	text, err := fsx.ReadOwn(file)
	if err != nil || json.Unmarshal(text, &b) != nil || refname.CheckName(b.Line) != nil || !branchName(b.Branch) {
		return nil
	}
	return &b
}

// bonds are all that are kept.
func (fo *Follower) bonds() (out []*session.Bond) {
	list, _ := fsx.ReadDir(fo.repo.Dir("branches")) // else there is none
	for _, e := range list {
		if b := readBond(fo.repo.Dir("branches", e.Name())); b != nil && e.Name() == filepath.Base(fo.bondFile(b.Branch)) {
			out = append(out, b)
		}
	}
	return out
}

func (fo *Follower) keepBond(b session.Bond) error {
	text, err := json.Marshal(b)
	if err == nil {
		err = fsx.WriteDerived(fo.bondFile(b.Branch), append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("record the line of branch '%s': %w", b.Branch, err)
	}
	return nil
}

func (fo *Follower) forgetBond(branch string) { _ = fsx.Remove(fo.bondFile(branch)) }

// Bind has a line go with a branch from now on.
func (fo *Follower) Bind(branch, line string) error {
	defer fo.session.Refollow()
	b := session.Bond{Branch: branch, Line: line, Created: fo.created(branch), From: fo.repo.Code().Commit}
	if e, ok := logHead(fo.branchLog(branch)); ok && b.Created != "" {
		b.From = e.ID
	}
	if err := fo.keepBond(b); err != nil {
		return err
	}
	_ = fsx.Remove(fo.repo.CurrentFile()) // from before branches were followed, and used up
	return nil
}

// Rebind has all branches of a line go with another.
func (fo *Follower) Rebind(old, line string) error {
	defer fo.session.Refollow()
	for _, b := range fo.bonds() {
		if b.Line != old {
			continue
		}
		b.Line = line
		if err := fo.keepBond(*b); err != nil {
			return err
		}
	}
	return nil
}

// madeAgain reports whether a branch is not the one that a bond is about: its log begins
// with another making of it. A log that lost its beginning says nothing.
func (fo *Follower) madeAgain(b *session.Bond) bool {
	now := fo.created(b.Branch)
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
