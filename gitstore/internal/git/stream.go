package git

import (
	"bufio"
	"bytes"
	"context"
	"io"
)

// Records runs git and calls fn with each NUL-terminated record of its output.
// When fn returns false, git is ended and Records returns nil.
func (r *Runner) Records(ctx context.Context, fn func([]byte) bool, args ...string) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	cmd := r.command(ctx, args...)
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "GIT_FLUSH=0")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return explain(ctx, args, err, "")
	}
	stopped := each(bufio.NewReaderSize(out, 64<<10), fn)
	if stopped {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil
	}
	return explain(ctx, args, cmd.Wait(), errs.String())
}

// each reports whether fn asked to stop.
func each(r *bufio.Reader, fn func([]byte) bool) bool {
	for {
		rec, err := r.ReadBytes(0)
		if len(rec) > 0 && rec[len(rec)-1] == 0 {
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
