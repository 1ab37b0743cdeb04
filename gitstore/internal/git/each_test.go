//go:build unix

package git_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Few names and many are answered alike, what is missing too; and a git that dies
// is an error, not an answer.
func TestEachOfManyAsOfFew(t *testing.T) {
	w, g, r := runner(t)
	id := w.Git("r", "rev-parse", "HEAD:a.txt")
	none := strings.Repeat("0", 39) + "1"
	type answer struct {
		name, typ, data string
		missing         bool
	}
	for _, n := range []int{3, 500} {
		var names []string
		for i := range n {
			names = append(names, []string{id, none, "HEAD:a.txt"}[i%3])
		}
		var got []answer
		each := func(name string, o git.Object, err error) {
			got = append(got, answer{name, o.Type, string(o.Data), errors.Is(err, git.ErrMissing)})
		}
		b := r.Batch()
		if err := b.Each(names, each); err != nil || len(got) != n {
			t.Fatalf("%d names: %d answers, %v", n, len(got), err)
		}
		want := []answer{{id, "blob", "one\n", false}, {none, "", "", true}, {"HEAD:a.txt", "blob", "one\n", false}}
		for i := range got {
			if got[i] != want[i%3] {
				t.Fatalf("%d names: answer %d is %v, want %v", n, i, got[i], want[i%3])
			}
		}
		_ = b.Close()
		g.Command("cat-file", storetest.Fail)
		if err := r.Batch().Each(names, each); err == nil || !strings.HasPrefix(err.Error(), "git cat-file: ") {
			t.Errorf("%d names, and a git that fails: %v", n, err)
		}
		g.Heal()
	}
}

// A Bulk answers list after list as a Batch does, also by a git that knows no commands for
// that, and a git that dies is an error.
func TestBulk(t *testing.T) {
	w, g, r := runner(t)
	id, none := w.Git("r", "rev-parse", "HEAD:a.txt"), strings.Repeat("0", 39)+"1"
	for _, how := range []storetest.How{"", storetest.Old, storetest.Fail, storetest.Mute} {
		g.Heal()
		if how != "" {
			g.Command("cat-file", how)
		}
		b := r.Bulk()
		for _, names := range [][]string{{none}, {id, none, id}, nil, slices.Repeat([]string{none, id}, 3000)} {
			said, asked := "", ""
			for _, name := range names {
				asked += map[string]string{id: "blob one\n", none: "missing "}[name]
			}
			err := b.Each(names, func(name string, o git.Object, err error) {
				switch {
				case err == nil && o.ID == name:
					said += o.Type + " " + string(o.Data)
				case errors.Is(err, git.ErrMissing):
					said += "missing "
				}
			})
			if works := how == "" || how == storetest.Old || names == nil; works && (err != nil || said != asked) || !works && (err == nil || said != "") {
				t.Errorf("%s: %d names: %.60q, %v", how, len(names), said, err)
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
