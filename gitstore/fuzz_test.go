package gitstore

import (
	"bytes"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// FuzzTrailers puts any text where a commit message has text: it is read back, one
// line each, adds none of its own, and says the same when it is written again.
func FuzzTrailers(f *testing.F) {
	for _, s := range []string{"plain", "two\nlines", "Sage-Kind: tombstone", "\n\nSage-Format: 9\nSage-Removes: x", `back\slash\n`, "---", "# ------------------------ >8 ------------------------", "a\x00b\x1b[31m", "\u202ertl", strings.Repeat("ä", 300)} {
		f.Add(s, s, s, s)
	}
	f.Fuzz(func(t *testing.T, thesis, question, branch, alias string) {
		c := &sage.Checkpoint{Thesis: thesis, CoreQuestion: question, Session: alias, Skill: branch, Trigger: sage.Manual, Aliases: []string{alias},
			Code: sage.CodeState{Commit: "abc", Branch: "b" + strings.Join(strings.Fields(sage.Visible(branch)), "")}}
		m := message(c, KindCheckpoint, sage.Describe(c, 0))
		var r Record
		if !r.parseMessage(m) {
			t.Fatalf("not recognised: %q", m)
		}
		if r.Kind != KindCheckpoint || r.Format != formatPlain || len(r.Removes)+len(r.Restores) > 0 || len(r.Aliases) > 1 {
			t.Fatalf("%q reads as %+v", m, r)
		}
		if text := strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(thesis + question + branch + alias); sage.Visible(text) != text {
			return // made visible once, for good
		}
		again := &sage.Checkpoint{Thesis: r.Thesis, CoreQuestion: r.Question, Session: r.Session, Skill: r.Skill, Trigger: r.Trigger, Aliases: r.Aliases, Code: r.Code}
		if d := cmp.Diff(m, message(again, r.Kind, r.Description)); d != "" {
			t.Fatalf("written again: %s", d)
		}
	})
}

// FuzzMarkerName reads what any file is called as the name of a marker: what passes can
// be sorted and told apart, and is what a marker would be called.
func FuzzMarkerName(f *testing.F) {
	for _, s := range []string{"00000001-0123456789abcdef-abcdefgh.json", "18446744073709551615-ab-c.json", "-1-ab-c.json", "1-ab.json", "1-ab-c", "..", "1-AB-c.json", "1--c.json"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		m, ok := parseMarkerName(name)
		if ok && (!isHex(m.key) || m.n+1 < m.n || !strings.Contains(name, "-"+m.key+"-") || !strings.HasSuffix(name, markerExt)) {
			t.Errorf("%q is %+v", name, m)
		}
	})
}

// FuzzPath builds a tree of two files and finds both, each where its segments
// say, or neither is let in.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"core.yaml", "knowledge/a.md", "lines/main.yaml", "../x", "a//b", ".git/config", "a/.GIT/b", "a\\b", "c:d", "a/./b", "/abs", "a/", "x\x00y", "knowledge/ä/ß.md", strings.Repeat("a/", 40) + "b"} {
		f.Add(s, "knowledge/b.md")
	}
	f.Fuzz(func(t *testing.T, p, q string) {
		for _, s := range []string{p, q} {
			if checkPath(s) == nil && (!filepath.IsLocal(s) || path.Clean(s) != s || strings.Contains(strings.ToLower("/"+s+"/"), "/.git/")) {
				t.Fatalf("%q passes", s)
			}
		}
		if checkPath(p) != nil || checkPath(q) != nil || p == q || strings.HasPrefix(p, q+"/") || strings.HasPrefix(q, p+"/") {
			return
		}
		b := treeBuilder{s: &Store{objects: loose.Store{Format: "sha1"}}}
		want := map[string][]byte{p: []byte("p"), q: []byte("q")}
		root, err := b.build("", false, maps.Clone(want))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]byte{}
		collect(t, b.objects, root, "", got)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// collect reads the files of a tree, and sees that it is sorted as git sorts.
func collect(t *testing.T, objects []loose.Object, id, dir string, out map[string][]byte) {
	at := slices.IndexFunc(objects, func(o loose.Object) bool { return o.ID == id })
	if at < 0 {
		t.Fatalf("'%s' has no object", dir)
	}
	entries := parseTree(objects[at].Data, 20)
	key := func(e treeEntry) string {
		if e.mode == modeDir {
			return e.name + "/"
		}
		return e.name
	}
	if !slices.IsSortedFunc(entries, func(x, y treeEntry) int { return strings.Compare(key(x), key(y)) }) {
		t.Fatalf("'%s' is not sorted", dir)
	}
	for _, e := range entries {
		if e.mode == modeDir {
			collect(t, objects, e.id, dir+e.name+"/", out)
			continue
		}
		i := slices.IndexFunc(objects, func(o loose.Object) bool { return o.ID == e.id })
		if i < 0 {
			t.Fatalf("'%s%s' has no object", dir, e.name)
		}
		out[dir+e.name] = objects[i].Data
	}
}

// FuzzParseTree: what is read of a tree is written the same, as far as it is one.
func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x0012345678901234567890"))
	f.Add([]byte("40000 knowledge\x0012345678901234567890100644 z\x0012345678901234567890"))
	f.Add([]byte("100644 a\x00short"))
	f.Add([]byte("160000 sub\x0012345678901234567890120000 link\x0012345678901234567890"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if again := encodeTree(parseTree(b, 20)...); !bytes.HasPrefix(b, again) {
			t.Fatalf("%q is read as %q", b, again)
		}
	})
}

// FuzzJournal: every line that is believed stands in the file, word for word.
func FuzzJournal(f *testing.F) {
	at := unix("1767323045")
	whole := journalText(move{"refs/sage/heads/main", "", "aa"}, at, "", "") + journalText(move{"refs/sage/heads/main", "aa", "bb"}, at, "", "") + journalText(move{"refs/sage/heads/main", "bb", ""}, at, "?", "")
	for _, s := range []string{whole, whole[:len(whole)-9], whole[:30] + whole, strings.Replace(whole, "aa", "ab", 1), "\n\n00000000 1 - - refs/x\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, l := range parseJournal(b, "") {
			if !bytes.Contains(b, []byte(l.text)) || !strings.HasPrefix(l.ref, "refs/") {
				t.Fatalf("%+v stands nowhere", l)
			}
		}
		for ref, e := range lastOfEach(b) {
			if lines := parseJournal(b, ref); !slices.ContainsFunc(lines, func(l journalLine) bool { return l.new == e.new && !l.begun }) {
				t.Fatalf("%s was never %s", ref, e.new)
			}
		}
	})
}
