package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/hooks/watch"
	"github.com/git-sage/git-sage/recall/embed/weights"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts and golden files")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"git-sage":      func() { os.Exit(run(scriptApp(), os.Args[1:])) },
		"post-messages": postMessages,
		"ask-page":      askPage,
	})
}

// scriptApp is the world of a git-sage inside a script: the clock stands at
// $SAGE_TEST_CLOCK, and $SAGE_TEST_TTY is the width of a pretended terminal.
// The product knows neither.
func scriptApp() *app.App {
	a := app.System(version)
	a.Slack = 60 // what a busy machine does late is done all the same
	a.Weights = models.Weights{Prose: weights.Prose, Code: weights.Code}
	if t, err := time.Parse(time.RFC3339, os.Getenv("SAGE_TEST_CLOCK")); err == nil {
		a.Now = func() time.Time { return t }
	}
	if width, err := strconv.Atoi(os.Getenv("SAGE_TEST_TTY")); err == nil {
		a.TTY, a.Width = true, width
	}
	return a
}

// TestScripts plays every script: testdata/script/<command>/<story>.txtar.
func TestScripts(t *testing.T) {
	dirs, err := filepath.Glob(filepath.FromSlash("../../../testdata/script/*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Dir:                 dir,
				Setup:               setupScript,
				Cmds:                scriptCommands,
				Condition:           scriptCondition,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				UpdateScripts:       *update,
			})
		})
	}
}

// setupScript gives a script a home of its own and a fixed person, so that ids
// are the same in every run.
func setupScript(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	if err := os.MkdirAll(home, 0o777); err != nil {
		return err
	}
	tree, err := filepath.Abs("../../..")
	if err != nil {
		return err
	}
	e.Vars = append(e.Vars,
		"TREE="+tree, // this repository, to run what it brings beside the program
		"HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+e.WorkDir,
		"SAGE_TEST_CLOCK=2026-11-21T12:00:00Z", "TZ=UTC", "LC_ALL=C", "TERM=dumb",
		"SAGE_SYNC_AUTO=off",       // nobody asks a remote while a script looks at what it has
		"GORACE=atexit_sleep_ms=0", // else each of some hundred processes sleeps a second under -race
	)
	e.Setenv("PATH", strings.Join(withoutOthers(filepath.SplitList(e.Getenv("PATH"))), string(filepath.ListSeparator)))
	e.Defer(func() { // a watcher that a script left
		_, _ = watch.Place{Home: filepath.Join(home, ".sage")}.Stop(context.Background())
	})
	return os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(scriptConfig), 0o666)
}

// withoutOthers leaves out the folders in which another git-sage is installed than the
// first, the one that is tested.
func withoutOthers(dirs []string) (kept []string) {
	for _, dir := range dirs {
		program, err := os.Stat(filepath.Join(dir, "git-sage"))
		if len(kept) == 0 || err != nil || !program.Mode().IsRegular() {
			kept = append(kept, dir)
		}
	}
	return kept
}

const scriptConfig = `[user]
	name = Ada
	email = ada@example.org
[init]
	defaultBranch = main
[commit]
	gpgSign = false
[advice]
	detachedHead = false
`

// scriptCommands are what scripts may use beside testscript's own commands:
//
//	status <n> <program> <args>...   runs the program and expects exactly that exit status
//	agent <event> <file>             hands a hook's payload to git-sage, as Claude Code does
//	mcp <file>                       plays a conversation, one JSON-RPC message a line
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"status": func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < 2 {
			ts.Fatalf("usage: status <n> <program> <args>...")
		}
		got := 0
		err := ts.Exec(args[1], args[2:]...)
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			got = exit.ExitCode()
		} else if err != nil {
			ts.Fatalf("%v", err)
		}
		if args[0] != strconv.Itoa(got) {
			ts.Fatalf("exit status %d, want %s", got, args[0])
		}
	},
	"agent": func(ts *testscript.TestScript, neg bool, args []string) {
		if len(args) != 2 {
			ts.Fatalf("usage: agent <event> <file>")
		}
		feed(ts, neg, args[1], "hook", args[0])
	},
	"mcp": func(ts *testscript.TestScript, neg bool, args []string) {
		if len(args) != 1 {
			ts.Fatalf("usage: mcp <file>")
		}
		feed(ts, neg, args[0], "mcp")
	},
}

// feed runs git-sage with a file as standard input. Its output can be looked
// at with stdout and stderr.
func feed(ts *testscript.TestScript, neg bool, file string, args ...string) {
	sh := []string{"-c", `file=$1; shift; exec git-sage "$@" <"$file"`, "sh", ts.MkAbs(file)}
	switch err := ts.Exec("sh", append(sh, args...)...); {
	case err != nil && !neg:
		ts.Fatalf("%v", err)
	case err == nil && neg:
		ts.Fatalf("git-sage %v succeeded", args)
	}
}
