package checkpoints

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

// Load is what sage_load_checkpoint does.
func Load(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	thought, err := m.Store.Lines.Restore(ctx, c.Text("checkpoint_id"))
	unkept := ""
	if errors.Is(err, gitstore.ErrNotKept) {
		unkept, err = fmt.Sprintf("Warning: %s; the next save continues from where you were before.\n", texts.Error(err)), nil
	}
	if err != nil {
		return "", err
	}
	body, err := m.Templates.Brief(ctx, thought, recall.BriefOptions{Full: c.Flag("full")})
	if err != nil {
		return "", err
	}
	c.NoteShown(m, thought.ID)
	head := loaded(ctx, m, thought)
	if unkept != "" {
		head = fmt.Sprintf("Loaded %s.\n%s", brief.ShortID(thought.ID), unkept)
	}
	id := brief.ShortID(thought.ID)
	rest := "`git sage show " + id + "` prints all of it"
	if c.Flag("full") {
		body += saidLast(ctx, c, m, thought.ID, texts.MaxChars-texts.Size(head)-texts.Size(body)-2000)
		rest += ", and with --conversation the conversation"
	}
	return head + texts.Fenced("git-sage checkpoint "+id, body, texts.Size(head), rest), nil
}

// mostSaid is how much of a conversation is put behind a checkpoint: some 6,000 tokens.
const mostSaid = 24_000

// saidLast is the end of the conversation that led to a checkpoint, if that is kept and
// there is room.
func saidLast(ctx context.Context, c *tool.Call, m *recall.Memory, id string, room int) string {
	if room < 1000 {
		return ""
	}
	said, err := m.Session.LatestSaid(ctx, id, min(room, mostSaid), texts.Sentence)
	if err != nil {
		c.Client.Logf("conversation of %s: %v", brief.ShortID(id), err)
	}
	if said == "" {
		return ""
	}
	return "\n\n" + said
}

// loaded says what loading did.
func loaded(ctx context.Context, m *recall.Memory, c *sage.Checkpoint) string {
	var b strings.Builder
	st, err := m.Store.Status(ctx)
	if err != nil {
		return fmt.Sprintf("Loaded %s. The next save continues it.\n", brief.ShortID(c.ID))
	}
	fmt.Fprintf(&b, "Loaded %s. This session is on line %s, and its next save continues this checkpoint", brief.ShortID(c.ID), st.Line)
	if st.Detached {
		b.WriteString(", as a fork, since it is not the newest of the line")
	}
	b.WriteString(".\n")
	if st.Lost != nil {
		fmt.Fprintf(&b, "Nothing can be saved there until the user fixes this: %s.\n", legible.OneLine(texts.Error(st.Lost)))
	}
	Forks(&b, st)
	return b.String()
}

// Forks names what waits to be merged.
func Forks(b *strings.Builder, st gitstore.Status) {
	const most = 10
	for i, f := range st.Forks {
		if i == most {
			fmt.Fprintf(b, "And %d more forks: sage_list_checkpoints(all: true).\n", len(st.Forks)-most)
			break
		}
		name := provenance.RefName(f.Name, f.Tip)
		fmt.Fprintf(b, "Open fork %s of line %s%s: sage_merge(checkpoint_id: %q, thesis: ...) merges it.\n", name, f.Of, by(f.Latest), name)
	}
	for i, l := range st.Merged {
		if i == most {
			break
		}
		fmt.Fprintf(b, "Git branch %s is merged into %s: sage_merge(checkpoint_id: %q) merges its line%s.\n", texts.OneLine(l.Branch, 100), texts.OneLine(st.Head(), 100), l.Name, by(l.Latest))
	}
	for i, u := range st.Unsettled {
		if i == most {
			break
		}
		fmt.Fprintf(b, "Merge %s on %s needs a synthesis: sage_merge(thesis: ...) settles it, on its line.\n", brief.ShortID(u.ID), strings.Join(u.Names, ", "))
	}
}

func by(r *gitstore.Record) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf(" (%s: %s)", provenance.ByShort(*r), texts.OneLine(provenance.Said(r.Own, r.Description), 72))
}
