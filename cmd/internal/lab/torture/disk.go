//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A squeeze takes away what a save needs, and gives it back.
type squeeze struct {
	name  string
	steps int // it is done so tightly: with 0, 1, 2 ... of what there is left
	apply func(r *repo, n int) error
	lift  func(r *repo) error
	user  bool // what follows runs as a user who is not root
}

const (
	block  = 4096
	nobody = 65534
)

var squeezes = []squeeze{
	{name: "no space", steps: 12, apply: fill, lift: func(r *repo) error { return os.Remove(r.filler()) }},
	{name: "no inodes", steps: 10, apply: inodes, lift: func(r *repo) error { return r.remount("nr_inodes=100000") }},
	{name: "read-only", steps: 1, apply: func(r *repo, _ int) error { return r.remount("ro") }, lift: func(r *repo) error { return r.remount("rw") }},
	{name: "another's repository", steps: 1, user: true, apply: func(r *repo, _ int) error { return r.sh("chmod -R go-w .") }, lift: nothing},
	{name: "another's objects", steps: 1, user: true, apply: given(".git/objects"), lift: nothing},
	{name: "another's refs", steps: 1, user: true, apply: given(".git/refs"), lift: nothing},
	{name: "another's logs", steps: 1, user: true, apply: given(".git/logs"), lift: nothing},
	{name: "another's sage", steps: 1, user: true, apply: given(".git/sage"), lift: nothing},
}

func nothing(*repo) error { return nil }

// disk runs every act where something is missing, on a file system in memory.
func (b *bench) disk() error {
	if err := tools("mount", "setpriv"); err != nil {
		return err
	}
	if err := os.Chmod(b.dir, 0o755); err != nil {
		return err
	}
	first, err := b.template(filepath.Join(b.dir, "disk"))
	if err != nil {
		return err
	}
	defer first.drop()
	return b.eachAct(func(a act) error { return b.squeezed(first, a) })
}

func (b *bench) squeezed(first *repo, a act) error {
	start := time.Now()
	from, err := first.copy(first.dir + "-act")
	if err != nil {
		return err
	}
	defer from.drop()
	if err := from.begin(a.setup); err != nil {
		return err
	}
	var points []point
	for i, q := range squeezes {
		for n := range q.steps {
			points = append(points, point{fmt.Sprint(i), n})
		}
	}
	row := b.row("disk", a.name, len(points))
	defer func() { row.took = time.Since(start) }()
	err = parallel(points, func(i int, p point) error {
		q, _ := strconv.Atoi(p.do)
		return b.inMemory(fmt.Sprintf("%s-%d", from.dir, i), "6m", func(at string) error { return b.tight(row, from, a, squeezes[q], p.at, at) })
	})
	if row.refused == 0 && a.alone && err == nil {
		err = errors.New("nothing was refused, so that nothing was squeezed")
	}
	return err
}

// inMemory calls do with a file system of its own.
func (b *bench) inMemory(at, size string, do func(at string) error) (err error) {
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount("torture", at, "tmpfs", 0, "size="+size+",mode=755"); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	defer func() { err = errors.Join(err, syscall.Unmount(at, syscall.MNT_DETACH), os.Remove(at)) }()
	return do(at)
}

// tight runs one point on a file system.
func (b *bench) tight(row *row, from *repo, a act, q squeeze, n int, at string) error {
	r, err := from.copy(filepath.Join(at, "r"))
	if err != nil {
		return err
	}
	before := r.reads(nil)
	if err := q.apply(r, n); err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	var as []string
	if q.user {
		as = []string{"setpriv", fmt.Sprintf("--reuid=%d", nobody), fmt.Sprintf("--regid=%d", nobody), "--clear-groups"}
	}
	o, err := b.exec(r.dir, "", r.env, append(as, a.argv(r)...)...)
	if err != nil {
		return err
	}
	v := &verdict{}
	said := strings.Contains(o.errs, "rollback failed")
	if after := r.reads(as); len(acknowledged(o.out)) == 0 && o.code != 0 && !said && after != before {
		v.fault("%s: refused, and something changed all the same: %s%s", q.name, o.out, o.errs)
	}
	if err := q.lift(r); err != nil {
		return err
	}
	if !v.ok() {
		b.count(row, q.name, true, false, true, v)
		return nil
	}
	b.conclude(row, r, a, fmt.Sprintf("%s, %d left", q.name, n), true, o)
	return nil
}

// reads is what commands say that only read.
func (r *repo) reads(as []string) string {
	var out strings.Builder
	for _, args := range [][]string{{"log", "--all", "--json"}, {"checkpoint", "show", "main"}, {"tag"}} {
		o, err := r.b.exec(r.dir, "", r.env, append(append(slices.Clone(as), r.b.bin), args...)...)
		fmt.Fprintf(&out, "%d %v %s", o.code, err, o.out)
	}
	return out.String()
}

func (r *repo) filler() string { return filepath.Join(filepath.Dir(r.dir), "filler") }

// fill leaves n blocks.
func fill(r *repo, n int) error {
	f, err := os.Create(r.filler())
	if err != nil {
		return err
	}
	defer f.Close()
	size := int64(0)
	for b := make([]byte, block); ; size += block {
		if k, err := f.Write(b); err != nil || k < block {
			break
		}
	}
	return f.Truncate(max(0, size-int64(n)*block))
}

// inodes leaves n of them.
func inodes(r *repo, n int) error {
	var st syscall.Statfs_t
	if err := syscall.Statfs(r.dir, &st); err != nil {
		return err
	}
	return r.remount(fmt.Sprintf("nr_inodes=%d", int(st.Files-st.Ffree)+n))
}

func (r *repo) remount(option string) error {
	_, err := r.b.must(r.b.dir, "", "mount", "-o", "remount,"+option, filepath.Dir(r.dir))
	return err
}

// given gives the repository to the user, but for one folder.
func given(folder string) func(*repo, int) error {
	return func(r *repo, _ int) error {
		return r.sh(fmt.Sprintf("chown -R %d:%d . && chown -R 0:0 %s && chmod -R go-w %s", nobody, nobody, folder, folder))
	}
}
