package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/references"
)

// mostReasons and mostCommits are named: an answer is to cost less than reading the file.
const mostReasons, mostCommits = 6, 4

func runWhy(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	p, err := placeOf(m, strings.TrimSpace(c.Text("path")), c.Text("line"))
	if err != nil {
		return "", err
	}
	e, err := m.References.Explain(ctx, p)
	if err != nil {
		return "", fmt.Errorf("path: %w", err)
	}
	if len(e.Reasons)+len(e.Commits) == 0 {
		return "Nothing is known of it: it was never committed, and nothing refers to it.", nil
	}
	var b strings.Builder
	for _, r := range e.Reasons[:min(mostReasons, len(e.Reasons))] {
		writeReason(&b, &r)
	}
	if n := len(e.Reasons) - mostReasons; n > 0 {
		fmt.Fprintf(&b, "and %d more that is known; sage_search finds it\n", n)
	}
	for _, c := range e.Commits[:min(mostCommits, len(e.Commits))] {
		fmt.Fprintf(&b, "commit %s %s %s: %s\n", brief.ShortID(c.ID), c.Time.UTC().Format(time.DateOnly), texts.OneLine(c.Author, 60), texts.OneLine(c.Subject, 160))
	}
	if n := len(e.Commits) - mostCommits; n > 0 {
		fmt.Fprintf(&b, "and %s; git log has them\n", legible.Count(n, "more commit"))
	}
	return brief.Fence("git-sage, on "+texts.OneLine(p.Path, 200), b.String()), nil
}

func writeReason(b *strings.Builder, r *references.Reason) {
	what, id := r.Type, r.ID
	if r.Checkpoint {
		what, id = "checkpoint", brief.ShortID(r.ID)
	}
	fmt.Fprintf(b, "%s %s", what, texts.OneLine(id, 100))
	if r.From != "" {
		b.WriteString(" (" + r.From + ")")
	}
	fmt.Fprintf(b, ": %s [%s", texts.OneLine(r.Title, 240), texts.OneLine(r.Tie(), 300))
	if r.Outdated != "" {
		b.WriteString(", " + texts.OneLine(r.Outdated, 120))
	}
	fmt.Fprintf(b, ", %s]\n", r.Time.UTC().Format(time.DateOnly))
	if r.How == references.ByLines && r.Now.Diff != "" {
		for line := range strings.Lines(r.Now.Diff) {
			b.WriteString("  " + legible.Visible(strings.TrimRight(line, "\n")) + "\n")
		}
	}
}

var pathWithLines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+):(\d+(?:-\d+)?)$`) })

// placeOf reads a path and lines, which may stand behind it; a file of that very name goes
// first.
func placeOf(m *recall.Memory, path, line string) (p references.Place, err error) {
	if p.Path, err = m.Store.Repo.PathInside(path); err != nil {
		return p, fmt.Errorf("path: %v", err)
	}
	if f := pathWithLines().FindStringSubmatch(p.Path); f != nil && line == "" {
		if _, err := os.Lstat(filepath.Join(m.Store.Repo.Top(), filepath.FromSlash(p.Path))); err != nil {
			p.Path, line = f[1], f[2]
		}
	}
	p.First, p.Last, err = linesOf(line)
	return p, err
}

var lineNumbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,9})(?:-(\d{1,9}))?$`) })

// linesOf are the lines of an argument; zero is all.
func linesOf(text string) (first, last int, err error) {
	if text = strings.TrimSpace(text); text == "" {
		return 0, 0, nil
	}
	f := lineNumbers().FindStringSubmatch(text)
	if f != nil {
		first, _ = strconv.Atoi(f[1]) // of digits, and few
		last, _ = strconv.Atoi(cmp.Or(f[2], f[1]))
	}
	if first < 1 || last < first {
		return 0, 0, errors.New("line: want a line such as 42, or lines such as 40-55, counted from 1")
	}
	return first, last, nil
}
