package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/ingest"
	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/save"
)

// notStored are arguments that say how to save, not what.
var notStored = []string{"line", "continues", "auto_code_context", "template"}

// ownFields are arguments for those fields of the template that a call names which the
// tool has no argument for.
func (c *call) ownFields(ctx context.Context, params []arg.Param, given map[string]any) (own []arg.Param) {
	name, _ := given["template"].(string)
	known := func(field string) bool {
		return slices.ContainsFunc(params, func(p arg.Param) bool { return p.Name == field })
	}
	unknown := slices.DeleteFunc(slices.Collect(maps.Keys(given)), known)
	if strings.TrimSpace(name) == "" || len(unknown) == 0 {
		return nil
	}
	m, err := c.memory(ctx)
	if err != nil { // the save says so itself
		return nil
	}
	set, _ := m.Templates(ctx)
	t, err := set.Lookup(name)
	if err != nil {
		return nil
	}
	for _, f := range t.Own() {
		if !known(f.Name) {
			own = append(own, arg.Param{Name: f.Name, Kind: arg.Any})
		}
	}
	c.own = own
	return own
}

// gatherOwn puts arguments that are fields of the template among its fields.
func (c *call) gatherOwn() {
	fields, _ := c.args["fields"].(map[string]any)
	fields = maps.Clone(fields)
	for _, p := range c.own {
		v, given := c.args[p.Name]
		if delete(c.args, p.Name); !given {
			continue
		}
		if fields == nil {
			fields = map[string]any{}
		}
		if _, there := fields[p.Name]; !there {
			fields[p.Name] = v
		}
	}
	if fields != nil {
		c.args["fields"] = fields
	}
}

func runSave(ctx context.Context, c *call) (string, error) {
	c.gatherOwn()
	thought, err := checkpointOf(c, notStored...)
	if err != nil {
		return "", err
	}
	m, err := c.memory(ctx)
	if err != nil {
		return "", err
	}
	saved, err := m.Save(ctx, save.Note{
		Template: c.text("template"),
		Draft: gitstore.Draft{
			Checkpoint: *thought, Line: c.text("line"), Parent: c.text("continues"),
			Automatic: true, NoCode: !c.flag("auto_code_context"), ByHand: true,
		},
	})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Saved %s on %s: %s\n", brief.ShortID(saved.ID), refName(saved), texts.OneLine(saved.Description, 100))
	if saved.Follows != "" {
		fmt.Fprintf(&b, "It continues %s: %s\n", brief.ShortID(saved.Follows), provenance.Byline(saved.Followed)+texts.OneLine(saved.Continues, 100))
	} else {
		fmt.Fprintf(&b, "It is the first on its line.\n")
	}
	b.WriteString(files(saved))
	aftermath(&b, saved)
	return b.String(), nil
}

// checkpointOf is what the arguments say, but for those left out.
func checkpointOf(c *call, without ...string) (*sage.Checkpoint, error) {
	fields := map[string]any{}
	for k, v := range c.args {
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
	thought.Agent = c.client.agentName()
	return thought, nil
}

// files says how much code the checkpoint points to.
func files(s gitstore.Saved) string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{s.Explored, "file"}, {s.Changed, "file"}, {s.CodeRefs, "code reference"}} {
		parts = append(parts, texts.Plural(p.n, p.what))
	}
	return fmt.Sprintf("With %s explored, %s changed, %s.\n", parts[0], parts[1], parts[2])
}

// aftermath says what one would not expect of a save.
func aftermath(b *strings.Builder, s gitstore.Saved) {
	if len(s.Redacted) > 0 {
		fmt.Fprintf(b, "Redacted before writing: %s. Do not save secrets.\n", redacted(s.Redacted))
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(b, "Warning: %s\n", texts.OneLine(w, 300))
	}
	if s.Unsettling {
		b.WriteString("Call sage_merge(thesis: ...) to keep what both sides hold, and tell the user.\n")
	}
	if s.Forked {
		fmt.Fprintf(b, "FORKED: %s moved on since this session last saw it, so this was saved as fork %s. Nothing is lost. "+
			"Call sage_diff(from: %q, to: %q), then sage_merge(checkpoint_id: %q, thesis: ...) to merge both, and tell the user.\n",
			s.Line, refName(s), s.Line, refName(s), refName(s))
	}
}

// refName is the line or fork that holds s, as people write it.
func refName(s gitstore.Saved) string {
	for _, prefix := range []string{"refs/sage/heads/", "refs/sage/forks/"} {
		if name, ok := strings.CutPrefix(s.Ref, prefix); ok {
			return name
		}
	}
	return s.Line
}

// redacted says what was taken out, by rule, never the value.
func redacted(found []redact.Finding) string {
	parts := make([]string, 0, len(found))
	for _, f := range found {
		parts = append(parts, fmt.Sprintf("%s (%d)", f.Rule, f.Count))
	}
	return strings.Join(parts, ", ")
}
