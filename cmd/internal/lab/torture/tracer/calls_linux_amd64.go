package tracer

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// writes are the calls that change what a later process sees, with the argument
// that holds a path (-1: the first is a descriptor).
var writes = map[uint64]struct {
	name string
	path int
}{
	syscall.SYS_WRITE: {"write", -1}, syscall.SYS_PWRITE64: {"pwrite64", -1}, syscall.SYS_WRITEV: {"writev", -1},
	syscall.SYS_FSYNC: {"fsync", -1}, syscall.SYS_FDATASYNC: {"fdatasync", -1}, syscall.SYS_SYNC_FILE_RANGE: {"sync_file_range", -1},
	syscall.SYS_FTRUNCATE: {"ftruncate", -1}, syscall.SYS_TRUNCATE: {"truncate", 0}, syscall.SYS_FALLOCATE: {"fallocate", -1},
	syscall.SYS_CREAT: {"creat", 0}, syscall.SYS_OPEN: {"open", 0}, syscall.SYS_OPENAT: {"openat", 1},
	syscall.SYS_RENAME: {"rename", 0}, syscall.SYS_RENAMEAT: {"renameat", 1}, sysRenameat2: {"renameat2", 1},
	syscall.SYS_LINK: {"link", 1}, syscall.SYS_LINKAT: {"linkat", 3}, syscall.SYS_SYMLINK: {"symlink", 1}, syscall.SYS_SYMLINKAT: {"symlinkat", 2},
	syscall.SYS_UNLINK: {"unlink", 0}, syscall.SYS_UNLINKAT: {"unlinkat", 1}, syscall.SYS_RMDIR: {"rmdir", 0},
	syscall.SYS_MKDIR: {"mkdir", 0}, syscall.SYS_MKDIRAT: {"mkdirat", 1},
	syscall.SYS_CHMOD: {"chmod", 0}, syscall.SYS_FCHMOD: {"fchmod", -1}, syscall.SYS_FCHMODAT: {"fchmodat", 1},
	syscall.SYS_UTIMENSAT: {"utimensat", 1}, sysCopyFileRange: {"copy_file_range", -1},
}

const sysRenameat2, sysCopyFileRange = 316, 326 // not in package syscall

const opensToWrite = syscall.O_WRONLY | syscall.O_RDWR | syscall.O_CREAT | syscall.O_TRUNC

// flags is which argument says how a file is opened.
var flags = map[uint64]int{syscall.SYS_OPEN: 1, syscall.SYS_OPENAT: 2}

// A stop is a thread before a call that writes.
type stop struct {
	tid  int
	regs syscall.PtraceRegs
}

func look(tid int) (s stop, err error) {
	s.tid = tid
	return s, syscall.PtraceGetRegs(tid, &s.regs)
}

func (s *stop) name() string { return writes[s.regs.Orig_rax].name }

func (s *stop) arg(i int) uint64 {
	return [...]uint64{s.regs.Rdi, s.regs.Rsi, s.regs.Rdx, s.regs.R10}[i]
}

// path is the file that the call is about.
func (s *stop) path() string {
	w := writes[s.regs.Orig_rax]
	if w.path < 0 {
		p, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", s.tid, s.arg(0)))
		return p
	}
	return peekString(s.tid, uintptr(s.arg(w.path)))
}

// fails makes the call do nothing but return an error.
func (s *stop) fails(e syscall.Errno) {
	r := s.regs
	r.Orig_rax, r.Rax = ^uint64(0), uint64(-int64(e))
	_ = syscall.PtraceSetRegs(s.tid, &r)
}

func peekString(tid int, addr uintptr) string {
	var out strings.Builder
	var b [8]byte
	for out.Len() < 4096 {
		n, err := syscall.PtracePeekData(tid, addr, b[:])
		if err != nil || n == 0 {
			break
		}
		if i := strings.IndexByte(string(b[:n]), 0); i >= 0 {
			out.Write(b[:i])
			break
		}
		out.Write(b[:n])
		addr += uintptr(n)
	}
	return out.String()
}
