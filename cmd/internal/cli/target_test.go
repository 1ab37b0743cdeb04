package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// What becomes of a repository that something in the background is to work on.
var becomes = map[string]string{
	"gone":                "mv repo elsewhere",
	"an empty folder":     "mv repo elsewhere; mkdir repo",
	"another":             "mv repo elsewhere; git init -q repo",
	"another with an id":  "mv repo elsewhere; mv other repo",
	"a folder of another": "mv repo/.git elsewhere; git init -q .",
	"what was never used": "rm -r repo/.git/sage",
}

// What is started in the background works on the store that it was started for, and on no
// other: not on a folder that it would make, not on a repository that lies there now, and
// not on the user's own store. Nobody hears of it.
func TestBackgroundWorksOnItsStoreAlone(t *testing.T) {
	for what, script := range becomes {
		for _, command := range []string{"admin rebuild-embeddings --missing --quiet", "admin maintenance --auto --quiet"} {
			t.Run(what+"/"+strings.Fields(command)[1], func(t *testing.T) {
				t.Parallel()
				root := twoRepositories(t)
				line := lineIn(t, root, command)
				sh(t, root, "cd ..; "+script)
				before := beneath(t, root)
				playQuietly(t, root, line)
				if diff := cmp.Diff(before, beneath(t, root)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// The same while it is at work: the model that it asks for vectors sees the repository go.
func TestBackgroundEndsWithItsStore(t *testing.T) {
	for what, script := range becomes {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			root := twoRepositories(t)
			var armed atomic.Bool
			var before []string
			s := letterServer(t, func() {
				if armed.CompareAndSwap(true, false) {
					sh(t, root, "cd ..; "+script)
					before = beneath(t, root)
				}
			})
			key := "MY_KEY=" + endpointKey
			for _, args := range [][]string{
				{"model", "use", "--url", s.URL, "--key-env", "MY_KEY", "letters"},
				{"save", "-m", "The test database listens on port 5433."},
			} {
				if out, status := playWith(root, args, key); status != 0 {
					t.Fatalf("%q: %d\n%s", args, status, out)
				}
			}
			line := lineIn(t, root, "admin rebuild-embeddings --missing --quiet")
			armed.Store(true)
			playQuietly(t, root, line, key)
			if armed.Load() {
				t.Fatal("the model was not asked")
			}
			if diff := cmp.Diff(before, beneath(t, root)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// twoRepositories are two with something kept in each, repo and other, beneath a folder.
func twoRepositories(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, dir := range []string{"repo", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	sh(t, root, "git init -q; git init -q ../other; git config --global user.name Ada; git config --global user.email ada@example.org")
	for _, dir := range []string{"repo", "other"} {
		if out, status := playWith(root, []string{"-C", filepath.Join(root, dir), "knowledge", "add", "--id", "port", "-m", "The port is 5433."}); status != 0 {
			t.Fatalf("%d\n%s", status, out)
		}
	}
	return root
}

// lineIn is the command line by which a command is started on the repository in the background.
func lineIn(t *testing.T, root, command string) []string {
	t.Helper()
	a := apptest.New(root)
	defer a.Done()
	m, err := a.OpenGuest(t.Context(), a.Dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	to, err := background.TargetOf(m.Store)
	if err != nil {
		t.Fatal(err)
	}
	return append(append([]string{"-C", a.Dir}, strings.Fields(command)...), to.Args()...)
}

// playQuietly runs a command line, which has nothing to say but that its folder is gone.
func playQuietly(t *testing.T, root string, line []string, env ...string) {
	t.Helper()
	there := app.IsDir(filepath.Join(root, "repo"))
	if out, status := playWith(root, line, env...); there && (status != 0 || out != "") {
		t.Errorf("status %d, said %q", status, out)
	}
}

// playWith is runIn with more in the environment.
func playWith(root string, args []string, env ...string) (string, int) {
	var out bytes.Buffer
	a := apptest.New(root)
	a.Env, a.Out, a.Err = append(a.Env, env...), &out, &out
	status := run(a, args)
	return out.String(), status
}

// beneath lists all that lies beneath a folder.
func beneath(t *testing.T, root string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, strings.TrimPrefix(path, root))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Hooks and servers have read what they save, commands do not; a server answers meanwhile.
func TestWhoReadsAhead(t *testing.T) {
	root := twoRepositories(t)
	for _, tt := range []struct {
		what        string
		guest, long bool
	}{{"a command", false, false}, {"a hook", true, false}, {"a server", true, true}} {
		a := apptest.New(root)
		a.Indexes = &sidecar.Indexes{Long: tt.long}
		m, err := a.Open(t.Context())
		if tt.guest {
			m, err = a.OpenGuest(t.Context(), a.Dir, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if reads := m.Stores.ReadAhead != nil; reads != tt.guest {
			t.Errorf("%s: %v", tt.what, reads)
		}
		if !tt.guest {
			continue
		}
		begins, begun := make(chan bool), make(chan bool, 1)
		if tt.long {
			m.Stores.ReadAhead(func() { begun <- <-begins }) // waits for who called it
			begins <- true
		} else {
			m.Stores.ReadAhead(func() { begun <- true })
		}
		if !<-begun {
			t.Error(tt.what)
		}
	}
}
