package claudesage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
)

type yield func(imports.Record) error

// coreFiles yields the files of the user's own that were marked.
func (s *Source) coreFiles(f *Folder, fn yield) error {
	const file = "codebase/core_files.yaml"
	text, problems := f.Text(file)
	rec := imports.Record{Lies: f.Where(file), Own: f.Own, Problems: problems}
	say := func(i int, g imports.Grade, format string, args ...any) {
		rec.Problems = append(rec.Problems, *f.problem(fmt.Sprintf("%s: file %d", file, i+1), g, fmt.Sprintf(format, args...), ""))
	}
	var list []imports.CoreFile
	var gone []string
	if text != "" {
		n, _, err := plain.ReadYAML(text)
		if err != nil || n.Get("files") == nil || n.Get("files").Kind != tree.ListNode {
			rec.Problems = append(rec.Problems, *f.skipped(file, "has no list of files", ""))
			return fn(rec)
		}
		for i, v := range n.Get("files").Vals {
			c := imports.CoreFile{Path: plain.Scalar(v, "path"), Summary: plain.Scalar(v, "summary")}
			if why := naming.PathProblem(c.Path); c.Path == "" || why != "" || strings.ContainsRune(c.Path, '\\') {
				say(i, imports.Skipped, "'%s' is no path within the project", legible.OneLine(c.Path))
				continue
			}
			if at := slices.IndexFunc(list, func(x imports.CoreFile) bool { return x.Path == c.Path }); at >= 0 {
				say(i, imports.Partial, "'%s' is listed twice; '%s' was left out", legible.OneLine(c.Path), legible.OneLine(list[at].Summary))
				list[at].Summary = c.Summary
				continue
			}
			if marked := plain.Scalar(v, "marked_at"); marked != "" {
				c.Added, _ = s.parseTime(marked)
			}
			if !f.Own && s.missing(f, c.Path) {
				gone = append(gone, legible.OneLine(c.Path))
			}
			list = append(list, c)
		}
	}
	if n := len(gone); n > 0 {
		more := ""
		if n > 3 {
			more = fmt.Sprintf(" and %d more", n-3)
		}
		rec.Problems = append(rec.Problems, *f.note(file, "not there any more: "+strings.Join(gone[:min(n, 3)], ", ")+more))
	}
	if err := fn(rec); err != nil {
		return err
	}
	for _, c := range list {
		if err := fn(imports.Record{Lies: rec.Lies, Name: c.Path, Own: f.Own, Thing: c}); err != nil {
			return err
		}
	}
	return nil
}

// notes yields pinned plain.Texts.
func (s *Source) notes(f *Folder, fn yield) error {
	taken := map[string]bool{}
	for _, dir := range []string{"system", "system/pinned"} {
		for _, e := range f.list(dir, ".md") {
			rec := imports.Record{Lies: f.Where(e.name), Name: e.name, Own: f.Own}
			if e.problem != nil {
				rec.Problems = append(rec.Problems, *e.problem)
				if err := fn(rec); err != nil {
					return err
				}
				continue
			}
			text, problems := f.Text(e.name)
			rec.Problems = problems
			if strings.TrimSpace(text) != "" {
				it := &sage.Item{ID: shelfID(e.name), Type: sage.Note, Content: strings.Trim(text, "\n"), Added: s.modified(f, e.name)}
				if taken[it.ID] {
					it.ID = "pinned-" + it.ID
				}
				taken[it.ID] = true
				rec.Thing = imports.Item{Item: it, Shelf: "system"}
			}
			if err := fn(rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// modified is when a file changed last, to the day: what has no date of its own.
func (s *Source) modified(f *Folder, name string) time.Time {
	st, err := f.Stat(name)
	if err != nil || st.ModTime().After(s.Now()) || st.ModTime().Unix() < 0 {
		return time.Time{}
	}
	return st.ModTime().UTC().Truncate(24 * time.Hour)
}

// insightLine is a line of the memory that all skills shared.
var insightLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^- \*\*\[(\d{4}-\d\d-\d\d)\]\*\* (.*)$`) })

// insights yields what all skills shared, as facts.
func (s *Source) insights(f *Folder, fn yield) error {
	text, problems := f.Text("shared_memory.md")
	if err := fn(imports.Record{Lies: f.Where("shared_memory.md"), Problems: problems}); err != nil {
		return err
	}
	for _, in := range insightsOf(text) {
		it := &sage.Item{ID: in.id, Type: sage.Knowledge, Content: in.text, Source: "shared_memory.md of claude-sage"}
		it.Added, _ = s.parseTime(in.date)
		if err := fn(imports.Record{Lies: f.Where("shared_memory.md"), Name: in.name, Own: f.Own, Thing: imports.Item{Item: it}}); err != nil {
			return err
		}
	}
	return nil
}

// An insight is a line of shared_memory.md, and those that go on from it.
type insight struct{ name, id, date, text string }

func insightsOf(text string) (out []insight) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := insightLine().FindStringSubmatch(line); m != nil {
			out = append(out, insight{date: m[1], text: m[2]})
		} else if len(out) > 0 && strings.TrimSpace(line) != "" {
			out[len(out)-1].text += "\n" + line
		}
	}
	for i, in := range out {
		words := strings.Fields(in.text)
		out[i].id = naming.SuggestName("insight " + strings.Join(words[:min(len(words), 6)], " "))
		if out[i].id == "insight" {
			out[i].id = "insight-" + in.date
		}
		out[i].name = "insight " + gitstore.BroughtSum(in.date + in.text)[:12]
	}
	return out
}

// tasks yields what was still to be written when the tool ended last.
func (s *Source) tasks(f *Folder, fn yield) error {
	const file = "pending_tasks.jsonl"
	rec := imports.Record{Lies: f.Where(file)}
	for _, l := range s.taskLines(f, &rec) {
		at := fmt.Sprintf("%s: line %d", file, l.line)
		r := imports.Record{Lies: f.Where(at), Own: f.Own, Name: l.ID}
		created, _ := s.parseTime(l.Created)
		switch l.Type {
		case "knowledge":
			it := &sage.Item{ID: l.Data.KnowledgeID, Content: l.Data.Content, Keywords: l.Data.Keywords, Source: l.Data.Source, Type: sage.Knowledge, Added: created}
			if l.Data.Skill != "" {
				it.Scope.Skills = []string{imports.FitName(l.Data.Skill)}
			}
			if t := sage.ItemType(l.Data.ItemType); t == sage.Preference || t == sage.Reference || t == sage.Todo {
				it.Type = t
			}
			r.Thing = imports.Item{Item: it, Unconfirmed: true}
		case "checkpoint":
			c := &sage.Checkpoint{
				CoreQuestion: l.Data.CoreQuestion, Thesis: l.Data.Thesis, Confidence: l.Data.Confidence, Trigger: sage.Trigger(l.Data.Trigger), KeyEvidence: l.Data.KeyEvidence,
				ReasoningTrace: l.Data.ReasoningTrace, OpenQuestions: l.Data.OpenQuestions, Sources: l.Data.Sources, Tensions: l.Data.Tensions,
				UniqueContributions: l.Data.UniqueContributions, Action: sage.Action{Goal: l.Data.Action.Goal, Type: l.Data.Action.Type}, Time: created, Agent: sage.Rules,
			}
			if c.Time.IsZero() {
				c.Time = time.Unix(0, 0).UTC()
			}
			c.Tidy()
			r.Thing = imports.Checkpoint{Checkpoint: c, Parent: s.last[f], Aside: s.last[f] != ""}
		default:
			continue
		}
		r.Problems = []imports.Problem{*f.note(at, "was never written by claude-sage; it was brought in unconfirmed")}
		if err := fn(r); err != nil {
			return err
		}
	}
	return fn(rec)
}

// A task is a line of pending_tasks.jsonl.
type task struct {
	line              int // the first is 1
	ID, Type, Created string
	Data              struct {
		KnowledgeID string `json:"knowledge_id"`
		Content     string
		Keywords    []string
		Skill       string
		Source      string
		ItemType    string `json:"item_type"`

		CoreQuestion        string `json:"core_question"`
		Thesis              string
		Confidence          *float64
		Trigger             string
		KeyEvidence         []string            `json:"key_evidence"`
		ReasoningTrace      string              `json:"reasoning_trace"`
		OpenQuestions       []string            `json:"open_questions"`
		Sources             []sage.Source       `json:"sources"`
		Tensions            []sage.Tension      `json:"tensions"`
		UniqueContributions []sage.Contribution `json:"unique_contributions"`
		Action              struct{ Goal, Type string }
	}
}

// taskLines are the tasks that were not done; what is no line of a task is said of rec.
func (s *Source) taskLines(f *Folder, rec *imports.Record) (out []task) {
	const file = "pending_tasks.jsonl"
	text, problems := f.Text(file)
	rec.Problems = append(rec.Problems, problems...)
	bad := func(n int) { rec.Problems = append(rec.Problems, *f.cutLine(file, n)) }
	plain.EachRecord(text, func(n int, t task) {
		if t.ID == "" {
			bad(n)
			return
		}
		if _, err := f.Stat("tasks/" + path.Base(t.ID) + ".done"); err != nil {
			t.line = n
			out = append(out, t)
		}
	}, bad)
	return out
}

// histories yields what each skill was asked, as a text that belongs to the skill.
func (s *Source) histories(f *Folder, fn yield) error {
	for _, skill := range f.folders("skills") {
		file := "skills/" + skill + "/history.jsonl"
		text, problems := f.Text(file)
		rec := imports.Record{Lies: f.Where(file), Name: file, Own: f.Own, Problems: problems}
		if text != "" {
			content := s.history(f, file, text, &rec)
			if content != "" {
				it := &sage.Item{ID: "history", Type: sage.Doc, Content: content, Description: "What claude-sage was asked with this skill", Added: s.modified(f, file)}
				rec.Thing = imports.Item{Item: it, Shelf: "skills/" + imports.FitName(skill)}
			}
		}
		if err := fn(rec); err != nil {
			return err
		}
	}
	return nil
}

// history writes the lines of a history as Markdown, the newest as far as there is room.
func (s *Source) history(f *Folder, file, text string, rec *imports.Record) string {
	var parts []string
	size := 0
	plain.EachRecord(text, func(_ int, h map[string]any) { parts = append(parts, historyEntry(h)) }, func(n int) {
		rec.Problems = append(rec.Problems, *f.cutLine(file, n))
	})
	for i := len(parts) - 1; i >= 0; i-- {
		if size += len(parts[i]) + 2; size > sage.MaxContent/2 {
			rec.Problems = append(rec.Problems, *f.problem(file, imports.Partial, fmt.Sprintf("the oldest %s were left out: a text has at most %d bytes", legible.Count(i+1, "entry"), sage.MaxContent), ""))
			parts = parts[i+1:]
			break
		}
	}
	return strings.Join(parts, "\n\n")
}

// historyKeys are those of a line of a history beside its text, in the order in which they are
// written.
var historyKeys = []string{"model", "depth", "session", "turns", "tokens_in", "tokens_out", "searches", "cache_hits", "cost"}

func historyEntry(h map[string]any) string {
	text := func(key string) string {
		switch v := h[key].(type) {
		case string:
			return v
		case nil:
			return ""
		default:
			return fmt.Sprint(v)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## %s %s\n%s", legible.OneLine(text("ts")), legible.OneLine(text("type")), text("query"))
	if r := text("response"); r != "" {
		fmt.Fprintf(&b, "\n\n%s", r)
	}
	var rest []string
	for _, key := range historyKeys {
		if v := text(key); v != "" {
			rest = append(rest, key+" "+legible.OneLine(v))
		}
	}
	for _, key := range unknownKeys(h) {
		rest = append(rest, legible.OneLine(key+" "+text(key)))
	}
	if len(rest) > 0 {
		fmt.Fprintf(&b, "\n\n(%s)", strings.Join(rest, ", "))
	}
	return b.String()
}

func unknownKeys(h map[string]any) (out []string) {
	for key := range h {
		if !slices.Contains(historyKeys, key) && !slices.Contains([]string{"ts", "type", "query", "response"}, key) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// templates yields templates of checkpoints, each with its form if it has one.
func (s *Source) templates(f *Folder, fn yield) error {
	for _, e := range f.list("templates", ".yaml", ".yml") {
		rec := imports.Record{Lies: f.Where(e.name), Name: e.name, Own: f.Own}
		if e.problem != nil {
			rec.Problems = append(rec.Problems, *e.problem)
		} else {
			text, problems := f.Text(e.name)
			if rec.Problems = problems; text != "" {
				s.template(f, e.name, text, &rec)
			}
		}
		if err := fn(rec); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) template(f *Folder, file, text string, rec *imports.Record) {
	plain, err := template.Parse([]byte(text))
	if err != nil && plain == nil {
		rec.Problems = append(rec.Problems, *f.skipped(file, legible.OneLine(err.Error()), ""))
		return
	}
	rec.Thing = imports.Template(text)
	form, problems := f.Text(strings.TrimSuffix(file, path.Ext(file)) + ".md.j2")
	rec.Problems = append(rec.Problems, problems...)
	if form == "" || plain.Format != "" {
		return
	}
	quoted, _ := json.Marshal(form) // which YAML reads as it stands
	whole := append(bytes.TrimRight([]byte(text), "\n"), []byte("\nformat: "+string(quoted)+"\n")...)
	if _, err := template.Parse(whole); err != nil {
		rec.Problems = append(rec.Problems, *f.problem(file, imports.Partial, "its form was left out: "+legible.OneLine(err.Error()), "write it anew with 'git sage templates add'"))
		return
	}
	rec.Thing = imports.Template(whole)
}

// settings yields what was set.
func (s *Source) settings(f *Folder, fn yield) error {
	for _, file := range []string{"tuning.yaml", "config.yaml"} {
		text, problems := f.Text(file)
		rec := imports.Record{Lies: f.Where(file), Problems: problems}
		n := &tree.Node{Kind: tree.MapNode}
		if text != "" {
			var err error
			if n, _, err = plain.ReadYAML(text); err != nil || n.Kind != tree.MapNode {
				rec.Problems = append(rec.Problems, *f.skipped(file, "is no mapping of settings", ""))
				n = &tree.Node{Kind: tree.MapNode}
			}
		}
		if file == "config.yaml" {
			s.foreignSettings(f, file, n, &rec)
			n = &tree.Node{Kind: tree.MapNode}
		}
		if err := fn(rec); err != nil {
			return err
		}
		for i, key := range n.Keys {
			value := n.Vals[i].Text
			if n.Vals[i].Kind == tree.ListNode {
				value = strings.Join(plain.Texts(n, key), ",")
			}
			if key == "_version" || n.Vals[i].IsNull() {
				continue
			}
			if err := fn(imports.Record{Lies: f.Where(file + ": " + key), Name: key, Own: f.Own, Thing: imports.Setting{Key: key, Value: value}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// foreignSettings names the settings of config.yaml, of which none has a counterpart. A key of
// somebody's account is not even looked at.
func (s *Source) foreignSettings(f *Folder, file string, n *tree.Node, rec *imports.Record) {
	var names []string
	for i, key := range n.Keys {
		switch {
		case n.Vals[i].IsNull(), key == "redact": // which is this program's own
		case key == "api_key":
			rec.Problems = append(rec.Problems, *f.note(file, "api_key was not taken: nothing here needs it"))
		default:
			names = append(names, legible.OneLine(key))
		}
	}
	if len(names) > 0 {
		rec.Problems = append(rec.Problems, *f.note(file, "has no counterpart here: "+strings.Join(names, ", ")))
	}
}

// leftOut are what the tool made for itself: caches and the state of a session.
var leftOut = []string{
	"embeddings", "codebase/lancedb", "codebase/compiled", "codebase/index_meta.json", "continuity.json", "session.json", "injection_queue.json",
	"watcher_cursor.json", "watcher.pid", "plugins.yaml", "notifications.jsonl", "errors.log", ".version_cache.json", "tasks", "exports", "reference",
}

// nameLeftOut names those that are there.
func (s *Source) nameLeftOut(f *Folder, fn yield) error {
	var names []string
	for _, name := range leftOut {
		if _, err := f.Lstat(name); err == nil {
			names = append(names, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	if len(names) == 0 {
		return nil
	}
	p := imports.Problem{Where: f.Where(""), Grade: imports.Noted, What: "left out, since it is made anew here or was of one session: " + strings.Join(names, ", ")}
	p.Where = strings.TrimSuffix(p.Where, "/")
	return fn(imports.Record{Lies: p.Where, Problems: []imports.Problem{p}})
}
