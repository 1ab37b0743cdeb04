package background

import (
	"os/exec"
	"strings"
	"sync"
)

// A Children is what this process started and still runs. What it starts it reaps: a server
// that lives for days would keep an entry in the table of processes for each.
type Children struct {
	mu      sync.Mutex
	running map[string]bool // by what it does where, whether it was asked for again meanwhile
}

// Start starts cmd and does not wait for it. ended, which may be nil, is called when it is
// over, and also if it could not be started.
func Start(cmd *exec.Cmd, ended func()) error {
	if ended == nil {
		ended = func() {}
	}
	if err := cmd.Start(); err != nil {
		ended()
		return err
	}
	go func() {
		_ = cmd.Wait()
		ended()
	}()
	return nil
}

// Begin reports whether nothing of that name runs, which from now on does, until end. What
// runs has to be begun again then: it may have looked at what there is to do before.
func (c *Children) Begin(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, runs := c.running[name]; runs {
		c.running[name] = true
		return false
	}
	if c.running == nil {
		c.running = map[string]bool{}
	}
	c.running[name] = false
	return true
}

// End reports whether what has ended was asked for again.
func (c *Children) End(name string) (again bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	again = c.running[name]
	delete(c.running, name)
	return again
}

// Env leaves out what says where a repository is, if that was not said to us.
func Env(env []string, guest bool) (out []string) {
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		where := name == "GIT_DIR" || name == "GIT_WORK_TREE" || strings.HasPrefix(name, "GIT_CONFIG_")
		if !guest || !where || name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_SYSTEM" || name == "GIT_CONFIG_NOSYSTEM" {
			out = append(out, kv)
		}
	}
	return out
}
