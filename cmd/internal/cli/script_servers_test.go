package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-sage/git-sage/gitstore/storetest/servers"
)

// Commands with which scripts talk to servers and compare what repositories have:
//
//	serve <kind> <folder>   serves the bare repositories in the folder: $URL/hub.git
//	alike <repo> <repo>...  fails unless all have the same memory, and some
func init() {
	scriptCommands["alike"] = func(ts *testscript.TestScript, neg bool, args []string) {
		memories := map[string]bool{}
		for _, dir := range args {
			ts.Check(ts.Exec("git", "-C", dir, "for-each-ref", "--format=%(objectname) %(refname)",
				"refs/sage/heads", "refs/sage/forks", "refs/sage/tags", "refs/sage/knowledge"))
			memories[ts.ReadFile("stdout")] = true
		}
		if (len(memories) == 1 && !memories[""]) == neg {
			ts.Fatalf("%d memories in %s", len(memories), strings.Join(args, ", "))
		}
	}
	scriptCommands["serve"] = func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 2 {
			ts.Fatalf("usage: serve <kind> <folder>")
		}
		dir, err := os.MkdirTemp(ts.Getenv("WORK"), ".server")
		ts.Check(err)
		env := []string{"GIT_CONFIG_NOSYSTEM=1"}
		for _, name := range []string{"PATH", "WORK", "SAGE_TEST_CLOCK", "TZ", "LC_ALL", "GORACE"} {
			env = append(env, name+"="+ts.Getenv(name))
		}
		s, err := servers.Start(args[0], ts.MkAbs(args[1]), dir, env)
		ts.Check(err)
		ts.Defer(s.Close)
		for _, kv := range append(s.Env, "URL="+s.URL) {
			name, value, _ := strings.Cut(kv, "=")
			ts.Setenv(name, value)
		}
	}
}

// scriptCondition answers [server:<kind>]: such a server can be started on this machine;
// and [mounts]: a process may mount what it alone sees.
func scriptCondition(cond string) (bool, error) {
	if cond == "mounts" {
		return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/proc").Run() == nil, nil
	}
	kind, ok := strings.CutPrefix(cond, "server:")
	if !ok {
		return false, fmt.Errorf("unknown condition '%s'", cond)
	}
	return servers.Missing(kind) == "", nil
}

// TestServers plays each story of testdata/servers with every kind of server, which it
// finds as $KIND; with -short those that are at hand everywhere, and ssh.
func TestServers(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../../../testdata/servers/*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, kind := range servers.Kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if why := servers.Missing(kind); why != "" {
				t.Skip(why)
			}
			if testing.Short() && kind != "http" && kind != "ssh" {
				t.Skip("the whole is in make check")
			}
			testscript.Run(t, testscript.Params{
				Files: files,
				Setup: func(e *testscript.Env) error {
					e.Setenv("KIND", kind)
					return setupScript(e)
				},
				Cmds: scriptCommands,
				Condition: func(cond string) (bool, error) {
					return cond == kind, nil
				},
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
			})
		})
	}
}
