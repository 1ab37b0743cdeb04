package git

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
)

// A Waiting is a git that was started before its input is known, so that it is
// up when the input is.
type Waiting struct {
	ctx   context.Context
	over  func()
	watch func() (stop func() bool)
	cmd   *exec.Cmd
	in    io.WriteCloser
	errs  bytes.Buffer
	args  []string
}

// Start starts git, which waits for its input. Feed or Cancel must follow. Git keeps
// held, if that is not nil, open as long as it lives.
func (r *Runner) Start(ctx context.Context, held *os.File, args ...string) (*Waiting, error) {
	ctx, end, over := r.limited(ctx)
	watch := func() func() bool { return r.watch(ctx.Done(), end) }
	w := &Waiting{ctx: ctx, over: over, watch: watch, cmd: r.command(ctx, args...), args: args}
	w.cmd.Stderr = &w.errs
	if held != nil {
		w.cmd.ExtraFiles = []*os.File{held}
	}
	in, err := w.cmd.StdinPipe()
	if err == nil {
		w.in, err = in, w.cmd.Start()
	}
	if err != nil {
		err = explain(ctx, args, err, "") // before ctx ends, which would be the cause
		over()
		return nil, err
	}
	return w, nil
}

// Feed gives git its input, does what there is to do meanwhile, and waits until git
// is done.
func (w *Waiting) Feed(input []byte, meanwhile func()) error {
	defer w.over()
	defer w.watch()() // before that it is git that waits
	_, werr := w.in.Write(input)
	if err := w.in.Close(); werr == nil {
		werr = err
	}
	meanwhile()
	if err := explain(w.ctx, w.args, w.cmd.Wait(), w.errs.String()); err != nil {
		return err
	}
	return asked(werr)
}

// Cancel ends git without input. It may be called on nil and after Feed.
func (w *Waiting) Cancel() {
	if w != nil && w.cmd.ProcessState == nil {
		defer w.over()
		defer w.watch()()
		_ = w.in.Close()
		_ = w.cmd.Wait()
	}
}

// PID is the process id of git.
func (w *Waiting) PID() int { return w.cmd.Process.Pid }
