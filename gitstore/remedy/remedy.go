// Package remedy names what can be done about a problem, and not how it is typed: the command,
// or the tool of an agent, is named at the edge, by internal/hint.
//
// Size: 80 names, for each remedy is a constant.
package remedy

import (
	"fmt"
	"slices"
)

// A Do is one thing that can be done. Values are stored with what was refused, and stay.
type Do string

// What can be done, with the arguments that [Do.On] takes.
const (
	Line Do = "line" // what to type or to do, word for word: a command of git's, advice

	Check       Do = "check"        // check the whole memory
	Repair      Do = "repair"       // repair what can be repaired in one way only
	RepairFrom  Do = "repair-from"  // repair with the objects of another clone
	SetRef      Do = "set-ref"      // ref, id: repair the ref to this value
	AcceptLoss  Do = "accept-loss"  // ref: go on with what is left of it
	SettleLoss  Do = "settle-loss"  // ref: repair it, or accept the loss
	RemoveLock  Do = "remove-lock"  // repair, or delete the lock
	Maintain    Do = "maintain"     // pack and back up
	PackAll     Do = "pack-all"     // pack the memory and the rest of the repository
	ConfirmAll  Do = "confirm-all"  // confirm what came from elsewhere
	KeepWaiting Do = "keep-waiting" // save the conversations that wait to be saved

	RunAgain          Do = "run-again"           // finish, or verify: the same command
	FinishPurge       Do = "finish-purge"        // remove here what a purge has left
	FinishPush        Do = "finish-push"         // remove it from the remotes too
	PurgeAgain        Do = "purge-again"         // id
	PurgePath         Do = "purge-path"          // file of the knowledge
	PurgePast         Do = "purge-past"          // file of the knowledge, but for what it says now
	PurgePathThere    Do = "purge-path-there"    // file; in the clone that has it
	PurgeMatch        Do = "purge-match"         // purge by pattern
	PurgeForeign      Do = "purge-foreign"       // remove what is no memory
	PurgeForeignThere Do = "purge-foreign-there" // in the clone that has it

	FetchAndPush  Do = "fetch-and-push"  // sync with a remote, and purge there
	FetchAndPurge Do = "fetch-and-purge" // fetch, merge, finish the purge
	PurgeClones   Do = "purge-clones"    // that, in every other clone
	FetchClone    Do = "fetch-clone"     // folder, ref there, ref here: fetch it, and merge it
	MergeFork     Do = "merge-fork"      // name
	MergeThesis   Do = "merge-thesis"    // state one thesis for both sides
	CompareTwo    Do = "compare-two"     // id, id

	ListActions      Do = "list-actions"
	ListCheckpoints  Do = "list-checkpoints"
	RemoveCheckpoint Do = "remove-checkpoint"  // id, or none
	ShowConversation Do = "show-conversation"  // id: all that led to the checkpoint
	SwitchLine       Do = "switch-line"        // line
	StartLine        Do = "start-line"         // id, and the name of the line if it is known
	StartLineInstead Do = "start-line-instead" // id, ref: name what the ref holds, and delete that
	CloseLine        Do = "close-line"         // line
	RenameLine       Do = "rename-line"        // from, to
	TagAgain         Do = "tag-again"          // id
	DeleteTag        Do = "delete-tag"         // name

	ShowItem     Do = "show-item"     // key
	EditItem     Do = "edit-item"     // key
	RemoveItem   Do = "remove-item"   // id, or none
	ListChanges  Do = "list-changes"  // key, or none: of all the knowledge
	DescribeCore Do = "describe-core" // path
	UnmarkCore   Do = "unmark-core"   // path
	Calibrate    Do = "calibrate"     // of the embedding model

	SyncRemote    Do = "sync-remote"    // name
	AddRemote     Do = "add-remote"     // name, or none
	SetRemote     Do = "set-remote"     // name: change its address
	ShareAgain    Do = "share-again"    // name: with its new address
	Unshare       Do = "unshare"        // name: send it nothing more
	Publish       Do = "publish"        // line: let a private one leave
	MakeKey       Do = "make-key"       // print the public key of this user, whose key is made if there is none
	AddReader     Do = "add-reader"     // public key, or none: of an encrypted remote
	AcceptReaders Do = "accept-readers" // those whom the project's file names
	RemoteAgain   Do = "remote-again"   // forget what is known of a remote
	TrustRemote   Do = "trust-remote"   // all that comes by one
)

// A Remedy is something to do, about what.
type Remedy struct {
	Do   Do        `json:"do"`
	Args [3]string `json:"args,omitzero"`
	Gain string    `json:"gain,omitempty"` // what it does, in the third person; "" leaves that to the edge
}

// On is the remedy for what the arguments name.
func (d Do) On(args ...string) Remedy {
	r := Remedy{Do: d}
	copy(r.Args[:], args)
	return r
}

// To says what the remedy does: "restores it from a clone".
func (r Remedy) To(gain string) Remedy {
	r.Gain = gain
	return r
}

// Typed is a remedy that is said word for word.
func Typed(line string) Remedy { return Line.On(line) }

// An Error is an error with what can be done about it, which its text does not say.
type Error struct {
	err      error
	remedies []Remedy
}

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// Remedies are what can be done about e itself.
func (e *Error) Remedies() []Remedy { return e.remedies }

// For is err with what can be done about it. Of nil it is nil.
func For(err error, remedies ...Remedy) error {
	if err == nil {
		return nil
	}
	return &Error{err, remedies}
}

// Of are the remedies for err and for all that it wraps, innermost first and each once.
func Of(err error) (all []Remedy) {
	walk(err, func(r Remedy) {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	})
	return all
}

func walk(err error, found func(Remedy)) {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		walk(e.Unwrap(), found)
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			walk(err, found)
		}
	}
	if e, ok := err.(interface{ Remedies() []Remedy }); ok {
		for _, r := range e.Remedies() {
			found(r)
		}
	}
}

// A Note is a sentence for a person, with what can be done about what it says.
type Note struct {
	Text     string
	Remedies []Remedy
}

// Say is the text of the note, and what sentence says of each of its remedies.
func (n Note) Say(sentence func(Remedy) string) string {
	for _, r := range n.Remedies {
		n.Text += "; " + sentence(r)
	}
	return n.Text
}

// Notef is a note about which nothing need be done.
func Notef(format string, args ...any) Note { return Note{Text: fmt.Sprintf(format, args...)} }

// NoteOf is an error as a note.
func NoteOf(err error) Note { return Note{err.Error(), Of(err)} }

// Notes are sentences about which nothing need be done.
func Notes(texts []string) (out []Note) {
	for _, text := range texts {
		out = append(out, Note{Text: text})
	}
	return out
}
