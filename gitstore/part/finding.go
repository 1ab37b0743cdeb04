package part

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A Finding is something that fsck found. Its String is one line, without the cure.
type Finding struct {
	Kind    string // what sort of trouble: missing-object, bad-ref, bad-format, ...
	Subject string // ref, id or path
	Detail  string
	Cure    []remedy.Remedy // what to do about it, or nil
	ID      string          // the whole id of the checkpoint that it is about, or ""
	Warning bool            // no harm yet
}

func (f Finding) String() string {
	return fmt.Sprintf("%s %s: %s", f.Kind, f.Subject, f.Detail)
}

// Warn is a finding that does no harm yet.
func Warn(kind, subject, detail string, cure ...remedy.Remedy) Finding {
	return Finding{Kind: kind, Subject: subject, Detail: detail, Cure: cure, Warning: true}
}

// A State says how well something is.
type State string

// The states, best first.
const (
	StateOK      State = "ok"
	StateWarning State = "warning" // works, but something is odd or will be trouble
	StateError   State = "error"   // memory is, or may get, lost; or saving does not work
)

// A Diagnosis is one thing that doctor looked at.
type Diagnosis struct {
	Name   string // git, config, files, clock, ...
	State  State
	Detail string          // one line
	Cure   []remedy.Remedy // what to do about it, or nil
	More   []remedy.Remedy // of what is well: what tells more, or nil
	Unused bool            // of what is well: it is not set up or does not run, and nobody has to
}

// OK is a diagnosis of what is well, with what tells more of it.
func OK(name, detail string, more ...remedy.Remedy) Diagnosis {
	return Diagnosis{Name: name, State: StateOK, Detail: detail, More: more}
}

// Oddity is a diagnosis of what works, and is odd or will be trouble.
func Oddity(name, detail string, cure ...remedy.Remedy) Diagnosis {
	return Diagnosis{Name: name, State: StateWarning, Detail: detail, Cure: cure}
}

// Failure is a diagnosis of what does not work, or loses something.
func Failure(name, detail string, cure ...remedy.Remedy) Diagnosis {
	return Diagnosis{Name: name, State: StateError, Detail: detail, Cure: cure}
}
