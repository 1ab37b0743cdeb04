package fsx

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestProcess(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	began := Started(pid)
	if began == "" || began != Started(pid) || Parent(pid) != os.Getpid() || Ended(pid, began) {
		t.Errorf("%q, a child of %d", began, Parent(pid))
	}
	if !Ended(pid, "1"+began) {
		t.Error("another run of that id is not over")
	}
	if Ended(pid, strings.TrimSuffix(began, here())+"-00000000") {
		t.Error("who can tell of another machine's?")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if Started(pid) != "" || Parent(pid) != 0 || !Ended(pid, began) {
		t.Errorf("behind its end: %q %d", Started(pid), Parent(pid))
	}
}

// The name of a process is its own choice.
func FuzzStat(f *testing.F) {
	const rest = " S 17 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 67 89"
	for _, name := range []string{"sh", "a b", ") S 1 (", "x) R 4 5 6 7", "\n", ""} {
		f.Add("42 ("+name+")"+rest, name)
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		parseStat([]byte(text))
		if parent, ticks := parseStat([]byte("42 (" + name + ")" + rest)); parent != 17 || ticks != "12345" {
			t.Errorf("%q: %d %q", name, parent, ticks)
		}
	})
}
