//go:build unix

package procs

import (
	"strings"
	"testing"
)

// An older git-sage and a newer one, which writes format 3, share a repository:
// both save at once and nothing is lost. The older lists, shows, and continues what
// the newer made; it merges nothing of it, and rewrites and removes nothing.
func TestOlderBesideNewer(t *testing.T) {
	t.Parallel()
	old := world(t, built)
	young := old.as(newer)
	first := old.saved("by the older")
	second := young.saved("by the newer")
	if got := old.git("log", "-1", "--format=%(trailers:key=Sage-Format,valueonly)", second); strings.TrimSpace(got) != "3" {
		t.Fatalf("the newer wrote format %q", got)
	}
	if list := old.run("log", "--json"); !strings.Contains(list, first) || !strings.Contains(list, second) {
		t.Errorf("the older does not list both:\n%s", list)
	}
	if text := old.run("show", second); !strings.Contains(text, "by the newer") {
		t.Errorf("the older shows %s", text)
	}
	f := crowd(t, 8, 3, func(i int) (*prog, []string) {
		if i%2 == 0 {
			return old, []string{"--line", "main"}
		}
		return young, []string{"--line", "main"}
	})
	ids := append(f.ids, first, second)
	if got := len(old.chain("refs/sage/heads/main")); got != 2+8*3 {
		t.Errorf("%d in the chain, want %d", got, 2+8*3)
	}
	ids = append(ids, refusals(t, old, young)...)
	old.run("admin", "maintenance", "--quiet")
	young.run("admin", "maintenance", "--quiet")
	old.git("gc", "--quiet", "--prune=now")
	old.holds(ids...)
	young.run("fsck")
}

// refusals lets the older try what it must not do to what the newer made, and
// returns what both saved meanwhile.
func refusals(t *testing.T, old, young *prog) (ids []string) {
	t.Helper()
	young.run("switch", "-c", "side", "main")
	ids = append(ids, young.saved("only the newer knows this"))
	old.run("switch", "main")
	ids = append(ids, old.saved("the older goes on"))
	before := old.git("for-each-ref")
	_, err := old.try("merge", "side", "--thesis", "both")
	oneLine(t, err, "(format 3) was made by a newer git-sage; upgrade this one")
	for _, args := range [][]string{{"fsck"}, {"fsck", "--repair"}, {"doctor"}} {
		if out, err := old.try(args...); err != nil && !strings.Contains(out+err.Error(), "newer") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if after := old.git("for-each-ref"); after != before {
		t.Errorf("the older moved refs:\n%s\n%s", before, after)
	}
	young.run("merge", "side", "--thesis", "both")
	ids = append(ids, old.saved("behind a merge of the newer's"))
	tree(t, old, "format.yaml", "min_writer: 3\n")
	before = old.git("rev-parse", "refs/sage/knowledge")
	_, err = old.try("branch", "-d", "side")
	oneLine(t, err, "newer git-sage")
	if after := old.git("rev-parse", "refs/sage/knowledge"); after != before {
		t.Error("the older wrote a tree of a newer format")
	}
	return append(ids, old.saved("checkpoints go on"), young.saved("everywhere"))
}

// tree adds a file to the knowledge tree, as a newer version may.
func tree(t *testing.T, p *prog, name, content string) {
	t.Helper()
	p.w.Write("file", content)
	blob := p.git("hash-object", "-w", "../file")
	list := "100644 blob " + blob + "\t" + name + "\n"
	args := []string{"commit-tree", "-m", "format"}
	if tip, err := p.w.TryGit(p.dir, "rev-parse", "-q", "--verify", "refs/sage/knowledge"); err == nil {
		args = append(args, "-p", strings.TrimSpace(tip))
		list += p.git("ls-tree", "refs/sage/knowledge") + "\n"
	}
	p.w.Write("list", list)
	made := p.w.Git(p.dir, "-c", "alias.mk=!git mktree <../list", "mk")
	p.git("update-ref", "refs/sage/knowledge", p.git(append(args, "-m", "Sage-Format: 3", made)...))
}
