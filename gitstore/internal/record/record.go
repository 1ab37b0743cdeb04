package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Record is what a commit message tells of a checkpoint: all that a list needs.
type Record struct {
	ID          string
	Parents     []string
	Author      string // which anybody can claim to be
	Email       string
	Own         bool      // it was made here by this user, or they stand for it; all else came from elsewhere, whoever it names
	Mixed       bool      // it was made here by this user of what came from elsewhere, and nobody stands for it
	Unconfirmed bool      // rules made it, see [sage.Rules], and nobody confirmed it or saved on top of it
	Time        time.Time // when it was thought: the author's date
	Recorded    time.Time // the committer's date
	Kind        Kind
	Format      int // 0 is unknown; one above that of this version can be read, not changed
	Description string
	Thesis      string
	Question    string
	Trigger     sage.Trigger
	Confidence  *float64
	Skill       string
	Project     string
	Template    string
	Messages    int
	Tokens      int
	Code        sage.CodeState
	Session     string
	Agent       string
	Names       []string // lines, forks and tags that point to it, in short form
	Removed     bool     // a tombstone holds for it
	Refused     bool     // this user refused it, or all that is new in it: lists leave it out for them
	Removes     []string // of a tombstone: what it removes
	Restores    []string // of a tombstone: what it brings back
	Unsettled   string   // the merge that nobody settled before it, see [commits.Commits.Unsettled]
	Aliases     []string
	Signature   string // what git says of its signature, if asked: as %G?
}

// Counts reports whether lists show a record, or would if it were not hidden.
func (r *Record) Counts() bool { return r.Kind != KindTombstone && !r.Removed && !r.Refused }

// A Kind says what sort of commit it is.
type Kind string

// The kinds of commits on a line.
const (
	KindCheckpoint Kind = "checkpoint"
	KindMerge      Kind = "merge"
	KindTombstone  Kind = "tombstone"
)

// A FilterError says what is wrong with a filter of a query: grep, author, since or until.
type FilterError struct {
	Field string
	Err   error
}

func (e *FilterError) Error() string { return e.Field + ": " + e.Err.Error() }
func (e *FilterError) Unwrap() error { return e.Err }

// An AmbiguousError lists the checkpoints that a short id may mean.
type AmbiguousError struct {
	Prefix     string
	Candidates []Record
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("short id '%s' is ambiguous", e.Prefix)
}

// Digits is how many digits of the candidates' ids tell one from another: at
// least 8, as ids are shown. Among a million checkpoints about 116 pairs share
// their first 8.
func (e *AmbiguousError) Digits() int {
	n := len(Short(e.Candidates[0].ID))
	for i, a := range e.Candidates {
		for _, b := range e.Candidates[:i] {
			for n < min(len(a.ID), len(b.ID)) && a.ID[:n] == b.ID[:n] {
				n++
			}
		}
	}
	return n
}

// SyncTrigger marks a join: a merge that [exchange.Exchange.MergeFetched] made, and so a
// function of its parents. Nobody can give it to a checkpoint of their own.
const SyncTrigger sage.Trigger = "sync"

// IsJoin reports whether a commit is a join.
func (r *Record) IsJoin() bool {
	return len(r.Parents) > 1 && r.Trigger == SyncTrigger && (r.Kind == KindMerge || r.Kind == KindKnowledge)
}

// KindKnowledge is what a commit of the knowledge tree is.
const KindKnowledge Kind = "knowledge"

// IsKind reports whether commits of a kind are known to this version.
func IsKind(kind Kind) bool {
	switch kind {
	case KindCheckpoint, KindMerge, KindTombstone, KindKnowledge:
		return true
	}
	return false
}

// IDs are those that a tombstone is about.
func (r Record) IDs() []string { return append(slices.Clone(r.Removes), r.Restores...) }

// A NewerError says that a commit has a format that this version does not know.
type NewerError struct{ ID string }

func (e *NewerError) Error() string {
	return Short(e.ID) + " has a newer format: upgrade git-sage"
}

// IsNewer reports whether a commit says that it is of a format that this version
// does not know.
func IsNewer(raw []byte) bool {
	msg := strings.TrimRight(string(raw), "\n")
	_, after, _ := strings.Cut(msg[strings.LastIndex(msg, "\n\n")+1:], "Sage-Format: ")
	word, _, _ := strings.Cut(after, "\n")
	n, err := strconv.Atoi(word)
	return err != nil || n > FormatVersion
}

func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
