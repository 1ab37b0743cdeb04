package gitstore

import (
	"bytes"
	"slices"
	"strconv"
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

// warm reads what the tips reach in long runs, in the order of history, and calls
// visit for each commit while what it holds is at hand. What is not whole is left
// out; then it is looked at alone, which says what is wrong.
func (k *checker) warm(tips []string, visit func(id string)) {
	out, err := k.s.git.Feed(k.ctx, []byte(strings.Join(tips, "\n")+"\n"), "rev-list", "--objects", "--in-commit-order", "--no-object-names", "--missing=allow-any", "--stdin")
	ids := strings.Fields(string(out))
	if len(tips) == 0 || err != nil || len(ids) < coldObjects {
		return
	}
	for run := range slices.Chunk(ids, runObjects) {
		k.warmed, k.texts = map[string]git.Object{}, map[string]bool{}
		out, err := k.s.git.Feed(k.ctx, []byte(strings.Join(run, "\n")+"\n"), "cat-file", "--batch", "--buffer")
		k.warmRun(out)
		for _, id := range run {
			if k.warmed[id].Type == "commit" {
				visit(id)
			}
		}
		if err != nil {
			break
		}
	}
	k.warmed, k.texts = nil, nil
}

// warmRun takes what git wrote: "<id> <type> <size>", the content, a line end.
func (k *checker) warmRun(out []byte) {
	for {
		head, rest, ok := bytes.Cut(out, []byte("\n"))
		f := strings.Fields(string(head))
		if !ok {
			return
		}
		if out = rest; len(f) != 3 { // "<id> missing"
			continue
		}
		n, err := strconv.Atoi(f[2])
		if err != nil || n < 0 || n >= len(rest) {
			return
		}
		k.warmOne(f[0], f[1], rest[:n])
		out = rest[n+1:]
	}
}

func (k *checker) warmOne(id, typ string, data []byte) {
	if k.s.objects.New(typ, data).ID != id {
		return
	}
	switch {
	case typ != "blob":
		k.warmed[id] = git.Object{ID: id, Type: typ, Data: bytes.Clone(data)}
	case bytes.HasPrefix(data, []byte("---\n")):
		if _, err := sage.Parse(data); err == nil {
			k.texts[id] = true
		}
	}
}
