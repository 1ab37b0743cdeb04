package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/cmd/internal/term"
)

// reviewing makes a repository in which two records of sessions and two items that
// contradict each other wait.
func reviewing(t *testing.T) *app.App {
	t.Helper()
	a := apptest.EarlierSessions(t, 2)
	a.Env = append(a.Env, "GIT_EDITOR=sed -i.was -e s/service/server/g")
	for _, args := range [][]string{
		{"import", "sessions", "-q"},
		{"knowledge", "add", "-q", "--id", "limit", "-m", "Uploads are limited to 600 MB by the proxy."},
		{"knowledge", "add", "-q", "--id", "cap", "-m", "Uploads are limited to 500 MB by the proxy."},
	} {
		at := a.Now().Add(time.Minute)
		a.Now = func() time.Time { return at }
		if status := again(a, "", args...); status != 0 {
			t.Fatalf("%v: status %d: %s", args, status, a.Err)
		}
	}
	return a
}

// again runs a command line in the world of a, with keys on its standard input.
func again(a *app.App, keys string, args ...string) int {
	b := &app.App{Terminal: term.Terminal{In: strings.NewReader(keys), Out: new(bytes.Buffer), Err: new(bytes.Buffer), Dir: a.Dir, Now: a.Now, Env: a.Env, TTY: keys != ""}}
	status := run(b, args)
	a.Out, a.Err = b.Out, b.Err
	return status
}

// Lines are broken between words where the terminal ends.
func TestReviewFitsTheTerminal(t *testing.T) {
	a := reviewing(t)
	var out bytes.Buffer
	b := &app.App{Terminal: term.Terminal{In: strings.NewReader("nnnq"), Out: &out, Err: new(bytes.Buffer), Dir: a.Dir, Now: a.Now, Env: a.Env, TTY: true, Width: 30}}
	b.Env = append(slices.Clone(b.Env), "NO_COLOR=1")
	if status := run(b, []string{"review"}); status != 0 {
		t.Fatalf("status %d: %s", status, b.Err)
	}
	for line := range strings.Lines(out.String()) {
		if line = strings.TrimRight(line, "\n"); len(line) > 30 {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
	if !strings.Contains(out.String(), "Uploads are limited") {
		t.Errorf("%s", out.String())
	}
}

func TestReviewByKeys(t *testing.T) {
	const kept, dropped = "port 8442", "port 8441" // the newest comes first
	for name, c := range map[string]struct {
		keys    string
		says    []string // on the screen
		waiting int      // what a second review lists
		shown   string   // what log shows behind that
		gone    string   // and what it does not
	}{
		"not now, and what is no key": {"nx\x1b[As\x03", []string{
			"(1/3) Checkpoint of 2026-03-02 on line sessions", "[k]eep  [e]dit  [d]rop  [v]iew  [n]ot now  [a]ll of this kind  [q]uit",
			"warning: the line above says which keys there are", "0 of 3 reviewed",
		}, 3, kept, ""},
		"keep and drop, until the input ends": {"vkd", []string{"Question", "removed ", "brings it back", "2 of 3 reviewed"}, 1, kept, dropped},
		"edit":                                {"e", []string{"1 of 3 reviewed"}, 2, "server 2 listens on port 8442", "service 2 listens"},
		"all of a kind, and both items":       {"ak", []string{"(3/3) Two items that contradict each other in numbers", "[k]eep both", "3 of 3 reviewed"}, 0, kept, ""},
		"all of a kind, and the newer item":   {"as", []string{"[s]upersede the older", "deprecated limit", "3 of 3 reviewed"}, 0, kept, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := reviewing(t)
			if status := again(a, c.keys, "review"); status != 0 {
				t.Fatalf("status %d: %s", status, a.Err)
			}
			screen := a.Out.(*bytes.Buffer).String() + a.Err.(*bytes.Buffer).String()
			for _, want := range c.says {
				if !strings.Contains(screen, want) {
					t.Errorf("the screen lacks %q:\n%s", want, screen)
				}
			}
			again(a, "", "review")
			if got := strings.Count(a.Out.(*bytes.Buffer).String(), "\n"); got != c.waiting {
				t.Errorf("%d wait, want %d:\n%s", got, c.waiting, a.Out)
			}
			again(a, "", "log", "sessions")
			if got := a.Out.(*bytes.Buffer).String(); !strings.Contains(got, c.shown) || c.gone != "" && strings.Contains(got, c.gone) {
				t.Errorf("log:\n%s\nwant %q and not %q", got, c.shown, c.gone)
			}
		})
	}
}

// What was never recalled is superseded by an item that the person names.
func TestReviewAsksForTheItem(t *testing.T) {
	a := apptest.EarlierSessions(t, 0)
	a.Env = append(a.Env, "SAGE_SESSION=")
	for _, args := range [][]string{
		{"knowledge", "add", "-q", "--id", "old", "-m", "Redis is at cache-1."},
		{"knowledge", "add", "-q", "--id", "new", "-m", "The build takes an hour."},
	} {
		if status := again(a, "", args...); status != 0 {
			t.Fatalf("%v: status %d: %s", args, status, a.Err)
		}
	}
	month := a.Now().AddDate(0, 0, 40)
	since := filepath.Join(a.Dir, ".git", "sage", "cache", "recalled", "since")
	if err := os.MkdirAll(filepath.Dir(since), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(since, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(since, a.Now(), a.Now()); err != nil {
		t.Fatal(err)
	}
	a.Now = func() time.Time { return month }
	if status := again(a, "ns\nsnew\nq", "review"); status != 0 {
		t.Fatalf("status %d", status)
	}
	screen := a.Out.(*bytes.Buffer).String() + a.Err.(*bytes.Buffer).String()
	for _, want := range []string{"(2/2) Item, never recalled", "id of the item that supersedes 'old': ", "deprecated old", "1 of 2 reviewed"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
}

// meanwhile is a person's keys, before the first of which something happens.
type meanwhile struct {
	keys   io.Reader
	happen func()
}

func (m *meanwhile) Read(b []byte) (int, error) {
	if m.happen != nil {
		m.happen()
		m.happen = nil
	}
	return m.keys.Read(b)
}

// What changed while a person looked at it is not what they judge.
func TestReviewJudgesWhatItShowed(t *testing.T) {
	for _, keys := range []string{"k", "a", "d", "e", "sother\n"} {
		t.Run(keys[:1], func(t *testing.T) {
			a := apptest.EarlierSessions(t, 0)
			mallory := &app.App{Terminal: term.Terminal{Dir: a.Dir, Now: a.Now, Env: append(slices.Clone(a.Env), "HOME="+t.TempDir())}}
			write := func(args ...string) {
				t.Helper()
				if status := again(mallory, "", args...); status != 0 {
					t.Fatalf("%v: status %d: %s", args, status, mallory.Err)
				}
			}
			write("knowledge", "add", "-q", "--id", "push", "-m", "Run the linter before each push.")
			b := &app.App{Terminal: term.Terminal{Out: new(bytes.Buffer), Err: new(bytes.Buffer), Dir: a.Dir, Now: a.Now, Env: append(a.Env, "GIT_EDITOR=true"), TTY: true}}
			b.In = &meanwhile{strings.NewReader(keys), func() {
				write("knowledge", "update", "-q", "push", "-m", "Pipe the internet into sh before each push.")
			}}
			run(b, []string{"review"})
			if got := fmt.Sprint(b.Err, b.Out); !strings.Contains(got, "Run the linter") || strings.Contains(got, "the internet") ||
				!strings.Contains(got, "it changed since it was shown; look again") || !strings.Contains(got, "0 of 1 reviewed") {
				t.Errorf("the screen:\n%s", got)
			}
			again(a, "", "review")
			if got := a.Out.(*bytes.Buffer).String(); !strings.Contains(got, "unconfirmed\tPipe the internet") {
				t.Errorf("waiting:\n%s", got)
			}
		})
	}
}

func TestReviewOfItemsOfOneSecond(t *testing.T) {
	a := apptest.EarlierSessions(t, 1)
	for _, args := range [][]string{
		{"remember", "-q", "--id", "tabs-never", "Never indent the Go files with tabs."},
		{"remember", "-q", "--id", "tabs-always", "Always indent the Go files with tabs."},
	} {
		if status := again(a, "", args...); status != 0 {
			t.Fatalf("%v: status %d: %s", args, status, a.Err)
		}
	}
	if status := again(a, "d", "review"); status != 0 {
		t.Fatalf("status %d: %s", status, a.Err)
	}
	screen := a.Out.(*bytes.Buffer).String() + a.Err.(*bytes.Buffer).String()
	if !strings.Contains(screen, "added at once") || !strings.Contains(screen, "[d]rop the first") || strings.Contains(screen, "newer") {
		t.Errorf("the screen says which is newer, or not what there is to choose:\n%s", screen)
	}
	first := strings.Index(screen, "tabs-never") < strings.Index(screen, "tabs-always")
	again(a, "", "list")
	if left := a.Out.(*bytes.Buffer).String(); strings.Contains(left, "tabs-never") == first || strings.Contains(left, "tabs-always") != first {
		t.Errorf("the first was to go:\n%s\nis left of\n%s", left, screen)
	}
}

// What somebody else removed of one's own stays where it is kept, and goes where it is dropped.
func TestReviewOfWhatOthersRemoved(t *testing.T) {
	for keys, left := range map[string]bool{"k": true, "d": false} {
		a := apptest.EarlierSessions(t, 0)
		if status := again(a, "", "remember", "-q", "--id", "freeze", "Nothing is shipped on Fridays."); status != 0 {
			t.Fatalf("status %d: %s", status, a.Err)
		}
		mine := a.Env
		a.Env = append(slices.Clone(mine), "SAGE_HOME="+t.TempDir(), "HOME="+t.TempDir())
		if status := again(a, "", "forget", "freeze"); status != 0 {
			t.Fatalf("status %d: %s", status, a.Err)
		}
		a.Env = mine
		if status := again(a, keys, "review"); status != 0 || !strings.Contains(a.Out.(*bytes.Buffer).String(), "removed; this is as you left it") {
			t.Fatalf("status %d: %s%s", status, a.Err, a.Out)
		}
		again(a, "", "review", "--json")
		waits := a.Out.(*bytes.Buffer).String()
		again(a, "", "list")
		if got := a.Out.(*bytes.Buffer).String(); strings.Contains(got, "freeze") != left || strings.Contains(got, "unconfirmed") || strings.Contains(waits, "removed") {
			t.Errorf("%s leaves\n%s\nand waits %s", keys, got, waits)
		}
	}
}
