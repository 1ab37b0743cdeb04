package draft

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/editor"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/ingest"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/recall"
)

// draftText is what the editor shows: the checkpoint as it would be stored, with
// places to write for what it lacks, also of the template's own fields.
func draftText(c *sage.Checkpoint, own []template.Field) string {
	if isEmpty(c) && c.Skill == "" && c.Template == "" {
		return blankDraft
	}
	c = c.Clone()
	for _, f := range own {
		if _, ok := c.Fields[f.Name]; !ok {
			if c.Fields == nil {
				c.Fields = map[string]any{}
			}
			c.Fields[f.Name] = ""
		}
	}
	return withPlaces(string(codec.Marshal(c)), c)
}

// withPlaces adds the parts of blankDraft that text lacks, in their order.
func withPlaces(text string, c *sage.Checkpoint) string {
	head, body, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if c.Confidence == nil {
		head = strings.Replace(head, "type: checkpoint", "type: checkpoint\nconfidence:", 1)
	}
	if c.CoreQuestion == "" {
		body = "\n# \n" + body
	}
	next := ""
	for _, h := range slices.Backward(regexp.MustCompile(`(?m)^## .*$`).FindAllString(blankDraft, -1)) {
		if !hasLine(body, h) {
			body = insertBefore(body, next, h+"\n\n\n")
		}
		next = h
	}
	return "---\n" + head + "\n---\n" + body
}

func hasLine(text, line string) bool { return strings.Contains("\n"+text, "\n"+line+"\n") }

// insertBefore puts part before the line next, or at the end if next is "".
func insertBefore(text, next, part string) string {
	if next == "" {
		return strings.TrimRight(text, "\n") + "\n\n" + part
	}
	return strings.Replace(text, "\n"+next+"\n", "\n"+part+next+"\n", 1)
}

// withoutEmpty drops fields of a template that were left empty.
func withoutEmpty(c *sage.Checkpoint) {
	maps.DeleteFunc(c.Fields, func(_ string, v any) bool { return v == nil || v == "" })
}

// blankDraft is a checkpoint with nothing in it but places to write.
const blankDraft = `---
type: checkpoint
trigger: manual
confidence:
---

# 

## Thesis


## Key Evidence


## Reasoning Trace


## Open Questions


## Sources


## Tensions


## Unique Contributions

`

const editHelp = `
Write the core question after '#', the position you hold under Thesis, and one
'- ' line for each item of a list. Empty parts are left out. An empty checkpoint
aborts.

- confidence: 0.0 to 1.0
- trigger: manual, synthesis, branch-point, constraint-discovered, topic-shift,
  user-validated, handoff, ...
- a source: - **id** (document): what it says — _supports_
- a tension: - **a** vs **b**: what they disagree on — _unresolved_
- a unique contribution: - **discovery**: what you found
`

// keptFromInterrupt keeps what is being saved in a file if somebody interrupts that, and
// says how to go on. It does so at once: what the save waits for may not end. done is to
// be called behind it.
func keptFromInterrupt(ctx context.Context, a *app.App, m *recall.Memory, c *sage.Checkpoint) (done func(saved bool)) {
	var b *editor.Buffer
	over := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(over)
		var err error
		if b, err = editor.New(m.Store.Repo.Folder(), string(codec.Marshal(c)), ""); err != nil {
			a.Warn("your input cannot be kept: %v", err)
			return
		}
		a.Hint("nothing was saved; your input is kept: git sage save -F '%s'", b.Path)
	})
	return func(saved bool) {
		if stop() {
			return
		}
		<-over
		if saved && b != nil { // the interrupt came too late
			b.Remove()
			a.Say("it was saved after all")
		}
	}
}

// Parse reads what a person, an agent or a program wrote. A word or number
// that is not allowed is judged by the save, for an option may still replace it.
// Where the text was in another store is not where it is in this one.
func Parse(data []byte) (*sage.Checkpoint, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return &sage.Checkpoint{}, nil
	}
	c, err := ingest.Parse(data, "")
	if c == nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if c.ID != "" {
		c.Extra = withoutCommit(c.Extra)
	}
	c.ID, c.Parents, c.Author = "", nil, ""
	return c, nil
}

// withoutCommit takes out of the unknown keys of what `show --json` printed
// those that tell of its commit, and puts those in that it had itself.
func withoutCommit(extra []sage.Entry) []sage.Entry {
	var out []sage.Entry
	for _, e := range extra {
		own, isMap := e.Value.(map[string]any)
		switch {
		case e.Key == "author", e.Key == "names", e.Key == "removed":
		case e.Key == "extra" && isMap:
			for _, k := range slices.Sorted(maps.Keys(own)) {
				out = append(out, sage.Entry{Key: k, Value: own[k]})
			}
		default:
			out = append(out, e)
		}
	}
	return out
}
