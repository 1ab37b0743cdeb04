package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

// maxQuery is how much of a query is looked at; the model for prose reads 512 tokens.
const maxQuery = 8 << 10

// Recall is what sage_recall_knowledge does.
func Recall(ctx context.Context, c *tool.Call) (string, error) {
	m, found, err := Recalled(ctx, c, false)
	if err == nil {
		err = putNamed(ctx, c, m, found)
	}
	if err != nil {
		return "", err
	}
	concluded := m.Prompts.ConclusionText(found.Conclusions, "sage_load_checkpoint")
	if len(found.Items) == 0 && concluded == "" {
		return nothingFits(found) + provenance.WithheldNote(found.Withheld), nil
	}
	items, room := found.Items, texts.MaxChars-500-texts.Size(concluded)
	text := m.Prompts.Text(ctx, items)
	for ; texts.Size(text) > room && len(items) > 1; text = m.Prompts.Text(ctx, items) {
		items = items[:len(items)-1]
	}
	if len(items) > 0 && texts.Size(text) > room {
		text = texts.Fenced("git-sage knowledge", Trust(ctx, m, items[0].Known)+items[0].Item.Text(), 500, fmt.Sprintf("`git sage knowledge show %s` prints all of it", items[0].Item.ID))
	}
	c.NoteGiven(m, items)
	c.NoteConcluded(m, found.Conclusions)
	text = strings.TrimSpace(text + "\n" + concluded)
	if found.Weak() {
		text = "No good match. The nearest, weak:\n" + text
	}
	text += linkedText(ctx, m, items)
	left := ""
	if n := len(found.Items) - len(items); n > 0 {
		left = fmt.Sprintf("\n%s more did not fit: ask for fewer at once.", legible.Count(n, "item"))
	}
	return text + left + WordsAlone(found) + provenance.WithheldNote(found.Withheld), nil
}

// Recalled asks for what fits the arguments query and skill, to explain it also for what
// fits and may not be recalled.
func Recalled(ctx context.Context, c *tool.Call, explain bool) (*recall.Memory, *prompts.Recall, error) {
	query, err := Query(c)
	if err != nil {
		return nil, nil, err
	}
	m, err := c.Memory(ctx)
	if err != nil {
		return nil, nil, err
	}
	found, err := m.Prompts.Recall(ctx, query, prompts.RecallOptions{Skill: c.Text("skill"), Asked: !explain, Explain: explain, Checkpoints: !explain})
	return m, found, err
}

// Query is the argument of that name, as much of it as is looked at.
func Query(c *tool.Call) (string, error) {
	query := strings.TrimSpace(c.Text("query"))
	if query == "" {
		return "", errors.New("query: must not be empty")
	}
	return strings.ToValidUTF8(query[:min(maxQuery, len(query))], ""), nil
}

// putNamed puts the item whose id the query is before what else fits, whatever its status; what
// would only come nearest is not wanted then.
func putNamed(ctx context.Context, c *tool.Call, m *recall.Memory, found *prompts.Recall) error {
	id := strings.TrimSpace(c.Text("query"))
	if naming.NameProblem(id) != "" {
		return nil
	}
	k, err := m.Knowledge.Item(ctx, id)
	if errors.Is(err, gitstore.ErrNotFound) {
		return namedCheckpoint(ctx, m, id, found)
	}
	if err == nil {
		err = k.Err
	}
	found.Conclusions = slices.DeleteFunc(found.Conclusions, func(c prompts.Conclusion) bool { return c.Weak })
	rest := slices.DeleteFunc(found.Items, func(r search.Recalled) bool { return r.Item.ID == id || r.Weak })
	found.Items = append([]search.Recalled{{Known: k}}, rest...)
	return err
}

// shortestID is the length of the shortest id of a checkpoint that is taken for one.
const shortestID = 7

// namedCheckpoint answers with the checkpoint whose id the query is, and nothing else.
func namedCheckpoint(ctx context.Context, m *recall.Memory, id string, found *prompts.Recall) error {
	if len(id) < shortestID || strings.Trim(id, "0123456789abcdef") != "" {
		return nil
	}
	named, err := m.Prompts.Conclusion(ctx, id)
	if errors.Is(err, gitstore.ErrNotFound) {
		return nil
	}
	found.Items, found.Conclusions = nil, []prompts.Conclusion{named}
	return err
}

// linkedText says how items that are shown stand to others, by id alone.
func linkedText(ctx context.Context, m *recall.Memory, items []search.Recalled) string {
	var b strings.Builder
	for _, r := range items {
		if r.Item.Status == sage.Archived || r.Item.Status == sage.Done {
			fmt.Fprintf(&b, "\n%s is %s: it is recalled only by its id.", r.Item.ID, texts.OneLine(string(r.Item.Status), 20))
		}
		b.WriteString(LinksText(ctx, m, r.Known))
	}
	return texts.Fit(b.String(), 400, "sage://knowledge/<id> has all")
}

// LinksText are the links of an item from both ends, in a line; "" if there are none.
func LinksText(ctx context.Context, m *recall.Memory, k recall.Known) string {
	if k.Own {
		return ""
	}
	list, err := m.Knowledge.LinksAround(ctx, k)
	if err != nil || len(list) == 0 {
		return ""
	}
	var parts []string
	for _, l := range list {
		if gitstore.CheckName(l.ID) != nil { // free text, which is not for outside of the fence
			continue
		}
		s := linkWord(l.Kind) + " " + l.ID
		if l.Missing {
			s += " (missing)"
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("\nLinks of %s: %s.", k.Item.ID, strings.Join(parts, ", "))
}

// linkWord is how an item stands to another, if it is a word of ours.
func linkWord(k sage.LinkKind) string {
	switch k {
	case sage.Related, sage.Supersedes, sage.Contradicts, sage.Extends, gitstore.SupersededBy, gitstore.ContradictedBy,
		gitstore.ExtendedBy, gitstore.ReplacedBy, gitstore.Replaces:
		return string(k)
	}
	return "linked with"
}

func nothingFits(found *prompts.Recall) string {
	text := "Nothing fits."
	if len(found.Near) > 0 {
		text += " sage_debug_query shows what nearly fits; sage_list_knowledge lists the items."
	}
	return text + WordsAlone(found)
}

// WordsAlone says so if no model compared meanings, else nothing.
func WordsAlone(found *prompts.Recall) string {
	return WordsNote(found.Words)
}

// WordsNote is what is said then.
func WordsNote(words bool) string {
	if words {
		return "\nOnly words were compared, without a model: other words may find more."
	}
	return ""
}

// Trust is a paragraph about who wrote something, if that was not here.
func Trust(ctx context.Context, m *recall.Memory, k recall.Known) string {
	if t := m.Provenance.Trust(ctx, k); t != "" {
		return "[" + t + "]\n\n"
	}
	return ""
}
