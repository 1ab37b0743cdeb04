package git

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// git has an exit status for little of what goes wrong, so that its words decide. It is
// run with LC_ALL=C; its words are compared here and nowhere else. Each method takes nil
// for an error that git did not say.

// says reports whether git said one of these.
func (e *Error) says(phrases ...string) bool {
	return e != nil && slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(e.Stderr, p) })
}

// NoSpace reports whether the disk or the quota is full. Of the lock of a ref, which it made and
// could not fill, git does not say why.
func (e *Error) NoSpace() bool {
	return e.says("No space left on device", "no space left on device", "Disk quota exceeded", "disk quota exceeded", "couldn't write '")
}

// ReadOnly reports whether the file system takes no writes.
func (e *Error) ReadOnly() bool { return e.says("Read-only file system", "read-only file system") }

// Untrusted is the folder that belongs to another user, so that git does not open it.
func (e *Error) Untrusted() (dir string, ok bool) {
	if e == nil {
		return "", false
	}
	_, after, found := strings.Cut(e.Stderr, "dubious ownership in repository at '")
	dir, _, ok = strings.Cut(after, "'")
	return dir, found && ok
}

// TooOld reports whether the repository needs a newer git.
func (e *Error) TooOld() bool {
	return e.says("unknown repository extension", "value for 'extensions.", "repo version")
}

// PackedRefsDamaged reports whether git cannot read the packed refs.
func (e *Error) PackedRefsDamaged() bool {
	return e.says("packed-refs") && !e.says("packed-refs.lock")
}

// NotRepository reports whether there is no repository.
func (e *Error) NotRepository() bool { return e.says("not a git repository") }

// BareRefused reports whether git was told to open no bare repository.
func (e *Error) BareRefused() bool { return e.says("safe.bareRepository") }

// BrokenRef reports whether a ref holds no id.
func (e *Error) BrokenRef() bool { return e.says("ignoring broken ref", "reference broken") }

// BadRef is a ref that holds no object that git can read, "" for none.
func (e *Error) BadRef() string {
	if e == nil {
		return ""
	}
	_, ref, _ := strings.Cut(e.Stderr, "bad object refs/")
	if ref, _, _ = strings.Cut(ref, "\n"); ref == "" {
		return ""
	}
	return "refs/" + ref
}

// NoRevision reports whether a revision names nothing.
func (e *Error) NoRevision() bool { return e.says("unknown revision", "bad revision") }

// Unrecognized reports whether git does not know an argument.
func (e *Error) Unrecognized(arg string) bool { return e.says("unrecognized argument: " + arg) }

// BadAuthor is what is wrong with the pattern of an author that git was given; "" is nothing.
func (e *Error) BadAuthor(pattern string) string {
	if e == nil {
		return ""
	}
	_, why, _ := strings.Cut(e.Stderr, "header, '"+pattern+"': ")
	return strings.TrimSpace(why)
}

// LacksObject reports whether a ref was to be set to an object that is not there.
func (e *Error) LacksObject(id string) bool { return e.says("nonexistent object " + id) }

// NoRemoteRef reports whether a remote has no ref of the name that was to be fetched.
func (e *Error) NoRemoteRef() bool { return e.says("couldn't find remote ref") }

// Unsound reports whether git refused an object for its form, which it was sent.
func (e *Error) Unsound() bool { return e.says("fsck error") }

// Declined is why a remote did not take what was pushed, "" if it did not say so.
func (e *Error) Declined() string {
	if e == nil {
		return ""
	}
	_, after, _ := strings.Cut(e.Stderr, "[remote rejected]")
	line, _, _ := strings.Cut(after, "\n")
	_, why, _ := strings.Cut(line, "(")
	return strings.TrimSuffix(why, ")")
}

// OtherFormat reports whether a remote names its objects by another hash.
func (e *Error) OtherFormat() bool {
	return e.says("mismatched algorithms", "does not support this repository's hash algorithm", "does not support the algorithm")
}

// InQuarantine reports whether a push, whose hook runs this, is not accepted yet.
func (e *Error) InQuarantine() bool { return e.says("inside quarantine environment") }

// LostRace reports whether a ref had another value than it was to be moved from.
func (e *Error) LostRace() bool {
	return e.says("but expected", "reference already exists", "unable to resolve reference", "File exists", "reference is missing")
}

// LockedBy is the lock file that kept git from writing, "" for none.
func (e *Error) LockedBy() string {
	if e == nil {
		return ""
	}
	_, after, found := strings.Cut(e.Stderr, "Unable to create '")
	file, _, ends := strings.Cut(after, "': File exists")
	if found && ends {
		return file
	}
	if file, _, ends = strings.Cut(e.Stderr, ": File exists"); !ends || !strings.HasSuffix(file, "packed-refs.new") {
		return ""
	}
	return strings.TrimSuffix(file[strings.LastIndexByte(file, ' ')+1:], ".new") + ".lock"
}

// Unreadable reports whether an object is gone or damaged.
func (e *Error) Unreadable() bool { return e != nil && unreadable().MatchString(e.Stderr) }

var unreadable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)bad object|could not read|unable to read|loose object|corrupt|traverse parents`)
})

// MetUnreadable reports whether a git could not read an object, as err tells, which may have
// been made of what a git said: one that serves others says so, or ends.
func MetUnreadable(err error) bool {
	said := err.Error()
	return errors.Is(err, io.EOF) || strings.Contains(said, " is empty") || unreadable().MatchString(said)
}

// MetLeftOut reports whether a git could not read an object because a partial clone left it
// out: it ends, or says so, where it would have to ask for it.
func MetLeftOut(err error) bool {
	return err != nil && (errors.Is(err, ErrMissing) || errors.Is(err, io.EOF) || strings.Contains(err.Error(), "promisor remote"))
}

// BlamedPack is the pack, "pack-<hash>", because of which git cannot read an object, and what
// it says of it.
func (e *Error) BlamedPack() (pack, why string, ok bool) {
	if e == nil {
		return "", "", false
	}
	for line := range strings.Lines(e.Stderr) {
		_, rest, _ := strings.Cut(line, "pack-")
		hash, _, _ := strings.Cut(rest, ".")
		if len(hash) < 40 || strings.Trim(hash[:40], "0123456789abcdef") != "" {
			continue
		}
		why = strings.TrimSpace(line)
		for _, mark := range []string{"error: ", "fatal: ", "warning: "} {
			why = strings.TrimPrefix(why, mark)
		}
		return "pack-" + hash, why, true
	}
	return "", "", false
}

// LeftLock reports whether git warned that it could not remove a lock. It is for after Feed.
func (w *Waiting) LeftLock() bool { return strings.Contains(w.errs.String(), "unable to unlink") }

// OfRemote is what a remote, or what was to reach it, said: of ssh that stands before git's own
// words, which say no more than that there was no answer. Of a git that was killed while it showed
// its progress it is that.
func (e *Error) OfRemote() string {
	first := ""
	for l := range strings.Lines(e.Stderr) {
		l = strings.TrimSpace(strings.TrimPrefix(l, "remote:"))
		if first == "" && l != "" && !strings.HasPrefix(l, "Warning: Permanently added") && !strings.HasPrefix(l, "**") && !counts().MatchString(l) {
			first = strings.TrimPrefix(strings.TrimPrefix(l, "fatal: "), "error: ")
		}
	}
	switch {
	case first == "":
		return (&Error{Command: e.Command, Code: e.Code, how: e.how}).Error()
	case e.says("Could not read from remote repository", "the remote end hung up", "early EOF", "unpack failed"):
		return first
	}
	return lastLine(e.Stderr)
}

// SaidOf is what the programs of a remote said of a ref that they refused: the line that names
// it or, of a hook, the first of its own before git says that it declined. "" is nothing.
func (e *Error) SaidOf(ref string) (said string) {
	for l := range strings.Lines(e.Stderr) {
		l, ok := strings.CutPrefix(strings.TrimSpace(l), "remote:")
		l = strings.TrimPrefix(strings.TrimSpace(l), "error: ")
		declined, byHook := strings.CutPrefix(l, "hook declined to update ")
		switch {
		case !ok || l == "" || counts().MatchString(l):
		case byHook && declined == ref:
			return said
		case byHook:
			said = ""
		case strings.Contains(l, ref):
			return l
		case said == "":
			said = l
		}
	}
	return said
}

// counts is a line of a progress.
var counts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Z][a-z]+|counting|compressing)(?: [a-z]+)?: +[0-9]|^Total [0-9]`)
})

// NeedsCredentials reports whether a remote wanted to know who asks, and git could not say.
func (e *Error) NeedsCredentials() bool {
	return e.says("terminal prompts disabled", "could not read Username", "could not read Password", "Authentication failed", "Permission denied (", "Host key verification failed", "requested URL returned error: 401", "requested URL returned error: 403")
}

// lacks reports whether git does not know what it was told: an option, or a
// command on standard input of update-ref.
func lacks(stderr string) bool {
	return strings.Contains(stderr, "error: unknown option") || strings.Contains(stderr, "error: unknown switch") || strings.Contains(stderr, "fatal: unknown command: ")
}

// Outraced reports whether a push says that somebody else moved a ref first: the git here, which
// compares with what it expects, or the one there.
func Outraced(said string) bool {
	return slices.ContainsFunc([]string{"fetch first", "non-fast-forward", "stale info", "incorrect old value", "cannot lock ref", "failed to update ref", "already exists"},
		func(words string) bool { return strings.Contains(said, words) })
}
