package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/editor"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/interrupt"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/lists"
)

// Main runs git-sage with the arguments after its name, and the encoders that it has,
// and returns its exit status: 0 yes, 1 no, 128 fatal, 129 usage, 130 interrupted.
func Main(args []string, w models.Weights) int {
	debug.SetMemoryLimit(softLimit)
	debug.SetGCPercent(garbage)
	a := app.System(version)
	a.Weights = w
	return run(a, args)
}

// softLimit is how much memory, in bytes, is held before what is no longer needed
// is looked for more often: a list of 50,000 checkpoints stays below 100 MB.
const softLimit = 64 << 20

// garbage is how much of it there may be before it is looked for, in percent of what is
// in use; usual are 100. A command ends soon: with 200 the hook of a prompt looked for it
// once, shortly before its end, which took 3.5 of its 30 ms of processor. A server lives on,
// and has less.
const garbage = 400

// run runs one command line in the world a, under the signals of the process.
func run(a *app.App, args []string) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // the last as a terminal closes
	if a.Getenv("SAGE_TRACE") == "" {                                  // else it is for the traces that Go shows then
		signal.Notify(sigs, syscall.SIGQUIT)
	}
	defer signal.Stop(sigs)

	done := make(chan int, 1)
	go func() { done <- runGuarded(ctx, a, args) }()
	for {
		select {
		case status := <-done:
			return status
		case sig := <-sigs:
			if sig != syscall.SIGTERM && sig != syscall.SIGHUP && editor.IsOpen() {
				continue // keys of the editor's: what is written in it must not be lost
			}
			if sig == os.Interrupt && interrupt.Take(time.Now()) {
				continue // it stops an answer, and not the conversation
			}
			cancel()
			// What is under way gets time to put its locks back; a second signal,
			// or a read from a terminal that never ends, does not get to wait.
			select {
			case <-done:
			case <-sigs:
			case <-time.After(time.Second):
			}
			return 128 + number(sig)
		}
	}
}

// number is the number of a signal that run listens for.
func number(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return int(n)
	}
	return 2
}

// runGuarded runs the command. A bug ends it with one line, never with a trace:
// SAGE_TRACE=1 shows that for a report.
func runGuarded(ctx context.Context, a *app.App, args []string) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(a.Err, "fatal: this is a bug in git-sage: %v\n", term.Visible(fmt.Sprint(p)))
			if a.Getenv("SAGE_TRACE") != "" {
				fmt.Fprintf(a.Err, "%s", debug.Stack())
			} else {
				fmt.Fprintln(a.Err, "hint: SAGE_TRACE=1 shows where")
			}
			status = 128
		}
	}()
	defer a.Done()
	args, err := changeDir(a, args)
	if err != nil {
		return exit.Report(&a.Terminal, nil, err)
	}
	args = dashNumbers(args)
	root := newRoot(a, args...)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if a.Failed != nil {
		err = a.Failed
	}
	return exit.Report(&a.Terminal, cmd, hintBranch(ctx, a, args, err))
}

// hintBranch says which line goes with a git branch that was typed where a line or a
// checkpoint belongs, or what else was probably meant.
func hintBranch(ctx context.Context, a *app.App, args []string, err error) error {
	var missing *gitstore.NotFoundError
	if a.Memory == nil || !errors.As(err, &missing) || missing.Kind == "tag" {
		return hintMeant(ctx, a, err)
	}
	line := a.Memory.Store.Follow.LineOf(ctx, missing.Name)
	if line == "" {
		return hintMeant(ctx, a, err)
	}
	hint := fmt.Sprintf("the line of git branch '%s' is '%s'", missing.Name, line)
	if !slices.ContainsFunc(args, needsQuotes) {
		typed := slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, missing.Name) })
		command := lists.Map(args, func(arg string) string {
			if !typed && arg == "-" { // of 'switch -'; elsewhere it is standard input
				return line
			}
			return strings.ReplaceAll(arg, missing.Name, line)
		})
		hint += ": 'git sage " + strings.Join(command, " ") + "'"
	}
	return exit.WithHint(err, "%s", hint)
}

// needsQuotes reports whether a shell would read an argument as another one.
func needsQuotes(arg string) bool {
	return arg == "" || strings.ContainsFunc(arg, func(r rune) bool {
		return !strings.ContainsRune("-_./=@~^:,+%", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// changeDir takes leading "-C <dir>" arguments, each relative to the one before,
// as git does.
func changeDir(a *app.App, args []string) ([]string, error) {
	for len(args) > 0 && args[0] == "-C" {
		if len(args) == 1 {
			return nil, usage.Errorf("no directory given for '-C'")
		}
		dir := a.Path(args[1])
		if args[1] == "" {
			dir = a.Dir
		}
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			return nil, fmt.Errorf("cannot change to '%s': no such directory", args[1])
		}
		a.TypedDir += "-C " + gitstore.InShell(args[1]) + " "
		a.Dir, a.Chosen, args = filepath.Clean(dir), true, args[2:]
	}
	return args, nil
}

// dashNumbers turns -5 into -n5 for the commands that list, as git log takes it.
func dashNumbers(args []string) []string {
	lists := false
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if arg == "--" {
			copy(out[i:], args[i:])
			break
		}
		lists = lists || arg == "log" || arg == "list"
		value := i > 0 && slices.Contains([]string{"-n", "--max-count", "--limit", "--skip"}, args[i-1])
		if lists && !value && len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "0123456789") == "" {
			out[i] = "-n" + arg[1:]
		}
	}
	return out
}
