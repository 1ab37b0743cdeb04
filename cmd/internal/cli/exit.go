package cli

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
	"github.com/git-sage/git-sage/recall"
)

// The exit statuses, as git has them.
const (
	exitOK    = 0
	exitNo    = 1
	exitFatal = 128
	exitUsage = 129
	exitPipe  = 141 // 128 + SIGPIPE: whoever read our output has gone
)

// errNo ends a command with status 1: no match, differs, problems found. It
// prints nothing.
var errNo = errors.New("no")

// statusError ends a command with a status and without a message.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// A hintedError carries hints that only the command knows.
type hintedError struct {
	error
	hints []string
}

func (e *hintedError) Unwrap() error { return e.error }

// withHint adds a "hint:" line to the message that err will become.
func withHint(err error, format string, args ...any) error {
	return &hintedError{err, []string{fmt.Sprintf(format, args...)}}
}

// report prints what err has to say and returns the exit status. cmd is the
// command that ran, nil if it did not come to that.
func (a *app) report(cmd *cobra.Command, err error) int {
	var status statusError
	var mistake *usage.Error
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errNo):
		return exitNo
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, syscall.EPIPE):
		return exitPipe
	case errors.Is(err, context.Canceled):
		return 130
	case errors.As(err, &mistake):
		return a.reportUsage(cmd, mistake)
	case usage.IsFlagError(err):
		return a.reportUsage(cmd, usage.FlagError(cmd, err).(*usage.Error))
	}
	fmt.Fprintf(a.Err, "fatal: %s\n", term.Visible(message(err)))
	for _, h := range a.hints(err) {
		fmt.Fprintf(a.Err, "hint: %s\n", h)
	}
	return exitFatal
}

// message is what err says. Of a folder that nothing can be written into one
// file is enough.
func message(err error) string {
	msg := err.Error()
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

func (a *app) reportUsage(cmd *cobra.Command, e *usage.Error) int {
	fmt.Fprintf(a.Err, "error: %s\n", term.Visible(e.Msg))
	for _, h := range e.Hints {
		fmt.Fprintf(a.Err, "hint: %s\n", h)
	}
	if cmd != nil {
		fmt.Fprintf(a.Err, "usage: %s\n", usage.Line(cmd))
	}
	return exitUsage
}

// hints are the next commands to type after err.
func (a *app) hints(err error) []string {
	var hinted *hintedError
	var ambiguous *gitstore.AmbiguousError
	var item *gitstore.NoItemError
	var invalid *recall.InvalidError
	var unfetched *gitstore.UnfetchedError
	var hints []string
	if errors.As(err, &hinted) {
		hints = hinted.hints
	}
	switch {
	case isUnwritten(err) && a.acted != "":
		hints = append(hints, a.acted)
	case isUnwritten(err):
	case errors.As(err, &ambiguous):
		hints = append(hints, "the candidates are:")
		for _, c := range ambiguous.Candidates {
			n := max(ambiguous.Digits(), len(a.Short(c.ID)))
			hints = append(hints, "  "+c.ID[:n]+" "+term.Visible(recall.Byline(c)+c.Description))
		}
	case errors.Is(err, gitstore.ErrRemoved):
		hints = append(hints, "'git sage checkpoint restore --removed <id>' brings it back")
	case errors.Is(err, gitstore.ErrDamaged): // it says itself what to type
	case errors.As(err, &invalid) && len(invalid.Missing) > 0:
		hints = append(hints, "give it with --field "+strings.Join(invalid.Missing, "=... --field ")+"=...")
	case errors.Is(err, gitstore.ErrBroken):
		hints = append(hints, "fix that, or use --global for your own store")
	case errors.As(err, &unfetched):
		hints = append(hints, unfetched.Command)
	case errors.As(err, &item):
		hints = append(hints, itemHint(item))
	case errors.Is(err, gitstore.ErrNotFound) && strings.Contains(err.Error(), "'HEAD"):
		hints = append(hints, "HEAD belongs to your code; use '@' for where you stand, '@~1' for the checkpoint before it")
	case errors.Is(err, gitstore.ErrNotFound):
		hints = append(hints, "'git sage log --all' lists all checkpoints")
	case errors.Is(err, gitstore.ErrName):
		hints = append(hints, "a name has only lower-case letters, digits, '.', '_' and '-', and starts with a letter or digit")
	case strings.Contains(strings.ToLower(err.Error()), "no space left on device"), strings.Contains(strings.ToLower(err.Error()), "quota exceeded"):
		hints = append(hints, "check free space with 'df -h .' and 'df -i .'; nothing that was saved is lost")
	case strings.Contains(strings.ToLower(err.Error()), "read-only file system"):
		hints = append(hints, "nothing that was saved is lost; mount the file system writable to save more")
	case errors.Is(err, fs.ErrPermission):
		hints = append(hints, "you can read here, but not write")
	case strings.Contains(err.Error(), "dubious ownership in repository at '"):
		_, dir, _ := strings.Cut(err.Error(), "repository at '")
		dir, _, _ = strings.Cut(dir, "'")
		hints = append(hints, "if you trust it: git config --global --add safe.directory '"+dir+"'")
	case strings.Contains(err.Error(), "unknown repository extension"), strings.Contains(err.Error(), "value for 'extensions."), strings.Contains(err.Error(), "repo version"):
		hints = append(hints, "this repository needs a newer git: upgrade git; nothing was changed")
	case strings.Contains(err.Error(), ": was ended from outside ("):
		hints = append(hints, "git was killed (out of memory?); run the command again")
	case strings.Contains(err.Error(), "packed-refs") && !strings.Contains(err.Error(), "packed-refs.lock"):
		hints = append(hints, "'git sage fsck' shows what is wrong and what to type")
	case errors.Is(err, gitstore.ErrDisabled):
		hints = append(hints, "'git config sage.enabled true' switches it on")
	case errors.Is(err, recall.ErrNoContinuity):
		hints = append(hints, "'git sage config set continuity_enabled true' switches it on")
	}
	return hints
}

// isNotFound says that err is about something that does not exist.
func isNotFound(err error) bool {
	return errors.Is(err, gitstore.ErrNotFound) && !errors.Is(err, gitstore.ErrDamaged)
}
