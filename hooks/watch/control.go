package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	startWithin = 20 * time.Second // from the start of the process until it watches
	stopWithin  = 3 * time.Second  // before it is killed
	// nameWithin is how long a process may have the lock before it says that it is a
	// watcher, and how long one that looks at what is left may have it.
	nameWithin = time.Second
	lookAgain  = 10 * time.Millisecond
)

// Start starts the daemon, unless one runs of the same program: cmd is a process that calls
// [Place.Serve], and prints what is wrong if that fails. One of a program that was replaced
// since is ended first. Of several that start one at once each is told of the same.
func (p Place) Start(ctx context.Context, program Program, cmd *exec.Cmd) (st Status, started bool, err error) {
	if st, err = p.Status(ctx); err != nil {
		return st, false, err
	}
	if st.Running {
		if st.Program.Path != program.Path || st.Program.is(program) {
			return st, false, nil
		}
		if _, err := p.Stop(ctx); err != nil {
			return st, false, err
		}
	}
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return st, false, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	over := false
	waitFor(ctx, startWithin, func() bool {
		select {
		case <-ended:
			over = true
		default:
		}
		st, err = p.look()
		return st.Mode != "" || over && err == nil && !st.Running
	})
	switch {
	case st.Mode != "":
		if st.PID != cmd.Process.Pid { // another one was first: ours must not begin once that one is stopped
			_ = cmd.Process.Kill()
			<-ended
		}
		return st, st.PID == cmd.Process.Pid, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case over && out.Len() > 0:
		err = fmt.Errorf("the watcher did not start: %s", strings.TrimSpace(out.String()))
	default:
		err = fmt.Errorf("the watcher did not start; see '%s'", p.Log())
	}
	return st, false, err
}

// Stop ends the daemon and returns its process, 0 if none ran. It is asked to end, then
// killed, and no other process ever is. What one left that was killed is cleared away.
func (p Place) Stop(ctx context.Context) (pid int, err error) {
	st, err := p.Status(ctx)
	if err != nil {
		return 0, err
	}
	if !st.Running {
		return 0, p.clear()
	}
	process, err := os.FindProcess(st.PID)
	if err != nil {
		return 0, err
	}
	for _, s := range []os.Signal{syscall.SIGTERM, os.Kill} {
		within := stopWithin
		if process.Signal(s) != nil { // Windows knows no SIGTERM, or it has ended
			within = lookAgain
		}
		over := waitFor(ctx, within, func() bool {
			now, err := p.look()
			return err == nil && now.PID != st.PID
		})
		if over {
			return st.PID, p.clear()
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return 0, fmt.Errorf("process %d does not end", st.PID)
}

// clear removes what a daemon left, unless another one has begun.
func (p Place) clear() error {
	if st, _ := p.look(); st.Stale == nil {
		return nil
	}
	f, err := p.hold()
	if f == nil {
		return err
	}
	defer f.Close()
	p.tidy()
	return nil
}

// Status looks how the daemon is. One that has just begun says so in a moment.
func (p Place) Status(ctx context.Context) (st Status, err error) {
	waitFor(ctx, nameWithin, func() bool {
		st, err = p.look()
		return !errors.Is(err, errStranger)
	})
	return st, err
}

// waitFor looks again and again whether something is so, for as long as ctx and within last.
func waitFor(ctx context.Context, within time.Duration, so func() bool) bool {
	for end := time.Now().Add(within); !so(); time.Sleep(lookAgain) {
		if ctx.Err() != nil || time.Now().After(end) {
			return false
		}
	}
	return true
}
