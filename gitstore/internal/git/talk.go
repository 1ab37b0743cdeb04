package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrSilent says that a remote did not answer any more.
var ErrSilent = errors.New("no answer")

// Asking returns a Runner whose git, and the programs that it starts, may ask the person at the
// terminal for a password or passphrase: in a group of its own, ssh would be stopped at that for
// ever.
func (r *Runner) Asking() *Runner {
	b := *r.With("GIT_TERMINAL_PROMPT=1")
	b.asks = true
	return &b
}

// Talk runs a git that talks to a remote and returns what it wrote to standard output, also
// beside an error. It is ended when it has said nothing for as long as silence, which must be
// told by --progress what goes on. say, which may be nil, is given what it says of that: a line
// at a time.
func (r *Runner) Talk(ctx context.Context, silence time.Duration, say func(line string), args ...string) ([]byte, error) {
	ctx, end, over := r.limited(ctx)
	defer over()
	late := time.AfterFunc(silence, func() { end(fmt.Errorf("%w within %s", ErrSilent, silence)) })
	defer late.Stop()
	cmd := r.command(ctx, args...)
	out := &heard{late: late, silence: silence}
	errs := &heard{late: late, silence: silence, say: say}
	cmd.Stdout, cmd.Stderr = out, errs
	err := explain(ctx, args, cmd.Run(), errs.text())
	return out.all.Bytes(), err
}

// heard is what a git says, and puts off its end.
type heard struct {
	all     bytes.Buffer
	late    *time.Timer
	silence time.Duration
	say     func(string)
	line    []byte // begun
}

// mostHeard bounds what is kept of what a git and its remote say, in bytes.
const mostHeard = 8 << 20

func (h *heard) Write(b []byte) (int, error) {
	h.late.Reset(h.silence)
	if h.all.Len() < mostHeard {
		h.all.Write(b)
	}
	if h.say == nil {
		return len(b), nil
	}
	h.line = append(h.line, b...)
	for {
		i := bytes.IndexAny(h.line, "\r\n")
		if i < 0 {
			break
		}
		h.say(string(h.line[:i]))
		h.line = h.line[i+1:]
	}
	if len(h.line) > 1<<10 {
		h.line = nil
	}
	return len(b), nil
}

// text is what was said, without the lines of a progress that others took the place of. ssh ends
// its lines with both \r and \n.
func (h *heard) text() string {
	lines := strings.Split(h.all.String(), "\n")
	for i, l := range lines {
		l = strings.TrimSuffix(l, "\r")
		lines[i] = l[strings.LastIndexByte(l, '\r')+1:]
	}
	return strings.Join(lines, "\n")
}
