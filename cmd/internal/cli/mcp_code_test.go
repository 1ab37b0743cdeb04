package cli

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/git-sage/git-sage/recall/index/disk"
)

// A server opens the index of code once, however often it is asked.
func TestServerKeepsCodeOpen(t *testing.T) {
	root := t.TempDir()
	prepareTouched(t, root)
	sh(t, root, "git config sage.codeEmbeddingModel none; echo 'package one; func One() {}' >one.go")
	if out, status := runIn(root, "", "index"); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	var opened atomic.Int32
	defer disk.Inject(func(op, path string) error {
		if op == "open" && strings.HasPrefix(path, root) && strings.HasSuffix(path, ".seg") {
			opened.Add(1)
		}
		return nil
	})()
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"
	const ask = `{"jsonrpc":"2.0","id":N,"method":"tools/call","params":{"name":"sage_grep_symbol","arguments":{"name":"One"}}}` + "\n"
	talk := hello
	for _, id := range []string{"2", "3", "4"} {
		talk += strings.Replace(ask, "N", id, 1)
	}
	out, status := runIn(root, talk, "mcp")
	if status != 0 || strings.Count(out, "one.go:1-1") != 3 || opened.Load() != 1 {
		t.Errorf("status %d, %d segments were opened\n%s", status, opened.Load(), out)
	}
}
