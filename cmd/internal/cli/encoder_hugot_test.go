//go:build hugot

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
)

// A model that takes half a second answers, but no hook.
func TestForeignModelIsForWhoCanWait(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"repo", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	sh(t, root, "git init -q; git config --global user.name Ada; git config --global user.email ada@example.org")
	if err := os.CopyFS(filepath.Join(root, "home", ".sage", "models", "ada", "other"), os.DirFS("../../../recall/embed/onnx/testdata/lookup")); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"knowledge add --id port -m 5433 --keywords cat", "model use ada/other", "model info ada/other", "model calibrate"} {
		if out, status := runIn(root, "", strings.Fields(args)...); status != 0 {
			t.Fatalf("%s: %d\n%s", args, status, out)
		}
	}
	for _, hook := range []bool{true, false} {
		a := apptest.New(root)
		open := a.OpenGuest
		if hook {
			open = a.OpenHook
		}
		m, err := open(t.Context(), a.Dir, "")
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if e, err := m.Stores.Embedder(); err != nil || (e == nil) != hook {
			t.Errorf("hook %v: %v, %v", hook, e, err)
		}
	}
	moved := filepath.Join(root, "ada")
	if err := errors.Join(os.Rename(filepath.Join(root, "home", ".sage", "models", "ada"), moved), os.Symlink(moved, filepath.Join(root, "home", ".sage", "models", "ada"))); err != nil {
		t.Skip(err)
	}
	if out, status := runIn(root, "", "model", "use", "ada/other"); status != 128 || !strings.Contains(out, "is a symbolic link") {
		t.Errorf("behind a link: %d\n%s", status, out)
	}
}
