package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// ErrEnded is that a git which was asked ended before it answered: what it was asked for is
// broken, or somebody killed it.
var ErrEnded error = endedError{}

type endedError struct{}

func (endedError) Error() string { return "it ended before it had answered" }

// Unwrap has it count as the end of what is read.
func (endedError) Unwrap() error { return io.EOF }

// asked is what went wrong with a git that was asked. None of it is a reader of ours that is gone.
func asked(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrEnded
	}
	return err
}

// A catFile is one `git cat-file` that is asked for objects, for who keeps it.
type catFile struct {
	r   *Runner
	cmd *exec.Cmd // nil if none runs
	in  io.WriteCloser
	out *bufio.Reader
}

func (c *catFile) open(args ...string) error {
	cmd := c.r.command(context.Background(), append([]string{"cat-file"}, args...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	c.cmd, c.in, c.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// end ends the child, if one runs.
func (c *catFile) end() {
	if c.cmd == nil {
		return
	}
	_ = c.in.Close()
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	c.cmd = nil
}

// list asks for all names, each behind before, and once for what after asks.
func (c *catFile) list(names []string, before, after string, fn func(name string, o Object, err error)) error {
	g := c.r.guard(c.cmd)
	go func(in io.Writer) { // ends with the child, if not before
		_, _ = io.WriteString(in, before+strings.Join(names, "\n"+before)+"\n"+after)
	}(c.in)
	err := c.answers(names, fn)
	if why := g.over(); why != nil {
		err = fmt.Errorf("git cat-file: %w", why)
	}
	return err
}

// answers reads what git says of each name.
func (c *catFile) answers(names []string, fn func(name string, o Object, err error)) (err error) {
	for i := 0; i < len(names) && err == nil; i++ {
		var o Object
		o, err = c.answer(names[i])
		fn(names[i], o, err)
		if errors.Is(err, ErrMissing) {
			err = nil
		}
	}
	return err
}

func (c *catFile) answer(name string) (Object, error) {
	head, err := c.out.ReadString('\n')
	if err != nil {
		return Object{}, fmt.Errorf("git cat-file: read of %s: %w", name, asked(err))
	}
	f := strings.Fields(head[max(0, strings.LastIndexByte(strings.TrimSuffix(head, "\n"), '\n')):])
	if len(f) != 3 || strings.HasSuffix(strings.TrimSuffix(head, "\n"), " missing") {
		return Object{}, fmt.Errorf("%s: %w", name, ErrMissing)
	}
	return c.body(f)
}

func (c *catFile) body(f []string) (Object, error) {
	n, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || n < 0 || n > MaxObject {
		return Object{}, fmt.Errorf("object %s is too large: %s bytes", f[0], f[2])
	}
	data := make([]byte, n+1)
	if _, err := io.ReadFull(c.out, data); err != nil {
		return Object{}, fmt.Errorf("git cat-file: %w", asked(err))
	}
	return Object{ID: f[0], Type: f[1], Data: data[:n]}, nil
}
