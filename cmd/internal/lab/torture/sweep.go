//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/lab/torture/tracer"
)

// sweep kills at each call that writes, of the program and of the gits that it
// started: the process that makes the call, all of them, or the program alone
// while its git goes on.
func (b *bench) sweep() error {
	return b.each("sweep", func(string) []string { return []string{tracer.Self, tracer.All, tracer.Parent} })
}

// errors makes each call that writes fail, alone or, as on a disk that fills up or
// turns read-only (marked by a plus), with all that follow.
func (b *bench) errors() error {
	return b.each("errors", func(string) []string { return []string{"EIO", "ENOSPC+", "EACCES", "EROFS+"} })
}

// A point is a fault at one call.
type point struct {
	do string
	at int
}

func (p point) String() string { return fmt.Sprintf("%s:%d", p.do, p.at) }

// each runs the points of every act, a few at a time.
func (b *bench) each(part string, dos func(act string) []string) error {
	first, err := b.template(filepath.Join(b.dir, part))
	if err != nil {
		return err
	}
	defer first.drop()
	return b.eachAct(func(a act) error { return b.act(part, first, a, dos(a.name)) })
}

// eachAct does something with every act, or with the one that was asked for.
func (b *bench) eachAct(do func(a act) error) error {
	for _, a := range acts {
		if !b.asked(a.name) {
			continue
		}
		if err := do(a); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return nil
}

func (b *bench) asked(act string) bool {
	return b.only == "" || b.only == act || strings.HasSuffix(b.only, ":") && strings.HasPrefix(act, b.only)
}

func (b *bench) act(part string, first *repo, a act, dos []string) error {
	start := time.Now()
	from, err := first.copy(first.dir + "-act")
	if err != nil {
		return err
	}
	defer from.drop()
	if err := from.begin(a.setup); err != nil {
		return err
	}
	points, err := b.points(from, a, dos)
	if err != nil {
		return err
	}
	r := b.row(part, a.name, len(points))
	defer func() { r.took = time.Since(start) }()
	return parallel(points, func(i int, p point) error { return b.point(r, from, a, i, p) })
}

// points counts the calls of an undisturbed run, and makes every n-th a point.
func (b *bench) points(from *repo, a act, dos []string) ([]point, error) {
	rep, o, err := b.try(from, a, "count", tracer.Plan{Do: tracer.Count})
	if err != nil {
		return nil, err
	}
	if o.code != a.ends {
		return nil, fmt.Errorf("undisturbed: exit status %d: %s", o.code, o.errs)
	}
	var out []point
	n := 0
	for _, do := range dos {
		for at, call := range rep.Calls {
			if !tracer.Applies(strings.TrimSuffix(do, "+"), call) {
				continue
			}
			p := point{do, at + 1}
			if n++; b.takes(p, n) {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// takes reports whether a point, the n-th, is one of those that were asked for.
func (b *bench) takes(p point, n int) bool {
	return b.at == p.String() || b.at == "" && n%b.every == 0
}

// try runs an act in a copy that is dropped.
func (b *bench) try(from *repo, a act, name string, plan tracer.Plan) (tracer.Report, outcome, error) {
	r, err := from.copy(from.dir + "-" + name)
	if err != nil {
		return tracer.Report{}, outcome{}, err
	}
	defer r.drop()
	return r.traced(plan, a.argv(r))
}

// traced runs the program under the tracer.
func (r *repo) traced(plan tracer.Plan, command []string) (rep tracer.Report, o outcome, err error) {
	p, _ := json.Marshal(plan)
	file := r.dir + ".report"
	defer os.Remove(file)
	argv := append([]string{r.b.self, "trace", string(p)}, command...)
	o, err = r.b.exec(r.dir, "", append(r.env, "TORTURE_REPORT="+file), argv...)
	if err != nil {
		return rep, o, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return rep, o, fmt.Errorf("the tracer failed: %s", o.errs)
	}
	err = json.Unmarshal(data, &rep)
	o.code = rep.Code
	return rep, o, err
}

// tries bounds how often a point is run that was not reached: threads do not come
// in the same order every time.
const tries = 20

func (b *bench) point(row *row, from *repo, a act, i int, p point) error {
	last := p.at
	for try := range tries {
		r, err := from.copy(fmt.Sprintf("%s-%d", from.dir, i))
		if err != nil {
			return err
		}
		do, stays := strings.CutSuffix(p.do, "+")
		plan := tracer.Plan{Do: do, At: max(1, min(p.at, last)+beside(try)), Stays: stays}
		rep, o, err := r.traced(plan, a.argv(r))
		if err != nil {
			return err
		}
		if !rep.Hit && try+1 < tries {
			last = rep.Seen // who waits for others makes more calls on a busy machine
			r.drop()
			continue
		}
		b.conclude(row, r, a, fmt.Sprintf("%s (%s)", p, rep.At), rep.Hit, o)
		return nil
	}
	return nil
}

// beside is 0 at first, then to either side, ever farther: a long act varies more.
func beside(try int) int {
	n := try / 2 * (try / 2) / 4
	if try%2 == 0 {
		return -n
	}
	return n
}

// conclude notes what was acknowledged, and asks the oracle.
func (b *bench) conclude(row *row, r *repo, a act, point string, hit bool, o outcome) {
	v := &verdict{}
	acked := o.code == a.ends && strings.Contains(o.out, a.says)
	if a.saves {
		ids := acknowledged(o.out)
		acked = len(ids) > 0
		for _, id := range ids {
			r.acked[id] = underTest
		}
	}
	if a.alone || !a.saves {
		fair(o, v)
	}
	if strings.HasPrefix(point, "EIO") && acked && a.alone && strings.Contains(point, " fsync ") && !strings.Contains(point, "sessions/") {
		v.fault("acknowledged although it may not be on disk")
	}
	if acked && a.alone {
		if id := acknowledged(o.out)[0]; r.sh("git for-each-ref --points-at "+id+" refs/sage | grep -q .") != nil {
			v.fault("acknowledged %s, but no ref is there", id)
		}
	}
	if acked && a.done != nil {
		if err := a.done(r); err != nil {
			v.fault("acknowledged, but %v", err)
		}
	}
	if a.after != nil {
		if err := a.after(&a, r, acked); err != nil {
			v.fault("behind it: %v", err)
		}
	}
	after := r.judge()
	v.lost, v.wrong = after.lost, append(v.wrong, after.wrong...)
	b.count(row, point, hit, acked, !acked && o.code > 0, v)
	if v.ok() || !b.keep {
		r.drop()
	}
}

// parallel runs f for every point on all processors, and stops at an error.
func parallel(points []point, f func(int, point) error) error {
	var wg sync.WaitGroup
	var once sync.Once
	var failed error
	next := make(chan int)
	stop := make(chan struct{})
	for range runtime.NumCPU() + 1 {
		wg.Go(func() {
			for i := range next {
				if err := f(i, points[i]); err != nil {
					once.Do(func() { failed = err; close(stop) })
				}
			}
		})
	}
	for i := range points {
		select {
		case next <- i:
		case <-stop:
		}
	}
	close(next)
	wg.Wait()
	return failed
}
