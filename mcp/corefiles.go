package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

func runMarkCore(ctx context.Context, c *call) (string, error) {
	m, err := c.memory(ctx)
	if err != nil {
		return "", err
	}
	file := inRepository(m, c.text("path"))
	if err := m.Store.MarkCore(ctx, file, c.text("summary")); err != nil {
		return "", coreError(err)
	}
	text := fmt.Sprintf("Marked %s: a session begins with it.", oneLine(file, 200))
	if top := m.Store.Top(); top != "" {
		if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(file))); err != nil {
			text += " Warning: there is no such file in the work tree now."
		}
	}
	return text, nil
}

// inRepository makes the path of a file relative to the repository's root, if it is
// one below it: agents know files by absolute paths.
func inRepository(m *recall.Memory, file string) string {
	file = strings.TrimSpace(file)
	top := m.Store.Top()
	if top == "" || !filepath.IsAbs(file) {
		return file
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		real = file
	}
	for _, f := range []string{file, real} {
		if rel, err := filepath.Rel(top, f); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return file
}

func runUnmarkCore(ctx context.Context, c *call) (string, error) {
	m, err := c.memory(ctx)
	if err != nil {
		return "", err
	}
	file := inRepository(m, c.text("path"))
	if err := m.Store.UnmarkCore(ctx, file); err != nil {
		return "", coreError(err)
	}
	return fmt.Sprintf("Unmarked %s.", oneLine(file, 200)), nil
}

// coreError says of a path that is none, or not marked, what to do.
func coreError(err error) error {
	var no *gitstore.NoItemError
	switch {
	case errors.As(err, &no):
		return fmt.Errorf("%v. sage_list_core lists those that are marked", err)
	case errors.Is(err, gitstore.ErrName):
		return fmt.Errorf("path: %v", err)
	}
	return err
}

func runListCore(ctx context.Context, c *call) (string, error) {
	m, err := c.memory(ctx)
	if err != nil {
		return "", err
	}
	if p := strings.TrimSpace(c.text("project")); p != "" && p != m.Project() {
		return fmt.Sprintf("This is the memory of %s; it knows no core file of another project.", m.Project()), nil
	}
	files, err := m.Store.CoreFiles(ctx)
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "No file is marked. sage_mark_core marks one.", nil
	}
	var b strings.Builder
	for _, f := range files {
		b.WriteString(oneLine(f.Path, 500))
		if f.Summary != "" {
			b.WriteString(": " + oneLine(f.Summary, 300))
		}
		if f.Conflict {
			b.WriteString(" [conflict: a merge left several summaries; sage_mark_core settles it]")
		}
		b.WriteByte('\n')
	}
	return fenced("git-sage core files", b.String(), 0, "`git sage core list` names all"), nil
}
