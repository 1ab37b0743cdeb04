package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// idle is how long an unused cat-file child lives: it pins packs.
const idle = 5 * time.Second

// MaxObject bounds what Batch reads of one object, in bytes.
const MaxObject = 64 << 20

// ErrMissing says that git has no such object.
var ErrMissing = errors.New("no such object")

// A Batch reads objects through one `git cat-file --batch` child, started on
// first use and ended after five idle seconds. It is safe for concurrent use.
type Batch struct {
	catFile
	mu    sync.Mutex
	timer *time.Timer
}

// Batch returns a reader of objects.
func (r *Runner) Batch() *Batch { return &Batch{catFile: catFile{r: r}} }

// An Object is what git has under a name.
type Object struct {
	ID   string
	Type string
	Data []byte
}

// Get returns the object that name stands for, an id or <id>:<path>.
// It returns ErrMissing if there is none.
func (b *Batch) Get(name string) (Object, error) {
	if strings.ContainsAny(name, "\n\x00") {
		return Object{}, ErrMissing
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	o, err := b.get(name)
	if errors.Is(err, ErrEnded) { // another git knows it
		b.stop()
		o, err = b.get(name)
	}
	if err != nil && !errors.Is(err, ErrMissing) {
		b.stop()
	}
	return o, err
}

func (b *Batch) get(name string) (Object, error) {
	if err := b.start(); err != nil {
		return Object{}, err
	}
	g := b.r.guard(b.cmd)
	o, err := b.ask(name)
	if why := g.over(); why != nil {
		return Object{}, fmt.Errorf("git cat-file: %w", why)
	}
	return o, err
}

// Each calls fn with every named object in turn, or with the error that Get would
// return. It asks for all before the first answer is read, which takes a third of
// the time of one after the other.
func (b *Batch) Each(names []string, fn func(name string, o Object, err error)) error {
	switch {
	case len(names) == 0: // no child is needed
		return nil
	case len(names) >= manyObjects:
		return b.r.eachOf(names, fn)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.start(); err != nil {
		return err
	}
	err := b.list(names, "", "", fn)
	if err != nil {
		b.stop()
	}
	return err
}

// manyObjects is from where on a git of its own answers: one that need not write
// each answer by itself takes a fifth of the time, and 3 ms to start.
const manyObjects = 200

// eachOf is Each of a git of its own.
func (r *Runner) eachOf(names []string, fn func(name string, o Object, err error)) error {
	cmd := r.command(context.Background(), "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	g := r.guard(cmd)
	err = (&catFile{out: bufio.NewReaderSize(out, 64<<10)}).answers(names, fn)
	if err != nil {
		_ = cmd.Process.Kill()
	}
	_ = cmd.Wait() // every name was answered, or err says so
	if why := g.over(); why != nil {
		err = fmt.Errorf("git cat-file: %w", why)
	}
	return err
}

func (b *Batch) ask(name string) (Object, error) {
	if _, err := io.WriteString(b.in, name+"\n"); err != nil {
		return Object{}, fmt.Errorf("git cat-file: %w", asked(err))
	}
	return b.answer(name)
}

// Start starts the child while its caller does other things.
func (b *Batch) Start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.start() // whoever asks starts it again, and is told
}

func (b *Batch) start() error {
	if b.timer != nil {
		b.timer.Reset(idle)
	}
	if b.cmd != nil {
		return nil
	}
	if err := b.open("--batch"); err != nil {
		return err
	}
	b.timer = time.AfterFunc(idle, func() { _ = b.Close() })
	return nil
}

// Close ends the child. The next Get starts another.
func (b *Batch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop()
	return nil
}

func (b *Batch) stop() {
	if b.cmd == nil {
		return
	}
	b.timer.Stop()
	b.timer = nil
	b.end()
}
