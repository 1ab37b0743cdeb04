package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/page/onefile"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// exportFile writes checkpoints as one page, for somebody who has nothing installed.
func exportFile(ctx context.Context, a *app.App, m *recall.Memory, o *exportOptions) error {
	q := m.Session.Query()
	q.Line, q.All, q.Removed = o.line, o.all, true
	records, err := m.Store.Commits.Log(ctx, q)
	if err != nil {
		return err
	}
	records = history.Kept(records, func(r gitstore.Record) bool { return !r.Counts() })
	kept, held, err := leaving(ctx, m, o.line, records)
	if err != nil {
		return err
	}
	memory := onefile.Memory{Repository: filepath.Base(m.Store.Repo.Top()), Line: o.line}
	if !o.all && o.line == "" {
		memory.Line = m.Store.Session.CurrentLine()
	}
	if len(kept) == 0 {
		err := errors.New("nothing to export")
		if !o.all {
			err = fmt.Errorf("nothing to export on '%s'", memory.Line)
		}
		if len(held) > 0 {
			return exit.WithHint(fmt.Errorf("%w but what is private", err), "'git sage export --html %s --line %s' exports a private line", o.html, held[0])
		}
		return err
	}
	cs, err := m.Store.Commits.LoadAll(ctx, lists.Map(kept, func(r gitstore.Record) string { return r.ID }))
	if err != nil {
		return err
	}
	byID := map[string]gitstore.Record{}
	for _, r := range kept {
		byID[r.ID] = r
	}
	for _, c := range withoutWithheld(ctx, a, m, cs) {
		w := wire.CheckpointOf(c, nil)
		w.Parents, w.Names = byID[c.ID].Parents, byID[c.ID].Names
		w.Session, w.KnowledgeRecalled = "", nil // what they name is not in the file
		memory.Checkpoints = append(memory.Checkpoints, w)
	}
	var b bytes.Buffer
	if err := onefile.Write(&b, memory); err != nil {
		return err
	}
	if o.html == "-" {
		_, err := a.Out.Write(b.Bytes())
		return err
	}
	path := a.Path(o.html)
	if err := replaceFile(path, b.Bytes()); err != nil {
		return err
	}
	left := len(records) - len(kept)
	if a.JSON {
		return a.PrintJSON(map[string]any{"file": path, "checkpoints": len(memory.Checkpoints), "bytes": b.Len(), "private": left})
	}
	a.Say("exported %s to '%s'", legible.Count(len(memory.Checkpoints), "checkpoint"), path)
	if left > 0 {
		verb := "hold"
		if left == 1 {
			verb = "holds"
		}
		a.Say("left out %s that %s what is private on %s", legible.Count(left, "checkpoint"), verb, strings.Join(held, ", "))
	}
	return nil
}

// leaving are the records without what is private on lines that are not named, and without
// what was concluded from that: a merge holds what it merged. held are the lines. Records
// are listed children first.
func leaving(ctx context.Context, m *recall.Memory, named string, records []gitstore.Record) (out []gitstore.Record, held []string, err error) {
	private, err := m.Store.Repo.PrivateCheckpoints(ctx)
	if err != nil {
		return nil, nil, err
	}
	isHeld := func(line string) bool { return named != line && !strings.HasPrefix(named, line+"/") } // or a fork of it
	hidden := map[string]bool{}
	for _, r := range slices.Backward(records) {
		line, ok := private[r.ID]
		if ok = ok && isHeld(line); ok && !slices.Contains(held, line) {
			held = append(held, line)
		}
		if ok || slices.ContainsFunc(r.Parents, func(p string) bool { return hidden[p] }) {
			hidden[r.ID] = true
		}
	}
	slices.Sort(held)
	lines := m.Store.Repo.PrivateNames()
	for _, r := range records {
		if hidden[r.ID] {
			continue
		}
		r.Names = slices.DeleteFunc(slices.Clone(r.Names), func(n string) bool {
			return slices.ContainsFunc(lines, func(l string) bool { return (n == l || strings.HasPrefix(n, l+"/")) && isHeld(l) })
		})
		out = append(out, r)
	}
	return out, held, nil
}
