package code

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
)

// origin names what stands in the fence around an answer: code, whoever wrote it.
const origin = "code of this repository"

// query makes one of the arguments of a call.
func query(c *tool.Call, m *recall.Memory, text string) (codeindex.Query, error) {
	q := codeindex.Query{Text: strings.TrimSpace(text), Limit: min(c.Count("limit"), 50), Rev: strings.TrimSpace(c.Text("rev"))}
	if q.Text == "" {
		return q, fmt.Errorf("it is empty")
	}
	if l := strings.TrimSpace(c.Text("language")); l != "" {
		q.Languages = []string{l}
	}
	for _, name := range []string{"project_path", "path"} { // the latter counts where both are given
		if path := c.Text(name); path != "" {
			var err error
			if q.Path, err = within(m, path); err != nil {
				return q, fmt.Errorf("%s: %v", name, err)
			}
		}
	}
	return q, q.Check()
}

// within is a path from the top of the repository, or a glob.
func within(m *recall.Memory, path string) (string, error) {
	path = strings.TrimSpace(path)
	if path == "" || path == "." || strings.ContainsAny(path, "*?[{") || path == m.Store.Repo.Top() {
		return strings.TrimPrefix(strings.TrimSuffix(path, "."), m.Store.Repo.Top()), nil
	}
	return m.Store.Repo.PathInside(path)
}

func runSearch(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	q, err := query(c, m, c.Text("query"))
	if err != nil {
		return "", err
	}
	hits, state, err := find(ctx, c, m, q)
	if err != nil {
		return "", err
	}
	if len(hits) == 0 {
		return "No code found." + state, nil
	}
	var b strings.Builder
	for i := range hits {
		writeHit(&b, &hits[i])
	}
	return texts.Fenced(origin, b.String(), 200, "ask for fewer, or name a path") + state, nil
}

// find finds code here or in other projects, and says what it could not see.
func find(ctx context.Context, c *tool.Call, m *recall.Memory, q codeindex.Query) ([]codeindex.Hit, string, error) {
	if name := strings.TrimSpace(c.Text("project")); m.Project.NameOf(name) != "" && !strings.EqualFold(name, m.Project.Name()) {
		hits, list, err := m.SearchProjects(ctx, q, []string{name})
		notes := ""
		for _, s := range list {
			if note := s.Note(); err == nil && note != "" {
				notes += "\n" + texts.OneLine(note, 400)
			}
		}
		return hits, notes, err
	}
	r, err := m.Code().Search(ctx, q)
	if err != nil {
		return nil, "", err
	}
	if r.Embedded < r.Wanting {
		m.EmbedCode()
	}
	state := missing(m, q.Rev)
	if state == "" && r.Embedded == 0 && r.Wanting > 0 {
		state = "\nFound by words alone: vectors are being made."
	}
	return r.Hits, state, nil
}

// missing says how much of the work tree, or of a commit, the last question did not see, and
// has it indexed in the background.
func missing(m *recall.Memory, rev string) string {
	n, all := m.Code().Missing()
	switch {
	case n == 0:
		return ""
	case rev != "":
		return fmt.Sprintf("\nPartial: %d of %s of that commit not indexed yet.", n, legible.Count(all, "file"))
	case m.IndexCode():
		return fmt.Sprintf("\nPartial: %d of %s not indexed yet. They are being indexed: ask again in a moment.", n, legible.Count(all, "file"))
	}
	return fmt.Sprintf("\nPartial: %d of %s not indexed yet: sage_index_code indexes them.", n, legible.Count(all, "file"))
}

// writeHit writes a hit on two lines, and the beginning of its comment.
func writeHit(b *strings.Builder, h *codeindex.Hit) {
	fmt.Fprintf(b, "%s:%d-%d %s", texts.OneLine(h.File(), 300), h.First, h.Last, h.Kind)
	if name := h.FullName(); name != "" {
		b.WriteString(" " + texts.OneLine(name, 200))
	}
	if h.Weak {
		b.WriteString(" (weak)")
	}
	b.WriteByte('\n')
	for _, line := range append([]string{h.Signature}, strings.Split(h.Doc, "\n")...) {
		if line != "" {
			b.WriteString("  " + texts.OneLine(line, 240) + "\n")
		}
	}
}

func runGrep(ctx context.Context, c *tool.Call) (string, error) {
	m, list, err := symbols(ctx, c)
	if err != nil {
		return "", err
	}
	state := missing(m, "")
	if len(list) == 0 {
		return noSymbol + state, nil
	}
	var b strings.Builder
	for i := range list {
		writeSymbol(&b, &list[i])
	}
	return texts.Fenced(origin, b.String(), 0, "name a path or Type.method") + state, nil
}

const noSymbol = "No symbol of that name. sage_search_code finds code by what it does."

func symbols(ctx context.Context, c *tool.Call) (*recall.Memory, []codeindex.Symbol, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return nil, nil, err
	}
	q, err := query(c, m, c.Text("name"))
	if err != nil {
		return nil, nil, err
	}
	list, err := m.Code().Symbols(ctx, q)
	return m, list, err
}

func writeSymbol(b *strings.Builder, s *codeindex.Symbol) {
	writeHit(b, &s.Hit)
	writeCallers(b, "callers", s.Callers)
	writeCallers(b, "tests", s.Tests)
}

// mostCallers is how many are named.
const mostCallers = 8

func writeCallers(b *strings.Builder, what string, list []codeindex.Caller) {
	if len(list) == 0 {
		return
	}
	var out []string
	for _, c := range list[:min(mostCallers, len(list))] {
		out = append(out, fmt.Sprintf("%s:%d", texts.OneLine(c.Path, 200), c.Line))
	}
	if n := len(list) - mostCallers; n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	fmt.Fprintf(b, "  %s: %s\n", what, strings.Join(out, ", "))
}

func runAnalyze(ctx context.Context, c *tool.Call) (string, error) {
	m, list, err := symbols(ctx, c)
	if err != nil {
		return "", err
	}
	state := missing(m, "")
	if len(list) == 0 {
		return noSymbol + state, nil
	}
	s := &list[0]
	known, err := m.Analyze(ctx, s)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	writeSymbol(&b, s)
	if len(known.Callees) > 0 {
		b.WriteString("  calls: " + texts.OneLine(strings.Join(known.Callees, ", "), 400) + "\n")
	}
	for _, h := range known.History {
		b.WriteString("  " + texts.OneLine(h, 200) + "\n")
	}
	writeMentions(&b, known.Mentions)
	b.WriteString("\n" + known.Source)
	out := texts.Fenced(origin, b.String(), 200, fmt.Sprintf("read %s from line %d", texts.OneLine(s.Path, 300), s.First))
	if len(list) > 1 {
		out += fmt.Sprintf("\n%s more of that name: sage_grep_symbol lists them.", legible.Count(len(list)-1, "definition"))
	}
	return out + state, nil
}

func writeMentions(b *strings.Builder, list []prompts.Mention) {
	for _, r := range list {
		what := "item"
		if r.Checkpoint {
			what = "checkpoint"
		}
		fmt.Fprintf(b, "  %s %s: %s", what, texts.OneLine(r.ID, 100), texts.OneLine(r.Title, 200))
		if r.From != "" {
			b.WriteString(" (from " + texts.OneLine(r.From, 100) + ")")
		}
		b.WriteByte('\n')
	}
}

func runContext(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	path, err := within(m, c.Text("path"))
	if err != nil {
		return "", fmt.Errorf("path: %v", err)
	}
	list, err := m.Code().Outline(ctx, codeindex.Query{Path: path})
	if err != nil {
		return "", err
	}
	about, err := m.Prompts.Mentions(ctx, path, 10, nil)
	if err != nil {
		return "", err
	}
	state := missing(m, "")
	if len(list) == 0 && len(about.Named) == 0 {
		return "Nothing is defined there." + state, nil
	}
	var b strings.Builder
	writeMentions(&b, about.Named)
	one := !slices.ContainsFunc(list, func(h codeindex.Hit) bool { return h.Path != list[0].Path })
	for i := range list {
		h := &list[i]
		if i == 0 || h.Path != list[i-1].Path {
			b.WriteString(texts.OneLine(h.Path, 300) + "\n")
		}
		text := h.Signature
		if text == "" || !one { // of a folder names are enough
			text = h.Kind + " " + h.FullName()
		}
		fmt.Fprintf(&b, "  %d-%d %s\n", h.First, h.Last, texts.OneLine(text, 160))
	}
	return texts.Fenced(origin, b.String(), 0, "name a file or a smaller folder") + state, nil
}

func runIndex(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	path, err := within(m, c.Text("path"))
	if err != nil {
		return "", fmt.Errorf("path: %v", err)
	}
	full := c.Given("incremental") && !c.Flag("incremental")
	r, err := m.Code().Update(ctx, codeindex.UpdateRequest{Under: path, Full: full})
	if err == nil {
		err = m.Code().ReadHistory(ctx, "", full)
	}
	if err != nil {
		return "", err
	}
	if r.Files == 0 && path != "" {
		return "", fmt.Errorf("path: there is no code in '%s'", texts.OneLine(path, 300))
	}
	m.EmbedCode()
	return fmt.Sprintf("project=%s files_indexed=%d files_new=%d chunks_created=%d functions_compiled=%d classes_compiled=%d constants_compiled=%d languages=%s duration_ms=%d",
		texts.OneLine(m.Project.Name(), 100), r.Files-r.Failed, r.Parsed, r.Chunks, r.Functions, r.Classes, r.Constants, strings.Join(r.Languages, ","), r.Took.Milliseconds()), nil
}
