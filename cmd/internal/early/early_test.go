package early

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// repository makes one and returns by what it is opened.
func repository(t *testing.T) gitstore.Options {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	cmd := exec.Command("git", "init", "-q", dir)
	cmd.Env = storetest.Env(home)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return gitstore.Options{Dir: dir, Home: home, Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}}
}

// instead puts another opening in the place of that of this process.
func instead(t *testing.T, b *opening) {
	old := process
	t.Cleanup(func() { process = old })
	process = b
}

func TestWhatWasBegunIsTakenOnce(t *testing.T) {
	o := repository(t)
	b := begin(o)
	instead(t, b)
	first, err := Open(context.Background(), o)
	<-b.done
	if err != nil || first != b.store {
		t.Fatalf("%v, %v", first == b.store, err)
	}
	defer first.Close()
	second, err := Open(context.Background(), o)
	if err != nil || second == first {
		t.Fatalf("a second one is the first: %v", err)
	}
	defer second.Close()
}

// The store goes by the clock of who takes it.
func TestClockOfTheTaker(t *testing.T) {
	o := repository(t)
	b := begin(o)
	if got := b.clock(); time.Since(got) > time.Minute {
		t.Errorf("before: %v", got)
	}
	instead(t, b)
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	o.Now = func() time.Time { return at }
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	saved, err := s.Save(context.Background(), gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "ARC beats LRU."}})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Record(context.Background(), saved.ID); err != nil || !r.Time.Equal(at) {
		t.Errorf("saved at %v, %v", r.Time, err)
	}
}

// Whoever asks for anything else than what was begun gets that.
func TestAnotherIsOpened(t *testing.T) {
	for name, change := range map[string]func(*gitstore.Options){
		"folder":  func(o *gitstore.Options) { o.Dir = filepath.Join(o.Dir, ".git") },
		"home":    func(o *gitstore.Options) { o.Home += "/elsewhere" },
		"session": func(o *gitstore.Options) { o.Session = "s-1" },
		"agent":   func(o *gitstore.Options) { o.Agent = "an-agent" },
		"guest":   func(o *gitstore.Options) { o.Guest = true },
		"writing": func(o *gitstore.Options) { o.Writing = true },
		"env":     func(o *gitstore.Options) { o.Env = append(o.Env[:len(o.Env):len(o.Env)], "GIT_AUTHOR_NAME=Ada") },
		"global":  func(o *gitstore.Options) { o.Global, o.Home = true, filepath.Join(o.Home, "own") },
	} {
		t.Run(name, func(t *testing.T) {
			o := repository(t)
			b := begin(o)
			instead(t, b)
			change(&o)
			s, _ := Open(context.Background(), o)
			<-b.done
			if s == b.store || b.taken.Load() {
				t.Error("it is the one that was begun")
			}
			s.Close()
			b.store.Close()
		})
	}
}

func TestErrorsArePassedOn(t *testing.T) {
	o := repository(t)
	o.Dir = t.TempDir()
	instead(t, begin(o))
	if _, err := Open(context.Background(), o); !errors.Is(err, gitstore.ErrNotRepository) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(filepath.Join(o.Home, "config.yaml"), []byte("redact_rules: [{name: x, pattern: '('}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	instead(t, begin(o))
	if _, err := Open(context.Background(), o); err == nil || errors.Is(err, gitstore.ErrNotRepository) {
		t.Errorf("a rule that means nothing: %v", err)
	}
}

// What goes wrong in the background is met again by who asks.
func TestNothingBegunIsOpened(t *testing.T) {
	o := repository(t)
	broken := &opening{with: o, cancel: func() {}, done: make(chan struct{})}
	close(broken.done)
	for _, b := range []*opening{nil, broken} {
		instead(t, b)
		s, err := Open(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
}

// What ends the command ends what is under way for its store.
func TestEndOfTheCommandIsPassedOn(t *testing.T) {
	o := repository(t)
	b := begin(o)
	ended := make(chan struct{})
	b.cancel = func() { close(ended) }
	instead(t, b)
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cancel()
	<-ended
}

func TestOptions(t *testing.T) {
	env := []string{"HOME=/home/ada", "SAGE_SESSION=s-1"}
	of := func(writing bool) gitstore.Options {
		return gitstore.Options{Env: env, Home: filepath.Join("/home/ada", ".sage"), Session: "s-1", Writing: writing}
	}
	for _, tt := range []struct {
		args []string
		want gitstore.Options
		ok   bool
	}{
		{nil, gitstore.Options{}, false},
		{[]string{"version"}, gitstore.Options{}, false},
		{[]string{"-C", "x", "log"}, gitstore.Options{}, false},
		{[]string{"hook", "session-start"}, gitstore.Options{}, false},
		{[]string{"-test.run=X"}, gitstore.Options{}, false},
		{[]string{"log", "-n", "20"}, of(false), true},
		{[]string{"checkpoint"}, of(false), true},
		{[]string{"checkpoint", "list"}, of(false), true},
		{[]string{"checkpoint", "save", "-m", "x"}, of(true), true},
	} {
		got, ok := Options(env, tt.args)
		if diff := cmp.Diff(tt.want, got); diff != "" || ok != tt.ok {
			t.Errorf("%q: %v %s", tt.args, ok, diff)
		}
	}
}

func TestSession(t *testing.T) {
	for _, tt := range []struct {
		env            []string
		session, agent string
	}{
		{nil, "", ""},
		{[]string{"CLAUDECODE=1"}, "", ""},
		{[]string{"SAGE_SESSION=a"}, "a", ""},
		{[]string{"SAGE_SESSION=a", "SAGE_SESSION=b"}, "b", ""},
		{[]string{"CLAUDE_CODE_SESSION_ID=c", "CLAUDECODE=1"}, "c", "claude-code"},
		{[]string{"CLAUDE_CODE_SESSION_ID=c", "SAGE_SESSION=a", "CLAUDECODE=1"}, "a", "claude-code"},
	} {
		if session, agent := Session(tt.env); session != tt.session || agent != tt.agent {
			t.Errorf("%q: %q %q", tt.env, session, agent)
		}
	}
}

func TestHome(t *testing.T) {
	if got := Home([]string{"HOME=/h", "SAGE_HOME=/s"}); got != "/s" {
		t.Error(got)
	}
	if got := Home([]string{"HOME=/h"}); got != filepath.Join("/h", ".sage") {
		t.Error(got)
	}
}
