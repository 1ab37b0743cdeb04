//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/lab/torture/tracer"
)

// power cuts the power at each call that writes, and right after an act is done:
// the file of a mounted image is copied while everything stands still. What was not
// synced is in the memory of the system that mounted it and not in the copy.
func (b *bench) power() error {
	if err := tools("mount", "cp", "truncate", "mkfs.ext4", "mkfs.xfs"); err != nil {
		return err
	}
	first, err := b.template(filepath.Join(b.dir, "power"))
	if err != nil {
		return err
	}
	defer first.drop()
	for _, s := range systems {
		if err := b.sharp(s, first); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := b.eachAct(func(a act) error { return b.outage(s, first, a) }); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// A disk is an image with the repository that an act begins with.
type disk struct {
	system
	b     *bench
	image string
	repo  *repo // where it lies once mounted is told by mounted
}

func (d *disk) mounted(image string) (*repo, error) {
	at, err := d.b.mount(d.system, image)
	if err != nil {
		return nil, err
	}
	return d.repo.at(filepath.Join(at, "r")), nil
}

// newDisk makes an image that holds a repository, whole and synced.
func (b *bench) newDisk(s system, first *repo, setup func(*repo) error) (d *disk, err error) {
	d = &disk{system: s, b: b, image: filepath.Join(b.dir, s.name+".img"), repo: first}
	if err := b.image(s, d.image); err != nil {
		return nil, err
	}
	at, err := b.mount(s, d.image)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.unmount(d.image)) }()
	if d.repo, err = first.copy(filepath.Join(at, "r")); err != nil {
		return nil, err
	}
	return d, d.repo.begin(setup)
}

func (b *bench) outage(s system, first *repo, a act) error {
	start := time.Now()
	d, err := b.newDisk(s, first, a.setup)
	if err != nil {
		return err
	}
	defer os.Remove(d.image)
	n, err := d.calls(a)
	if err != nil {
		return err
	}
	var points []point
	for at := 1; at <= n; at++ {
		if p := (point{tracer.Look, at}); b.takes(p, at) {
			points = append(points, p)
		}
	}
	if p := (point{"done", 0}); b.takes(p, 0) {
		points = append(points, p)
	}
	row := b.row("power", s.name+": "+a.name, len(points))
	defer func() { row.took = time.Since(start) }()
	return parallel(points, func(i int, p point) error {
		return d.cut(row, a, p, fmt.Sprintf("%s.%d", d.image, i))
	})
}

// calls counts the calls of an undisturbed run.
func (d *disk) calls(a act) (int, error) {
	image := d.image + ".count"
	defer os.Remove(image)
	if err := d.b.clone(d.image, image); err != nil {
		return 0, err
	}
	r, err := d.mounted(image)
	if err != nil {
		return 0, err
	}
	rep, o, err := r.traced(tracer.Plan{Do: tracer.Count}, a.argv(r))
	if err == nil && o.code != a.ends {
		err = fmt.Errorf("undisturbed: exit status %d: %s", o.code, o.errs)
	}
	return len(rep.Calls), errors.Join(err, d.b.unmount(image))
}

// cut runs the act on a copy of the disk until the power fails, and looks at what
// was on the disk then.
func (d *disk) cut(row *row, a act, p point, image string) error {
	after := image + ".cut"
	defer os.Remove(image)
	defer os.Remove(after)
	for try := range tries {
		if err := d.b.clone(d.image, image); err != nil {
			return err
		}
		r, err := d.mounted(image)
		if err != nil {
			return err
		}
		plan := tracer.Plan{Do: p.do, At: max(1, p.at+beside(try)), Hook: []string{"sh", "-c", `sleep 0.02; exec cp --sparse=always "$@"`, "sh", image, after}}
		if p.do == "done" {
			plan = tracer.Plan{Do: tracer.Count}
		}
		rep, o, err := r.traced(plan, a.argv(r))
		hit := rep.Hit
		if p.do == "done" {
			hit, err = true, errors.Join(err, d.b.clone(image, after))
		}
		if err = errors.Join(err, d.b.unmount(image)); err != nil {
			return err
		}
		if hit || try+1 == tries {
			return d.after(row, a, fmt.Sprintf("%s (%s)", p, rep.At), after, hit, o)
		}
	}
	return nil
}

func (d *disk) after(row *row, a act, point, image string, hit bool, o outcome) error {
	r, err := d.mounted(image)
	if err != nil {
		return fmt.Errorf("after the cut: %w", err)
	}
	d.b.conclude(row, r, a, point, hit, o)
	return d.b.unmount(image)
}

// sharp makes sure that a cut loses what is not synced: otherwise nothing here
// would prove anything.
func (b *bench) sharp(s system, first *repo) error {
	d, err := b.newDisk(s, first, func(r *repo) error { return r.sh("git config sage.durable false") })
	if err != nil {
		return err
	}
	defer os.Remove(d.image)
	image, after := d.image+".sharp", d.image+".sharp.cut"
	defer os.Remove(image)
	defer os.Remove(after)
	if err := b.clone(d.image, image); err != nil {
		return err
	}
	r, err := d.mounted(image)
	if err != nil {
		return err
	}
	_, err = r.save()
	if err = errors.Join(err, b.clone(image, after), b.unmount(image)); err != nil {
		return err
	}
	cut, err := d.mounted(after)
	if err != nil {
		return err
	}
	cut.acked = r.acked
	v := &verdict{}
	cut.acknowledgedAreThere(v)
	if len(v.lost) == 0 {
		err = errors.New("a save that was not synced survives the cut, so that it proves nothing")
	}
	return errors.Join(err, b.unmount(after))
}
