package pass

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
)

// A TypedRef is a ref as git lists it, with what it points to if it is symbolic.
type TypedRef struct {
	refname.Ref
	Symref string
}

// Refs knows what our refs are, what they were last, and what to do about those that are
// something else.
type Refs struct {
	ctx     context.Context
	rooms   Rooms
	found   *Findings
	objects *Objects

	List          []TypedRef       // as git lists them
	Known         map[string]Value // the last values of refs, by name
	Own           map[string]bool  // ids of what was made here
	UnreadJournal error

	byName map[string]string      // of List; nil before it is asked
	purged rewritten.Replacements // what purges did, by the index and by the records; nil before it is asked
}

// ListRefs lists our refs, also those that point to what cannot be read.
func (rf *Refs) ListRefs() error {
	out, err := rf.rooms.Repo.Git.Run(rf.ctx, "for-each-ref", "--format=%(objectname) %(refname) %(symref)", "refs/sage/")
	if err != nil && len(out) == 0 {
		return fmt.Errorf("list refs: %w", err)
	}
	for l := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), " ")
		if len(f) == 3 {
			rf.List = append(rf.List, TypedRef{refname.Ref{Name: f[1], ID: f[0]}, f[2]})
		}
	}
	return nil
}

// IDOf is the id that git lists for a ref, "" if it lists none of that name.
func (rf *Refs) IDOf(name string) string { return rf.named()[name] }

// Listed reports whether git lists a ref of that name.
func (rf *Refs) Listed(name string) bool { _, ok := rf.named()[name]; return ok }

// named are the values of refs by their names.
func (rf *Refs) named() map[string]string {
	if len(rf.byName) != len(rf.List) {
		rf.byName = make(map[string]string, len(rf.List))
		for _, r := range rf.List {
			rf.byName[r.Name] = r.ID
		}
	}
	return rf.byName
}

// RawOf returns what the file of a ref holds, and whether git cannot read it.
func (rf *Refs) RawOf(name string) (b []byte, broken bool) {
	b, err := fsx.ReadFile(fixes.RefFile(rf.rooms.Repo, name))
	return b, err == nil && !rf.Listed(name)
}
