package exit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/save"
)

// The exit statuses, as git has them.
const (
	OK         = 0
	statusNo   = 1
	Fatal      = 128
	Usage      = 129
	statusPipe = 141 // 128 + SIGPIPE: whoever read our output has gone
)

// ErrNo ends a command with status 1: no match, differs, problems found. It
// prints nothing.
var ErrNo = errors.New("no")

// Status ends a command with a status and without a message.
type Status int

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// A hinted carries hints that only the command knows.
type hinted struct {
	error
	hints []string
}

func (e *hinted) Unwrap() error { return e.error }

// WithHint adds a "hint:" line to the message that err will become, before those that it
// has already.
func WithHint(err error, format string, args ...any) error {
	hints := []string{fmt.Sprintf(format, args...)}
	if inner := (*hinted)(nil); errors.As(err, &inner) {
		hints = append(hints, inner.hints...)
	}
	return &hinted{err, hints}
}

// Report prints what err has to say and returns the exit status. cmd is the
// command that ran, nil if it did not come to that.
func Report(t *term.Terminal, cmd *cobra.Command, err error) int {
	var status Status
	var mistake *usage.Error
	switch {
	case err == nil:
		return OK
	case errors.Is(err, ErrNo):
		return statusNo
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, syscall.EPIPE):
		return statusPipe
	case errors.Is(err, context.Canceled):
		return 130
	case errors.As(err, &mistake):
		return reportUsage(t, cmd, mistake)
	case usage.IsFlagError(err):
		return reportUsage(t, cmd, usage.FlagError(cmd, err).(*usage.Error))
	}
	say(t, "fatal", err)
	return Fatal
}

// Mention prints what err has to say where the command goes on.
func Mention(t *term.Terminal, err error) { say(t, "error", err) }

func say(t *term.Terminal, what string, err error) {
	fmt.Fprintf(t.Err, "%s: %s\n", what, term.Visible(t.Typed(Message(err))))
	for _, h := range Hints(t, err) {
		fmt.Fprintf(t.Err, "hint: %s\n", t.Typed(h))
	}
}

// Message is what err says, and what to do about it. Of a folder that nothing can be written into one
// file is enough.
func Message(err error) string {
	msg := hint.Error(err)
	var filter *gitstore.FilterError
	if errors.As(err, &filter) {
		return strings.Replace(msg, filter.Error(), "--"+filter.Error(), 1)
	}
	if isUnwritten(err) {
		return unwritten(err)
	}
	if errors.Is(err, fs.ErrPermission) {
		msg, _, _ = strings.Cut(msg, "\n")
	}
	return msg
}

func reportUsage(t *term.Terminal, cmd *cobra.Command, e *usage.Error) int {
	fmt.Fprintf(t.Err, "error: %s\n", term.Visible(e.Msg))
	for _, h := range e.Hints {
		fmt.Fprintf(t.Err, "hint: %s\n", t.Typed(h))
	}
	if cmd != nil {
		fmt.Fprintf(t.Err, "usage: %s\n", usage.Line(cmd))
	}
	return Usage
}

// Hints are the next commands to type after err.
func Hints(t *term.Terminal, err error) []string {
	var hinted *hinted
	var ambiguous *gitstore.AmbiguousError
	var item *gitstore.NoItemError
	var invalid *save.InvalidError
	var unfetched *gitstore.UnfetchedError
	var missing *gitstore.NotFoundError
	var ended *gitstore.GitError
	var hints []string
	if errors.As(err, &hinted) {
		hints = hinted.hints
	}
	errors.As(err, &ended)
	dir, untrusted := ended.Untrusted()
	switch {
	case isUnwritten(err) && t.Acted != "":
		hints = append(hints, t.Acted)
	case isUnwritten(err):
	case errors.As(err, &ambiguous):
		hints = append(hints, "the candidates are:")
		for _, c := range ambiguous.Candidates {
			n := max(ambiguous.Digits(), len(t.Short(c.ID)))
			hints = append(hints, "  "+c.ID[:n]+" "+term.Visible(provenance.Byline(c)+c.Description))
		}
	case errors.Is(err, gitstore.ErrRemoved):
		hints = append(hints, "'git sage checkpoint restore --removed <id>' brings it back")
	case errors.Is(err, gitstore.ErrDamaged): // it says itself what to type
	case errors.As(err, &invalid):
		if invalid.Thesis {
			hints = append(hints, "state it with -m <thesis>")
		}
		if len(invalid.Missing) > 0 {
			hints = append(hints, "give it with --field "+strings.Join(invalid.Missing, "=... --field ")+"=...")
		}
	case errors.Is(err, gitstore.ErrBroken):
		hints = append(hints, "fix that, or use --global for your own store")
	case errors.As(err, &unfetched):
		hints = append(hints, unfetched.Command)
	case errors.As(err, &item):
		hints = append(hints, itemHint(item))
	case errors.As(err, &missing) && missing.Kind != "":
		hints = append(hints, missingHint(missing))
	case errors.As(err, &missing) && strings.HasPrefix(missing.Name, "HEAD"):
		hints = append(hints, "HEAD belongs to your code; use '@' for where you stand, '@~1' for the checkpoint before it")
	case errors.Is(err, gitstore.ErrNotFound):
		hints = append(hints, "'git sage log --all' lists all checkpoints")
	case errors.Is(err, gitstore.ErrName) && strings.HasSuffix(err.Error(), "' would do"): // an example says it
	case errors.Is(err, gitstore.ErrName):
		hints = append(hints, "a name has only lower-case letters, digits, '.', '_' and '-', and starts with a letter or digit")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), ended.NoSpace():
		hints = append(hints, "check free space with 'df -h .' and 'df -i .'; nothing that was saved is lost")
	case errors.Is(err, syscall.EROFS), ended.ReadOnly():
		hints = append(hints, "nothing that was saved is lost; mount the file system writable to save more")
	case errors.Is(err, fs.ErrPermission):
		hints = append(hints, "you can read here, but not write")
	case untrusted:
		hints = append(hints, "if you trust it: git config --global --add safe.directory '"+dir+"'")
	case ended.TooOld():
		hints = append(hints, "this repository needs a newer git: upgrade git; nothing was changed")
	case ended != nil && ended.Killed():
		hints = append(hints, "git was killed (out of memory?); run the command again")
	case ended.PackedRefsDamaged():
		hints = append(hints, "'git sage fsck' shows what is wrong and what to type")
	case errors.Is(err, gitstore.ErrDisabled):
		hints = append(hints, "'git config sage.enabled true' switches it on")
	case errors.Is(err, recall.ErrNoContinuity):
		hints = append(hints, "'git sage config set continuity_enabled true' switches it on")
	}
	return hints
}

// IsNotFound says that err is about something that does not exist.
func IsNotFound(err error) bool {
	return errors.Is(err, gitstore.ErrNotFound) && !errors.Is(err, gitstore.ErrDamaged)
}

// missingHint says where a name that nothing has may be looked up.
func missingHint(e *gitstore.NotFoundError) string {
	switch e.Kind {
	case "tag":
		return "'git sage tag' lists all tags"
	case "checkpoint on line":
		return "'git sage save' makes one; 'git sage log --all' lists those of other lines"
	case "fork":
		return "'git sage branch --all' lists the forks"
	}
	return "'git sage branch --all' lists all lines"
}

// itemHint says where what was not found may be looked up.
func itemHint(e *gitstore.NoItemError) string {
	noun := ""
	switch {
	case e.When != "":
		return fmt.Sprintf("'git sage knowledge log %s' lists its changes", e.ID)
	case e.Kind == "core file":
		noun = "core"
	case e.Kind == "skill", strings.HasPrefix(e.ID, "skills/"):
		noun = "skill"
	case strings.HasPrefix(e.ID, "system/"):
		noun = "note"
	default:
		return "'git sage list --all' lists all items"
	}
	return "'git sage " + noun + " list' lists them"
}
