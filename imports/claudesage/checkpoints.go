package claudesage

import (
	"context"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/ingest"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
	"github.com/git-sage/git-sage/prose/cut"
)

// A head is what is kept of each checkpoint, to put them in order.
type head struct {
	file     string
	name     string // by which it resolves: its id or, if another has that, the name of its file
	sum      string // of its text
	at       time.Time
	recovery bool
	before   [2]string // what it says that it continues: by hand, by itself
	sound    string    // which of those it continues here, if only recoveries come between
	parent   string    // name of the one that it continues here
	aside    bool      // the newest does not continue it
}

// A thought is a checkpoint as it was read.
type thought struct {
	*sage.Checkpoint // nil if the file holds none
	id               string
	problems         []imports.Problem
}

func (t *thought) say(p *imports.Problem) { t.problems = append(t.problems, *p) }

// stem is the name of a file without folder and ending.
func stem(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// eachCheckpoint yields the checkpoints of a folder, the oldest first.
func (s *Source) eachCheckpoint(ctx context.Context, f *Folder, fn func(imports.Record) error) error {
	heads, records, err := s.heads(ctx, f)
	if err != nil {
		return err
	}
	for _, r := range records { // files that hold none
		if err := fn(r); err != nil {
			return err
		}
	}
	for _, h := range heads {
		t := s.readCheckpoint(f, h.file)
		if t.Checkpoint == nil {
			continue // it went meanwhile
		}
		s.settleLineage(f, &h, &t)
		t.Time = h.at
		if name := stem(h.file); h.name != name && t.id == h.name {
			t.Aliases = append(t.Aliases, name)
		}
		rec := imports.Record{Lies: f.Where(h.file), Name: h.name, Own: f.Own, Problems: t.problems}
		rec.Thing = imports.Checkpoint{Checkpoint: t.Checkpoint, Parent: h.parent, Aside: h.aside}
		if err := fn(rec); err != nil {
			return err
		}
	}
	return nil
}

// heads reads all checkpoints once and puts them in order. What holds none is returned as
// records.
func (s *Source) heads(ctx context.Context, f *Folder) (heads []head, none []imports.Record, err error) {
	byName := map[string]int{}
	for _, e := range f.list("checkpoints", ".md", ".yaml") {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		t := thought{}
		if e.problem != nil {
			t.say(e.problem)
		} else {
			t = s.readCheckpoint(f, e.name)
		}
		if t.Checkpoint == nil {
			none = append(none, imports.Record{Lies: f.Where(e.name), Problems: t.problems})
			continue
		}
		h := head{file: e.name, name: t.id, at: t.Time, recovery: t.Trigger == sage.Recovery, sum: gitstore.BroughtSum(string(codec.Marshal(t.Checkpoint)))}
		h.before[0], _ = plain.ExtraText(t.Extra, "parent_checkpoint")
		h.before[1], _ = plain.ExtraText(t.Extra, "continues_from")
		if len(t.Parents) > 0 {
			h.before[0] = t.Parents[0]
		}
		if i, twice := byName[h.name]; twice {
			h, none = sameID(f, &heads[i], h, none)
			if h.file == "" {
				continue
			}
		}
		byName[h.name] = len(heads)
		heads = append(heads, h)
	}
	slices.SortStableFunc(heads, func(a, b head) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return strings.Compare(a.file, b.file)
	})
	lineage(heads)
	return heads, none, nil
}

// sameID decides what becomes of a file with the id of another. The file whose name is the id
// keeps it; the other is known by the name of its file.
func sameID(f *Folder, first *head, h head, none []imports.Record) (head, []imports.Record) {
	say := func(file, other, what string, g imports.Grade) {
		p := f.problem(file, g, fmt.Sprintf(what, path.Base(other)), "")
		none = append(none, imports.Record{Lies: f.Where(file), Problems: []imports.Problem{*p}})
	}
	switch {
	case path.Ext(h.file) == ".yaml" && path.Ext(first.file) == ".md" && stem(h.file) == stem(first.file):
		say(h.file, first.file, "is an older form of %s, which was brought in", imports.Skipped)
		return head{}, none
	case h.sum == first.sum && stem(h.file) == h.name:
		say(first.file, h.file, "says the same as %s, which was brought in", imports.Noted)
		first.file = h.file
		return head{}, none
	case h.sum == first.sum:
		say(h.file, first.file, "says the same as %s, which was brought in", imports.Noted)
		return head{}, none
	case stem(h.file) == h.name:
		say(first.file, h.file, "has the id of %s; it was brought in under the name of its file", imports.Noted)
		*first, h = h, *first
	default:
		say(h.file, first.file, "has the id of %s; it was brought in under the name of its file", imports.Noted)
	}
	h.name = stem(h.file)
	return h, none
}

// lineage finds out what each continues. continues_from was the last one in time, without
// recoveries; parent_checkpoint was set by programs. What names one that is not here, or comes
// later, is no parent: then it is the one before.
func lineage(heads []head) {
	at := map[string]int{}
	for i, h := range heads {
		at[h.name] = i
	}
	parents := make([]int, len(heads))
	lastReal := -1
	for i := range heads {
		h := &heads[i]
		parents[i] = i - 1
		for _, name := range h.before {
			j, ok := at[name]
			if name == "" || !ok || j >= i {
				continue
			}
			if h.sound = name; j != lastReal {
				parents[i] = j
			}
			break
		}
		if parents[i] >= 0 {
			h.parent = heads[parents[i]].name
		}
		if h.aside = true; !h.recovery {
			lastReal = i
		}
	}
	for i := len(heads) - 1; i >= 0; i = parents[i] {
		heads[i].aside = false
	}
}

// settleLineage leaves of what a checkpoint says of its lineage what is no parent here, as text.
func (s *Source) settleLineage(f *Folder, h *head, t *thought) {
	t.Parents = nil
	t.Extra = slices.DeleteFunc(t.Extra, func(x sage.Entry) bool { return x.Key == "continues_from" || x.Key == "parent_checkpoint" })
	for i, key := range []string{"parent_checkpoint", "continues_from"} {
		if name := h.before[i]; name != "" && name != h.sound {
			t.Extra = append(t.Extra, sage.Entry{Key: key, Value: name})
			if h.sound == "" && (i == 0 || h.before[0] == "") {
				t.say(f.note(h.file, fmt.Sprintf("continues '%s', which is not what came before it here; the name is kept as text", legible.OneLine(name))))
			}
		}
	}
}

func (s *Source) readCheckpoint(f *Folder, file string) (t thought) {
	text, problems := f.Text(file)
	t.problems = problems
	if text == "" {
		return t
	}
	if path.Ext(file) == ".yaml" {
		s.readLegacy(f, file, text, &t)
		return t
	}
	h := plain.SplitHead(text)
	switch {
	case h.Conflict:
		t.say(f.skipped(file, "git left a conflict in its front matter", "settle it there, and import again"))
	case h.Err != nil:
		t.say(f.skipped(file, "front matter: "+h.Err.Error(), ""))
	case !h.OK && strings.HasPrefix(text, "---\n"):
		t.say(f.skipped(file, "the front matter does not end: the file was cut", "complete it there with a line '---', and import again"))
	case !h.OK:
		t.say(f.skipped(file, "has no front matter: it is no checkpoint", "to keep it as an item: git sage remember -F <file>"))
	default:
		s.readHeaded(f, file, h, &t)
	}
	return t
}

func (s *Source) readHeaded(f *Folder, file string, h plain.Headed, t *thought) {
	for _, p := range h.Problems {
		g := imports.Partial
		if strings.Contains(p, "as it stands") {
			g = imports.Noted
		}
		t.say(f.problem(file, g, "front matter: "+p, ""))
	}
	if plain.InConflict(h.Body) {
		t.say(f.problem(file, imports.Noted, "git left a conflict in its text, which was brought in as it stands", "git sage checkpoint edit "+gitstore.InShell(stem(file))))
	}
	s.sanitize(f, file, h.Head, t)
	body := h.Body
	if plain.Scalar(h.Head, "type") == string(sage.Recovery) {
		s.finish(f, file, h.Head, "", t)
		if t.Checkpoint != nil {
			readRecovery(t.Checkpoint, body)
		}
		return
	}
	if !strings.HasSuffix(body, "\n") {
		body = s.withoutHalfLine(f, file, body, t)
	}
	s.finish(f, file, h.Head, body, t)
}

// wholeLine are the lines of lists whose end can be told.
var wholeLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^- (\*\*.*\*\* (\(.*\): |vs \*\*).* — _.*_|\*\*.*\*\*: .*|\[[-+~!]\] .*)$`)
})

// withoutHalfLine leaves out a last line that was cut: one that begins like an item of a list and
// does not end like one. The tool ended every file with a line end.
func (s *Source) withoutHalfLine(f *Folder, file, body string, t *thought) string {
	at := strings.LastIndexByte(body, '\n') + 1
	last := body[at:]
	if strings.HasPrefix(last, "- **") && !wholeLine().MatchString(last) {
		t.say(f.problem(file, imports.Partial, fmt.Sprintf("the file was cut; its last line was left out: '%s'", legible.Visible(cut.Runes(last, 60))), ""))
		return body[:at]
	}
	t.say(f.note(file, fmt.Sprintf("the last line does not end: the file may have been cut after '%s'", legible.Visible(lastRunes(last, 30)))))
	return body
}

// lastRunes are the last n characters of a text.
func lastRunes(s string, n int) string {
	r := []rune(s)
	return string(r[max(0, len(r)-n):])
}

// readLegacy reads a checkpoint of version 0, which is all YAML.
func (s *Source) readLegacy(f *Folder, file, text string, t *thought) {
	if plain.InConflict(text) {
		t.say(f.skipped(file, "git left a conflict in it", "settle it there, and import again"))
		return
	}
	n, problems, err := plain.ReadYAML(text)
	if err != nil {
		t.say(f.skipped(file, plain.YAMLError().ReplaceAllString(err.Error(), ""), ""))
		return
	}
	for _, p := range problems {
		t.say(f.problem(file, imports.Partial, p, ""))
	}
	n = n.Get("checkpoint")
	switch {
	case n == nil || n.Kind != tree.MapNode:
		t.say(f.skipped(file, "has no key 'checkpoint': it is no checkpoint", ""))
		return
	case n.Get("thesis") == nil:
		t.say(f.skipped(file, "has no thesis", "add one there, and import again"))
		return
	}
	if sources := n.Get("sources"); sources != nil && sources.Kind == tree.ListNode {
		for i, v := range sources.Vals {
			if v.Kind == tree.MapNode && v.Get("relation") == nil {
				t.say(f.note(file, fmt.Sprintf("source %d has no relation", i+1)))
			}
		}
	}
	if m := n.Get("metadata"); m != nil && m.Kind == tree.MapNode {
		n.Remove("metadata")
		for i, key := range m.Keys {
			if n.Get(key) == nil {
				n.Add(key, m.Vals[i])
			}
		}
	}
	s.sanitize(f, file, n, t)
	s.finish(f, file, n, "", t)
}

// finish makes a checkpoint of what was read.
func (s *Source) finish(f *Folder, file string, n *tree.Node, body string, t *thought) {
	recovery := plain.Scalar(n, "type") == string(sage.Recovery)
	t.id = plain.Scalar(n, "id")
	if t.id == "" {
		t.id = stem(file)
	}
	n.Remove("id")
	at := s.when(f, file, n, t)
	c, err := ingest.Old(n, body)
	if err != nil {
		t.say(f.skipped(file, strings.ReplaceAll(err.Error(), "\n", "; "), ""))
		return
	}
	c.ID, c.Time = "", at
	if recovery {
		c.Agent, c.Trigger = sage.Rules, sage.Recovery
	}
	if c.Thesis == "" && body != "" && !recovery && !strings.Contains("\n"+body, "\n## Thesis\n") {
		t.say(f.problem(file, imports.Partial, "has no thesis", ""))
	}
	t.Checkpoint = c
}

// idTime is the time with which ids begin.
var idTime = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)_`) })

// when takes the time out of front matter. What is no time, or lies ahead, is not believed:
// then the time in the id counts or, where that has none, the first day that git knows.
func (s *Source) when(f *Folder, file string, n *tree.Node, t *thought) time.Time {
	given := ""
	for _, key := range []string{"ts", "extracted_at"} {
		if v := n.Remove(key); v != nil && v.Kind == tree.ScalarNode && given == "" {
			given = v.Text
		}
	}
	at, ok := s.parseTime(given)
	if ok {
		return at
	}
	for _, name := range []string{t.id, stem(file)} {
		if m := idTime().FindStringSubmatch(name); m != nil && at.IsZero() {
			at, _ = time.Parse("2006-01-02T15-04-05", m[1])
		}
	}
	from := "the time of its id was taken"
	if at.IsZero() || at.After(s.Now()) {
		at, from = time.Unix(0, 0).UTC(), "it was put first"
	}
	t.say(f.problem(file, imports.Partial, fmt.Sprintf("ts: '%s' is no time; %s", legible.Visible(cut.Runes(given, 40)), from), ""))
	return at
}

// parseTime reads a time that is not ahead: with a zone, else as UTC.
func (s *Source) parseTime(text string) (time.Time, bool) {
	at, ok := plain.Date(text)
	if !ok || at.After(s.Now()) {
		return time.Time{}, false
	}
	return at, true
}

// Kinds of values in front matter.
const (
	wantText = iota
	wantNumber
	wantCount
	wantList
	wantMap
)

// shapes are what keys hold. Others are kept as they are.
var shapes = map[string]int{
	"id": wantText, "type": wantText, "ts": wantText, "extracted_at": wantText, "trigger": wantText, "skill": wantText, "project": wantText,
	"parent_checkpoint": wantText, "continues_from": wantText, "action_goal": wantText, "action_type": wantText, "template": wantText,
	"core_question": wantText, "thesis": wantText, "reasoning_trace": wantText, "confidence": wantNumber, "message_count": wantCount, "token_estimate": wantCount,
	"files_explored": wantList, "files_changed": wantList, "related_knowledge": wantList, "key_evidence": wantList, "open_questions": wantList,
	"git_context": wantMap, "action": wantMap,
}

// sanitize takes out of front matter what has another shape than the key asks for, and says so.
func (s *Source) sanitize(f *Folder, file string, n *tree.Node, t *thought) {
	for _, key := range slices.Clone(n.Keys) {
		v, what := n.Get(key), ""
		if v.IsNull() {
			n.Remove(key)
			continue
		}
		shape, known := shapes[key]
		switch {
		case !known:
		case shape == wantText && v.Kind != tree.ScalarNode:
			what = "want text, have " + v.String()
		case shape == wantNumber:
			if x, err := strconv.ParseFloat(v.Text, 64); v.Kind != tree.ScalarNode || err != nil || math.IsNaN(x) || x < 0 || x > 1 {
				what = "want a number from 0 to 1, have " + v.String()
			}
		case shape == wantCount:
			if x, err := strconv.Atoi(v.Text); v.Kind != tree.ScalarNode || err != nil || x < 0 {
				what = "want a whole number, have " + v.String()
			}
		case shape == wantMap && v.Kind != tree.MapNode:
			what = "want a mapping, have " + v.String()
		case shape == wantList:
			list := &tree.Node{Kind: tree.ListNode}
			for _, x := range plain.Texts(n, key) {
				list.Vals = append(list.Vals, &tree.Node{Text: x})
			}
			if v.Kind == tree.MapNode || v.Kind == tree.ListNode && len(list.Vals) < len(v.Vals) {
				t.say(f.problem(file, imports.Partial, key+": what is no text was left out", ""))
			}
			*v = *list
		}
		if what != "" {
			n.Remove(key)
			t.say(f.problem(file, imports.Partial, key+": "+what+"; left out", ""))
		}
	}
	for _, key := range []string{"sources", "tensions", "unique_contributions"} {
		if v := n.Get(key); v != nil && v.Kind == tree.ListNode {
			before := len(v.Vals)
			v.Vals = slices.DeleteFunc(v.Vals, func(x *tree.Node) bool { return x.Kind != tree.MapNode })
			if len(v.Vals) < before {
				t.say(f.problem(file, imports.Partial, key+": what is no mapping was left out", ""))
			}
		} else if v != nil {
			n.Remove(key)
			t.say(f.problem(file, imports.Partial, key+": want a list, have "+v.String()+"; left out", ""))
		}
	}
}
