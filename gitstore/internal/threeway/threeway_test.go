package threeway_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/internal/threeway"
)

func versions(contents ...string) (out []threeway.Version) {
	for i, c := range contents {
		v := threeway.Version{Content: []byte(c), Tip: fmt.Sprint("tip", i)}
		if c == "-" {
			v.Content = nil
		}
		out = append(out, v)
	}
	return out
}

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name, path, base string
		sides            []string
		want             string
		beside           int
		disagree         bool
	}{
		{name: "one side", path: "core.yaml", base: "a: 1\n", sides: []string{"a: 1\n", "a:   2 # why\n"}, want: "a:   2 # why\n"},
		{name: "two fields", path: "core.yaml", base: "a: 1\nb: 1\n", sides: []string{"a: 2\nb: 1\n", "a: 1\nb: 2\n"}, want: "a: 2\nb: 2\n"},
		{name: "one field", path: "core.yaml", base: "a: 1\n", sides: []string{"a: 2\n", "a: 3\n"}, want: "a:\n  variants:\n    - 2\n    - 3\n", disagree: true},
		{name: "three sides", path: "core.yaml", base: "a: 1\n", sides: []string{"a: 4\n", "a: 2\n", "a: 3\n"}, want: "a:\n  variants:\n    - 2\n    - 3\n    - 4\n", disagree: true},
		{name: "settled on one side", path: "core.yaml", base: "a:\n  variants:\n    - 2\n    - 3\n", sides: []string{"a: 2\n", "a:\n  variants:\n    - 2\n    - 3\n"}, want: "a: 2\n"},
		{name: "settled and added to", path: "core.yaml", base: "a:\n  variants:\n    - 2\n    - 3\n", sides: []string{"a: 2\n", "a:\n  variants:\n    - 2\n    - 3\n    - 4\n"}, want: "a:\n  variants:\n    - 2\n    - 4\n", disagree: true},
		{name: "edit and removal", path: "core.yaml", base: "a: 1\nb: 1\n", sides: []string{"b: 1\n", "a: 2\nb: 1\n"}, want: "a: 2\nb: 1\n"},
		{name: "a file removed", path: "core.yaml", base: "a: 1\n", sides: []string{"-", "a: 1\n"}, want: "-"},
		{name: "a file removed and edited", path: "core.yaml", base: "a: 1\n", sides: []string{"-", "a: 2\n"}, want: "a: 2\n"},
		{name: "an item removed and confirmed", path: "knowledge/aa/x.md", base: "---\nupdated: 2026-02-02\nid: x\n---\n\nupdated: text\n", sides: []string{"-", "---\nid: x\nupdated: 2026-03-02\n---\n\nupdated: text\n"}, want: "-"},
		{name: "an item removed, and its text edited", path: "knowledge/aa/x.md", base: "---\nid: x\n---\nupdated: text\n", sides: []string{"-", "---\nid: x\n---\nupdated: more\n"}, want: "---\nid: x\ndeleted_by:\n  - tip0\n---\nupdated: more\n", disagree: true},
		{name: "lists", path: "core.yaml", base: "l: [x, y, z]\n", sides: []string{"l: [x, z, n]\n", "l: [b, x, y, z]\n"}, want: "l:\n  - x\n  - z\n  - b\n  - n\n"},
		{name: "times", path: "knowledge/aa/x.md", base: "---\nadded: 2026-02-02\nupdated: 2026-02-02\n---\n",
			sides: []string{"---\nadded: 2026-01-02\nupdated: 2026-03-01T01:00:00+02:00\n---\n", "---\nadded: 2026-01-03\nupdated: 2026-02-28T23:30:00Z\n---\n"},
			want:  "---\nadded: 2026-01-02\nupdated: 2026-02-28T23:30:00Z\n---\n"},
		{name: "status", path: "knowledge/aa/x.md", base: "---\nstatus: active\n---\n", sides: []string{"---\nstatus: archived\n---\n", "---\nstatus: deprecated\n---\n"}, want: "---\nstatus: deprecated\n---\n"},
		{name: "versions of the format", path: "format.yaml", base: "min_reader: 1\n", sides: []string{"min_reader: 9\n", "min_reader: 10\n"}, want: "min_reader: 10\n"},
		{name: "lines have one value", path: "lines/x.yaml", base: "", sides: []string{"closed: true\nclosed_at: bb\n", "closed: true\nclosed_at: aa\n"}, want: "closed: true\nclosed_at: aa\n"},
		{name: "purged is united", path: "purged/aa", base: "a b\n", sides: []string{"a b\nc d\n", "a b\nb -\n"}, want: "a b\nb -\nc d\n"},
		{name: "a template that fits", path: "templates/x.yaml", base: "name: x\ndescription: d\n", sides: []string{"name: x\ndescription: e\n", "name: x\ndescription: d\nskill: s\n"}, want: "name: x\ndescription: e\nskill: s\n"},
		{name: "a template that does not", path: "templates/x.yaml", base: "name: x\n", sides: []string{"name: z\n", "name: y\n"}, want: "name: y\n", beside: 1, disagree: true},
		{name: "no YAML", path: "core.yaml", base: "a: 1\n", sides: []string{"a: [\n", "a: 2\n"}, want: "<!-- sage: 2 versions disagree; keep one, and delete these lines -->\na: 2\n<!-- sage: or -->\na: [\n<!-- sage: end -->\n", disagree: true},
		{name: "no text", path: "x.bin", base: "", sides: []string{"\x00b", "\x00a"}, want: "\x00a", beside: 1, disagree: true},
		{name: "marks in texts", path: "x.md", base: "", sides: []string{"<!-- sage: or -->\n", "b\n"},
			want: "<!-- sage: 2 versions disagree; keep one, and delete these lines -->\n\\<!-- sage: or -->\n<!-- sage: or -->\nb\n<!-- sage: end -->\n", disagree: true},
		{name: "a text emptied", path: "x.md", base: "a\n", sides: []string{"", "b\n"}, want: "b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := []byte(c.base)
			if c.base == "" {
				base = nil
			}
			got := threeway.Merge(c.path, base, versions(c.sides...))
			content := string(got.Content)
			if got.Content == nil {
				content = "-"
			}
			if diff := cmp.Diff(c.want, content); diff != "" || len(got.Beside) != c.beside || got.Disagree != c.disagree {
				t.Errorf("beside %d, disagree %v (-want +got):\n%s", len(got.Beside), got.Disagree, diff)
			}
			if got.Beside == nil && threeway.Disagrees(c.path, got.Content) != got.Disagree {
				t.Errorf("seen in the file that versions disagree: %v", !got.Disagree)
			}
		})
	}
}

var genScalar = rapid.SampledFrom([]string{"1", "2", "x", "y", "true", "false", "\"\"", "2026-01-01", "2026-02-01T00:00:00Z", "active", "archived", "null"})

// genDocument draws a file as people write it.
var genDocument = rapid.Custom(func(t *rapid.T) string {
	var b strings.Builder
	for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"added", "status", "type", "keywords", "scope", "odd"}), 0, 5, rapid.ID).Draw(t, "keys") {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0, 1:
			fmt.Fprintf(&b, "%s: %s\n", k, genScalar.Draw(t, "value"))
		case 2:
			fmt.Fprintf(&b, "%s: [%s]\n", k, strings.Join(rapid.SliceOfN(genScalar, 0, 3).Draw(t, "list"), ", "))
		case 3:
			fmt.Fprintf(&b, "%s:\n  always: %s\n  skills: [%s]\n", k, genScalar.Draw(t, "value"), strings.Join(rapid.SliceOfN(genScalar, 0, 2).Draw(t, "list"), ", "))
		}
	}
	return b.String()
})

var genNote = rapid.Custom(func(t *rapid.T) string {
	return "---\n" + genDocument.Draw(t, "head") + "---\n" + rapid.SampledFrom([]string{"", "\nA.\n", "\nB.\n", "no end", "<!-- sage: or -->\nX\n"}).Draw(t, "text")
})

// Merging does not depend on the order of versions, adds nothing of its own when it
// is repeated, and leaves alone what nobody changed.
func laws(t *rapid.T) {
	path, gen := "core.yaml", genDocument
	if rapid.Bool().Draw(t, "note") {
		path, gen = "knowledge/aa/x.md", genNote
	}
	base := []byte(gen.Draw(t, "base"))
	sides := versions(rapid.SliceOfN(gen, 1, 4).Draw(t, "sides")...)
	m := threeway.Merge(path, base, sides)
	want := func(law string, got threeway.Result) {
		t.Helper()
		if diff := cmp.Diff(string(m.Content), string(got.Content)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", law, diff)
		}
	}
	back := slices.Clone(sides)
	slices.Reverse(back)
	want("any order", threeway.Merge(path, base, back))
	want("twice", threeway.Merge(path, base, append(back, sides...)))
	want("beside one that did nothing", threeway.Merge(path, base, append(back, threeway.Version{Content: base})))
	want("with one that is in it", threeway.Merge(path, base, append(sides[:1:1], threeway.Version{Content: m.Content})))
	want("the merge on its own", threeway.Merge(path, base, []threeway.Version{{Content: m.Content}}))
	want("the merge with what it came from", threeway.Merge(path, m.Content, []threeway.Version{{Content: m.Content}}))
	if one := threeway.Merge(path, base, sides[:1]); string(one.Content) != string(sides[0].Content) {
		t.Fatalf("one side alone came to\n%s", one.Content)
	}
}

func TestLaws(t *testing.T) { rapid.Check(t, laws) }

func FuzzLaws(f *testing.F) {
	for n := range 8 {
		f.Add(slices.Repeat([]byte{byte(37 * n), 1, 200, byte(n)}, 64))
	}
	f.Fuzz(rapid.MakeFuzz(laws))
}

// FuzzMerge merges any bytes: without panic, the same in any order, and so that the
// result can be merged again.
func FuzzMerge(f *testing.F) {
	f.Add("a: 1\n", "a: 2\n", "a: [3]\n")
	f.Add("---\na: 1\n---\nx\n", "---\na: &x 2\nb: *x\n---\ny\n", "---\n")
	f.Add("", "<!-- sage: 2 versions disagree; keep one, and delete these lines -->\na\n<!-- sage: or -->\nb\n<!-- sage: end -->\n", "c")
	f.Add("\xff", "a: {b: {variants: [1, 2]}}", "a: {b: 3}\na: 4")
	f.Fuzz(func(t *testing.T, base, a, b string) {
		for _, path := range []string{"x.yaml", "x.md", "lines/x.yaml", "templates/x.yaml", "purged/x", "x"} {
			m := threeway.Merge(path, []byte(base), versions(a, b))
			n := threeway.Merge(path, []byte(base), versions(b, a))
			if string(m.Content) != string(n.Content) || len(m.Beside) != len(n.Beside) {
				t.Fatalf("%s: %q in one order, %q in the other", path, m.Content, n.Content)
			}
			again := threeway.Merge(path, []byte(base), []threeway.Version{{Content: m.Content}, {Content: m.Content}})
			if path != "purged/x" && string(again.Content) != string(m.Content) {
				t.Fatalf("%s: %q became %q", path, m.Content, again.Content)
			}
		}
	})
}
