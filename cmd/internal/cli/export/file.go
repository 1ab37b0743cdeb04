package export

import (
	"bytes"
	"context"
	"path/filepath"

	"github.com/git-sage/git-sage/cmd/internal/app"
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
	records, left, err := toExport(ctx, m, o)
	if err != nil {
		return err
	}
	kept := history.Kept(records, func(r gitstore.Record) bool { return !r.Counts() })
	memory := onefile.Memory{Repository: filepath.Base(m.Store.Repo.Top()), Line: o.line}
	if !o.all && o.line == "" {
		memory.Line = m.Store.Session.CurrentLine()
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
		memory.Checkpoints = append(memory.Checkpoints, onefile.Checkpoint{Checkpoint: w, Thought: c})
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
	b.WriteString(pageEnd(b.Bytes()))
	if err := writePage(path, o.html, b.Bytes(), o.force); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"file": path, "checkpoints": len(memory.Checkpoints), "bytes": b.Len(), "private": left.checkpoints})
	}
	a.Say("exported %s to '%s'", legible.Count(len(memory.Checkpoints), "checkpoint"), path)
	left.say(a)
	return nil
}
