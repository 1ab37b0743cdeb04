package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// A usageError is a mistake on the command line: status 129.
type usageError struct {
	msg   string
	hints []string
}

func (e *usageError) Error() string { return e.msg }

// usagef makes a usage error: "error: <msg>", the usage line, status 129.
func usagef(format string, args ...any) error {
	return &usageError{msg: fmt.Sprintf(format, args...)}
}

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
	var usage *usageError
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
	case errors.As(err, &usage):
		return a.reportUsage(cmd, usage)
	case isFlagError(err):
		return a.reportUsage(cmd, flagError(cmd, err).(*usageError))
	}
	fmt.Fprintf(a.err, "fatal: %s\n", oneLine(message(err)))
	for _, h := range a.hints(err) {
		fmt.Fprintf(a.err, "hint: %s\n", h)
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

func (a *app) reportUsage(cmd *cobra.Command, e *usageError) int {
	fmt.Fprintf(a.err, "error: %s\n", oneLine(e.msg))
	for _, h := range e.hints {
		fmt.Fprintf(a.err, "hint: %s\n", h)
	}
	if cmd != nil {
		fmt.Fprintf(a.err, "usage: %s\n", useLine(cmd))
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
			n := max(ambiguous.Digits(), len(a.short(c.ID)))
			hints = append(hints, "  "+c.ID[:n]+" "+visible(recall.Byline(c)+c.Description))
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

// isFlagError says that err came from reading the flags.
func isFlagError(err error) bool {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	return errors.As(err, &unknown) || errors.As(err, &missing) ||
		errors.As(err, &invalid) || errors.As(err, &syntax)
}

// flagError words what is wrong with a flag as git does.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		status  statusError
	)
	switch {
	case errors.As(err, &status):
		return status
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		return &usageError{msg: "option " + flagName(missing.GetFlag()) + " requires a value"}
	case errors.As(err, &invalid):
		why := errors.Unwrap(invalid).Error()
		if i := strings.LastIndex(why, ": "); i >= 0 { // strconv.ParseInt: parsing "x": invalid syntax
			why = why[i+2:]
		}
		switch {
		case invalid.GetFlag().Value.Type() == "bool":
			return &usageError{msg: "option " + flagName(invalid.GetFlag()) + " takes no value"}
		case why == strconv.ErrSyntax.Error():
			why = "want a number"
		}
		return &usageError{msg: fmt.Sprintf("bad value '%s' for option %s: %s", invalid.GetValue(), flagName(invalid.GetFlag()), why)}
	}
	return &usageError{msg: err.Error()}
}

func flagName(f *pflag.Flag) string {
	if len(f.Name) == 1 {
		return "'-" + f.Name + "'"
	}
	return "'--" + f.Name + "'"
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	name := e.GetSpecifiedName()
	if e.GetSpecifiedShortnames() != "" {
		return &usageError{msg: "unknown switch '" + name + "'"}
	}
	u := &usageError{msg: "unknown option '--" + name + "'"}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && len(f.Name) > 1 {
			names = append(names, f.Name)
		}
	})
	if near := nearest(name, names); near != "" {
		u.hints = []string{"did you mean '--" + near + "'?"}
	}
	return u
}

// warn says something that should be known but stops nothing.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.err, "warning: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

// hint names a next command.
func (a *app) hint(format string, args ...any) {
	fmt.Fprintf(a.err, "hint: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

// say tells a person what was done, on standard error so that it is never
// taken for data.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.err, oneLine(fmt.Sprintf(format, args...)))
}

// isNotFound says that err is about something that does not exist.
func isNotFound(err error) bool {
	return errors.Is(err, gitstore.ErrNotFound) && !errors.Is(err, gitstore.ErrDamaged)
}
