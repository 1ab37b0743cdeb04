//go:build unix

package projects

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestHostile: what is no file of a registry is no project, and nobody waits for it; of many
// projects who mistypes a name is told a few.
func TestHostile(t *testing.T) {
	home := t.TempDir()
	r := In(home)
	r.Note(Project{Dir: "/src/a\nb\x1b[31m"})
	for i := range 29 {
		r.Note(Project{Dir: fmt.Sprintf("/src/p%02d", i)})
	}
	at := func(name string) string { return filepath.Join(home, "cache", "projects", name) }
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for p, put := range map[Project]func(name string) error{
		{Dir: "/src/link"}: func(name string) error { return os.Symlink(at(nameOf(Project{Dir: "/src/p00"})), name) },
		{Dir: "/src/pipe"}: func(name string) error { return syscall.Mkfifo(name, 0o600) },
		{Dir: "/src/dir"}:  func(name string) error { return os.Mkdir(name, 0o700) },
		{Dir: "relative"}:  func(name string) error { return os.WriteFile(name, []byte("relative"), 0o600) },
		{Dir: "/src/else"}: func(name string) error { return os.WriteFile(name, []byte("/src/other"), 0o600) },
	} {
		if err := put(at(nameOf(p))); err != nil {
			t.Fatal(err)
		}
	}
	list := r.List()
	if len(list) != 30 || list[1] != (Project{"p00", "/src/p00"}) {
		t.Errorf("%d: %v", len(list), list)
	}
	_, err := Named(list, "nothing of the kind")
	if err == nil || !strings.Contains(err.Error(), "but a b\\u{1b}[31m, p00, ") || !strings.Contains(err.Error(), "p18, 10 more: ") {
		t.Error(err)
	}
}
