package history

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/codeindex/internal/words"
)

const (
	// newest is how many commits are read at once. From most commits or mostTips tips on, as
	// amended ones leave behind, all is read again.
	newest, most, mostTips = 5000, 20_000, 100
	// mass is above how many files a commit tells nothing of each.
	mass = 30
	// longest is how many bytes of a message are read.
	longest = 4000
)

// Read reads the commits that lead to tip and are not in old, which may be nil. It returns
// old where there are none.
func Read(ctx context.Context, git view.Git, top, tip string, old *History) (*History, error) {
	if old != nil && old.Has(tip) {
		return old, nil
	}
	if old == nil || len(old.commits) > most || len(old.tips) > mostTips {
		old = &History{}
	}
	args := []string{
		"-C", top, "log", "-z", "--format=" + mark + "%H %ct %P%n%B", "--name-status", "--diff-merges=off", "--find-renames=100%",
		"--no-relative", "--no-show-signature", "--encoding=UTF-8", "--ignore-missing", "-n", strconv.Itoa(newest), tip,
	}
	for _, t := range old.tips {
		args = append(args, "^"+t)
	}
	r := newReader(old)
	if err := git.Records(ctx, r.record, append(args, "--")...); err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	r.end()
	h := &History{commits: append(r.commits, old.commits...), paths: r.paths}
	for _, t := range old.tips {
		if !r.parents[t] {
			h.tips = append(h.tips, t)
		}
	}
	h.tips = append(h.tips, tip)
	h.index()
	return h, ctx.Err()
}

// mark begins what git prints of a commit.
const mark = "\x01"

// A reader reads what git log prints.
type reader struct {
	old     *History
	commits []commit
	paths   []string
	number  map[string]uint32 // of each path
	parents map[string]bool   // whole ids
	words   *words.Reader

	begun bool // the last of commits is being read
	many  bool // and is a mass edit
	state string
	from  string // what was renamed
	left  int    // paths that belong to state
}

func newReader(old *History) *reader {
	r := &reader{old: old, paths: slices.Clone(old.paths), number: map[string]uint32{}, parents: map[string]bool{}, words: words.NewReader()}
	for i, p := range r.paths {
		r.number[p] = uint32(i)
	}
	return r
}

// record reads what stands before a NUL byte: the head and message of a commit, the state of
// a file, or a path.
func (r *reader) record(raw []byte) bool {
	s := string(raw)
	switch {
	case r.left > 0:
		r.path(s)
	case strings.HasPrefix(s, mark):
		r.end()
		r.begin(s[len(mark):])
	default:
		if r.state = strings.TrimLeft(s, "\n"); r.state != "" {
			r.left = 1
			if r.state[0] == 'R' || r.state[0] == 'C' {
				r.left = 2
			}
		}
	}
	return true
}

func (r *reader) begin(s string) {
	head, message, _ := strings.Cut(s, "\n")
	fields := strings.Fields(head)
	if len(fields) < 2 {
		return
	}
	c := commit{}
	var ok bool
	if c.id, ok = idOf(fields[0]); !ok {
		return
	}
	c.time, _ = strconv.ParseInt(fields[1], 10, 64)
	for _, p := range fields[2:] {
		if id, ok := idOf(p); ok {
			c.parents = append(c.parents, id)
			r.parents[p] = true
		}
	}
	if len(c.parents) < 2 {
		c.terms = r.terms(message)
	}
	r.commits, r.begun, r.many = append(r.commits, c), true, false
}

func (r *reader) path(p string) {
	r.left--
	if !r.begun {
		return
	}
	c := &r.commits[len(r.commits)-1]
	switch {
	case r.left > 0:
		r.from = p
		return
	case r.state[0] == 'R':
		c.renames = append(c.renames, [2]uint32{r.numberOf(r.from), r.numberOf(p)})
	}
	if r.many = r.many || len(c.files) == mass; !r.many {
		c.files = append(c.files, r.numberOf(p))
	}
}

func (r *reader) numberOf(p string) uint32 {
	n, ok := r.number[p]
	if !ok {
		n = uint32(len(r.paths))
		r.number[p], r.paths = n, append(r.paths, p)
	}
	return n
}

// end completes the commit that is being read: of a mass edit only what it renamed is kept.
// One that is known already is dropped.
func (r *reader) end() {
	if !r.begun {
		return
	}
	r.begun = false
	c := &r.commits[len(r.commits)-1]
	if r.many {
		c.files = nil
	}
	if len(c.files) == 0 {
		c.terms = nil
	}
	if _, ok := r.old.place[c.id]; ok {
		r.commits = r.commits[:len(r.commits)-1]
	}
}

// terms are those of a message without its trailers.
func (r *reader) terms(message string) []words.Term {
	set := map[words.Term]bool{}
	r.words.Each(withoutTrailers(message[:min(len(message), longest)]), func(list []words.Term) {
		for _, t := range list {
			set[t] = true
		}
	})
	return slices.Sorted(maps.Keys(set))
}

var trailer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:[A-Z][a-z]+(?:-[A-Za-z]+)+: .*|git-svn-id: .*|\(cherry picked from commit .*\))$`)
})

// withoutTrailers drops the lines that tell who did what with a commit.
func withoutTrailers(message string) string { return trailer().ReplaceAllString(message, "") }
