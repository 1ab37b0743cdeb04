package app

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// startBehind starts a command on the store s, which o names, in a process of its own that
// nobody waits for. What this process started and still runs is started again when it ends,
// once, however often it was asked for meanwhile. It is told which store is meant, and has no
// stream of ours: who reads them waits until the last process that holds one has ended.
// background is nil where nothing may be started.
func (a *App) startBehind(s *gitstore.Store, o gitstore.Options, args ...string) func() {
	if a.Self == "" {
		return nil
	}
	name := strings.Join(append([]string{s.Repo.CommonDir()}, args...), "\x00")
	return func() {
		if to, err := background.TargetOf(s); err == nil {
			a.runBehind(name, to, o, args)
		}
	}
}

// runBehind starts the command of a name on a target, which o names, and starts it anew when
// it has ended and was asked for again meanwhile.
func (a *App) runBehind(name string, to background.Target, o gitstore.Options, args []string) {
	if !a.children.Begin(name) {
		return
	}
	cmd := exec.Command(a.Self, a.lineFor(to, o, args...)...)
	cmd.Dir = filepath.VolumeName(o.Dir) + string(filepath.Separator) // so that no folder is in use for its sake
	cmd.Env = background.Env(a.Env, o.Guest)
	background.Detach(cmd)
	_ = background.Start(cmd, func() { // one that cannot be started is tried again by who needs it next
		if a.children.End(name) {
			a.runBehind(name, to, o, args)
		}
	})
}

// readAhead says when what was saved is read in the background: by a hook at once, by a server
// beside its answer, which 2 to 6 ms would make late, and by a command not at all.
func (a *App) readAhead(o gitstore.Options) func(start func()) {
	switch {
	case !o.Guest:
		return nil
	case a.Indexes != nil && a.Indexes.Long:
		return func(start func()) { go start() }
	}
	return func(start func()) { start() }
}

// lineFor is the command line of a command that works on a target, which o names.
func (a *App) lineFor(to background.Target, o gitstore.Options, args ...string) []string {
	line := append([]string{"-C", a.Path(o.Dir)}, args...)
	line = append(line, to.Args()...)
	if o.Global {
		line = append(line, "--global")
	}
	return line
}

// LaterHook starts an event in a process of its own, which outlives the client. What it
// is told goes through a pipe that holds it all, so that nobody waits until it is read.
func (a *App) LaterHook() func(event string, in []byte) error {
	if a.Self == "" {
		return nil
	}
	return func(event string, in []byte) error {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		defer r.Close()
		cmd := exec.Command(a.Self, "hook", event)
		cmd.Dir = filepath.VolumeName(a.Dir) + string(filepath.Separator) // so that no folder is in use for its sake
		cmd.Env, cmd.Stdin = background.Env(a.Env, true), r
		background.Detach(cmd)
		if err := background.Start(cmd, nil); err != nil {
			w.Close()
			return err
		}
		_, err = w.Write(in[:min(len(in), pipeHolds)])
		return errors.Join(err, w.Close())
	}
}

// pipeHolds is what a pipe takes at once on every system. Two paths and an id are less.
const pipeHolds = 4 << 10

// WorkOn opens the memory of a target and works on it. What goes wrong because the target
// is gone is no failure: there is nothing left to do.
func (a *App) WorkOn(ctx context.Context, t background.Target, work func(*recall.Memory) error) error {
	if !t.IsThere() {
		return nil
	}
	a.Inside = a.Inside || t.Folder != ""
	m, err := a.Open(ctx)
	if err == nil && t.Is(m.Store) {
		err = work(m)
	}
	if !t.IsThere() {
		return nil
	}
	return err
}
