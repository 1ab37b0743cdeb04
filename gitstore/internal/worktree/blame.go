package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/internal/hunks"
)

// A Blame says which commits the lines of a file of the work tree are from.
type Blame struct {
	Text    []string // the lines of the file
	Spans   []BlameSpan
	Commits map[string]*BlamedCommit
}

// A BlameSpan is a run of lines that are from one commit.
type BlameSpan struct {
	First, Last int    // from 1
	Commit      string // "" of lines that were not committed
}

// A BlamedCommit is a commit that lines are from.
type BlamedCommit struct {
	ID      string
	Subject string
	Author  string
	Time    time.Time // of the author
	File    string    // what the file was called in it
	Parent  string    // the commit before it that has the file; "" is none
}

// ErrNoLines says that a file of the work tree cannot be blamed, or has no such lines.
var ErrNoLines = errors.New("nothing to blame")

// Blame says which commits some lines of a file are from, from 1; zero is all of them. git is
// asked of HEAD alone, and what was changed since is compared here: to compare it git would
// run the filters that the repository's configuration names.
func (fl *UserFiles) Blame(ctx context.Context, file string, first, last int) (*Blame, error) {
	w := fl.read()
	defer w.close()
	if w.root == nil {
		return nil, fmt.Errorf("%w: the repository has no work tree", ErrNoLines)
	}
	b, err := w.read(filepath.FromSlash(file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no file '%s' in the work tree", ErrNoLines, file)
	case err != nil:
		return nil, fmt.Errorf("%w: '%s' is no file of the work tree of at most 4 MiB", ErrNoLines, file)
	}
	now := textLines(b)
	out := &Blame{Text: now[:countLines(b)], Commits: map[string]*BlamedCommit{}}
	switch n := len(out.Text); {
	case first == 0:
		first, last = 1, n
	case last > n && n == 1:
		return nil, fmt.Errorf("%w: '%s' has 1 line, and no line %d", ErrNoLines, file, last)
	case last > n:
		return nil, fmt.Errorf("%w: '%s' has %d lines, and no line %d", ErrNoLines, file, n, last)
	}
	from, err := fl.committed(file, now, first, last)
	if err != nil {
		return nil, err
	}
	lines, err := fl.blameHead(ctx, file, from, out.Commits)
	if err != nil {
		return nil, err
	}
	for i, was := range from {
		out.add(first+i, lines[was])
	}
	return out, nil
}

// add puts a line behind those that there are.
func (b *Blame) add(line int, commit string) {
	if n := len(b.Spans); n > 0 && b.Spans[n-1].Commit == commit {
		b.Spans[n-1].Last = line
		return
	}
	b.Spans = append(b.Spans, BlameSpan{line, line, commit})
}

// committed says of some lines of a file which lines of HEAD they are, from 1; 0 is none.
func (fl *UserFiles) committed(file string, now []string, first, last int) ([]int, error) {
	from := make([]int, max(last-first+1, 0))
	was, err := fl.object("HEAD:" + file)
	if errors.Is(err, git.ErrMissing) || err == nil && was.Type != "blob" {
		return from, nil
	}
	if err != nil {
		return nil, err
	}
	back := turned(hunks.Between(textLines(was.Data), now))
	for i := range from {
		if line, kept := lineNow(back, first-1+i); kept {
			from[i] = line + 1
		}
	}
	return from, nil
}

// blameHead asks git for the commits of those lines of a file in HEAD, from the least to the
// largest, and returns them by line.
func (fl *UserFiles) blameHead(ctx context.Context, file string, wanted []int, commits map[string]*BlamedCommit) (map[int]string, error) {
	first, last := 0, 0
	for _, n := range wanted {
		if n > 0 && (first == 0 || n < first) {
			first = n
		}
		last = max(last, n)
	}
	lines := make(map[int]string, len(wanted))
	if first == 0 {
		return lines, nil
	}
	var c *BlamedCommit
	err := fl.git.In(fl.top).Lines(ctx, func(l []byte) bool {
		name, value, _ := bytes.Cut(l, []byte(" "))
		switch {
		case len(l) > 0 && l[0] == '\t':
			c = nil
		case c == nil:
			id := string(name)
			if c = commits[id]; c == nil {
				c = &BlamedCommit{ID: id}
				commits[id] = c
			}
			if f := bytes.Fields(value); len(f) >= 2 {
				n, _ := strconv.Atoi(string(f[1]))
				lines[n] = id
			}
		default:
			c.take(string(name), string(value))
		}
		return true
	}, "blame", "--porcelain", "--no-textconv", fmt.Sprintf("-L%d,%d", first, last), "HEAD", "--", file)
	return lines, err
}

// take notes what git says of a commit.
func (c *BlamedCommit) take(name, value string) {
	switch name {
	case "author":
		c.Author = value
	case "author-time":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			c.Time = time.Unix(n, 0)
		}
	case "summary":
		c.Subject = value
	case "filename":
		c.File = unquoted(value)
	case "previous":
		c.Parent, _, _ = strings.Cut(value, " ")
	}
}

// unquoted is a path as git prints it, which puts odd ones in quotes.
func unquoted(path string) string {
	if strings.HasPrefix(path, `"`) {
		if s, err := strconv.Unquote(path); err == nil {
			return s
		}
	}
	return path
}
