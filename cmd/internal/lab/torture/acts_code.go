//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sources are what is indexed: read by Go's parser, by a grammar and by patterns.
var sources = map[string]string{
	"gate/hinge.go":  "package gate\n\n// Oil makes the hinge silent.\nfunc Oil(hinge string) error { return turn(hinge) }\n\nfunc turn(s string) error { return nil }\n",
	"gate/latch.py":  "class Latch:\n    \"\"\"A latch of the gate.\"\"\"\n\n    def close(self):\n        return oil(self)\n",
	"gate/fence.zig": "/// Paints the fence.\npub fn paint(years: u32) void {\n    brush(years);\n}\n",
}

func init() {
	acts = append(acts,
		act{name: "code: index", setup: unindexed, argv: plainly("index", "-q", "--no-embed"), done: finds, after: reindexed},
		act{name: "code: again", setup: indexed, argv: plainly("index", "-q", "--no-embed", "--full"), done: finds, after: reindexed},
		act{name: "code: search", setup: unindexed, argv: plainly("search-code", "paint the fence"), says: "fence.zig", done: finds, after: reindexed},
	)
}

// unindexed adds the sources, and searches code by words alone.
func unindexed(r *repo) error {
	r.env = append(r.env, "SAGE_CODE_EMBEDDING_MODEL=none")
	for name, text := range sources {
		if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
			return err
		}
		if err := r.write(name, text); err != nil {
			return err
		}
	}
	return nil
}

func indexed(r *repo) error {
	if err := unindexed(r); err != nil {
		return err
	}
	return r.index()
}

// finds asks for what the sources define.
func finds(r *repo) error {
	for question, path := range map[string]string{"Oil": "gate/hinge.go", "Latch": "gate/latch.py", "paint": "gate/fence.zig"} {
		o, err := r.b.exec(r.dir, "", r.env, r.b.bin, "grep", question)
		if err != nil || !strings.HasPrefix(o.out, path) {
			return fmt.Errorf("grep %s: %v %s%s", question, err, o.out, o.errs)
		}
	}
	return nil
}

// reindexed makes sure, whatever became of an act, that the index is whole after the next
// run, and says what one says that was built at once.
func reindexed(_ *act, r *repo, _ bool) error { return r.whole(r.answers) }

func (r *repo) index() error {
	o, err := r.b.exec(r.dir, "", r.env, r.b.bin, "index", "-q", "--no-embed")
	if err == nil && o.code+len(o.errs) != 0 {
		err = fmt.Errorf("index: exit status %d: %s", o.code, strings.TrimSpace(o.errs))
	}
	return err
}

// whole indexes what is missing and compares what the index says with one built anew.
func (r *repo) whole(answers func() (string, error)) error {
	if err := r.index(); err != nil {
		return err
	}
	is, err := answers()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(r.path(indexFolder)); err != nil {
		return err
	}
	if err := r.index(); err != nil {
		return err
	}
	if want, err := answers(); err != nil || is != want {
		return fmt.Errorf("the index: %v %s", err, firstDifference(is, want))
	}
	return nil
}

// indexFolder is where the index of code lies.
const indexFolder = ".git/sage/cache/code"

// answers are what the index says of the sources, with all scores.
func (r *repo) answers() (string, error) {
	return r.asks([]string{"outline", "--json", "gate"}, []string{"search-code", "--json", "who oils the hinge or closes the latch?"}, []string{"grep", "--json", "paint"})
}

// asks is what commands print that only read.
func (r *repo) asks(commands ...[]string) (string, error) {
	var out strings.Builder
	for _, c := range commands {
		o, err := r.b.exec(r.dir, "", r.env, append([]string{r.b.bin}, c...)...)
		if err != nil || o.code > 1 {
			return "", fmt.Errorf("%s: exit status %d: %v %s", strings.Join(c, " "), o.code, err, o.errs)
		}
		fmt.Fprintf(&out, "%d %s%s", o.code, o.out, o.errs)
	}
	return digits.ReplaceAllString(out.String(), "$1"), nil
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(is, want string) string {
	a, b := strings.Split(is, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d of %d is %q, and anew %q", i+1, len(a), a[i], append(b, make([]string, len(a))...)[i])
		}
	}
	return fmt.Sprintf("%d lines, and anew %d", len(a), len(b))
}
