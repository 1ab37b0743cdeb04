package git

import (
	"bufio"
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

// Lines calls fn with each line that write writes, which is fn's until it returns.
func Lines(write func(io.Writer) error, fn func([]byte)) error {
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := write(w)
		_ = w.CloseWithError(err)
		done <- err
	}()
	for sc := bufio.NewScanner(r); sc.Scan(); {
		fn(sc.Bytes())
	}
	return <-done
}

// Text is what git printed, without the end of its last line.
func Text(b []byte) string { return string(bytes.TrimRight(b, "\n")) }
