package watch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	startWithin = 20 * time.Second // from the start of the process until it watches
	stopWithin  = 3 * time.Second  // before it is pressed harder
	lookAgain   = 10 * time.Millisecond
)

// ready is what a daemon prints when it watches; "running <pid>" when another one does,
// and else what is wrong.
const ready = "ready"

// Start starts the daemon, unless one runs of the same program: spawn starts a process
// that calls [Place.Serve], and returns its standard output. One of a program that was
// replaced since is ended first. Of several that start one at once each is told of the
// same.
func (p Place) Start(ctx context.Context, program Program, spawn func() (io.ReadCloser, error)) (st Status, started bool, err error) {
	if st, err = p.Status(); err != nil {
		return st, false, err
	}
	if st.Running && !outdated(st, program) {
		return st, false, nil
	}
	if st.Running {
		if _, err := p.Stop(ctx); err != nil {
			return st, false, err
		}
	}
	defer p.starting()()
	out, err := spawn()
	if err != nil {
		return st, false, err
	}
	defer out.Close()
	said, err := firstLine(ctx, out)
	if err != nil {
		return st, false, fmt.Errorf("the watcher did not start: %w; see '%s'", err, p.Log())
	}
	if said != ready && !strings.HasPrefix(said, "running ") {
		return st, false, fmt.Errorf("the watcher did not start: %s", said)
	}
	st, err = p.answering(ctx)
	return st, said == ready, err
}

// outdated reports whether a daemon is of a file that has been replaced by this program.
func outdated(st Status, program Program) bool {
	return st.Program.Path == program.Path && !st.Program.is(program)
}

// firstLine is the first line that a daemon prints.
func firstLine(ctx context.Context, out io.ReadCloser) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { out.Close() })
	defer stop()
	line, err := bufio.NewReader(io.LimitReader(out, 4096)).ReadString('\n')
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == io.EOF && line == "":
		return "", errors.New("it ended without a message")
	case err != nil && line == "":
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// answering waits until the daemon that has the lock answers: it may have begun just now.
// Where there are no sockets it never does.
func (p Place) answering(ctx context.Context) (st Status, err error) {
	for end := time.Now().Add(stopWithin); ; {
		if st, err = p.Status(); err != nil || st.Running && !st.Silent || time.Now().After(end) {
			return st, err
		}
		if err := pause(ctx); err != nil {
			return st, err
		}
	}
}

func pause(ctx context.Context) error {
	t := time.NewTimer(lookAgain)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Stop ends the daemon and returns its process, 0 if none ran. It is asked to end, then
// told, then killed, and no other process ever is. What one left that was killed is
// cleared away.
func (p Place) Stop(ctx context.Context) (pid int, err error) {
	if pid, err = p.holder(); err == nil && pid == 0 && p.isStarting() {
		if _, err = p.Settled(ctx); err == nil {
			pid, err = p.holder()
		}
	}
	if err != nil {
		return 0, err
	}
	if pid == 0 {
		return 0, p.clear()
	}
	r := p.recordOf(ctx, pid)
	within := stopWithin
	if _, err := p.ask(askStop); err != nil { // it may have ended over it
		within = lookAgain
	}
	for _, press := range []func(int) error{end, kill, nil} {
		if p.over(ctx, pid, within) == nil {
			return max(pid, r.PID), p.clear()
		}
		if within = stopWithin; press == nil || ctx.Err() != nil {
			break
		}
		if !r.runs(pid) {
			return 0, fmt.Errorf("process %d holds '%s' and does not answer, and '%s' does not name it as a watcher: check it, and stop it yourself", pid, p.lockFile(), p.recordFile())
		}
		_ = press(r.PID) // over tells
	}
	return 0, fmt.Errorf("process %d does not end", r.PID)
}

// recordOf is the record of the process that holds the lock. One that has just begun
// writes it next.
func (p Place) recordOf(ctx context.Context, pid int) (r Record) {
	for end := time.Now().Add(time.Second); ; {
		if r = p.readRecord(); r.runs(pid) || time.Now().After(end) || pause(ctx) != nil {
			return r
		}
	}
}

var errGoesOn = errors.New("it goes on")

// over waits until a process does not hold the lock any more.
func (p Place) over(ctx context.Context, pid int, within time.Duration) error {
	for end := time.Now().Add(within); ; {
		now, err := p.holder()
		if err != nil || now != pid {
			return err
		}
		if time.Now().After(end) {
			return errGoesOn
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// clear removes what a daemon left, unless another one has begun.
func (p Place) clear() error {
	if len(p.stale()) == 0 {
		return nil
	}
	h, _, err := p.hold()
	if h == nil {
		return err
	}
	defer h.release()
	h.tidy()
	return nil
}
