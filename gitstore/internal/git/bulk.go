package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
)

// A Bulk reads many objects at a time, again and again, through one child. A [Batch] starts a
// new one for each list, which costs 3 ms and what that child keeps of the packs, or has each
// answer written by itself, which for 80,000 objects is 0.2 s of 0.6 more. It is safe for
// concurrent use. Who opens it closes it: the child pins packs.
type Bulk struct {
	r     *Runner
	mu    sync.Mutex
	cmd   *exec.Cmd
	in    io.WriteCloser
	batch Batch // which reads the answers
	plain bool  // git before 2.36 has no --batch-command
}

// Bulk returns a reader of many objects.
func (r *Runner) Bulk() *Bulk { return &Bulk{r: r} }

// Each calls fn with every named object in turn, as [Batch.Each] does.
func (b *Bulk) Each(names []string, fn func(name string, o Object, err error)) error {
	if len(names) == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cmd != nil || b.plain {
		return b.each(names, fn)
	}
	understood := false
	err := b.each(names, func(name string, o Object, err error) {
		if understood = understood || err == nil || errors.Is(err, ErrMissing); understood {
			fn(name, o, err)
		}
	})
	if err != nil && !understood {
		b.plain = true
		err = b.each(names, fn)
	}
	return err
}

func (b *Bulk) each(names []string, fn func(name string, o Object, err error)) error {
	if err := b.start(); err != nil {
		return err
	}
	g := b.r.guard(b.cmd)
	before, after := "contents ", "flush\n"
	if b.plain {
		before, after = "", ""
	}
	go func(in io.Writer) { // ends with the child, if not before
		_, _ = io.WriteString(in, before+strings.Join(names, "\n"+before)+"\n"+after)
	}(b.in)
	err := b.batch.answers(names, fn)
	if why := g.over(); why != nil {
		err = fmt.Errorf("git cat-file: %w", why)
	}
	if err != nil {
		b.stop()
	}
	return err
}

func (b *Bulk) start() error {
	if b.cmd != nil {
		return nil
	}
	args := []string{"cat-file", "--batch-command", "--buffer"}
	if b.plain {
		args = []string{"cat-file", "--batch"}
	}
	cmd := b.r.command(context.Background(), args...)
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
	b.cmd, b.in, b.batch.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// Close ends the child. The next Each starts another.
func (b *Bulk) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop()
	return nil
}

func (b *Bulk) stop() {
	if b.cmd == nil {
		return
	}
	_ = b.in.Close()
	_ = b.cmd.Process.Kill()
	_ = b.cmd.Wait()
	b.cmd = nil
}
