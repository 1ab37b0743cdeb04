package upkeep

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall/provenance"
)

func runMarkCore(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	file, err := m.Store.Repo.PathInside(strings.TrimSpace(c.Text("path")))
	if err == nil {
		err = m.Store.Knowledge.MarkCore(ctx, file, c.Text("summary"))
	}
	if err != nil {
		return "", coreError(err)
	}
	text := fmt.Sprintf("Marked %s: every session begins with it.", texts.OneLine(file, 200))
	if now := m.Store.Repo.RefStates(ctx, []sage.CodeRef{{File: file}}); now[0].State == sage.RefGone {
		text += " Warning: there is no such file in the work tree."
	}
	return text, nil
}

func runUnmarkCore(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	file := strings.TrimSpace(c.Text("path"))
	if err := m.Store.Knowledge.UnmarkCore(ctx, file); err != nil {
		return "", coreError(err)
	}
	if clean, err := m.Store.Repo.PathInside(file); err == nil {
		file = clean
	}
	return fmt.Sprintf("Unmarked %s.", texts.OneLine(file, 200)), nil
}

// coreError says of a path that is none, or not marked, what to do.
func coreError(err error) error {
	var no *gitstore.NoItemError
	switch {
	case errors.As(err, &no):
		return fmt.Errorf("%v. sage_list_core lists the marked files", err)
	case errors.Is(err, gitstore.ErrPath):
		return fmt.Errorf("path: %v", err)
	}
	return err
}

func runListCore(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	if p := m.Project.NameOf(c.Text("project")); p != "" && p != m.Project.Name() {
		return fmt.Sprintf("This is the memory of %s; it has no core files of other projects.", m.Project.Name()), nil
	}
	files, err := m.Store.Knowledge.CoreFiles(ctx)
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "No file is marked. sage_mark_core marks one.", nil
	}
	var b strings.Builder
	withheld := 0
	for _, f := range files {
		if m.Provenance.WithholdsCore(f) {
			withheld++
			continue
		}
		b.WriteString(texts.OneLine(f.Path, 500))
		if !f.Own {
			b.WriteString(" (" + provenance.UnconfirmedShort("") + ")")
		}
		if f.Summary != "" {
			b.WriteString(": " + texts.OneLine(f.Summary, 300))
		}
		if f.Conflict {
			b.WriteString(" [conflict: a merge left several summaries; sage_mark_core settles it]")
		}
		b.WriteByte('\n')
	}
	return texts.Fenced("git-sage core files", b.String(), 0, "`git sage core list` names all") + provenance.WithheldNote(withheld), nil
}
