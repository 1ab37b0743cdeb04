package gitstore

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

const (
	lockWait = 5 * time.Second  // for other writers; after it we go on, since git guards
	sameWait = time.Second      // for one and the same other writer, which may be stopped
	gcWait   = 10 * time.Second // for a gc that might remove what we wrote
)

// queue waits until it is this writer's turn. It keeps the order fair and
// guards nothing: the slowest of a hundred saves by eight processes takes 112
// ms with it and 757 without.
func (s *Store) queue(ctx context.Context) (done func(), waited bool) {
	s.mu.Lock()
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, waited, _ := fsx.Queue(ctx, s.dir("lock"), sameWait)
	return func() { l.Unlock(); s.mu.Unlock() }, waited
}

// awaitGC waits while the gc that runs now is alive. One with --prune=now
// removes objects that were unreachable when it looked, also ours.
func (s *Store) awaitGC(ctx context.Context) { s.whileGC(ctx, func() {}) }

// whileGC is awaitGC that does something again and again until then.
func (s *Store) whileGC(ctx context.Context, do func()) {
	file := s.where.commonDir + "/gc.pid"
	now, alive := gcRuns(file)
	if !alive {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, gcWait)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
		if b, alive := gcRuns(file); !alive || !bytes.Equal(b, now) {
			return
		}
	}
}

func (s *Store) gcAtWork() bool {
	_, alive := gcRuns(s.where.commonDir + "/gc.pid")
	return alive
}

func gcRuns(file string) (content []byte, alive bool) {
	b, err := fsx.ReadFile(file)
	if err != nil {
		return nil, false
	}
	word, host, _ := bytes.Cut(bytes.TrimSpace(b), []byte(" "))
	pid, err := strconv.Atoi(string(word))
	if err != nil || pid <= 0 {
		return b, false
	}
	if name, err := os.Hostname(); err == nil && name != string(host) {
		st, err := fsx.Stat(file)
		return b, err == nil && time.Since(st.ModTime()) < 12*time.Hour // as git itself judges
	}
	return b, fsx.Alive(pid)
}
