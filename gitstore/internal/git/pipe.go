package git

import (
	"bytes"
	"context"
	"io"
)

// Pipe runs git with in on standard input and out on standard output. What out
// says against a write is returned before what git makes of that.
func (r *Runner) Pipe(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	cmd := r.command(ctx, args...)
	var errs bytes.Buffer
	to := &sink{to: out}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, to, &errs
	err := explain(ctx, args, cmd.Run(), errs.String())
	if to.err != nil {
		return to.err
	}
	return err
}

// A sink remembers why a write failed.
type sink struct {
	to  io.Writer
	err error
}

func (s *sink) Write(b []byte) (int, error) {
	n, err := s.to.Write(b)
	if err != nil {
		s.err = err
	}
	return n, err
}
