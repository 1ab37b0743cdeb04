package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/ingest"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/similarity"
)

func runSaveKnowledge(ctx context.Context, c *tool.Call) (string, error) {
	if err := needText(c, "content"); err != nil {
		return "", err
	}
	refs, err := codeRefs(c)
	if err != nil {
		return "", err
	}
	it := &sage.Item{
		ID: c.Text("knowledge_id"), Type: sage.TypeOf(c.Text("item_type")), Content: c.Text("content"),
		Keywords: c.List("keywords"), Patterns: c.List("patterns"), When: c.List("when"), Source: c.Text("source"),
		Scope: sage.Scope{Skills: skillsOf(c), Paths: c.List("paths"), Always: c.Flag("always")},
		Links: links(sage.Supersedes, c.List("supersedes")), CodeRefs: refs,
	}
	if c.Flag("private") {
		if c.Flag("shared") {
			return "", errors.New("shared and private: give one of them")
		}
		it.SetPrivate(true)
	}
	change := recall.ItemChange{ItemChange: gitstore.ItemChange{Item: it, Replace: c.Flag("replace")}, Shared: c.Flag("shared"), Targets: targets(it)}
	text, err := writeItems(ctx, c, "Saved", change)
	if errors.Is(err, gitstore.ErrExists) {
		return "", fmt.Errorf("%w. sage_update_knowledge changes it; replace: true replaces it", err)
	}
	if err != nil {
		return "", err
	}
	return text + "It is recalled when a prompt fits it; sage_debug_query shows whether one does.", nil
}

// codeRefs are those of the argument, as a checkpoint has them.
func codeRefs(c *tool.Call) ([]sage.CodeRef, error) {
	if !c.Given("code_refs") {
		return nil, nil
	}
	b, err := json.Marshal(map[string]any{"code_refs": c.Args["code_refs"]})
	if err != nil {
		return nil, err
	}
	given, err := ingest.Parse(b, "json")
	if err != nil {
		return nil, err
	}
	return given.CodeRefs, nil
}

// needText refuses texts that say nothing.
func needText(c *tool.Call, fields ...string) error {
	var errs []error
	for _, name := range fields {
		if strings.TrimSpace(c.Text(name)) == "" {
			errs = append(errs, fmt.Errorf("%s: must not be empty", name))
		}
	}
	return errors.Join(errs...)
}

// skillsOf are those of the argument skill, which is one or none.
func skillsOf(c *tool.Call) []string {
	if s := strings.TrimSpace(c.Text("skill")); s != "" {
		return []string{s}
	}
	return nil
}

func links(kind sage.LinkKind, to []string) (out []sage.Link) {
	for _, id := range to {
		if id = strings.TrimSpace(id); id != "" {
			out = append(out, sage.Link{Kind: kind, To: id})
		}
	}
	return out
}

func runUpdateKnowledge(ctx context.Context, c *tool.Call) (string, error) {
	empty := false
	for _, name := range []string{"content", "source", "skill"} { // an empty text leaves what is there
		if c.Given(name) && strings.TrimSpace(c.Text(name)) == "" {
			delete(c.Args, name)
			empty = empty || name == "content"
		}
	}
	switch {
	case len(c.Args) < 2 && empty:
		return "", errors.New("content: must not be empty; sage_archive_knowledge archives the item")
	case len(c.Args) < 2:
		return "", fmt.Errorf("nothing to change: give at least one of %s", arg.Names(updateKnowledgeTool().Params[1:]))
	}
	return editItem(ctx, c, c.Text("knowledge_id"), "Updated", nil, func(it *sage.Item) error {
		applyTo(c, it)
		return nil
	})
}

// applyTo gives an item what arguments say. An empty list, or none for a source or skill,
// takes away what is there.
func applyTo(c *tool.Call, it *sage.Item) {
	for name, list := range map[string]*[]string{"keywords": &it.Keywords, "patterns": &it.Patterns, "when": &it.When, "paths": &it.Scope.Paths} {
		if c.Given(name) {
			*list = c.List(name)
		}
	}
	for name, text := range map[string]*string{"content": &it.Content, "source": &it.Source} {
		if c.Given(name) {
			*text = c.Text(name)
		}
	}
	if c.Given("skill") {
		it.Scope.Skills = skillsOf(c)
	}
	if sage.IsNone(c.Text("skill")) {
		it.Scope.Skills = nil
	}
	if sage.IsNone(it.Source) {
		it.Source = ""
	}
	if c.Given("always") {
		it.Scope.Always = c.Flag("always")
	}
	if s := sage.Status(c.Text("status")); s != "" {
		it.Status, it.Reason, it.Replacement = s, "", ""
	}
}

func runRecordFailure(ctx context.Context, c *tool.Call) (string, error) {
	if err := needText(c, "approach", "why_failed", "learned"); err != nil {
		return "", err
	}
	it := &sage.Item{
		ID: c.Text("failure_id"), Type: sage.Failure, Keywords: c.List("keywords"),
		Approach: c.Text("approach"), WhyFailed: c.Text("why_failed"), Learned: c.Text("learned"),
		Scope: sage.Scope{Skills: skillsOf(c)}, Links: links(sage.Related, c.List("related_to")),
	}
	text, err := writeItems(ctx, c, "Recorded", recall.ItemChange{ItemChange: gitstore.ItemChange{Item: it}, Targets: targets(it)})
	if errors.Is(err, gitstore.ErrExists) {
		return "", fmt.Errorf("%w. Choose another id, or sage_remove_knowledge first", err)
	}
	if err != nil {
		return "", err
	}
	return text + "It is recalled when somebody is about to try it again.", nil
}

// targets are what a new item is linked to.
func targets(it *sage.Item) (ids []string) {
	for _, l := range it.Links {
		ids = append(ids, l.To)
	}
	return ids
}

func nonEmpty(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}

// editItem changes one item, whatever it is by now; targets are what it points to then.
func editItem(ctx context.Context, c *tool.Call, id, did string, targets []string, change func(*sage.Item) error) (string, error) {
	return writeItems(ctx, c, did, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: id, Edit: change}, Targets: targets})
}

// isID refuses what is no id of an item of knowledge: what is pinned, and the texts of
// skillsOf, have keys with a slash and are the person's to change.
func isID(id string) error {
	why := naming.NameProblem(id)
	if why == "" {
		return nil
	}
	example := ""
	if s := naming.SuggestName(id); s != "" {
		example = "; '" + s + "' would do"
	}
	return fmt.Errorf("%w '%s': %s%s", gitstore.ErrName, texts.OneLine(id, 60), why, example)
}

// writeItems makes changes and says what became of them.
func writeItems(ctx context.Context, c *tool.Call, did string, changes ...recall.ItemChange) (string, error) {
	asked := map[string]bool{}
	for _, ch := range changes {
		if ch.Item != nil {
			ch.Key = ch.Item.ID
		}
		if err := isID(ch.Key); err != nil {
			return "", err
		}
		asked[ch.Key] = true
	}
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	written, err := m.Write.Items(ctx, "", changes...)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, w := range written {
		tellWritten(&b, did, w, asked)
	}
	if b.Len() == 0 {
		b.WriteString("Nothing changed: it already says so.\n")
	}
	return b.String(), nil
}

// tellWritten says what became of changes in one store. What was not asked for, such
// as the status of an item that another supersedes, is told after it.
func tellWritten(b *strings.Builder, did string, w recall.Written, asked map[string]bool) {
	where := "in this repository"
	if w.Own {
		where = "in the user's own store, for every project"
	}
	for _, e := range w.Items {
		if asked[e.Item.ID] {
			where := where
			if e.Item.IsPrivate() {
				where = "in this clone alone"
			}
			fmt.Fprintf(b, "%s %s %s %s (%s%s).\n", did, texts.OneLine(e.Item.Type.Kind(), 20), texts.OneLine(e.Item.ID, 100), where, legible.Count(e.Item.Tokens(), "token"), triggersText(e.Item))
		}
	}
	for _, id := range w.Removed {
		fmt.Fprintf(b, "%s %s %s. Its history keeps it: `git sage knowledge log %s`.\n", did, id, where, id)
	}
	for _, e := range w.Items {
		if !asked[e.Item.ID] {
			fmt.Fprintf(b, "%s is now %s.\n", texts.OneLine(e.Item.ID, 100), texts.OneLine(string(e.Item.Status), 20))
		}
	}
	if len(w.Redacted) > 0 {
		fmt.Fprintf(b, "Redacted before writing: %s. Do not save secrets.\n", texts.Redacted(w.Redacted))
	}
	for _, s := range w.Warnings {
		fmt.Fprintf(b, "Warning: %s\n", texts.OneLine(texts.Note(s), 300))
	}
	for _, id := range w.Conflicts {
		fmt.Fprintf(b, "CONFLICT: somebody else changed %s, and it now has several versions. sage_recall_knowledge shows them; settle it with sage_update_knowledge, and tell the user.\n", id)
	}
	tellNear(b, w.Near)
}

// tellNear names what an item repeats or may contradict, and what to do about it.
func tellNear(b *strings.Builder, near []similarity.Near) {
	var titles strings.Builder
	for _, n := range near {
		id := texts.OneLine(n.Item.ID, 100)
		if n.Differs == "" {
			fmt.Fprintf(b, "%s says nearly the same. If %s replaces it: sage_link_knowledge %s supersedes %s; else sage_remove_knowledge %s.\n", id, n.To, n.To, id, n.To)
		} else {
			fmt.Fprintf(b, "Possible contradiction: %s differs (%s). sage_link_knowledge %s supersedes %s if this one is right; contradicts if you cannot tell, and ask the user.\n", id, n.Differs, n.To, id)
		}
		if n.From != "" {
			id += " (" + n.From + ")"
		}
		fmt.Fprintf(&titles, "%s: %s\n", id, texts.OneLine(n.Item.Title(), 200))
	}
	if len(near) > 0 {
		b.WriteString(texts.Fenced("git-sage knowledge", titles.String(), 0, "") + "\n")
	}
}

// triggersText is what recalls an item, for the answer to a save.
func triggersText(it *sage.Item) string {
	var parts []string
	if it.Scope.Always {
		parts = append(parts, "with every prompt")
	}
	if len(it.Keywords) > 0 {
		parts = append(parts, "keywords "+texts.OneLine(listed(it.Keywords), 100))
	}
	if n := len(it.Patterns); n > 0 {
		parts = append(parts, legible.Count(n, "pattern"))
	}
	if len(it.Scope.Skills) > 0 {
		parts = append(parts, "only with skill "+texts.OneLine(strings.Join(it.Scope.Skills, ", "), 100))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, "; ")
}

// listed are the entries of a list as a sentence has them: one that holds a comma stands
// in quotes, so that one is not read as two.
func listed(list []string) string {
	out := slices.Clone(list)
	for i, s := range out {
		if strings.Contains(s, ",") {
			out[i] = "'" + s + "'"
		}
	}
	return strings.Join(out, ", ")
}

// HasType reports whether an item is of one of types.
func HasType(it *sage.Item, types ...sage.ItemType) bool { return slices.Contains(types, it.Type) }
