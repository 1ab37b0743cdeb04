package codeindex

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A delta is which lines changed in each file of a view, from the first to the last. nil is
// all lines of all files.
type delta map[string][][2]int

// all are the lines of a file that is new.
var all = [][2]int{{1, math.MaxInt}}

// touches reports whether any of some lines of a file changed.
func (d delta) touches(path string, first, last int) bool {
	for _, s := range d[path] {
		if s[0] <= last && first <= s[1] {
			return true
		}
	}
	return d == nil
}

// since is what changed since a commit, or since what was committed at a date: in commits, in
// the work tree, and in files that git does not track yet. A commit of a name goes before a
// date. One call of git tells it, beside one or two that find the commit.
func (x *Index) since(ctx context.Context, v *view.View, q Query) (delta, error) {
	if q.Since == "" {
		return nil, nil
	}
	from, to := x.resolve(ctx, q.Since), x.resolve(ctx, q.Rev)
	if from == "" {
		if !gitstore.IsDate(q.Since) {
			return nil, &gitstore.FilterError{Field: "since", Err: fmt.Errorf("'%s' is no commit and no date, such as v1.2, 2026-03-01, yesterday or 2.weeks.ago", legible.OneLine(q.Since))}
		}
		if from = x.oneLine(ctx, "rev-list", "-n1", "--before="+q.Since, cmp.Or(to, "HEAD"), "--"); from == "" {
			return nil, ctx.Err() // there was nothing yet
		}
	}
	command, ends := []string{"diff-index"}, []string{from, "--"}
	if v.Top == "" {
		command, ends = []string{"diff-tree", "-r"}, []string{from, to, "--"}
	}
	d := reading{delta: delta{}}
	if err := x.o.Git.Records(ctx, d.patch, slices.Concat([]string{"-C", cmp.Or(x.o.Top, "."), "-c", "core.quotePath=false"}, command, []string{
		"-p", "-U0", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/",
	}, ends)...); err != nil {
		return nil, fmt.Errorf("compare with '%s': %w", legible.OneLine(q.Since), err)
	}
	for i := range v.Files {
		if f := &v.Files[i]; f.Untracked {
			d.delta[f.Path] = all
		}
	}
	return d.delta, ctx.Err()
}

// A reading is of a patch without context.
type reading struct {
	delta
	path string
	skip int // lines of the hunk that are left
}

// patch reads one, or what stands of it between NUL bytes, which only lines of files have.
func (r *reading) patch(raw []byte) bool {
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, `\`): // no newline at the end of the file
		case r.skip > 0:
			r.skip--
		case strings.HasPrefix(line, "+++ "):
			name := strings.TrimSuffix(line[len("+++ "):], "\t") // git ends a name with blanks so
			if s, err := strconv.Unquote(name); err == nil {
				name = s
			}
			r.path = strings.TrimPrefix(name, "b/")
		case strings.HasPrefix(line, "@@ "):
			r.hunk(strings.Fields(line))
		}
	}
	return true
}

// hunk reads "@@ -<from>,<number> +<from>,<number> @@". Lines that were only taken out are a
// span that ends before it begins: it touches what stands on both sides of the place.
func (r *reading) hunk(fields []string) {
	if len(fields) < 3 {
		return
	}
	_, old := span(fields[1])
	first, n := span(fields[2])
	r.skip = old + n
	if n == 0 {
		first++
	}
	r.delta[r.path] = append(r.delta[r.path], [2]int{first, first + n - 1})
}

// span reads "+<from>[,<number>]".
func span(s string) (from, n int) {
	a, b, ok := strings.Cut(s[1:], ",")
	from, _ = strconv.Atoi(a)
	if n = 1; ok {
		n, _ = strconv.Atoi(b)
	}
	return from, n
}
