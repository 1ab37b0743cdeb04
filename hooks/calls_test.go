package hooks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

func TestCallsAreNoted(t *testing.T) {
	p := newPlace(t)
	dir := filepath.Join(p.dir, ".git", "sage")
	if got := Calls(dir); len(got) != 0 {
		t.Errorf("called before anything was: %v", got)
	}
	p.run(SessionStart, "a", "startup")
	p.now = p.now.Add(time.Hour)
	p.run(PreCompact, "a", "")
	p.run("no-such-event", "a", "")
	noteCall(dir, Closing, p.now.Add(time.Hour)) // is nobody's who wonders whether the client calls
	got := Calls(dir)
	if len(got) != 2 || !got[SessionStart].Equal(p.now.Add(-time.Hour)) || !got[PreCompact].Equal(p.now) {
		t.Errorf("called %v", got)
	}
	p.now = p.now.Add(time.Hour)
	p.run(SessionStart, "a", "resume")
	if got := Calls(dir)[SessionStart]; !got.Equal(p.now) {
		t.Errorf("called again, but last %v", got)
	}
}

// TestCallsMayNotBeNoted: what stands in the way of a note stands in nothing else's.
func TestCallsMayNotBeNoted(t *testing.T) {
	p := newPlace(t)
	p.save("", sage.Checkpoint{Thesis: "Tokens rotate hourly."})
	must(t, os.WriteFile(filepath.Join(p.dir, ".git", "sage", callsFolder), nil, 0o600))
	contextOf(t, p.run(SessionStart, "a", "startup"))
	if log := p.logged(); log != "" {
		t.Errorf("logged %s", log)
	}
}

// TestCallsFollowNoLinks: a repository that came in an archive has nothing touched.
func TestCallsFollowNoLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	victim := filepath.Join(elsewhere, SessionStart)
	must(t, os.WriteFile(victim, nil, 0o600))
	then := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, link := range [][2]string{{elsewhere, filepath.Join(dir, callsFolder)}, {victim, filepath.Join(dir, "two", callsFolder, SessionStart)}} {
		must(t, errors.Join(os.Chtimes(victim, then, then), os.MkdirAll(filepath.Dir(link[1]), 0o700)))
		if err := os.Symlink(link[0], link[1]); err != nil {
			t.Skip(err)
		}
		noteCall(dir, SessionStart, time.Now())
		noteCall(filepath.Join(dir, "two"), SessionStart, time.Now())
		if st, err := os.Stat(victim); err != nil || !st.ModTime().Equal(then) {
			t.Errorf("%s was followed", link[1])
		}
	}
}

// TestSilentBesideAnother: an event that another entry answers is answered once.
func TestSilentBesideAnother(t *testing.T) {
	p := newPlace(t)
	p.save("", sage.Checkpoint{Thesis: "Tokens rotate hourly."})
	for _, elsewhere := range []bool{true, false} {
		var out bytes.Buffer
		o := p.options(&out, map[string]any{"session_id": "a", "cwd": p.dir, "source": "startup"})
		o.Elsewhere = func(event string) bool { return elsewhere && event == SessionStart }
		Run(context.Background(), o, SessionStart)
		if (out.Len() == 0) != elsewhere {
			t.Errorf("elsewhere %v: %q", elsewhere, &out)
		}
	}
	o := p.options(new(bytes.Buffer), nil)
	o.Elsewhere = func(string) bool { panic("boom") }
	if status := Run(context.Background(), o, SessionStart); status != 0 {
		t.Errorf("status %d", status)
	}
}
