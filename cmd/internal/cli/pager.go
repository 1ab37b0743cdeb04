package cli

import (
	"cmp"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// page sends the output through a pager, as git does for the commands that
// print much: only on a terminal, and less ends by itself if it fits. The
// caller calls the result when everything is printed.
func (a *app) page() (done func()) {
	command := a.pager()
	if command == "" {
		return func() {}
	}
	p := exec.Command("sh", "-c", command)
	p.Dir, p.Env = a.dir, a.pagerEnv()
	p.Stdout, p.Stderr = os.Stdout, os.Stderr
	in, err := p.StdinPipe()
	if err != nil || p.Start() != nil {
		return func() {}
	}
	out := a.out
	a.out = in
	return func() {
		in.Close()
		p.Wait()
		a.out = out
	}
}

// pager is the command to page with, "" for none.
func (a *app) pager() string {
	if !a.isTTY || a.noPager || a.json || a.out != io.Writer(os.Stdout) || runtime.GOOS == "windows" {
		return ""
	}
	p := a.getenv("GIT_PAGER")
	if p == "" {
		configured, _ := a.userConfig("core.pager")
		p = cmp.Or(configured, a.getenv("PAGER"), "less")
	}
	if p == "cat" {
		return ""
	}
	return p
}

// pagerEnv gives less and lv the options that git gives them.
func (a *app) pagerEnv() []string {
	env := a.env
	for _, v := range []string{"LESS=FRX", "LV=-c"} {
		if name, _, _ := strings.Cut(v, "="); a.getenv(name) == "" {
			env = append(env[:len(env):len(env)], v)
		}
	}
	return env
}
