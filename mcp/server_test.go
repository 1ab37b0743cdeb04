package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/recall"
)

// A talk is a conversation with a server.
type talk struct {
	t    *testing.T
	In   *io.PipeWriter
	out  *bufio.Reader
	done chan error
	id   int
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open starts a server; it must end well when the test does.
func open(t *testing.T, o Options) *talk {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	o.In, o.Out, o.Version = inR, outW, "1.2.3"
	k := &talk{t: t, In: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		k.done <- Serve(context.Background(), o)
		outW.Close()
	}()
	t.Cleanup(func() {
		inW.Close()
		go io.Copy(io.Discard, outR)
		if err := <-k.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return k
}

func (k *talk) send(line string) {
	k.t.Helper()
	if _, err := io.WriteString(k.In, line+"\n"); err != nil {
		k.t.Fatal(err)
	}
}

// A reply is what came back: a response, or a notification.
type reply struct {
	JSONRPC string
	ID      any
	Method  string
	Result  map[string]any
	Error   *struct {
		Code    int
		Message string
	}
}

func (k *talk) next() reply {
	k.t.Helper()
	line, err := k.out.ReadString('\n')
	if err != nil {
		k.t.Fatalf("no answer: %v", err)
	}
	var r reply
	if err := json.Unmarshal([]byte(line), &r); err != nil || r.JSONRPC != "2.0" {
		k.t.Fatalf("not an answer: %q (%v)", line, err)
	}
	return r
}

// ask sends a request and returns its answer.
func (k *talk) ask(method string, params any) reply {
	k.t.Helper()
	k.id++
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": k.id, "method": method, "params": params})
	if err != nil {
		k.t.Fatal(err)
	}
	k.send(string(b))
	r := k.next()
	if r.ID != float64(k.id) {
		k.t.Fatalf("%s: answer has id %v, want %d: %+v", method, r.ID, k.id, r)
	}
	return r
}

// call calls a tool and returns its text.
func (k *talk) call(name string, args map[string]any) (text string, failed bool) {
	k.t.Helper()
	r := k.ask("tools/call", map[string]any{"name": name, "arguments": args})
	if r.Error != nil {
		k.t.Fatalf("%s: %+v", name, r.Error)
	}
	if r.Result["structuredContent"] != nil {
		k.t.Errorf("%s: structured content hides the text", name)
	}
	content := r.Result["content"].([]any)
	failed, _ = r.Result["isError"].(bool)
	return content[0].(map[string]any)["text"].(string), failed
}

// do calls a tool that must work, and whose text must hold all of wants.
func (k *talk) do(name string, args map[string]any, wants ...string) string {
	k.t.Helper()
	text, failed := k.call(name, args)
	if failed {
		k.t.Fatalf("%s failed: %s", name, text)
	}
	k.holds(name, text, wants)
	return text
}

// fail calls a tool that must fail, with a text that holds all of wants.
func (k *talk) fail(name string, args map[string]any, wants ...string) {
	k.t.Helper()
	text, failed := k.call(name, args)
	if !failed {
		k.t.Errorf("%s did not fail: %s", name, text)
	}
	k.holds(name, text, wants)
}

func (k *talk) holds(name, text string, wants []string) {
	k.t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			k.t.Errorf("%s: answer lacks %q:\n%s", name, want, text)
		}
	}
}

func alive(k *talk) {
	k.t.Helper()
	if r := k.ask("ping", nil); r.Error != nil {
		k.t.Errorf("ping: %+v", r.Error)
	}
}

func env(home string) []string {
	return append(storetest.Env(home), "GIT_CONFIG_GLOBAL="+os.DevNull)
}

// repository makes one and returns how to open its memory.
func repository(t *testing.T) (dir string, opener func(context.Context, string) (*recall.Memory, error)) {
	t.Helper()
	dir = t.TempDir()
	for _, args := range [][]string{{"init", "-q", "-b", "trunk"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.org"}} {
		git(t, dir, args...)
	}
	return dir, openerIn(dir, t.TempDir())
}

// git runs git in a folder.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = dir, env(t.TempDir())
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// openerIn returns how to open the memory of the repository in a folder.
func openerIn(dir, home string) func(context.Context, string) (*recall.Memory, error) {
	clock := time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { return clock }
	return func(ctx context.Context, session string) (*recall.Memory, error) {
		s, err := gitstore.Open(ctx, gitstore.Options{Dir: dir, Home: home, Env: env(home), Guest: true, Session: session, Now: now})
		if err != nil {
			return nil, err
		}
		return recall.New(recall.Options{Store: s, Home: home, Now: now}), nil
	}
}

func closed(context.Context, string) (*recall.Memory, error) {
	return nil, errors.New("no memory here")
}
