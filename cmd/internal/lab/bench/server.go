package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A server is one of ours that runs.
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	asks int
}

func (w *world) server(dir string) (*server, error) {
	cmd := exec.Command(w.bin, "mcp", "serve")
	cmd.Dir, cmd.Env = dir, w.env
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	_, err = s.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": "bench", "version": "1"}})
	if err == nil {
		_, err = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	return s, err
}

// ask sends a request and waits for its answer.
func (s *server) ask(method string, params any) (string, error) {
	s.asks++
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.asks, "method": method, "params": params})
	if err != nil {
		return "", err
	}
	if _, err := s.in.Write(append(b, '\n')); err != nil {
		return "", err
	}
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			return "", err
		}
		var answer struct {
			ID    int
			Error json.RawMessage
		}
		if json.Unmarshal([]byte(line), &answer) == nil && answer.ID == s.asks {
			if answer.Error != nil || strings.Contains(line, `"isError":true`) {
				return line, fmt.Errorf("%s: %s", method, line)
			}
			return line, nil
		}
	}
}

func (s *server) close() error {
	_ = s.in.Close()
	return s.cmd.Wait()
}

// answers times recall in a running server for n queries, behind one to warm up, and
// says how much memory it held before them and at the end, in kilobytes.
func (w *world) answers(dir string, n int, query func(i int) string) (took []time.Duration, idle, kb int, err error) {
	s, err := w.server(dir)
	if err != nil {
		return nil, 0, 0, err
	}
	if _, err := s.ask("tools/list", map[string]any{}); err != nil {
		return nil, 0, 0, err
	}
	idle = holds(s.cmd.Process.Pid)
	for i := range n + 1 {
		start := time.Now()
		_, err := s.ask("tools/call", map[string]any{"name": "sage_recall_knowledge", "arguments": map[string]string{"query": query(i)}})
		if err != nil {
			return nil, 0, 0, err
		}
		if i > 0 {
			took = append(took, time.Since(start))
		}
	}
	kb = holds(s.cmd.Process.Pid)
	return took, idle, kb, s.close()
}

// holds is how much memory a process holds now, in kilobytes.
func holds(pid int) (kb int) {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(b), "VmRSS:")
	_, _ = fmt.Sscan(after, &kb)
	return kb
}
