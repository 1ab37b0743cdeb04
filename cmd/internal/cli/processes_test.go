package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Each git that is started takes 2 ms of somebody who waits: what is done all day starts
// none that it need not. A save asks whether the work tree is changed, and moves the ref.
func TestGitIsStartedSeldom(t *testing.T) {
	root := t.TempDir()
	prepareTouched(t, root)
	faulty := storetest.New(t).FaultyGit()
	makeOld(t, root)
	hook := func(event, more string) string {
		return `{"hook_event_name":"` + event + `","session_id":"one","cwd":"` + filepath.ToSlash(filepath.Join(root, "repo")) + `"` + more + `}`
	}
	for _, tt := range []struct {
		args, stdin string
		want        []string
	}{
		{"checkpoint save -m thesis-N", "", []string{"diff-index", "update-ref"}},
		{"checkpoint save -m thought-N --core-question why", "", []string{"diff-index", "update-ref"}},
		{"hook session-start", hook("SessionStart", `,"source":"startup"`), nil},
		{"hook user-prompt", hook("UserPromptSubmit", `,"prompt":"what is the fact"`), nil},
		{"hook post-tool-use", hook("PostToolUse", `,"tool_name":"Read","tool_input":{"file_path":"auth.go"}`), nil},
		{"hook pre-tool-use", hook("PreToolUse", `,"tool_name":"Bash","tool_input":{"command":"terraform apply -N"}`), nil},
		{"hook tool-failure", hook("PostToolUseFailure", `,"tool_name":"Bash","error":"Exit code 1\nfatal: no such fact"`), nil},
		{"hook stop", hook("Stop", `,"last_assistant_message":"So it is."`), nil},
		{"knowledge add -m other --id other-N", "", []string{"update-ref"}},
		{"log -n 2", "", []string{"log"}},
	} {
		runPlain(t, root, tt.stdin, strings.ReplaceAll(tt.args, "N", "1")) // which finds nothing that is kept
		faulty.Heal()
		out := runPlain(t, root, tt.stdin, strings.ReplaceAll(tt.args, "N", "2"))
		got := faulty.Calls()
		if slices.Sort(got); !slices.Equal(got, tt.want) {
			t.Errorf("%s starts git %q, not %q\n%s", tt.args, got, tt.want, out)
		}
	}
}

// Beside the gits that talk to the remote a sync starts none: of nothing it takes what 'git fetch'
// does, of what was saved since the last one what 'git push' does besides.
func TestSyncStartsWhatTalks(t *testing.T) {
	root := t.TempDir()
	prepareTouched(t, root)
	faulty := storetest.New(t).FaultyGit()
	makeOld(t, root)
	runPlain(t, root, "", "share --yes hub")
	for _, tt := range []struct {
		args string
		want []string
	}{
		{"", []string{"fetch"}},
		{"checkpoint save -q -m thesis", []string{"fetch", "push"}},
	} {
		if tt.args != "" {
			runPlain(t, root, "", tt.args)
		}
		faulty.Heal()
		out := runPlain(t, root, "", "sync hub")
		if got := faulty.Calls(); !slices.Equal(got, tt.want) {
			t.Errorf("sync after %q starts git %q, not %q\n%s", tt.args, got, tt.want, out)
		}
	}
}

// makeOld makes what configuration is read from so old that its answers are kept.
func makeOld(t *testing.T, root string) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, file := range []string{git, filepath.Join(root, "repo/.git/config"), filepath.Join(root, "home/.gitconfig")} {
		if err := os.Chtimes(file, old, old); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// runPlain is runIn where nothing in the environment tells git where to look.
func runPlain(t *testing.T, root, stdin, args string) string {
	t.Helper()
	var out strings.Builder
	a := apptest.New(root)
	a.Env = slices.DeleteFunc(a.Env, func(kv string) bool { return strings.HasPrefix(kv, "GIT_CEILING") })
	a.In, a.Out, a.Err = strings.NewReader(stdin), &out, &out
	if status := run(a, strings.Fields(args)); status != 0 {
		t.Fatalf("%s: status %d\n%s", args, status, out.String())
	}
	return out.String()
}
