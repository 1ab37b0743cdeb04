//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A bench is a folder with a HOME of its own, in which everything happens.
type bench struct {
	bin, self, dir string
	every, rounds  int
	only, at       string
	keep           bool

	mu    sync.Mutex
	rows  []*row
	fails []string
}

// newBench makes the folder in memory if there is any: kills do not ask whether
// a disk is slow.
func newBench(bin string) (*bench, error) {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return nil, err
	}
	if _, err := exec.LookPath(bin); err != nil {
		return nil, fmt.Errorf("%w; 'make build' makes it", err)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var dir string
	for _, in := range []string{"/dev/shm", ""} {
		if dir, err = os.MkdirTemp(in, "git-sage-torture-"); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(filepath.Join(dir, "sagehome"), 0o755); err != nil { // for whoever runs: users share it here
		return nil, err
	}
	config := "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[safe]\n\tdirectory = *\n"
	return &bench{bin: bin, self: self, dir: dir}, os.WriteFile(filepath.Join(dir, ".gitconfig"), []byte(config), 0o644)
}

func (b *bench) close() {
	if !b.keep || len(b.fails) == 0 {
		_ = os.RemoveAll(b.dir)
	}
}

// environ is what every process gets; nobody's own config is read.
func (b *bench) environ(extra ...string) []string {
	env := []string{"HOME=" + b.dir, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC", "SAGE_HOME=" + filepath.Join(b.dir, "sagehome")}
	return append(env, extra...)
}

// An outcome is what a process said.
type outcome struct {
	out, errs string
	code      int
	peak      int64         // memory, in KiB
	cpu       time.Duration // of it and what it waited for
}

// exec runs a program in dir and waits for it. An error is one of starting it.
func (b *bench) exec(dir, stdin string, env []string, argv ...string) (outcome, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, b.environ(env...), strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	o := outcome{out: out.String(), errs: errs.String(), code: -1}
	if cmd.ProcessState != nil {
		o.code = cmd.ProcessState.ExitCode()
		o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		o.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	}
	return o, err
}

// must runs a program that has to succeed.
func (b *bench) must(dir, stdin string, argv ...string) (string, error) {
	o, err := b.exec(dir, stdin, nil, argv...)
	if err == nil && o.code != 0 {
		err = fmt.Errorf("exit status %d: %s", o.code, strings.TrimSpace(o.errs))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
	}
	return strings.TrimSpace(o.out), nil
}

func (b *bench) git(dir string, args ...string) (string, error) {
	return b.must(dir, "", append([]string{"git"}, args...)...)
}

func (b *bench) sage(dir string, args ...string) (string, error) {
	return b.must(dir, "", append([]string{b.bin}, args...)...)
}

// copyTree copies a folder with the times of its files, by which git's index
// knows them.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		at := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(at, 0o755)
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(at, data, st.Mode())
		}
		if err == nil {
			err = os.Chtimes(at, st.ModTime(), st.ModTime())
		}
		return err
	})
}
