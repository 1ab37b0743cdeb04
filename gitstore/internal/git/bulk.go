package git

import (
	"errors"
	"sync"
)

// A Bulk reads many objects at a time, again and again, through one child. A [Batch] starts a
// new one for each list, which costs 3 ms and what that child keeps of the packs, or has each
// answer written by itself, which for 80,000 objects is 0.2 s of 0.6 more. It is safe for
// concurrent use. Who opens it closes it: the child pins packs.
type Bulk struct {
	catFile
	mu    sync.Mutex
	plain bool // git before 2.36 has no --batch-command
}

// Bulk returns a reader of many objects.
func (r *Runner) Bulk() *Bulk { return &Bulk{catFile: catFile{r: r}} }

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

func (b *Bulk) each(names []string, fn func(name string, o Object, err error)) (err error) {
	args, before, after := []string{"--batch-command", "--buffer"}, "contents ", "flush\n"
	if b.plain {
		args, before, after = []string{"--batch"}, "", ""
	}
	if b.cmd == nil {
		err = b.open(args...)
	}
	if err == nil {
		err = b.list(names, before, after, fn)
	}
	if err != nil {
		b.end()
	}
	return err
}

// Close ends the child. The next Each starts another.
func (b *Bulk) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
	return nil
}
