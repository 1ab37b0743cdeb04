//go:build linux

package procs

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// limitedTo runs git-sage as a shell does that has set a limit first.
func (p *prog) limitedTo(limit string, args ...string) (string, error) {
	cmd := p.cmd(args...)
	cmd.Args = append([]string{"sh", "-c", limit + ` && exec "$0" "$@"`, p.bin}, args...)
	cmd.Path, _ = exec.LookPath("sh")
	return outcome(cmd)
}

// daily is every command that a day may bring, on a memory with the lines main and side.
var daily = [][]string{
	{"init"}, {"status"}, {"log", "--all"}, {"log", "--json", "--show-signature"}, {"log", "--graph"}, {"show"}, {"show", "--raw"},
	{"diff", "@~1", "@"}, {"branch"}, {"branch", "third"}, {"branch", "-m", "third", "fourth"}, {"branch", "-d", "fourth"},
	{"switch", "side"}, {"checkpoint", "save", "-m", "on the side"}, {"switch", "main"}, {"merge", "side", "--thesis", "both"},
	{"tag", "v1"}, {"tag"}, {"rev-parse", "@"}, {"rev-parse", "main@{yesterday}"}, {"export", "@"}, {"checkpoint", "list"},
	{"checkpoint", "rm", "@"}, {"checkpoint", "prune", "--older-than", "1d", "--yes"}, {"checkpoint", "restore", "v1"},
	{"fsck"}, {"fsck", "--repair"}, {"doctor"}, {"purge", "--match", "nothing has this", "--yes"}, {"templates", "list"},
	{"hooks", "status"}, {"mcp", "status"}, {"admin", "maintenance", "--quiet"}, {"redact", "test", "-"}, {"config", "list"}, {"version"},
	{"help"}, {"completion", "bash"},
}

// each runs every one of them, by a way of running, and fails on what goes wrong.
func each(t *testing.T, run func(args ...string) (string, error)) {
	t.Helper()
	for _, args := range daily {
		out, err := run(args...)
		if err == nil || strings.HasPrefix(err.Error(), "exit status 1:") && args[0] != "checkpoint" && !trouble(out+err.Error()) {
			continue
		}
		t.Errorf("%v: %v\n%s", args, err, out)
	}
}

// trouble reports whether a text speaks of something else than of what it was asked.
func trouble(text string) bool {
	for _, word := range []string{"too many open files", "ermission denied", "cannot", "panic", "goroutine"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func started(t *testing.T, which func() (string, error)) *prog {
	t.Helper()
	p := world(t, which)
	p.saved("one")
	p.saved("two")
	p.run("branch", "side")
	return p
}

// Case B23: with 300 open files at most every command does its work, and a server
// has as many open after many saves as at first.
func TestThreeHundredFiles(t *testing.T) {
	t.Parallel()
	p := started(t, built)
	for i := range 40 { // more packs, lines and folders than a small memory has
		p.saved("more", "--line", fmt.Sprint("line-", i))
	}
	p.git("repack", "-dq")
	each(t, func(args ...string) (string, error) { return p.limitedTo("ulimit -n 300", args...) })
	serves(t, p)
}

// serves lets a server save often, and counts what it has open.
func serves(t *testing.T, p *prog) {
	t.Helper()
	cmd := p.cmd("mcp", "serve")
	cmd.Args = []string{"sh", "-c", `ulimit -n 300 && exec "$0" mcp serve`, p.bin}
	cmd.Path, _ = exec.LookPath("sh")
	c := greet(t, cmd)
	var ids []string
	open := func() int {
		files, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(cmd.Process.Pid), "fd"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	first, most := 0, 0
	for i := range served {
		ids = append(ids, c.save(t, fmt.Sprint("served ", i)))
		c.ask(t, "tools/call", `{"name":"sage_list_checkpoints","arguments":{}}`)
		if n := open(); i == 4 {
			first = n
		} else {
			most = max(most, n)
		}
	}
	t.Logf("%d saves by one server: %d files open after 5, %d at most", served, first, most)
	if most > first+12 { // children and the upkeep come and go
		t.Errorf("%d files open after 5 saves, %d later", first, most)
	}
	c.bye(t)
	for i, id := range ids {
		ids[i] = p.git("rev-parse", id)
	}
	p.holds(ids...)
}

// greet starts a server and shakes hands with it.
func greet(t *testing.T, cmd *exec.Cmd) *client {
	t.Helper()
	in, ierr := cmd.StdinPipe()
	out, oerr := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil || ierr != nil || oerr != nil {
		t.Fatal(err, ierr, oerr)
	}
	c := &client{cmd: cmd, in: in, out: bufio.NewReader(out)}
	c.ask(t, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	_, _ = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return c
}

// A client talks to a server, one question at a time.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	n   int
}

// bye hangs up, and waits for the end of the server.
func (c *client) bye(t *testing.T) {
	t.Helper()
	_ = c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func (c *client) ask(t *testing.T, method, params string) string {
	t.Helper()
	c.n++
	_, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.n, method, params)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := c.out.ReadString('\n')
	if err != nil || strings.Contains(answer, `"error":{`) || strings.Contains(answer, `"isError":true`) {
		t.Fatalf("%s: %v %s", method, err, answer)
	}
	return answer
}

// Whatever the umask, every command does its work, and with 077 in a repository of
// one's own nothing that is written below .git/sage is for others.
func TestUmaskOfEveryCommand(t *testing.T) {
	t.Parallel()
	p := started(t, built)
	if err := os.Chmod(p.w.Path("r/.git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(p.w.Path("r/.git/sage")); err != nil {
		t.Fatal(err)
	}
	each(t, func(args ...string) (string, error) { return p.limitedTo("umask 077", args...) })
	walk(t, p.w.Path("r/.git/sage"), func(path string, d fs.DirEntry) error {
		st, err := d.Info()
		if err == nil && d.Type() != fs.ModeSymlink && st.Mode().Perm()&0o077 != 0 && st.Mode().Perm() != 0o444 {
			t.Errorf("%s is %v", path, st.Mode())
		}
		return err
	})
}

// save saves by the server, and returns the short id.
func (c *client) save(t *testing.T, thesis string) string {
	t.Helper()
	answer := c.ask(t, "tools/call", fmt.Sprintf(`{"name":"sage_save_checkpoint","arguments":{"core_question":"q","thesis":%q,"confidence":0.5,"trigger":"manual"}}`, thesis))
	_, after, found := strings.Cut(answer, "Saved ")
	id, _, ends := strings.Cut(after, " on ")
	if !found || !ends {
		t.Fatal(answer)
	}
	return id
}
