//go:build linux

package procs

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// said is the answer of a tool, whether it is an error or not.
func (c *client) said(t *testing.T, params string) string {
	t.Helper()
	c.n++
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`+"\n", c.n, params); err != nil {
		t.Fatal(err)
	}
	answer, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// Case C51: a server whose folder is moved or loses its repository says so, with what to
// do, and saves nothing elsewhere; as soon as it is back the server goes on.
func TestFolderIsMovedUnderAServer(t *testing.T) {
	t.Parallel()
	const thought = `{"name":"sage_save_checkpoint","arguments":{"core_question":"q","thesis":"thought","confidence":0.5,"trigger":"manual"}}`
	for name, serve := range map[string]func(p *prog) *client{
		"on standard input": func(p *prog) *client { return greet(t, p.cmd("mcp", "serve")) },
		"elsewhere": func(p *prog) *client {
			cmd := p.cmd("-C", p.w.Path("r"), "mcp", "serve")
			cmd.Dir = p.w.Dir
			return greet(t, cmd)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := started(t, built)
			c := serve(p)
			c.save(t, "before")
			refuses := func(words ...string) {
				t.Helper()
				for _, call := range []string{thought, `{"name":"sage_list_checkpoints","arguments":{}}`} {
					answer := c.said(t, call)
					for _, word := range append(words, `"isError":true`, "was moved or removed under this server", "start the server") {
						if !strings.Contains(answer, word) {
							t.Errorf("no %q in %s", word, answer)
						}
					}
				}
			}
			if err := os.Rename(p.w.Path("r"), p.w.Path("elsewhere")); err != nil {
				t.Fatal(err)
			}
			refuses(p.w.Path("r") + "' is gone")
			if name == "on standard input" {
				refuses("it is '" + p.w.Path("elsewhere") + "' now")
			}
			if err := os.Mkdir(p.w.Path("r"), 0o777); err != nil {
				t.Fatal(err)
			}
			refuses("has no git repository any more")
			if _, err := os.Stat(p.w.Path("home/.sage/memory.git")); !os.IsNotExist(err) {
				t.Errorf("there is a store of the user's: %v", err)
			}
			if err := os.Remove(p.w.Path("r")); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(p.w.Path("elsewhere"), p.w.Path("r")); err != nil {
				t.Fatal(err)
			}
			c.save(t, "after")
			c.bye(t)
		})
	}
}
