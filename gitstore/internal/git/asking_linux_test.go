package git_test

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Where a person can be asked, git is in their group of processes: in one of its own, what reads
// the terminal is stopped.
func TestAskingStaysInTheGroup(t *testing.T) {
	_, _, r := runner(t)
	group := []string{"-c", "alias.group=!cut -d' ' -f5 /proc/self/stat; echo $GIT_TERMINAL_PROMPT", "group"}
	for want, run := range map[bool]func() ([]byte, error){
		true:  func() ([]byte, error) { return r.Asking().Talk(t.Context(), time.Minute, nil, group...) },
		false: func() ([]byte, error) { return r.Talk(t.Context(), time.Minute, nil, group...) },
	} {
		out, err := run()
		f := strings.Fields(string(out))
		if err != nil || len(f) != 2 {
			t.Fatalf("%q %v", out, err)
		}
		if got := f[0] == strconv.Itoa(syscall.Getpgrp()); got != want || (f[1] == "1") != want {
			t.Errorf("asking %v: group %s, prompt %s", want, f[0], f[1])
		}
	}
}
