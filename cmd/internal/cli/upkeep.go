package cli

import (
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
)

// upkeep starts the upkeep of the store that o names. If it cannot start, the next
// save tries again.
func (a *app) upkeep(o gitstore.Options) func() {
	return a.background(o, "admin", "maintenance", "--auto", "--quiet")
}

// background starts a command on the store that o names, in a process of its own that
// nobody waits for. It has no stream of ours: who reads them waits until the last
// process that holds one has ended. It is nil where nothing may be started.
func (a *app) background(o gitstore.Options, args ...string) func() {
	if a.self == "" {
		return nil
	}
	return func() {
		args := append([]string{"-C", a.path(o.Dir)}, args...)
		if o.Global {
			args = append(args, "--global")
		}
		cmd := exec.Command(a.self, args...)
		cmd.Dir = filepath.VolumeName(o.Dir) + string(filepath.Separator) // so that no folder is in use for its sake
		cmd.Env = upkeepEnv(a.env, o.Guest)
		detach(cmd)
		if cmd.Start() == nil {
			_ = cmd.Process.Release()
		}
	}
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
