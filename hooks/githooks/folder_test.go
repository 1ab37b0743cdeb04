//go:build unix

package githooks

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const mine = "#!/bin/sh\necho mine\n"

// withHook is a folder with a hook of the user's.
func withHook(t *testing.T, put func(path string) error) (Folder, hook) {
	t.Helper()
	f := Folder{Path: filepath.Join(t.TempDir(), "hooks")}
	h := f.hook("post-commit")
	if err := os.Mkdir(f.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := put(h.path); err != nil {
		t.Fatal(err)
	}
	return f, h
}

func plain(path string) error { return os.WriteFile(path, []byte(mine), 0o755) }

// linked is a hook that the user keeps elsewhere.
func linked(path string) error {
	elsewhere := filepath.Join(filepath.Dir(path), "mine.sh")
	if err := plain(elsewhere); err != nil {
		return err
	}
	return os.Symlink("mine.sh", path)
}

// TestKilledBetween: an install that is killed when the user's hook has its second name leaves
// it where it was; the next install, or uninstall, goes on from there.
func TestKilledBetween(t *testing.T) {
	for name, put := range map[string]func(string) error{"file": plain, "link": linked} {
		for undo, after := range map[bool]string{false: text("post-commit"), true: mine} {
			f, h := withHook(t, put)
			if err := h.setAside(); err != nil {
				t.Fatal(err)
			}
			if now, err := h.read(); now != mine || err != nil {
				t.Errorf("%s: meanwhile it is %q, %v", name, now, err)
			}
			if _, wrong, err := f.State(); err != nil || len(wrong) != len(Names) {
				t.Errorf("%s: %v, %v", name, wrong, err)
			}
			do := f.Install
			if undo {
				do = f.Uninstall
			}
			if _, err := do(false); err != nil {
				t.Fatal(err)
			}
			if now, _ := h.read(); now != after || exists(h.own) == undo {
				t.Errorf("%s: it becomes %q, set aside: %v", name, now, exists(h.own))
			}
			if _, err := f.Uninstall(false); err != nil {
				t.Fatal(err)
			}
			st, err := os.Lstat(h.path)
			if now, _ := h.read(); now != mine || err != nil || st.Mode().IsRegular() != (name == "file") || exists(h.own) {
				t.Errorf("%s: it is back as %q, %v, %v", name, now, st.Mode(), err)
			}
		}
	}
}

// TestInstalledTwiceAtOnce: of installs beside each other none takes ours for the user's hook.
func TestInstalledTwiceAtOnce(t *testing.T) {
	for range 20 {
		f, h := withHook(t, plain)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { _, _ = f.Install(false) })
		}
		all.Wait()
		own, err := os.ReadFile(h.own)
		if now, _ := h.read(); now != text(h.name) || string(own) != mine || err != nil {
			t.Fatalf("%q, and set aside %q, %v", now, own, err)
		}
	}
}

// TestWrittenMeanwhile: what took the place of the hook that was looked at stays.
func TestWrittenMeanwhile(t *testing.T) {
	_, h := withHook(t, plain)
	if err := h.unchanged("another"); err == nil || !strings.Contains(err.Error(), "was written meanwhile") {
		t.Error(err)
	}
	if err := h.unchanged(mine); err != nil {
		t.Error(err)
	}
}

func TestOwnName(t *testing.T) {
	for hook, looks := range map[string]bool{
		mine: false,
		"#!/bin/sh\nexec git lfs post-commit \"$@\"\n":             false,
		"#!/bin/sh\ncd \"$(dirname \"$0\")/..\" && ./check\n":      false,
		"#!/bin/sh\nexec .git/hooks/$(basename \"$0\").sh\n":       true,
		"#!/bin/sh\nrun-parts \"$0.d\"\n":                          true,
		"#!/bin/zsh\nrun ${0:t}\n":                                 true,
		"#!/bin/sh\n# husky\n\n. \"$(dirname \"$0\")/husky.sh\"\n": true,
	} {
		if got := ownName().MatchString(hook); got != looks {
			t.Errorf("%q: %v", hook, got)
		}
	}
}
