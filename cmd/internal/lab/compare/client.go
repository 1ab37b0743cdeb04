package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A client talks to one MCP server over stdio, one request after the other. An answer that
// does not come within the limit ends the server.
type client struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	mark  string // what the environment of its processes holds
	asks  int
	limit time.Duration
}

// connect starts a server and returns when it has listed its tools, with how long that took.
func connect(args []string, h *home, limit time.Duration) (*client, time.Duration, error) {
	begin := time.Now()
	cmd := exec.Command(args[0], args[1:]...)
	mark := h.mark()
	cmd.Dir, cmd.Env, cmd.WaitDelay = h.work, append(slices.Clone(h.env), mark), time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, 0, err
	}
	var said tail
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, 0, err
	}
	c := &client{cmd: cmd, in: in, lines: make(chan string, 16), mark: mark, limit: limit}
	go func() {
		defer close(c.lines)
		for r := bufio.NewReaderSize(out, 1<<20); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			c.lines <- line
		}
	}()
	_, err = c.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": "compare", "version": "1"}})
	if err == nil {
		_, err = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err == nil {
		_, err = c.ask("tools/list", map[string]any{})
	}
	if err != nil {
		c.kill()
		return nil, 0, fmt.Errorf("start: %w %s", err, said.lastLine())
	}
	return c, time.Since(begin), nil
}

// An answer is the result of a request, as far as anything here reads it.
type answer struct {
	ID     int
	Error  json.RawMessage
	Result struct {
		IsError bool
		Content []struct{ Text string }
	}
}

var errEnded = errors.New("the server ended")

func (c *client) ask(method string, params any) (string, error) {
	if err := c.send(method, params); err != nil {
		return "", err
	}
	timer := time.NewTimer(c.limit)
	defer timer.Stop()
	return c.receive(timer.C)
}

func (c *client) send(method string, params any) error {
	c.asks++
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.asks, "method": method, "params": params})
	if err == nil {
		_, err = c.in.Write(append(b, '\n'))
	}
	return err
}

// receive waits for the answer to the last request. Other lines are notifications, or noise.
func (c *client) receive(stop <-chan time.Time) (string, error) {
	for {
		select {
		case <-stop:
			return "", errLate
		case line, ok := <-c.lines:
			if !ok {
				return "", errEnded
			}
			var a answer
			if json.Unmarshal([]byte(line), &a) != nil || a.ID != c.asks {
				continue
			}
			var text strings.Builder
			for _, part := range a.Result.Content {
				text.WriteString(part.Text + "\n")
			}
			if a.Error != nil || a.Result.IsError {
				return "", fmt.Errorf("refused: %s%s", a.Error, text.String())
			}
			return text.String(), nil
		}
	}
}

var errLate = errors.New("no answer in time")

func (c *client) call(k call) (string, error) {
	return c.ask("tools/call", k)
}

// close lets the server end by itself.
func (c *client) close() {
	_ = c.in.Close()
	late := time.AfterFunc(c.limit, func() { _ = c.cmd.Process.Kill() })
	defer late.Stop()
	c.wait()
}

// kill ends the server, and every process that it started, as kill -9 does.
func (c *client) kill() {
	_ = c.cmd.Process.Kill()
	killAll(c.mark)
	c.wait()
}

func (c *client) wait() {
	go func() {
		for range c.lines {
		}
	}()
	_ = c.cmd.Wait()
}

// A tail keeps the last of what a server writes to standard error.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-4<<10):]
	return len(p), nil
}

func (t *tail) lastLine() string {
	lines := strings.Split(strings.TrimSpace(string(*t)), "\n")
	return lines[len(lines)-1]
}
