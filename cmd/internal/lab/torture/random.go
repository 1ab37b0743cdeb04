//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// random kills at any moment. One repository lives through all rounds of a worker,
// so that what a kill leaves behind meets the next; beside every act another
// session saves, and has to succeed.
func (b *bench) random() error {
	workers := runtime.NumCPU()
	row := b.row("random", "any act, a save beside it", b.rounds/workers*workers)
	start := time.Now()
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { errs[w] = b.rounding(row, w, b.rounds/workers) })
	}
	wg.Wait()
	row.took = time.Since(start)
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// perRepository is after how many rounds a worker begins a new repository: a
// longer history makes the looking slow and finds nothing more.
const perRepository = 50

func (b *bench) rounding(row *row, worker, rounds int) error {
	var r *repo
	for hits, try := 0, 0; hits < rounds && try < 20*rounds; try++ {
		if try%perRepository == 0 {
			if r != nil {
				r.drop()
			}
			var err error
			if r, err = b.template(filepath.Join(b.dir, fmt.Sprintf("random-%d-%d", worker, try))); err != nil {
				return err
			}
			if err := r.write("form.yaml", form); err != nil {
				return err
			}
			if r.mine, err = r.state(); err != nil {
				return err
			}
		}
		if r.round(row, worker) {
			hits++
		}
	}
	r.drop()
	return nil
}

// A killed is a command that is killed while it runs.
type killed struct {
	args  []string
	whom  string
	after time.Duration
}

// pick chooses what to run, whom to kill and when. The longest act takes some 30
// ms on a quiet machine, and everything is slower here.
func pick(r *repo) killed {
	menu := [][]string{
		{"merge", "other"}, {"merge", "--abort"}, {"checkpoint", "prune", "--keep", "5", "--yes"}, {"checkpoint", "rm", "@~1"},
		{"tag", "-f", "kept", "@"}, {"templates", "add", "-f", "form.yaml"}, {"admin", "maintenance"},
	}
	k := killed{whom: []string{"all", "program", "git"}[rand.N(3)], after: rand.N(25 * time.Millisecond)}
	if rand.N(oftenPurged) == 0 {
		k.args, k.after = []string{"purge", "--match", secret, "--yes"}, rand.N(400*time.Millisecond) // it takes some ten times as long
		return k
	}
	switch i := rand.N(12); {
	case i < 3:
		k.args = r.saving(underTest)[1:]
	case i == 3:
		k.args = r.saving(underTest, "--line", "other")[1:]
	case i == 4:
		k.args = r.saving(underTest, "--session", "77777777")[1:]
	default:
		k.args = menu[i-5]
	}
	return k
}

// oftenPurged is how many rounds have one that purges: it and what is asked behind it
// take as long as ten others.
const oftenPurged = 20

// round runs one command, kills, and asks the oracle. It reports whether anything
// was there to be killed.
func (r *repo) round(row *row, worker int) bool {
	k := pick(r)
	v := &verdict{}
	purges := k.args[0] == "purge"
	if purges {
		if _, err := r.saveThat(secret + " holds."); err != nil {
			v.fault("plant a secret: %v", err)
		}
	}
	beside := make(chan error)
	go func() {
		o, err := r.b.exec(r.dir, "", nil, r.saving("A thought beside it.", "--session", fmt.Sprint(10000000+worker))...)
		if err == nil && o.code != 0 {
			err = fmt.Errorf("%d %s", o.code, strings.TrimSpace(o.errs))
		}
		for _, id := range acknowledged(o.out) {
			r.acked[id] = "A thought beside it."
		}
		beside <- err
	}()
	o, hit := r.kill(k)
	if err := <-beside; err != nil {
		v.fault("the save beside it: %v", err)
	}
	ids := acknowledged(o.out)
	for _, id := range ids {
		r.acked[id] = underTest
	}
	if purges {
		if err := cleaned(false)(&act{argv: plainly(k.args...)}, r, o.code == 0); err != nil {
			v.fault("%v", err)
		}
	}
	if !hit {
		return false
	}
	after := r.judge()
	v.lost, v.wrong = after.lost, append(v.wrong, after.wrong...)
	r.b.count(row, fmt.Sprintf("%s %s after %s", k.whom, strings.Join(k.args[:2], " "), k.after), true, len(ids) > 0 || o.code == 0, o.code > 0, v)
	return true
}

// kill runs a command and kills after a time; then it waits for whatever of it is
// left.
func (r *repo) kill(k killed) (o outcome, hit bool) {
	cmd := exec.Command(r.b.bin, k.args...)
	cmd.Dir, cmd.Env = r.dir, r.b.environ(r.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, time.Second
	if cmd.Start() != nil {
		return o, false
	}
	time.Sleep(k.after)
	family := descendants(cmd.Process.Pid)
	for i, pid := range family {
		if k.whom == "all" || (k.whom == "program") == (i == 0) {
			hit = alive(pid) && syscall.Kill(pid, syscall.SIGKILL) == nil || hit
		}
	}
	_ = cmd.Wait()
	for _, pid := range family[1:] {
		for alive(pid) {
			time.Sleep(time.Millisecond)
		}
	}
	return outcome{out: out.String(), errs: errs.String(), code: cmd.ProcessState.ExitCode()}, hit
}
