//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// private runs this program again where its mounts are its own: whatever happens
// to it, they end with it.
func private() error {
	if os.Getenv("TORTURE_PRIVATE") != "" {
		return syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	}
	if os.Geteuid() != 0 {
		return errors.New("the parts 'disk' and 'power' mount file systems: run it as root")
	}
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "TORTURE_PRIVATE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	err := cmd.Run()
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) {
		os.Exit(cmd.ProcessState.ExitCode())
	}
	return fmt.Errorf("a name space for mounts: %w", err)
}

// A system is a kind of file system, with the size of an image of it. The smallest
// xfs that there is has 300 MB, of which 2 are used.
type system struct {
	name, size string
	make       []string
}

var systems = []system{
	{"ext4", "48M", []string{"mkfs.ext4", "-q", "-F"}},
	{"xfs", "320M", []string{"mkfs.xfs", "-q"}},
}

func (b *bench) image(s system, file string) error {
	if _, err := b.must(b.dir, "", "truncate", "-s", s.size, file); err != nil {
		return err
	}
	_, err := b.must(b.dir, "", append(s.make, file)...)
	return err
}

// mount mounts an image beside itself, and returns where.
func (b *bench) mount(s system, image string) (string, error) {
	at := image + ".d"
	if err := os.MkdirAll(at, 0o755); err != nil {
		return "", err
	}
	options := "loop"
	if s.name == "xfs" {
		options += ",nouuid" // the copy has the id of the original
	}
	_, err := b.must(b.dir, "", "mount", "-t", s.name, "-o", options, image, at)
	return at, err
}

// unmount waits for what runs in the background there: the file of an image that is
// still in use is not whole.
func (b *bench) unmount(image string) error {
	at := image + ".d"
	err := syscall.Unmount(at, 0)
	for start := time.Now(); errors.Is(err, syscall.EBUSY) && time.Since(start) < 20*time.Second; err = syscall.Unmount(at, 0) {
		time.Sleep(10 * time.Millisecond)
	}
	if errors.Is(err, syscall.EBUSY) {
		err = syscall.Unmount(at, syscall.MNT_DETACH)
	}
	return errors.Join(err, os.Remove(at))
}

// clone copies an image, as a file with holes.
func (b *bench) clone(from, to string) error {
	_, err := b.must(b.dir, "", "cp", "--sparse=always", from, to)
	return err
}

// tools makes sure that what a part needs is there.
func tools(names ...string) error {
	for _, n := range names {
		if _, err := exec.LookPath(n); err != nil {
			return fmt.Errorf("%s is missing; docs/benchmarks.md says what to install", filepath.Base(n))
		}
	}
	return nil
}
