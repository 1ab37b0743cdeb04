package tracer

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// syscall counts a call that writes, and acts on the one that was planned, or the first
// behind it that the fault applies to: threads do not come in the same order every time.
func (t *tracer) syscall(tid int) {
	s, err := look(tid)
	if err != nil {
		return
	}
	name := s.name()
	if t.plan.Only != "" && t.plan.Only != name {
		return
	}
	t.n++
	t.report.Seen = t.n
	what := t.comm[t.group[tid]] + " " + name
	if t.plan.Do == Count {
		t.report.Calls = append(t.report.Calls, what+" "+shorten(s.path()))
	}
	switch {
	case t.plan.At == 0 || t.n < t.plan.At || t.report.Hit && !t.plan.Stays:
	case t.report.Hit:
		t.refuse(&s)
	case Applies(t.plan.Do, what+" "+shorten(s.path())):
		t.report.Hit, t.report.At = true, what+" "+shorten(s.path())
		t.act(&s)
	}
}

// shorten leaves the last two parts of a path.
func shorten(path string) string {
	dir, base := filepath.Split(path)
	return filepath.Join(filepath.Base(dir), base)
}

func (t *tracer) act(s *stop) {
	switch t.plan.Do {
	case Self:
		t.kill(t.group[s.tid])
	case Parent:
		t.kill(t.first)
	case All:
		t.killAll()
	case Look:
		t.hook()
		t.killAll()
	default:
		t.refuse(s)
	}
}

// refuse lets a call fail, if it can fail so.
func (t *tracer) refuse(s *stop) {
	if Applies(t.plan.Do, s.name()+" "+shorten(s.path())) {
		s.fails(t.errno)
	}
}

func (t *tracer) kill(pid int) {
	if syscall.Kill(pid, syscall.SIGKILL) == nil {
		t.report.Killed++
	}
}

func (t *tracer) killAll() {
	done := map[int]bool{}
	for _, pid := range t.group {
		if !done[pid] {
			done[pid] = true
			t.kill(pid)
		}
	}
}

// hook runs while the thread that would write stands still. Other threads and
// processes may run up to their next call that writes, and no further: the tracer
// is here and not there.
func (t *tracer) hook() {
	cmd := exec.Command(t.plan.Hook[0], t.plan.Hook[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		t.report.Hit = false
		t.report.At = "look: " + err.Error()
	}
}
