package git

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
)

// A Stream is a git that was started and whose output is not read yet.
type Stream struct {
	ctx    context.Context
	cancel context.CancelFunc
	cmd    *exec.Cmd
	out    io.Reader
	errs   bytes.Buffer
	args   []string
	err    error // why it could not be started
}

// Stream starts git. Its Records must be read.
func (r *Runner) Stream(ctx context.Context, args ...string) *Stream {
	ctx, cancel := r.bounded(ctx)
	s := &Stream{ctx: ctx, cancel: cancel, cmd: r.command(ctx, args...), args: args}
	s.cmd.Env = append(s.cmd.Env[:len(s.cmd.Env):len(s.cmd.Env)], "GIT_FLUSH=0")
	s.cmd.Stderr = &s.errs
	if s.out, s.err = s.cmd.StdoutPipe(); s.err == nil {
		s.err = s.cmd.Start()
	}
	return s
}

// Records calls fn with each NUL-terminated record of the output. When fn
// returns false, git is ended and Records returns nil.
func (s *Stream) Records(fn func([]byte) bool) error { return s.read(0, fn) }

func (s *Stream) read(end byte, fn func([]byte) bool) error {
	defer s.cancel()
	if s.err != nil {
		return explain(s.ctx, s.args, s.err, "")
	}
	if each(bufio.NewReaderSize(s.out, 64<<10), end, fn) {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		return nil
	}
	return explain(s.ctx, s.args, s.cmd.Wait(), s.errs.String())
}

// Records runs git and calls fn with each NUL-terminated record of its output,
// until fn returns false.
func (r *Runner) Records(ctx context.Context, fn func([]byte) bool, args ...string) error {
	return r.Stream(ctx, args...).Records(fn)
}

// Lines is Records for lines, without their ends.
func (r *Runner) Lines(ctx context.Context, fn func([]byte) bool, args ...string) error {
	return r.Stream(ctx, args...).read('\n', fn)
}

// each reports whether fn asked to stop.
func each(r *bufio.Reader, end byte, fn func([]byte) bool) bool {
	for {
		rec, err := r.ReadBytes(end)
		if len(rec) > 0 && rec[len(rec)-1] == end {
			rec = rec[:len(rec)-1]
		}
		if (err == nil || len(rec) > 0) && !fn(rec) {
			return true
		}
		if err != nil {
			if err != io.EOF {
				_, _ = io.Copy(io.Discard, r)
			}
			return false
		}
	}
}
