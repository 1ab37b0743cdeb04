package gitstore

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// coldObjects is from where on it pays to let git write many objects at once: it
// takes 10 µs an object, and 80 µs to answer for one.
const coldObjects = 500

// runObjects bounds what one git writes, and so the memory that it takes: texts
// of 1 KB are usual.
const runObjects = 2000

// A rootOf is the tree of a commit.
type rootOf struct{ tree, owner string }

// warm reads what the tips reach in long runs, in the order of history, and calls
// visit for each commit while what it holds is at hand. What is not whole is left
// out; then it is looked at alone, which says what is wrong.
func (k *checker) warm(tips []string, visit func(id string)) {
	out, err := k.s.git.Feed(k.ctx, []byte(strings.Join(tips, "\n")+"\n"), "rev-list", "--objects", "--in-commit-order", "--missing=print", "--stdin")
	all := named(string(out))
	if len(tips) == 0 || err != nil || len(all) < coldObjects {
		return
	}
	k.folder, k.later = map[string]bool{}, []rootOf{}
	whole := true
	for run, out := range k.s.runs(k.ctx, all) {
		whole = k.warmUp(run, out) && whole
		for _, o := range run {
			switch k.warmed[o.id].Type {
			case "commit":
				visit(o.id)
			case "tree":
				k.folder[o.id] = true
			}
		}
	}
	k.warmed, k.texts = nil, nil
	later := k.later
	if k.later = nil; !whole {
		k.folder = nil
	}
	for _, r := range later {
		k.wholeTree(r.tree, r.owner, "")
	}
	k.folder = nil
}

// A listed object is one that git names, with where it lies in a tree.
type listed struct{ id, path string }

func named(out string) (all []listed) {
	for l := range strings.Lines(out) {
		id, path, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		all = append(all, listed{id, path})
	}
	return all
}

// runs hands on objects in runs, with what git wrote of each: while one is looked
// at git writes the next.
func (s *Store) runs(ctx context.Context, all []listed) iter.Seq2[[]listed, []byte] {
	read := func(run []listed) func() []byte {
		return early(func() []byte {
			var in strings.Builder
			for _, o := range run {
				in.WriteString(o.id + "\n")
			}
			out, _ := s.git.Feed(ctx, []byte(in.String()), "cat-file", "--batch", "--buffer")
			return out
		})
	}
	return func(yield func([]listed, []byte) bool) {
		if len(all) == 0 {
			return
		}
		all := slices.Collect(slices.Chunk(all, runObjects))
		next := read(all[0])
		for i, run := range all {
			out := next()
			if i+1 < len(all) {
				next = read(all[i+1])
			}
			if !yield(run, out) {
				return
			}
		}
	}
}

// warmUp takes in a run, and reports whether all of it is what it should be.
func (k *checker) warmUp(run []listed, out []byte) bool {
	k.warmed, k.texts = map[string]git.Object{}, map[string]bool{}
	good := 0
	answers(out, run, func(o listed, typ string, data []byte) {
		if k.warmOne(o, typ, data) {
			good++
		}
	})
	return good == len(run)
}

func (k *checker) warmOne(o listed, typ string, data []byte) bool {
	if k.s.objects.New(typ, data).ID != o.id {
		return false
	}
	switch {
	case typ != "blob":
		k.warmed[o.id] = git.Object{ID: o.id, Type: typ, Data: bytes.Clone(data)}
	case o.path == "checkpoint.md":
		if _, err := sage.Parse(data); err == nil {
			k.texts[o.id] = true
		}
	}
	return true
}
