package tracer

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// A tracer is one run. All of it happens on one thread, as the kernel wants.
type tracer struct {
	plan   Plan
	report Report
	first  int         // the program itself
	group  map[int]int // thread to process
	comm   map[int]string
	errno  syscall.Errno
	n      int
}

// Run runs argv, found on PATH, with the standard streams of this process, and
// returns when all that it started has ended. Stage is a command that calls Exec
// with the arguments behind it.
func Run(plan Plan, stage, argv []string) (Report, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t := &tracer{plan: plan, group: map[int]int{}, comm: map[int]string{}}
	if plan.At > 0 {
		var err error
		if t.errno, err = errno(plan.Do); err != nil {
			return t.report, err
		}
	}
	p, err := os.StartProcess(stage[0], append(stage, argv...), &os.ProcAttr{
		Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Sys: &syscall.SysProcAttr{Ptrace: true},
	})
	if err != nil {
		return t.report, err
	}
	t.first = p.Pid
	return t.report, t.follow()
}

func errno(do string) (syscall.Errno, error) {
	switch do {
	case Count, Self, All, Parent, Look:
		return 0, nil
	}
	for _, e := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EACCES, syscall.EROFS, syscall.EMFILE, syscall.EDQUOT} {
		if errName(e) == do {
			return e, nil
		}
	}
	return 0, fmt.Errorf("'%s' is nothing that can be done", do)
}

func errName(e syscall.Errno) string {
	return map[syscall.Errno]string{syscall.ENOSPC: "ENOSPC", syscall.EIO: "EIO", syscall.EACCES: "EACCES", syscall.EROFS: "EROFS", syscall.EMFILE: "EMFILE", syscall.EDQUOT: "EDQUOT"}[e]
}

const (
	options = syscall.PTRACE_O_TRACECLONE | syscall.PTRACE_O_TRACEFORK | syscall.PTRACE_O_TRACEVFORK |
		syscall.PTRACE_O_TRACEEXEC | traceSeccomp | exitKill
	traceSeccomp, exitKill = 1 << 7, 1 << 20 // not in package syscall
	eventSeccomp           = 7
)

func (t *tracer) follow() error {
	var ws syscall.WaitStatus
	if _, err := syscall.Wait4(t.first, &ws, 0, nil); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	if err := syscall.PtraceSetOptions(t.first, options); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	t.join(t.first)
	t.on(t.first, 0)
	for {
		tid, err := syscall.Wait4(-1, &ws, syscall.WALL, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ECHILD):
			return nil
		case err != nil:
			return err
		default:
			t.event(tid, ws)
		}
	}
}

// event handles what a thread stopped for, and lets it go on.
func (t *tracer) event(tid int, ws syscall.WaitStatus) {
	switch {
	case ws.Exited() || ws.Signaled():
		if tid == t.first {
			t.report.Code = ws.ExitStatus()
		}
		delete(t.group, tid)
	case !ws.Stopped():
	case ws.StopSignal() == syscall.SIGTRAP && int(ws)>>16 == eventSeccomp:
		t.syscall(tid)
		t.on(tid, 0)
	case ws.StopSignal() == syscall.SIGTRAP && int(ws)>>16 != 0: // fork, exec
		t.join(tid)
		t.on(tid, 0)
	case t.group[tid] == 0: // a new thread stops once
		t.join(tid)
		t.on(tid, 0)
	default:
		t.on(tid, int(ws.StopSignal()))
	}
}

// on lets a thread run to its next call that writes. It may have been killed
// meanwhile.
func (t *tracer) on(tid, signal int) { _ = syscall.PtraceCont(tid, signal) }

// join learns which process a thread belongs to, and the program it runs.
func (t *tracer) join(tid int) {
	b, _ := os.ReadFile("/proc/" + strconv.Itoa(tid) + "/status")
	t.group[tid] = tid
	for l := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(l, "Tgid:"); ok {
			t.group[tid], _ = strconv.Atoi(strings.TrimSpace(v))
		}
	}
	t.comm[t.group[tid]] = command(t.group[tid])
}

// command names a program by its first words: "git update-ref".
func command(pid int) string {
	b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	argv := strings.Split(string(b), "\x00")
	name := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	for i := 1; i < len(argv); i++ {
		if argv[i] == "-c" {
			i++
		} else if argv[i] != "" && argv[i][0] != '-' {
			return name + " " + argv[i]
		}
	}
	return name
}
