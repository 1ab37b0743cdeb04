// Package servers starts git servers on this machine for tests to talk to.
//
// Each runs as the user who tests, listens on 127.0.0.1 and keeps what it needs in a
// folder of its own. No port is guessed and nobody waits for a server to be up: this
// process listens, and hands connections or its socket to the programs.
package servers

import (
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// A Server serves the bare repositories that lie in a folder.
type Server struct {
	URL string   // of the folder: <URL>/hub.git is a repository
	Env []string // what a client's git needs to reach it

	root, dir string
	env       []string // of its processes
	closers   []func()
}

// kinds are the servers, by name, with the programs that they need.
var kinds = map[string]struct {
	start    func(*Server) error
	programs []string
}{
	"folder":         {(*Server).folder, nil},
	"file":           {(*Server).file, nil},
	"http":           {(*Server).http, nil},
	"dumb":           {(*Server).dumb, nil}, // static files: fetches alone
	"lighttpd":       {(*Server).lighttpd, []string{"lighttpd"}},
	"daemon":         {(*Server).daemon, nil},
	"ssh":            {(*Server).ssh, []string{"sshd", "ssh", "ssh-keygen"}},
	"gitolite":       {(*Server).gitolite, []string{"gitolite", "sshd", "ssh", "ssh-keygen"}},
	"gitolite-heads": {(*Server).gitoliteHeads, []string{"gitolite", "sshd", "ssh", "ssh-keygen"}}, // branches and tags alone may be pushed
}

// Kinds are the names of all servers.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Missing says why a server of that kind cannot run here, in a line; it is "" if it can.
func Missing(kind string) string {
	k, ok := kinds[kind]
	switch {
	case !ok:
		return fmt.Sprintf("no server '%s': it is one of %s", kind, strings.Join(Kinds(), ", "))
	case runtime.GOOS == "windows" && kind != "folder":
		return "servers are not started on Windows"
	}
	for _, p := range k.programs {
		if _, err := program(p); err != nil {
			return fmt.Sprintf("server '%s' not tried: %s is not installed", kind, p)
		}
	}
	if slices.Contains(k.programs, "sshd") && os.Geteuid() == 0 {
		if _, err := os.Stat(separation); err != nil {
			return fmt.Sprintf("server '%s' not tried: sshd of root needs %s", kind, separation)
		}
	}
	return ""
}

// Start starts a server of what lies in root now. dir is empty and its own; env is what
// its processes are given, but for HOME.
func Start(kind, root, dir string, env []string) (*Server, error) {
	if why := Missing(kind); why != "" {
		return nil, fmt.Errorf("%s", why)
	}
	s := &Server{root: root, dir: dir, env: append(slices.Clone(env), "HOME="+dir)}
	config := "[safe]\n\tdirectory = *\n[http]\n\treceivepack = true\n[daemon]\n\treceivepack = true\n[gc]\n\tauto = 0\n"
	err := os.WriteFile(filepath.Join(dir, ".gitconfig"), []byte(config), 0o666)
	if err == nil {
		err = kinds[kind].start(s)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("start %s: %w", kind, err)
	}
	return s, nil
}

// Close ends the server with all that it does.
func (s *Server) Close() {
	for _, end := range slices.Backward(s.closers) {
		end()
	}
	s.closers = nil
}

func (s *Server) folder() error { s.URL = s.root; return nil }

func (s *Server) file() error { s.URL = "file://" + filepath.ToSlash(s.root); return nil }

func (s *Server) daemon() error {
	git, err := exec.LookPath("git")
	if err != nil {
		return err
	}
	addr, err := s.inetd(git, "daemon", "--inetd", "--export-all", "--base-path="+s.root, s.root)
	s.URL = "git://" + addr
	return err
}

// program finds a program, also where only root's PATH goes.
func program(name string) (string, error) {
	path, err := exec.LookPath(name)
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin"} {
		if err != nil {
			path, err = exec.LookPath(filepath.Join(dir, name))
		}
	}
	return path, err
}

// command is a process of the server's; what it says goes to the file log.
func (s *Server) command(name string, args ...string) (*exec.Cmd, error) {
	path, err := program(name)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() { _ = log.Close() })
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, s.env, log, log
	return cmd, nil
}

func (s *Server) run(name string, args ...string) error {
	cmd, err := s.command(name, args...)
	if err == nil {
		err = cmd.Run()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// inetd answers each connection by a process that reads and writes it.
func (s *Server) inetd(name string, args ...string) (addr string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	cmd, err := s.command(name, args...)
	if err != nil {
		return "", err
	}
	in := &inetd{open: map[net.Conn]bool{}}
	in.work.Add(1)
	go func() {
		defer in.work.Done()
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			in.work.Add(1)
			go in.answer(c, *cmd)
		}
	}()
	s.closers = append(s.closers, func() { _ = l.Close(); in.end() })
	return l.Addr().String(), nil
}

// An inetd holds the connections that are answered.
type inetd struct {
	work  sync.WaitGroup
	mu    sync.Mutex
	open  map[net.Conn]bool
	ended bool
}

func (in *inetd) answer(c net.Conn, cmd exec.Cmd) {
	defer in.work.Done()
	defer c.Close()
	in.mu.Lock()
	in.open[c] = true
	ended := in.ended
	in.mu.Unlock()
	f, err := c.(*net.TCPConn).File()
	if err != nil || ended {
		return
	}
	cmd.Stdin, cmd.Stdout = f, f
	err = cmd.Start()
	_ = f.Close()
	if err == nil {
		_ = cmd.Wait() // it says itself what is wrong
	}
}

// end hangs up, which every server takes for the end, and waits.
func (in *inetd) end() {
	in.mu.Lock()
	in.ended = true
	for c := range in.open {
		_ = c.(*net.TCPConn).CloseRead()
		_ = c.(*net.TCPConn).CloseWrite()
	}
	in.mu.Unlock()
	in.work.Wait()
}
