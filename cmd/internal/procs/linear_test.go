//go:build unix

package procs

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

// An op is what one client did to a line: it saved a checkpoint, or looked which is
// the newest. at is the place of that in the chain, counted from its beginning.
type op struct {
	save       bool
	id         string
	began, end time.Duration
	at         int
}

// broken returns what no order of the operations explains, or "". The chain is the
// order of the saves. It has to agree with the clock: what ended before something
// began stands before it, and who looks sees all that had ended and nothing that had
// not begun. For a line, on which every save has an id of its own, that is all that
// linearizability asks.
func broken(ops []op) string {
	slices.SortFunc(ops, func(a, b op) int { return cmp.Compare(a.began, b.began) })
	for i, a := range ops {
		for _, b := range ops[i+1:] {
			if a.end >= b.began {
				continue // at once: either may be first
			}
			if a.at > b.at || b.save && a.at == b.at {
				return fmt.Sprintf("%+v ended before %+v began", a, b)
			}
		}
	}
	for _, look := range ops {
		for _, save := range ops {
			if !look.save && save.save && save.began > look.end && save.at <= look.at {
				return fmt.Sprintf("%+v was seen by %+v", save, look)
			}
		}
	}
	return ""
}

// Case C42: the check itself notices each way to go wrong.
func TestBroken(t *testing.T) {
	save := func(began, end time.Duration, at int) op { return op{save: true, began: began, end: end, at: at} }
	look := func(began, end time.Duration, at int) op { return op{began: began, end: end, at: at} }
	for name, c := range map[string]struct {
		ops []op
		ok  bool
	}{
		"one after the other":     {[]op{save(1, 2, 1), look(3, 4, 1), save(5, 6, 2), look(7, 8, 2)}, true},
		"at once, either first":   {[]op{save(1, 5, 2), save(2, 6, 1), look(3, 4, 0)}, true},
		"seen before it ended":    {[]op{save(1, 9, 1), look(2, 3, 1), look(4, 5, 1)}, true},
		"saves against the clock": {[]op{save(1, 2, 2), save(3, 4, 1)}, false},
		"an old tip is seen":      {[]op{save(1, 2, 1), look(3, 4, 0)}, false},
		"seen and unseen again":   {[]op{save(1, 9, 1), look(2, 3, 1), look(4, 5, 0)}, false},
		"one of the future":       {[]op{look(1, 2, 1), save(3, 4, 1)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if why := broken(c.ops); (why == "") != c.ok {
				t.Errorf("got %q", why)
			}
		})
	}
}

// Case C42: what four clients see of a line while all of them save and look is as if
// one had done it after the other.
func TestLinear(t *testing.T) {
	t.Parallel()
	p := world(t, built)
	ops := []op{{save: true, id: p.saved("first", "--line", "main")}}
	began := time.Now()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for client := range 4 {
		wg.Go(func() {
			for i := range operations {
				o := op{save: (client+i)%2 == 0, began: time.Since(began)}
				var err error
				if o.save {
					o.id, err = p.save(fmt.Sprintf("thought %d of client %d", i, client), "--line", "main")
				} else {
					o.id, err = p.try("rev-parse", "main")
				}
				o.end = time.Since(began)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				ops = append(ops, o)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	chain := p.chain("refs/sage/heads/main")
	for i := range ops {
		place := slices.Index(chain, ops[i].id)
		if place < 0 {
			t.Errorf("%s is not in the chain", ops[i].id)
		}
		ops[i].at = len(chain) - place
	}
	if why := broken(ops); why != "" {
		t.Error(why)
	}
	t.Logf("%d operations by 4 clients", len(ops))
}

// Case C38: a hook of the user's that forbids every change of a ref has no say over
// ours: nothing of it runs, whatever is done.
func TestVeto(t *testing.T) {
	t.Parallel()
	p := world(t, built)
	for _, name := range []string{"reference-transaction", "post-commit", "pre-commit", "commit-msg", "update", "post-index-change", "pre-auto-gc"} {
		p.w.Write("r/.git/hooks/"+name, "#!/bin/sh\necho ran >>\"$PWD/ran\"\nexit 1\n")
		if err := os.Chmod(p.w.Path("r/.git/hooks", name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.w.TryGit("r", "update-ref", "refs/heads/vetoed", "HEAD"); err == nil {
		t.Fatal("the hook forbids nothing")
	}
	_ = os.Remove(p.w.Path("r/ran"))
	id := p.saved("one")
	for _, args := range [][]string{{"switch", "-c", "side"}, {"checkpoint", "save", "-m", "two"}, {"switch", "main"}, {"merge", "side"}, {"tag", "v1"},
		{"checkpoint", "rm", "@"}, {"branch", "-d", "side"}, {"admin", "maintenance", "--quiet"}, {"purge", "--match", "nothing", "--yes"}} {
		p.run(args...)
	}
	for _, dir := range []string{"r", "r/.git"} {
		if _, err := os.Lstat(p.w.Path(dir, "ran")); err == nil {
			t.Errorf("a hook ran, in %s", dir)
		}
	}
	_ = os.RemoveAll(p.w.Path("r/.git/hooks"))
	p.holds(id)
}
