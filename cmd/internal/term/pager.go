package term

import (
	"cmp"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Page sends the output through a pager, as git does for the commands that
// print much: only on a terminal, and less ends by itself if it fits. The
// caller calls the result when everything is printed.
func (t *Terminal) Page() (done func()) {
	command := t.pager()
	if command == "" {
		return func() {}
	}
	p := exec.Command("sh", "-c", command)
	p.Dir, p.Env = t.Dir, t.pagerEnv()
	p.Stdout, p.Stderr = os.Stdout, os.Stderr
	in, err := p.StdinPipe()
	if err != nil || p.Start() != nil {
		return func() {}
	}
	out := t.Out
	t.Out = in
	return func() {
		in.Close()
		p.Wait()
		t.Out = out
	}
}

// pager is the command to page with, "" for none.
func (t *Terminal) pager() string {
	if !t.TTY || t.NoPager || t.JSON || t.Out != io.Writer(os.Stdout) || runtime.GOOS == "windows" {
		return ""
	}
	p := t.Getenv("GIT_PAGER")
	if p == "" {
		configured, _ := t.UserConfig("core.pager")
		p = cmp.Or(configured, t.Getenv("PAGER"), "less")
	}
	if p == "cat" {
		return ""
	}
	return p
}

// pagerEnv gives less and lv the options that git gives them.
func (t *Terminal) pagerEnv() []string {
	env := t.Env
	for _, v := range []string{"LESS=FRX", "LV=-c"} {
		if name, _, _ := strings.Cut(v, "="); t.Getenv(name) == "" {
			env = append(env[:len(env):len(env)], v)
		}
	}
	return env
}
