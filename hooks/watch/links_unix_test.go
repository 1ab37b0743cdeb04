//go:build unix

package watch

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What leads out of the folder, or is no plain file, is not read, and nobody waits for it.
func TestLinksAreNotFollowed(t *testing.T) {
	r := newRig(t)
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim.jsonl")
	must(t, os.WriteFile(victim, []byte(r.says("x1")+r.summary("x2")), 0o600))
	r.write("-a/one.jsonl", r.says("u1"))
	r.start()
	for name, to := range map[string]string{"-a/link.jsonl": victim, "-a/inner.jsonl": "one.jsonl", "-out": outside, "-loop": ".", "-a/gone.jsonl": "/no/such"} {
		must(t, os.Symlink(to, r.path(name)))
	}
	must(t, syscall.Mkfifo(r.path("-a/pipe.jsonl"), 0o600))
	must(t, os.Mkdir(r.path("-a/folder.jsonl"), 0o700))
	r.expect(pollTurn)
	r.expect(pollTurn)
	r.write("-a/one.jsonl", r.says("u2"))
	r.expect(pollTurn)
	if err := os.Remove(r.path("-a/one.jsonl")); err != nil { // becomes a link
		t.Fatal(err)
	}
	must(t, os.Symlink(victim, r.path("-a/one.jsonl")))
	r.expect(pollTurn)
	if f, err := openPlain(r.w.root, "-a/one.jsonl"); err == nil { // as if it had become one just now
		f.Close()
		t.Error("what leads out of the folder was opened")
	}
	if f, err := openPlain(r.w.root, "-a/pipe.jsonl"); err == nil {
		f.Close()
		t.Error("a pipe was opened")
	}
	text := r.logged()
	for _, name := range []string{"-a/link.jsonl", "-a/inner.jsonl", "-out", "-loop", "-a/one.jsonl"} {
		if strings.Count(text, name+" is a link") != 1 {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// What stands in the place of the lock is said, with what clears it, and never opened.
func TestWhatStandsInTheLocksPlace(t *testing.T) {
	for what, put := range map[string]func(string) error{
		"a named pipe":    func(f string) error { return syscall.Mkfifo(f, 0o600) },
		"a symbolic link": func(f string) error { return os.Symlink("/no/such", f) },
		"a folder":        func(f string) error { return os.Mkdir(f, 0o700) },
	} {
		p := Place{t.TempDir()}
		must(t, p.prepare())
		must(t, put(p.lockFile()))
		_, err := p.Status(t.Context())
		if err == nil || !strings.Contains(err.Error(), "is "+what+", and nothing of git-sage's: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A daemon keeps its files in folders of its own.
func TestPlaces(t *testing.T) {
	home := t.TempDir()
	p := Place{filepath.Join(home, ".sage")}
	must(t, os.MkdirAll(p.run(), 0o755))
	must(t, p.prepare())
	if st, err := os.Stat(p.run()); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	other := Place{filepath.Join(home, "other")}
	must(t, os.MkdirAll(other.Home, 0o700))
	must(t, os.Symlink(home, other.run()))
	if err := other.prepare(); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
		t.Errorf("a link: %v", err)
	}
	if err := (Place{}).prepare(); err == nil {
		t.Error("no home is no place")
	}
}
