// Package part is what a feature offers to be checked, purged and kept in shape with the
// rest of the memory.
//
// Whatever a feature keeps beside git's own refs and objects, conversations, a search
// index, an index of code, is a Part. fsck, doctor, purge and upkeep know no feature by
// name: they go through the parts that a store was opened with.
package part

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A Part is something that a feature keeps beside git. Its methods are called one after
// the other, in processes that may be killed anywhere, and may run beside other processes.
// What one of them fails at is reported and keeps no other part from its turn.
type Part interface {
	// Name is what messages call it: "conversations".
	Name() string

	// Check tells of what is damaged, and changes nothing. Of anything that grows it reads
	// at most most entries; 0 is all.
	Check(ctx context.Context, most int, found func(Finding)) error

	// Clean carries out one step of a purge; see [Step].
	Clean(ctx context.Context, r Rule) (Cleaned, error)

	// Upkeep packs what has become many files, and removes what nobody needs. It runs
	// every few hundred saves, at low priority.
	Upkeep(ctx context.Context) error
}

// A Diagnoser is a Part that has lines of its own in doctor's report, beside what its Check
// finds.
type Diagnoser interface {
	Diagnose(ctx context.Context) []Diagnosis
}

// Nothing is a Part without a name that has nothing to do. A Part that has nothing to check,
// or nothing to keep in shape, embeds it.
type Nothing struct{}

// Check finds nothing.
func (Nothing) Check(context.Context, int, func(Finding)) error { return nil }

// Clean holds nothing.
func (Nothing) Clean(context.Context, Rule) (Cleaned, error) { return Cleaned{}, nil }

// Upkeep does nothing.
func (Nothing) Upkeep(context.Context) error { return nil }

// A Step is one of the three of a purge.
type Step int

const (
	Plan   Step = iota // say what holds it, and change nothing
	Remove             // take it out; Held is what held it
	Prove              // all parts had their turn: say what still holds it
)

// A Rule says what a purge takes out.
type Rule struct {
	Step    Step
	Path    string                   // of the file or folder of knowledge that goes; "" if none does
	Match   string                   // the pattern of the text that goes; "" if none does
	Holds   func(text string) bool   // whether a text has a match of the pattern
	Without func(text string) string // the text with a note in place of each match
	Gone    map[string]bool          // whole ids of checkpoints that are gone
	Changed func(id string) bool     // whether a purge replaced or removed an object
}

// Cleaned says what came of a step.
type Cleaned struct {
	Held   []Left        // what holds, or held, what is purged
	Unread int           // what may hold it, and is dropped unread
	Beyond []remedy.Note // where copies stay that this purge does not reach, and what to do there
}

// Left is a file or object that holds what is purged, and what to do about it.
type Left struct{ Name, Why string }

// A Set is the parts of a store, in the order in which they were registered.
type Set struct{ all []Part }

// Register adds parts.
func (s *Set) Register(parts ...Part) { s.all = append(s.all, parts...) }

// All are the parts.
func (s *Set) All() []Part { return slices.Clone(s.all) }

// Each lets every part do something, whatever became of those before it, and returns what
// went wrong in one line.
func (s *Set) Each(do func(Part) error) error {
	var errs []error
	for _, p := range s.all {
		errs = append(errs, do(p))
	}
	return Join(errs...)
}

// Join is errors.Join whose text is one line.
func Join(errs ...error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return oneLine(errs)
}

type oneLine []error

func (e oneLine) Error() string {
	var all []string
	for _, err := range e {
		all = append(all, err.Error())
	}
	return strings.Join(all, "; ")
}

func (e oneLine) Unwrap() []error { return e }
