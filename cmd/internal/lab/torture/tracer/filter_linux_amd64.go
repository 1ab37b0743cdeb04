package tracer

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"
)

// Exec becomes argv, found on PATH, with a filter of the kernel's that stops it at
// calls that write and at no others: a save makes a thousand calls, of which forty
// write, and a stop costs more than a call.
func Exec(argv []string) error {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	runtime.LockOSThread() // a filter is one thread's, which becomes the program
	f := filter()
	prog := syscall.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNoNewPrivs, 1, 0, 0, 0, 0); e != 0 {
		return fmt.Errorf("give up privileges: %w", e)
	}
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, syscall.PR_SET_SECCOMP, seccompModeFilter, uintptr(unsafe.Pointer(&prog)), 0, 0, 0); e != 0 {
		return fmt.Errorf("filter calls: %w", e)
	}
	return syscall.Exec(path, argv, os.Environ())
}

const (
	prSetNoNewPrivs   = 38
	seccompModeFilter = 2
	seccompTrace      = 0x7ff00000
	seccompAllow      = 0x7fff0000
	auditX86_64       = 0xc000003e
	offNr, offArch    = 0, 4
	offArgs           = 16 // eight bytes each, the low half first
)

const (
	load = syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS
	eq   = syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K
	bits = syscall.BPF_JMP | syscall.BPF_JSET | syscall.BPF_K
	ret  = syscall.BPF_RET | syscall.BPF_K
)

func filter() []syscall.SockFilter {
	f := []syscall.SockFilter{
		{Code: load, K: offArch}, {Code: eq, K: auditX86_64, Jt: 1}, {Code: ret, K: seccompAllow},
		{Code: load, K: offNr},
	}
	for nr := range writes {
		i, opens := flags[nr]
		if !opens {
			f = append(f, syscall.SockFilter{Code: eq, K: uint32(nr), Jf: 1}, syscall.SockFilter{Code: ret, K: seccompTrace})
			continue
		}
		f = append(f,
			syscall.SockFilter{Code: eq, K: uint32(nr), Jf: 4},
			syscall.SockFilter{Code: load, K: uint32(offArgs + 8*i)},
			syscall.SockFilter{Code: bits, K: opensToWrite, Jf: 1},
			syscall.SockFilter{Code: ret, K: seccompTrace},
			syscall.SockFilter{Code: ret, K: seccompAllow})
	}
	return append(f, syscall.SockFilter{Code: ret, K: seccompAllow})
}
