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

// bondFiles are what is kept here of branches and their lines, beside what git tells of them.
type bondFiles struct{ branches }

// A file for each, so that two processes need no lock: what one writes is whole.
func (bf *bondFiles) bondFile(branch string) string {
	return bf.repo.Dir("branches", refname.Hash16(branch)+".json")
}

// bondOf is what is kept of a branch; nil is nothing that could be read.
func (bf *bondFiles) bondOf(branch string) *session.Bond {
	b := readBond(bf.bondFile(branch))
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
func (bf *bondFiles) bonds() (out []*session.Bond) {
	list, _ := fsx.ReadDir(bf.repo.Dir("branches")) // else there is none
	for _, e := range list {
		if b := readBond(bf.repo.Dir("branches", e.Name())); b != nil && e.Name() == filepath.Base(bf.bondFile(b.Branch)) {
			out = append(out, b)
		}
	}
	return out
}

func (bf *bondFiles) keepBond(b session.Bond) error {
	text, err := json.Marshal(b)
	if err == nil {
		err = fsx.WriteDerived(bf.bondFile(b.Branch), append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("record the line of branch '%s': %w", b.Branch, err)
	}
	return nil
}

func (bf *bondFiles) forgetBond(branch string) { _ = fsx.Remove(bf.bondFile(branch)) }

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
func (bf *bondFiles) madeAgain(b *session.Bond) bool {
	now := bf.created(b.Branch)
	return now != "" && now != b.Created
}

// withoutRemote is the name of a branch without its remote: main of origin/main.
func withoutRemote(branch string) string {
	_, name, ok := strings.Cut(branch, "/")
	if !ok {
		return branch
	}
	return name
}

// renamed tells of names that branches had what they are called now.
func (bf *bondFiles) renamed(branches map[string]string) map[string]string {
	out := map[string]string{}
	for name := range branches {
		for _, old := range bf.formerNames(name) {
			if branches[old] == "" && bf.bondOf(name) == nil {
				out[old] = name
			}
		}
	}
	return out
}

// beganAt is the commit at which a branch was made, as its log tells, else that at which
// its line was bound to it; "" if neither is known.
func (bf *bondFiles) beganAt(branch string) string {
	if e, ok := logHead(bf.branchLog(branch)); ok && strings.HasPrefix(e.Says, "branch: Created from") {
		return e.ID
	}
	if b := bf.bondOf(branch); b != nil {
		return b.From
	}
	return ""
}
