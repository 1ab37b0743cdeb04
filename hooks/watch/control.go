package watch

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"
)

const (
	startWithin  = 20 * time.Second // from the start of the process until it watches
	stopWithin   = 3 * time.Second  // before it is pressed harder
	answerWithin = 2 * time.Second
	lookAgain    = 10 * time.Millisecond
	maxAnswer    = 1 << 20 // bytes
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
	if st.Running {
		if st.Program.Path != program.Path || st.Program.is(program) {
			return st, false, nil
		}
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
	st, err = p.Settled(ctx)
	return st, said == ready, err
}

// firstLine is the first line that a daemon prints.
func firstLine(ctx context.Context, out io.ReadCloser) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	defer context.AfterFunc(ctx, func() { out.Close() })()
	line, err := bufio.NewReader(io.LimitReader(out, 4096)).ReadString('\n')
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case line != "":
		return strings.TrimSpace(line), nil
	case err == io.EOF:
		err = errors.New("it ended without a message")
	}
	return "", err
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
	var r Record // one that has just begun writes it next
	waitFor(ctx, time.Second, func() bool { r = p.readRecord(); return r.runs(pid) })
	ask := func(int) error { _, err := p.ask(askStop); return err }
	for i, press := range []func(int) error{ask, end, kill} {
		if i > 0 && !r.runs(pid) {
			return 0, fmt.Errorf("process %d holds '%s' and does not answer, and '%s' does not name it as a watcher: check it, and stop it yourself", pid, p.lockFile(), p.recordFile())
		}
		within := stopWithin
		if press(r.PID) != nil { // it may have ended over it
			within = lookAgain
		}
		if waitFor(ctx, within, func() bool { now, err := p.holder(); return err == nil && now != pid }) {
			return max(pid, r.PID), p.clear()
		}
		if ctx.Err() != nil {
			break
		}
	}
	return 0, fmt.Errorf("process %d does not end", r.PID)
}

// clear removes what a daemon left, unless another one has begun.
func (p Place) clear() error {
	if len(p.stale()) == 0 {
		return nil
	}
	f, _, err := p.hold()
	if f == nil {
		return err
	}
	defer f.Close()
	p.tidy()
	return nil
}

// waitFor looks again and again whether something is so, for as long as ctx and within last.
func waitFor(ctx context.Context, within time.Duration, so func() bool) bool {
	for end := time.Now().Add(within); ; {
		if so() {
			return true
		}
		if time.Now().After(end) || pause(ctx) != nil {
			return false
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(lookAgain):
		return nil
	}
}

// A Status is what is known of the daemon.
type Status struct {
	Record
	Running  bool     `json:"running"`
	Silent   bool     `json:"silent,omitempty"`   // it runs and does not answer
	Starting bool     `json:"starting,omitempty"` // it does not run, and somebody is starting it
	Held     string   `json:"held,omitempty"`     // the lock, if the process that has it did not say that it is a watcher
	Mode     string   `json:"mode,omitempty"`     // how it learns of changes: fsnotify, or polling and why
	Sessions int      `json:"sessions"`           // transcripts that were written to since it began, and have not ended
	Files    int      `json:"files"`              // transcripts in all
	Stores   int      `json:"stores"`             // repositories whose refs it follows
	Plugins  []string `json:"plugins,omitempty"`
	Last     string   `json:"last,omitempty"`  // what it last did
	Stale    []string `json:"stale,omitempty"` // files of a daemon that was killed
}

// Status asks the daemon how it is. Of one that does not answer it tells what the lock
// and the record say.
func (p Place) Status() (Status, error) {
	pid, err := p.holder()
	if err != nil {
		return Status{}, err
	}
	if pid == 0 {
		return Status{Starting: p.isStarting(), Stale: p.stale()}, nil
	}
	if st, err := p.ask(askStatus); err == nil && (st.PID == pid || pid < 0) {
		return st, nil
	}
	st := Status{Running: true, Silent: true}
	if r := p.readRecord(); r.runs(pid) {
		st.Record = r
	} else {
		st.Held = p.lockFile()
	}
	st.PID = max(pid, st.PID)
	return st, nil
}

// Settled is Status behind a start: while a daemon is being started, or has begun and does
// not answer yet, it waits, for at most 3 s.
func (p Place) Settled(ctx context.Context) (st Status, err error) {
	waitFor(ctx, stopWithin, func() bool { st, err = p.Status(); return err != nil || !p.unsettled(st) })
	return st, err
}

// unsettled reports whether the next moment may tell something else: a daemon writes its
// record when it has the lock, and then opens its socket.
func (p Place) unsettled(st Status) bool {
	switch {
	case st.Starting:
		return true
	case !st.Silent:
		return false
	case st.Held != "":
		_, err := os.Lstat(p.recordFile())
		return errors.Is(err, fs.ErrNotExist)
	}
	return time.Since(st.Since).Abs() < startWithin
}

// What a daemon may be asked, one line for each connection. It answers with a Status.
const (
	askStatus = "status"
	askStop   = "stop"
	askLook   = "look" // at all files now
)

// errSilent says that nobody answers.
var errSilent = errors.New("no answer")

// ask asks the daemon, if there is one that answers.
func (p Place) ask(what string) (st Status, err error) {
	c, err := net.DialTimeout("unix", p.socketFile(), answerWithin)
	if err == nil {
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(answerWithin))
		_, err = fmt.Fprintln(c, what)
	}
	if err == nil {
		err = json.NewDecoder(io.LimitReader(c, maxAnswer)).Decode(&st)
	}
	if err != nil {
		return Status{}, fmt.Errorf("%w: %v", errSilent, err)
	}
	return st, nil
}
