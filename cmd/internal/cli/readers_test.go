package cli

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/cmd/internal/exit"
)

// everyCommand are the words of all commands and groups, hidden ones too.
func everyCommand(c *cobra.Command) (all [][]string) {
	for _, v := range c.Commands() {
		if v.Name() != "no-help" {
			all = append(all, strings.Fields(v.CommandPath())[2:])
			all = append(all, everyCommand(v)...)
		}
	}
	return all
}

// treeOf are the files and folders below root, with what files hold.
func treeOf(t *testing.T, root string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			tree[path] = "folder"
			return err
		}
		b, err := os.ReadFile(path)
		tree[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// somewhere is the world of a command that starts in a folder of root, with these
// variables instead; its temporary files lie in root, too.
func somewhere(t *testing.T, root, dir string, env ...string) *app.App {
	t.Helper()
	for _, name := range []string{"outside", "tmp", "home"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(root, "tmp"))
	a := apptest.New(root)
	a.Dir, a.Env = filepath.Join(root, dir), append(a.Env, env...)
	return a
}

// Help writes nothing: of no command, wherever and by whoever it is asked for.
func TestHelpWritesNothing(t *testing.T) {
	root := t.TempDir()
	prepareTouched(t, root)
	locked := filepath.Join(root, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	for place, world := range map[string]func() *app.App{
		"in a repository": func() *app.App { return somewhere(t, root, "repo") },
		"outside":         func() *app.App { return somewhere(t, root, "outside") },
		"without a home":  func() *app.App { return somewhere(t, root, "outside", "HOME=", "XDG_CONFIG_HOME=", "SAGE_HOME=") },
		"a locked home":   func() *app.App { return somewhere(t, root, "outside", "HOME="+locked, "SAGE_HOME=") },
		"a home to be": func() *app.App {
			return somewhere(t, root, "outside", "HOME="+root+"/none", "SAGE_HOME="+root+"/none/sage")
		},
	} {
		if testing.Short() && place != "in a repository" && place != "a locked home" {
			continue
		}
		world()
		before := treeOf(t, root)
		for _, words := range append(everyCommand(newRoot(apptest.New(root))), nil) {
			for _, args := range [][]string{{"-h"}, {"--help"}, {"--json", "-h"}, {"--no-pager", "--help"}} {
				var out bytes.Buffer
				a := world()
				a.Out, a.Err = &out, &out
				status := run(a, append(slices.Clone(words), args...))
				want := map[bool]int{true: exit.Usage, false: exit.OK}[slices.Contains(args, "-h")]
				if len(words) > 0 && words[0] == "hook" { // which never says anything else
					want = exit.OK
				}
				if status != want || !strings.Contains(out.String(), "usage: ") {
					t.Errorf("%s: %q %q: status %d, want %d\n%s", place, words, args, status, want, &out)
				}
			}
		}
		if diff := cmp.Diff(before, treeOf(t, root)); diff != "" {
			t.Errorf("%s: help wrote something (-before +after):\n%s", place, diff)
		}
	}
}

// Who only reads makes no store: outside of any repository, where the user has none, there
// is nothing to be found, and nothing stays behind.
func TestReadersMakeNoStore(t *testing.T) {
	home := map[string]bool{ // these write there what is no store, as they say
		"config set": true, "watcher autostart": true, "watcher start": true, "hooks install": true, "mcp install": true,
		"agent-skills install": true, "model use": true,
	}
	paths := runnable(newRoot(apptest.New(t.TempDir())))
	for _, path := range slices.Concat(readers, bareReaders) {
		if strings.HasPrefix(path, "__") {
			continue
		}
		if !slices.Contains(paths, "git sage "+path) {
			t.Errorf("no command '%s'", path)
			continue
		}
		words := strings.Fields(path)
		cases := touchCases["git sage "+path]
		if slices.Contains(bareReaders, path) {
			cases = []touchCase{{args: path}}
		}
		for _, tc := range append(cases, touchCase{args: path + " -v"}) {
			root := t.TempDir()
			a := somewhere(t, root, "outside")
			before := treeOf(t, root)
			var out bytes.Buffer
			a.In, a.Out, a.Err = strings.NewReader(tc.stdin), &out, &out
			run(a, strings.Fields(tc.args))
			after := treeOf(t, root)
			if _, err := os.Stat(filepath.Join(root, "home", ".sage", "memory.git")); err == nil {
				t.Errorf("%s made a store of the user's:\n%s", tc.args, &out)
			}
			if home[path] || strings.Contains(tc.args, "../out") {
				maps.DeleteFunc(after, func(name, _ string) bool { return !strings.HasPrefix(name, filepath.Join(root, "tmp")) })
				maps.DeleteFunc(before, func(name, _ string) bool { return !strings.HasPrefix(name, filepath.Join(root, "tmp")) })
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("%s wrote something (-before +after):\n%s", words, diff)
			}
			if strings.Contains(out.String(), "bug in git-sage") || strings.Contains(out.String(), filepath.Join(root, "tmp")) {
				t.Errorf("%s says\n%s", tc.args, &out)
			}
		}
	}
}
