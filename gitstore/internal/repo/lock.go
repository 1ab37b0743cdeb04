package repo

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

const (
	lockWait = 5 * time.Second  // for other writers; after it we go on, since git guards
	SameWait = time.Second      // for one and the same other writer, which may be stopped
	GcWait   = 10 * time.Second // for a gc that might remove what we wrote
)

// Queue waits until it is this writer's turn. It keeps the order fair and
// guards nothing: the slowest of a hundred saves by eight processes takes 112
// ms with it and 757 without.
func (rp *Repo) Queue(ctx context.Context) (done func()) {
	rp.mu.Lock()
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, _, _ := fsx.Queue(ctx, rp.Dir("lock"), SameWait)
	return func() { l.Unlock(); rp.mu.Unlock() }
}

// AwaitGC waits while the gc that runs now is alive. One with --prune=now
// removes objects that were unreachable when it looked, also ours.
func (rp *Repo) AwaitGC(ctx context.Context) { rp.WhileGC(ctx, func() {}) }

// WhileGC is AwaitGC that does something again and again until then.
func (rp *Repo) WhileGC(ctx context.Context, do func()) {
	file := rp.Where.CommonDir + "/gc.pid"
	now, alive := gcRuns(file)
	if !alive {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, GcWait)
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

func (rp *Repo) GcAtWork() bool {
	_, alive := gcRuns(rp.Where.CommonDir + "/gc.pid")
	return alive
}

// gcRuns reads the file in which a gc of git's says that it is at work, and reports
// whether to believe it. As for git itself, a file that is 12 hours old is one that was
// left, and what another machine says counts until then. Of this machine a process has to
// be there that may have written it: a git, which began before the file did. One that is
// called otherwise, or is younger, got the id of a gc that was killed, or that ran before
// the machine was started anew; to wait for it would take ten seconds of every save.
func gcRuns(file string) (content []byte, alive bool) {
	b, err := fsx.ReadFile(file)
	if err != nil {
		return nil, false
	}
	st, err := fsx.Stat(file)
	if err != nil || time.Since(st.ModTime()) > gcAge {
		return b, false
	}
	word, host, _ := bytes.Cut(bytes.TrimSpace(b), []byte(" "))
	pid, err := strconv.Atoi(string(word))
	if err != nil || pid <= 0 {
		return b, false
	}
	if name, err := os.Hostname(); err == nil && name != string(host) {
		return b, true
	}
	name, began, ok := fsx.Process(pid)
	return b, ok && mayCollect(name) && !began.After(st.ModTime().Add(clockSlack))
}

const (
	gcAge      = 12 * time.Hour   // git's own
	clockSlack = 10 * time.Second // between the clocks of a machine and of where its files lie
)

// mayCollect reports whether a process of that name may be a gc: git by any of its names,
// or JGit; "" is not known.
func mayCollect(name string) bool {
	return name == "" || name == "java" || strings.HasPrefix(name, "git") && name != "git-sage"
}

// MaxTries bounds how often a save starts over because another writer was
// faster. With the queue one or two are enough; without it 64 writers need 40.
const MaxTries = 200

// ErrOutraced says that other writers moved a ref first, each time.
var ErrOutraced = fmt.Errorf("other writers moved the ref first, %d times; try again", MaxTries)
