//go:build unix

package git_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func runner(t *testing.T) (*storetest.World, *storetest.FaultyGit, *git.Runner) {
	t.Helper()
	w := storetest.New(t)
	dir := w.Repo("r")
	g := w.FaultyGit()
	r, err := git.New(dir, w.Env, false)
	if err != nil {
		t.Fatal(err)
	}
	return w, g, r
}

// A git that hangs is ended when the caller's time is up, in whatever way it was
// started, and the error names the command.
func TestHangingGitIsEnded(t *testing.T) {
	_, g, r := runner(t)
	for name, call := range map[string]func(context.Context) error{
		"run": func(ctx context.Context) error { _, err := r.Run(ctx, "rev-parse", "HEAD"); return err },
		"stream": func(ctx context.Context) error {
			return r.Records(ctx, func([]byte) bool { return true }, "rev-parse", "HEAD")
		},
		"start": func(ctx context.Context) error {
			w, err := r.Start(ctx, nil, "rev-parse", "HEAD")
			if err != nil {
				return err
			}
			return w.Feed(nil, func() {})
		},
	} {
		t.Run(name, func(t *testing.T) {
			g.Command("rev-parse", storetest.Hang)
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			err := call(ctx)
			if !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), "git rev-parse: ") {
				t.Errorf("error: %v", err)
			}
		})
	}
}

// What git says is passed on as one line; one that was killed says nothing, and the
// error that it was.
func TestErrorsOfGit(t *testing.T) {
	_, g, r := runner(t)
	for how, want := range map[storetest.How]string{storetest.Fail: "git rev-parse: injected", storetest.Die: "git rev-parse: killed (signal: killed)", storetest.Behind: "git rev-parse: exit status 128"} {
		g.Command("rev-parse", how)
		_, err := r.Run(t.Context(), "-c", "a.b=c", "rev-parse", "HEAD")
		var e *git.Error
		if err == nil || err.Error() != want || !errors.As(err, &e) {
			t.Errorf("%s: %v, want %s", how, err, want)
		}
	}
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := git.New(".", nil, false); !errors.Is(err, git.ErrNoGit) {
		t.Errorf("error: %v", err)
	}
}

// 'git sage' and 'git-sage' know one git by one path; another git behind it is not that which
// runs us.
func TestGitBehindItsOwnPrograms(t *testing.T) {
	dir := t.TempDir()
	inner, outer := filepath.Join(dir, "git-core"), filepath.Join(dir, "bin")
	written := time.Now().Add(-time.Hour)
	program := func(folder, text string) string {
		path := filepath.Join(folder, "git")
		if err := errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(path, []byte(text), 0o777), os.Chtimes(path, written, written)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("PATH", inner+string(os.PathListSeparator)+outer)
	for _, tt := range []struct{ name, own, inner, outer, want string }{
		{"a copy", inner, "git", "git", outer},
		{"another", inner, "git", "git 2", inner},
		{"nobody says whose folder it is", "", "git", "git", inner},
	} {
		a, b := program(inner, tt.inner), program(outer, tt.outer)
		t.Setenv("GIT_EXEC_PATH", tt.own)
		want := map[string]string{inner: a, outer: b}[tt.want]
		if r, err := git.New(".", nil, false); err != nil || r.Path() != want {
			t.Errorf("%s: %s, %v, want %s", tt.name, r.Path(), err, want)
		}
	}
	if err := os.RemoveAll(outer); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_EXEC_PATH", inner)
	if r, err := git.New(".", nil, false); err != nil || filepath.Dir(r.Path()) != inner {
		t.Errorf("alone: %v", err)
	}
}

// A list is read until the reader has enough.
func TestRecordsStop(t *testing.T) {
	w, _, r := runner(t)
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "second")
	var got []string
	err := r.Records(t.Context(), func(b []byte) bool { got = append(got, string(b)); return false }, "log", "-z", "--format=%s")
	if err != nil || len(got) != 1 || got[0] != "second" {
		t.Errorf("%q %v", got, err)
	}
}

// One that is not needed ends without its input, and moves nothing.
func TestCancelMovesNothing(t *testing.T) {
	w, _, r := runner(t)
	m, err := r.Start(t.Context(), nil, "update-ref", "--stdin")
	if err != nil {
		t.Fatal(err)
	}
	m.Cancel()
	m.Cancel()
	var none *git.Waiting
	none.Cancel()
	if refs := w.Git("r", "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
		t.Errorf("refs: %s", refs)
	}
}

// What an outer git or a stranger set does not reach git.
func TestEnvironmentIsScrubbed(t *testing.T) {
	env := []string{"HOME=/h", "GIT_DIR=/x", "GIT_INDEX_FILE=/i", "GIT_CONFIG_GLOBAL=/g", "GIT_CONFIG_KEY_0=a", "LC_ALL=de_DE"}
	for _, guest := range []bool{false, true} {
		r, err := git.New(".", env, guest)
		if err != nil {
			t.Fatal(err)
		}
		got := " " + strings.Join(r.Env(), " ") + " "
		for _, kv := range env {
			want := kv == "HOME=/h" || kv == "GIT_CONFIG_GLOBAL=/g" || !guest && (kv == "GIT_DIR=/x" || kv == "GIT_CONFIG_KEY_0=a")
			if strings.Contains(got, " "+kv+" ") != want {
				t.Errorf("guest %v: %s passes: %v", guest, kv, !want)
			}
		}
	}
}

// One that is not needed and cannot end is ended, too, for the reason that is found.
func TestCancelEndsWhatHangs(t *testing.T) {
	_, g, r := runner(t)
	g.Command("update-ref", storetest.Hang)
	asked := make(chan bool, 1)
	m, err := r.Watch(func() error { asked <- true; return errors.New("a pipe") }).Start(t.Context(), nil, "update-ref", "--stdin")
	if err != nil {
		t.Fatal(err)
	}
	m.Cancel()
	<-asked
}
