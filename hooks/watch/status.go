package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// A Status is what is known of the daemon.
type Status struct {
	Record
	Running  bool     `json:"running"`
	Silent   bool     `json:"silent,omitempty"`   // it runs and does not answer
	Starting bool     `json:"starting,omitempty"` // it does not run, and somebody is starting it
	Held     string   `json:"held,omitempty"`     // the lock, if who has it did not say that it is a watcher
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

// Settled is Status for who asks behind a start: while a daemon is being started, or has
// begun and does not answer yet, it waits, for at most 3 s.
func (p Place) Settled(ctx context.Context) (st Status, err error) {
	for end := time.Now().Add(stopWithin); ; {
		if st, err = p.Status(); err != nil || !p.unsettled(st) || time.Now().After(end) || pause(ctx) != nil {
			return st, err
		}
	}
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

// stale are the files that a daemon left which is not there any more.
func (p Place) stale() (files []string) {
	for _, f := range []string{p.recordFile(), p.socketFile()} {
		if _, err := os.Lstat(f); !errors.Is(err, fs.ErrNotExist) {
			files = append(files, f)
		}
	}
	return files
}
