package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
)

// What a killed install left is named, and goes with the next; what may be at work, is a
// link, or has another name stays.
func TestSweepsWhatAKilledInstallLeft(t *testing.T) {
	p := newPlace(t)
	dir := filepath.Dir(p.mustPath(t, Hooks, User))
	left := []string{filepath.Join(p.Home, ".git-sage-12"), filepath.Join(dir, ".git-sage-3"), filepath.Join(p.Root, ".claude", ".git-sage-4"), filepath.Join(p.Records, ".git-sage-5"), filepath.Join(p.Home, ".cursor", ".git-sage-6")}
	stays := []string{filepath.Join(dir, ".git-sage-now"), filepath.Join(dir, ".git-sage-77x"), filepath.Join(dir, ".git-sage-8")}
	for _, path := range append(slices.Clone(left), stays...) {
		put(t, path, "{")
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	put(t, stays[2], "{}") // just now
	if err := os.Symlink(stays[0], filepath.Join(dir, ".git-sage-9")); err == nil {
		stays = append(stays, filepath.Join(dir, ".git-sage-9"))
	}
	found := p.Findings()
	for _, path := range left {
		if !slices.ContainsFunc(found, func(f Finding) bool { return strings.HasPrefix(f.Detail, path+" ") }) {
			t.Errorf("%s is not among %q", path, found)
		}
	}
	p.DryRun = true
	if do(t, p.Install, Hooks, User); len(p.Unfinished()) != len(left) {
		t.Errorf("a dry run leaves %q", p.Unfinished())
	}
	p.DryRun = false
	if r := do(t, p.Install, Hooks, User); len(r.Also) != len(left) || len(p.Unfinished()) != 0 {
		t.Errorf("install says %q and leaves %q", r.Also, p.Unfinished())
	}
	for _, path := range stays {
		if !disk.Exists(path) {
			t.Errorf("%s is gone", path)
		}
	}
}
