//go:build unix

package procs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two gits of different versions work in one repository at once: SAGE_OTHER_GIT is
// the path of the second. Saves by both make one chain, and each reads, packs and
// checks what the other wrote.
func TestTwoGits(t *testing.T) {
	t.Parallel()
	other := os.Getenv("SAGE_OTHER_GIT")
	if other == "" {
		t.Skip("SAGE_OTHER_GIT names no second git")
	}
	bin := t.TempDir()
	if err := os.Symlink(other, filepath.Join(bin, "git")); err != nil {
		t.Fatal(err)
	}
	p := world(t, built)
	q := p.with("PATH=" + bin + ":" + os.Getenv("PATH"))
	one, two := p.run("doctor", "--json"), q.run("doctor", "--json")
	if one == two {
		t.Errorf("both are one git: %s", one)
	}
	f := crowd(t, 8, 4, func(i int) (*prog, []string) {
		return []*prog{p, q}[i%2], []string{"--line", "main"}
	})
	ids := f.ids
	for i, r := range []*prog{q, p, q} {
		r.run("switch", "-c", fmt.Sprint("line-", i), "main")
		ids = append(ids, r.saved("on a line"))
		r.run("switch", "main")
		ids = append(ids, r.saved("meanwhile"))
		r.run("merge", fmt.Sprint("line-", i), "--thesis", "both")
		r.run("admin", "maintenance", "--quiet")
		for _, args := range [][]string{{"pack-refs", "--all"}, {"repack", "-adq", "--write-midx", "--write-bitmap-index"},
			{"commit-graph", "write", "--reachable", "--changed-paths"}, {"gc", "--quiet", "--prune=now"}, {"fsck", "--full"}} {
			cmd := r.cmd(args...)
			cmd.Path, cmd.Args[0] = gitOf(r, other), "git"
			if out, err := outcome(cmd); err != nil {
				t.Errorf("git %v: %v\n%s", args, err, out)
			}
		}
		for _, reader := range []*prog{p, q} {
			if n := strings.Count(reader.run("log", "--all", "--json"), `"thesis"`); n < len(ids) {
				t.Errorf("%d listed, want at least %d", n, len(ids))
			}
			reader.run("fsck")
		}
	}
	p.holds(ids...)
	p.run("purge", "--match", "on a line", "--yes")
	q.run("fsck")
	q.saved("after a purge by the other")
	p.git("fsck", "--full", "--no-dangling")
}

func gitOf(p *prog, other string) string {
	if len(p.env) > 0 {
		return other
	}
	return "/usr/bin/git"
}
