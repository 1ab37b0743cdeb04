package checkpoints

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/ingest"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/save"
)

func runSave(ctx context.Context, c *tool.Call) (string, error) {
	c.GatherOwn()
	thought, err := checkpointOf(c, tool.NotStored...)
	if err != nil {
		return "", err
	}
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	before := m.Store.Session.CurrentLine()
	saved, err := m.Save.Checkpoint(ctx, save.Note{
		Template: c.Text("template"),
		Draft: gitstore.Draft{
			Checkpoint: *thought, Line: c.Text("line"), Parent: c.Text("continues"),
			Automatic: true, NoCode: !c.Flag("auto_code_context"), ByHand: true,
		},
	})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Saved %s on %s: %s\n", brief.ShortID(saved.ID), saved.RefName(), texts.OneLine(saved.Description, 100))
	if saved.Follows != "" {
		fmt.Fprintf(&b, "It continues %s: %s\n", brief.ShortID(saved.Follows), provenance.DatedByline(saved.Followed, m.Stores.Now())+texts.OneLine(provenance.Said(saved.Followed.Own, saved.Continues), 100))
	} else {
		fmt.Fprintf(&b, "It is the first on its line.\n")
	}
	if saved.Line != before {
		fmt.Fprintf(&b, "This session is on line %s now; sage_load_checkpoint(checkpoint_id: %q) goes back to %s.\n", saved.Line, before, before)
	}
	b.WriteString(files(saved))
	aftermath(&b, saved)
	return b.String(), nil
}

// checkpointOf is what the arguments say, but for those left out.
func checkpointOf(c *tool.Call, without ...string) (*sage.Checkpoint, error) {
	fields := map[string]any{}
	for k, v := range c.Args {
		fields[k] = v
	}
	for _, k := range without {
		delete(fields, k)
	}
	b, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	thought, err := ingest.Parse(b, "json")
	if err != nil {
		return nil, err
	}
	thought.Agent = c.Client.AgentName()
	return thought, nil
}

// files says how much code the checkpoint points to.
func files(s gitstore.Saved) string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{s.Explored, "file"}, {s.Changed, "file"}, {s.CodeRefs, "code reference"}} {
		parts = append(parts, legible.Count(p.n, p.what))
	}
	return fmt.Sprintf("With %s explored, %s changed, %s.\n", parts[0], parts[1], parts[2])
}

// aftermath says what one would not expect of a save.
func aftermath(b *strings.Builder, s gitstore.Saved) {
	if len(s.Redacted) > 0 {
		fmt.Fprintf(b, "Redacted before writing: %s. Do not save secrets.\n", texts.Redacted(s.Redacted))
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(b, "Warning: %s\n", texts.OneLine(texts.Note(w), 300))
	}
	if s.Unsettling {
		b.WriteString("To settle it, call sage_merge(thesis: ...), which keeps what both sides hold.\n")
	}
	if s.Forked {
		fmt.Fprintf(b, "FORKED: %s moved on since this session last saw it, so this was saved as fork %s. Nothing is lost. "+
			"Call sage_diff(from: %q, to: %q), then sage_merge(checkpoint_id: %q, thesis: ...) to merge both, and tell the user.\n",
			s.Line, s.RefName(), s.Line, s.RefName(), s.RefName())
	}
}
