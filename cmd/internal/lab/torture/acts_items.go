//go:build linux

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// The items that are there before an act of knowledge, all of which stay whole but for
// what the act is to do with one.
var items = []struct{ id, text string }{
	{"hinge", "The hinge of the gate squeaks in winter."},
	{"latch", "The latch of the gate is new and needs no oil."},
	{"fence", "The fence is painted every second year."},
}

const (
	newText   = "The hinge of the gate was oiled and is silent."
	peersText = "The hinge of the gate squeaks since the storm."
)

func init() {
	acts = append(acts,
		act{name: "item: add", setup: known("e5-small-v2"), argv: plainly("knowledge", "add", "-q", "--id", "added", "--keyword", "hinge", "-m", newText),
			done: has("added", newText), after: remembered("added")},
		act{name: "item: update", setup: known("none"), argv: plainly("knowledge", "update", "hinge", "-q", "-m", newText),
			done: has("hinge", newText), after: remembered("hinge")},
		act{name: "item: rm", setup: known("none"), argv: plainly("knowledge", "rm", "-q", "hinge"),
			done: func(r *repo) error { return r.sh("! git cat-file -e refs/sage/knowledge:" + itemFile("hinge")) }, after: remembered("hinge")},
		act{name: "item: merge", setup: disputed, argv: plainly("merge", "--fetched"), ends: 1, says: "merged", done: func(r *repo) error {
			return errors.Join(has("hinge", newText)(r), has("hinge", peersText)(r))
		}, after: remembered("hinge")},
		act{name: "item: note", setup: known("none"), argv: plainly("note", "add", "-q", "goal", "-m", "A silent gate."),
			done: func(r *repo) error { return r.sh("git grep -q 'A silent gate' refs/sage/knowledge -- system") }, after: remembered("")},
		act{name: "item: core", setup: known("none"), argv: plainly("core", "add", "a"),
			done: func(r *repo) error { return r.sh("'" + r.b.bin + "' core list | grep -q '^a'") }, after: remembered("")},
		act{name: "item: skill", setup: known("none"), argv: plainly("skill", "new", "gates", "-m", "Oil first.", "--description", "Care of gates"),
			done: func(r *repo) error { return r.sh("git grep -q 'Oil first' refs/sage/knowledge -- skills") }, after: remembered("")},
		act{name: "search: fill", setup: unfilled, argv: plainly("admin", "rebuild-embeddings", "--missing"), after: remembered("")},
		act{name: "search: heal", setup: func(r *repo) error {
			if err := known("none")(r); err != nil {
				return err
			}
			return r.sh("for f in .git/sage/cache/search/*.seg; do truncate -s 1500 $f; done; mkdir -p .git/sage/cache/search/compact.lock/x")
		}, argv: plainly("admin", "maintenance"), after: remembered("")},
	)
}

// known saves the items, with the model that is named.
func known(model string) func(*repo) error {
	return func(r *repo) error {
		r.env = append(r.env, "SAGE_EMBEDDING_MODEL="+model)
		for _, it := range items {
			o, err := r.b.exec(r.dir, "", r.env, r.b.bin, "knowledge", "add", "-q", "--id", it.id, "--keyword", it.id, "-m", it.text)
			if err != nil || o.code != 0 {
				return fmt.Errorf("add %s: %v %s", it.id, err, o.errs)
			}
		}
		return nil
	}
}

func unfilled(r *repo) error {
	if err := known("e5-small-v2")(r); err != nil {
		return err
	}
	return r.sh("rm -r .git/sage/cache/search")
}

// disputed lets a clone and this repository change the same item, and fetches the
// clone's.
func disputed(r *repo) error {
	if err := known("none")(r); err != nil {
		return err
	}
	peer := r.dir + "-peer"
	defer os.RemoveAll(peer)
	c, err := r.copy(peer)
	if err != nil {
		return err
	}
	if err := c.sh("'" + r.b.bin + "' knowledge update hinge -q -m '" + peersText + "'"); err != nil {
		return err
	}
	if err := r.sh("'" + r.b.bin + "' knowledge update hinge -q -m '" + newText + "'"); err != nil {
		return err
	}
	return r.sh("git -c core.hooksPath=/dev/null fetch -q " + peer + " +refs/sage/knowledge:refs/sage/remotes/peer/knowledge")
}

// itemFile is where an item lies.
func itemFile(id string) string {
	sum := sha256.Sum256([]byte(id))
	return fmt.Sprintf("knowledge/%x/%s.md", sum[:1], id)
}

// has makes sure, with plain git, that an item says something.
func has(id, text string) func(*repo) error {
	return func(r *repo) error {
		out, err := r.b.git(r.dir, "show", "refs/sage/knowledge:"+itemFile(id))
		if err == nil && !strings.Contains(out, text) {
			err = fmt.Errorf("%s does not say '%s'", id, text)
		}
		return err
	}
}

// remembered makes sure, whatever became of an act, that every item but the one that it
// changes is whole, that this one says something whole if it is there, that the next
// item can be saved, and that recall finds what it finds when all that search made is
// made anew.
func remembered(changed string) func(*act, *repo, bool) error {
	return func(_ *act, r *repo, _ bool) error {
		for _, it := range items {
			if err := has(it.id, it.text)(r); err != nil && it.id != changed {
				return err
			}
		}
		if changed != "" {
			if err := r.sh("! git cat-file -e refs/sage/knowledge:" + itemFile(changed) + " || git show refs/sage/knowledge:" + itemFile(changed) + " | grep -q 'The hinge of the gate'"); err != nil {
				return err
			}
		}
		if err := r.sh("'" + r.b.bin + "' knowledge add -q --id behind -m 'What is saved behind it needs no help.' && '" + r.b.bin + "' admin rebuild-embeddings --missing -q"); err != nil {
			return err
		}
		is, err := r.recalls()
		if err != nil {
			return err
		}
		if err := r.sh("'" + r.b.bin + "' admin rebuild-embeddings -q"); err != nil {
			return err
		}
		if want, err := r.recalls(); err != nil || is != want {
			return fmt.Errorf("recall: %v %q, and anew %q", err, is, want)
		}
		return nil
	}
}

// digits are those of a score behind the sixth: the mean of all vectors is summed up as
// they lie, and what is far behind the point differs with the order.
var digits = regexp.MustCompile(`(\d\.\d{6})\d+`)

// recalls is what a question brings up, with all scores.
func (r *repo) recalls() (string, error) {
	o, err := r.b.exec(r.dir, "", r.env, r.b.bin, "knowledge", "match", "--json", "does the hinge of the gate squeak, and is the latch new?")
	if err == nil && o.code > 1 {
		err = fmt.Errorf("match: exit status %d: %s", o.code, o.errs)
	}
	return digits.ReplaceAllString(o.out, "$1"), err
}
