package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore"
)

// A children is what this process started and still runs. What it starts it reaps: a server
// that lives for days would keep an entry in the table of processes for each.
type children struct {
	mu      sync.Mutex
	running map[string]bool // by what it does where, whether it was asked for again meanwhile
}

// start starts cmd and does not wait for it. ended, which may be nil, is called when it is
// over, and also if it could not be started.
func start(cmd *exec.Cmd, ended func()) error {
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

// begin reports whether nothing of that name runs, which from now on does, until end. What
// runs has to be begun again then: it may have looked at what there is to do before.
func (c *children) begin(name string) bool {
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

// end reports whether what has ended was asked for again.
func (c *children) end(name string) (again bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	again = c.running[name]
	delete(c.running, name)
	return again
}

// upkeep starts the upkeep of the store s, which o names. If it cannot start, the next
// save tries again.
func (a *app) upkeep(s *gitstore.Store, o gitstore.Options) func() {
	return a.background(s, o, "admin", "maintenance", "--auto", "--quiet")
}

// background starts a command on the store s, which o names, in a process of its own that
// nobody waits for. What this process started and still runs is started again when it ends,
// once, however often it was asked for meanwhile. It is told which store is meant, and has no
// stream of ours: who reads them waits until the last process that holds one has ended.
// background is nil where nothing may be started.
func (a *app) background(s *gitstore.Store, o gitstore.Options, args ...string) func() {
	if a.self == "" {
		return nil
	}
	name := strings.Join(append([]string{s.CommonDir()}, args...), "\x00")
	return func() {
		if to, err := targetOf(s); err == nil {
			a.runBehind(name, to, o, args)
		}
	}
}

// runBehind starts the command of a name on a target, which o names, and starts it anew when
// it has ended and was asked for again meanwhile.
func (a *app) runBehind(name string, to target, o gitstore.Options, args []string) {
	if !a.children.begin(name) {
		return
	}
	cmd := exec.Command(a.self, a.lineFor(to, o, args...)...)
	cmd.Dir = filepath.VolumeName(o.Dir) + string(filepath.Separator) // so that no folder is in use for its sake
	cmd.Env = upkeepEnv(a.Env, o.Guest)
	detach(cmd)
	_ = start(cmd, func() { // one that cannot be started is tried again by who needs it next
		if a.children.end(name) {
			a.runBehind(name, to, o, args)
		}
	})
}

// readAhead says when what was saved is read in the background: by a hook at once, by a server
// beside its answer, which 2 to 6 ms would make late, and by a command not at all.
func (a *app) readAhead(o gitstore.Options) func(start func()) {
	switch {
	case !o.Guest:
		return nil
	case a.indexes != nil && a.indexes.Long:
		return func(start func()) { go start() }
	}
	return func(start func()) { start() }
}

// lineFor is the command line of a command that works on a target, which o names.
func (a *app) lineFor(to target, o gitstore.Options, args ...string) []string {
	line := append([]string{"-C", a.Path(o.Dir)}, args...)
	line = append(line, "--"+targetFlag, to.String())
	if o.Global {
		line = append(line, "--global")
	}
	return line
}

// upkeepEnv leaves out what says where a repository is, if that was not said to us.
func upkeepEnv(env []string, guest bool) (out []string) {
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		where := name == "GIT_DIR" || name == "GIT_WORK_TREE" || strings.HasPrefix(name, "GIT_CONFIG_")
		if !guest || !where || name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_SYSTEM" || name == "GIT_CONFIG_NOSYSTEM" {
			out = append(out, kv)
		}
	}
	return out
}
