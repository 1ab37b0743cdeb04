//go:build linux

package procs

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A usage is what a process has of the system.
type usage struct{ children, zombies, threads, files int }

// use reads the usage of a process.
func use(t *testing.T, pid int) (u usage) {
	t.Helper()
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	threads, err2 := os.ReadDir(filepath.Join(proc, "task"))
	all, err3 := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || err2 != nil || err3 != nil {
		t.Fatal(err, err2, err3)
	}
	u.files, u.threads = len(files), len(threads)
	for _, file := range all {
		b, _ := os.ReadFile(file) // one that has ended is nobody's child
		_, rest, _ := strings.Cut(string(b[max(0, strings.LastIndexByte(string(b), ')')):]), " ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(pid) {
			u.children++
			if f[0] == "Z" {
				u.zombies++
			}
		}
	}
	return u
}

// settled is the usage of a server when nothing of what it started runs any more; one that
// keeps a child for a minute has that, and one that is not reaped stays.
func settled(t *testing.T, c *client) (u usage) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		if u = use(t, c.cmd.Process.Pid); u.children == 0 || time.Now().After(end) {
			return u
		}
		c.ask(t, "tools/call", `{"name":"sage_version","arguments":{}}`)
	}
}

// chores is what a client asks for, of all that changes and reads; %d is which call it is.
var chores = []string{
	`{"name":"sage_recall_knowledge","arguments":{"query":"what is rule %d of the house?"}}`,
	`{"name":"sage_save_knowledge","arguments":{"knowledge_id":"rule-%d","content":"Another rule of the house, %d days old.","replace":true,"item_type":"knowledge","keywords":["house"]}}`,
	`{"name":"sage_list_knowledge","arguments":{"limit":%d}}`,
	`{"name":"sage_search_checkpoints","arguments":{"query":"what was thought %d"}}`,
	`{"name":"sage_list_checkpoints","arguments":{"limit":%d}}`,
	`{"name":"sage_load_checkpoint","arguments":{"checkpoint_id":"main"}}`,
	`{"name":"sage_debug_query","arguments":{"query":"rule %d of the house"}}`,
	`{"name":"sage_get_config","arguments":{}}`,
	`{"name":"sage_list_todos","arguments":{}}`,
	`{"name":"sage_hook","arguments":{"event":"user-prompt","session_id":"one","prompt":"what is rule %d of the house?"}}`,
	`{"name":"sage_hook","arguments":{"event":"post-tool-use","session_id":"one","tool_name":"Read","file_path":"file-%d.go"}}`,
}

// Case C50: a server that is asked thousands of things has in the end what it had at the
// beginning: no process that it started is left, none of them unreaped, no thread and no
// file. Vectors are missing when it begins, and as soon as somebody saves items elsewhere:
// what makes them is started once and not by every call.
func TestServerKeepsNothing(t *testing.T) {
	t.Parallel()
	p := started(t, built)
	first := greet(t, p.cmd("mcp", "serve"))
	for i := range 40 {
		first.ask(t, "tools/call", fmt.Sprintf(`{"name":"sage_save_knowledge","arguments":{"knowledge_id":"rule-%d","content":"Rule %d of the house is number %d, and holds for all %d of us.","item_type":"knowledge"}}`, i, i, 7*i, i+2))
	}
	first.bye(t)
	p.run("admin", "clear-cache")

	c := greet(t, p.cmd("mcp", "serve"))
	call := func(i int) {
		chore := chores[i%len(chores)]
		if strings.Contains(chore, "%d") {
			chore = strings.ReplaceAll(chore, "%d", strconv.Itoa(i%50+1))
		}
		c.ask(t, "tools/call", chore)
		if i%20 == 19 {
			c.save(t, fmt.Sprint("thought ", i))
		}
	}
	for i := range mixed / 10 {
		call(i)
	}
	before := settled(t, c)
	most := usage{}
	for i := mixed / 10; i < mixed; i++ {
		call(i)
		if i%100 == 0 {
			now := use(t, c.cmd.Process.Pid)
			most = usage{max(most.children, now.children), max(most.zombies, now.zombies), max(most.threads, now.threads), max(most.files, now.files)}
		}
	}
	after := settled(t, c)
	t.Logf("%d calls of one server: %+v at first, %+v at most, %+v in the end", mixed, before, most, after)
	// what search made lies in more files or fewer, as they are merged
	if after.children > 0 || after.files > before.files+12 || after.threads > before.threads+8 {
		t.Errorf("%+v at first, %+v in the end", before, after)
	}
	if most.children > 8 { // a call's gits and one upkeep of each sort
		t.Errorf("%d children at once", most.children)
	}
	c.bye(t)
}
