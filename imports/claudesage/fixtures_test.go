package claudesage_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/imports"
)

// fixtures is the folder of what the tool itself wrote, beside the project. A clone alone does
// not have it: what the tool's files may hold is in testdata as well.
func fixtures(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../shared/fixtures/claude-sage")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the files of claude-sage itself are not beside the project")
	}
	return dir
}

// A row is a line of expect.jsonl.
type row struct {
	Kind, ID, File string
	Fields         map[string]any
	MadeByTool     map[string]any `json:"made_by_tool"`
	OnDisk         map[string]any `json:"on_disk"`
	Lossy          map[string]struct {
		Stage  string
		OnDisk any   `json:"on_disk"`
		Unamb  *bool `json:"unambiguous_on_disk"`
	}
}

func rows(t *testing.T, file string) (list []row) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r row
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func TestWhatTheToolWrote(t *testing.T) {
	for _, v := range []string{"v1", "v2", "v3", "v4"} {
		t.Run(v, func(t *testing.T) {
			w := newWorld(t)
			src := w.source(filepath.Join(fixtures(t), v))
			report := w.run(src)
			for _, p := range report.Problems {
				t.Logf("%s: %s: %s", p.Grade, p.Where, p.What)
			}
			list := rows(t, filepath.Join(fixtures(t), v, "expect.jsonl"))
			for _, r := range list {
				if err := w.check(r, list); err != nil {
					t.Errorf("%s %s (%s): %v", r.Kind, r.ID, r.File, err)
				}
			}
			again := w.run(w.source(filepath.Join(fixtures(t), v)))
			if n := again.Total(); n.New+n.Updated > 0 {
				t.Errorf("a second run brought in %+v", again.Counts)
			}
		})
	}
}

// check compares a row with what is in the store.
func (w world) check(r row, all []row) error {
	own := strings.HasPrefix(r.File, "home/")
	switch r.Kind {
	case "checkpoint":
		return w.checkCheckpoint(r, own)
	case "recovery-checkpoint":
		return w.checkRecovery(r, own)
	case "checkpoint-refused", "checkpoint-overwritten":
		return w.checkAbsent(r)
	case "knowledge", "todo":
		return w.checkItem(r, own, all)
	case "knowledge-overwritten", "knowledge-removed":
		return w.checkNoItem(r, all)
	case "failure":
		return w.checkFailure(r, own)
	case "core":
		return w.checkCore(r, own)
	case "core-unmarked":
		if _, err := w.store(false).Knowledge.CoreFile(ctx, r.ID); err == nil {
			return fmt.Errorf("is a core file")
		}
		return nil
	case "insight", "pending-task", "skill", "config":
		return w.checkOther(r, own)
	}
	return fmt.Errorf("nobody knows this kind")
}

// lost reports whether the file does not hold a field as it was given, or not for sure.
func (r row) lost(field string) bool {
	l, ok := r.Lossy[field]
	return ok && (l.Stage == "write" || l.Unamb != nil && !*l.Unamb)
}

func (w world) checkpoint(id string, own bool) (*sage.Checkpoint, error) {
	s := w.store(own)
	rev, err := s.Commits.Resolve(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.Commits.Load(ctx, rev)
}

// mapped are the words that have another name here.
var mapped = map[string]string{"constraint": "constraint_discovered", "transition": "topic_shift"}

func (w world) checkCheckpoint(r row, own bool) error {
	c, err := w.checkpoint(r.ID, own)
	if err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, r.MadeByTool["ts"].(string))
	if err != nil || !c.Time.Equal(at.Truncate(time.Second)) {
		return fmt.Errorf("its time is %v, want %v", c.Time, at)
	}
	trigger := r.Fields["trigger"]
	if to := mapped[fmt.Sprint(trigger)]; to != "" {
		trigger = to
	}
	var confidence any
	if c.Confidence != nil {
		confidence = *c.Confidence
	}
	have := map[string]any{
		"core_question": c.CoreQuestion, "thesis": c.Thesis, "confidence": confidence, "reasoning_trace": c.ReasoningTrace,
		"action_goal": c.Action.Goal, "action_type": c.Action.Type, "template": c.Template, "skill": c.Skill, "project": c.Project,
		"message_count": c.MessageCount, "token_estimate": c.TokenEstimate, "key_evidence": c.KeyEvidence, "open_questions": c.OpenQuestions,
		"sources": c.Sources, "tensions": c.Tensions, "unique_contributions": c.UniqueContributions, "related_knowledge": c.KnowledgeRecalled,
		"files_changed": c.FilesChanged,
	}
	if string(c.Trigger) != fmt.Sprint(trigger) {
		return fmt.Errorf("trigger: %s, want %s", c.Trigger, trigger)
	}
	for field, want := range r.Fields {
		got, known := have[field]
		if !known || r.lost(field) || want == nil {
			continue
		}
		if d := cmp.Diff(plain(want), plain(got)); d != "" {
			return fmt.Errorf("%s: %s", field, d)
		}
	}
	explored := r.Fields["files_explored"]
	if explored == nil {
		explored = r.MadeByTool["files_explored"]
	}
	if d := cmp.Diff(sorted(explored), sorted(c.FilesExplored)); d != "" {
		return fmt.Errorf("files_explored: %s", d)
	}
	if refs, ok := r.Fields["code_refs"].([]any); ok && len(refs) != len(c.CodeRefs) {
		return fmt.Errorf("%d code references, want %d", len(c.CodeRefs), len(refs))
	}
	for _, field := range []string{"files_changed", "action_type"} {
		if want, ok := r.MadeByTool[field]; ok {
			if d := cmp.Diff(plain(want), plain(have[field])); d != "" {
				return fmt.Errorf("%s: %s", field, d)
			}
		}
	}
	return w.checkParent(r, own)
}

// sorted are texts in order.
func sorted(list any) string {
	var out []string
	texts, _ := plain(list).([]any)
	for _, x := range texts {
		out = append(out, x.(string))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// checkParent holds that continues_from is the parent, if recoveries between are passed over.
func (w world) checkParent(r row, own bool) error {
	want, ok := r.MadeByTool["continues_from"].(string)
	if !ok {
		return nil
	}
	s := w.store(own)
	rev, err := s.Commits.Resolve(ctx, r.ID)
	if err != nil {
		return err
	}
	rec, err := s.Commits.Record(ctx, rev)
	for err == nil && len(rec.Parents) > 0 {
		if rec, err = s.Commits.Record(ctx, rec.Parents[0]); err == nil && rec.Trigger != sage.Recovery {
			if !slices.Contains(rec.Aliases, want) {
				return fmt.Errorf("continues %v, want %s", rec.Aliases, want)
			}
			return nil
		}
	}
	return fmt.Errorf("continues nothing, want %s: %v", want, err)
}

// plain is a value in the form of JSON, without what is empty.
func plain(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		return err.Error()
	}
	return withoutEmpty(out)
}

func withoutEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if x = withoutEmpty(x); x == nil || x == "" {
				delete(v, k)
			} else {
				v[k] = x
			}
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
		for i, x := range v {
			v[i] = withoutEmpty(x)
		}
	}
	return v
}

func (w world) checkRecovery(r row, own bool) error {
	c, err := w.checkpoint(r.ID, own)
	if err != nil {
		return err
	}
	rev, _ := w.store(own).Commits.Resolve(ctx, r.ID)
	rec, err := w.store(own).Commits.Record(ctx, rev)
	if err != nil || !rec.Unconfirmed || c.Trigger != sage.Recovery {
		return fmt.Errorf("unconfirmed %v, trigger %s, %v", rec.Unconfirmed, c.Trigger, err)
	}
	if want, ok := r.OnDisk["thesis"].(string); ok && c.Thesis != want {
		return fmt.Errorf("thesis %q, want %q", c.Thesis, want)
	}
	if len(c.KeyEvidence) == 0 || len(c.OpenQuestions) == 0 || len(c.FilesExplored) == 0 {
		return fmt.Errorf("has no decisions, threads or files: %+v", c)
	}
	return nil
}

// checkAbsent holds that no checkpoint has a thesis.
func (w world) checkAbsent(r row) error {
	for _, own := range []bool{false, true} {
		list, err := w.store(own).Commits.Log(ctx, gitstore.Query{All: true})
		if err != nil {
			return err
		}
		for _, rec := range list {
			if rec.Thesis == r.Fields["thesis"] {
				return fmt.Errorf("is there as %s", rec.ID)
			}
		}
	}
	return nil
}

// itemOf is the item that a name of the tool means.
func (w world) itemOf(name string, own bool) (*sage.Item, error) {
	list, err := w.store(own).Knowledge.Items(ctx)
	if err != nil {
		return nil, err
	}
	var found *sage.Item
	for _, e := range list {
		if e.Item.ID == name || slices.Contains(e.Item.Aliases, name) {
			if found != nil {
				return nil, fmt.Errorf("%s and %s are both '%s'", found.ID, e.Item.ID, name)
			}
			found = e.Item
		}
	}
	if found == nil {
		return nil, fmt.Errorf("no item '%s'", name)
	}
	return found, nil
}

func lines(s string) string {
	return strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
}

func (w world) checkItem(r row, own bool, all []row) error {
	it, err := w.itemOf(r.ID, own)
	if err != nil {
		return err
	}
	given := func(field string) string {
		if l, ok := r.Lossy[field]; ok && l.Stage == "write" {
			return fmt.Sprint(l.OnDisk)
		}
		if r.Fields[field] == nil {
			return ""
		}
		return fmt.Sprint(r.Fields[field])
	}
	if want := strings.TrimSpace(lines(given("content"))); strings.TrimSpace(it.Content) != want {
		return fmt.Errorf("content:\n%q, want\n%q", it.Content, want)
	}
	var words []string // which have no blanks around them here, and are on one line
	for _, k := range r.Fields["keywords"].([]any) {
		words = append(words, strings.TrimSpace(strings.ReplaceAll(k.(string), "\n", " ")))
	}
	if !slices.Equal(it.Keywords, words) {
		return fmt.Errorf("keywords: %q, want %q", it.Keywords, words)
	}
	patterns := r.Fields["patterns"]
	if l, ok := r.Lossy["patterns"]; ok {
		patterns = l.OnDisk
	}
	if d := cmp.Diff(plain(patterns), plain(it.Patterns)); d != "" {
		return fmt.Errorf("patterns: %s", d)
	}
	if want := given("type"); string(it.Type) != want {
		return fmt.Errorf("type %s, want %s", it.Type, want)
	}
	if want := r.MadeByTool["added"].(string); it.Added.Format(time.DateOnly) != want {
		return fmt.Errorf("added %v, want %s", it.Added, want)
	}
	skills := []any{r.Fields["skill"]}
	if list, ok := r.Fields["skills"].([]any); ok {
		skills = list
	}
	var want []string
	for _, s := range skills {
		if s != nil {
			want = append(want, imports.FitName(s.(string)))
		}
	}
	if !slices.Equal(it.Scope.Skills, want) || it.Scope.Always != (r.Fields["always"] == true) {
		return fmt.Errorf("scope %+v, want %v", it.Scope, want)
	}
	if err := checkStatus(r, it, all); err != nil {
		return err
	}
	return checkLinks(r, it)
}

func checkStatus(r row, it *sage.Item, all []row) error {
	status, _ := r.Fields["status"].(string)
	switch {
	case status == "" && r.Kind == "todo":
		status = "pending"
	case status == "":
		status = "active"
	}
	for _, o := range all { // what another supersedes does not count here
		links, _ := o.Fields["links"].([]any)
		for _, l := range links {
			if l := l.(map[string]any); l["relation"] == "supersedes" && l["target_id"] == r.ID && filepath.Dir(o.File) == filepath.Dir(r.File) {
				status = "superseded"
			}
		}
	}
	if string(it.Status) != status {
		return fmt.Errorf("status %s, want %s", it.Status, status)
	}
	reason, _ := r.Fields["deprecated_reason"].(string)
	replacement, _ := r.Fields["replacement_id"].(string)
	if status == "deprecated" {
		if it.Reason != strings.TrimSpace(reason) || it.Replacement != replacement {
			return fmt.Errorf("deprecated for %q, see %q; want %q, %q", it.Reason, it.Replacement, reason, replacement)
		}
		return nil
	}
	if want, _ := r.Fields["source"].(string); it.Source != want {
		return fmt.Errorf("source %q, want %q", it.Source, want)
	}
	return nil
}

func checkLinks(r row, it *sage.Item) error {
	if l, lossy := r.Lossy["links"]; lossy && l.Stage == "write" {
		return nil
	}
	links, _ := r.Fields["links"].([]any)
	n := 0
	for _, l := range links {
		l := l.(map[string]any)
		kind := sage.LinkKind(l["relation"].(string))
		if strings.HasSuffix(string(kind), "_by") { // stands at the other end
			continue
		}
		n++
		if !slices.Contains(it.Links, sage.Link{Kind: kind, To: imports.FitName(l["target_id"].(string))}) {
			return fmt.Errorf("links are %v, want %v", it.Links, l)
		}
	}
	if len(it.Links) != n {
		return fmt.Errorf("links are %v, want %v", it.Links, links)
	}
	code, _ := r.Fields["code_links"].([]any)
	if l, ok := r.Lossy["code_links"]; ok {
		code, _ = l.OnDisk.([]any)
		if l.OnDisk == nil {
			return nil
		}
	}
	if len(it.CodeRefs) != len(code) {
		return fmt.Errorf("code references are %v, want %v", it.CodeRefs, code)
	}
	for i, l := range code {
		file, symbol, _ := strings.Cut(l.(map[string]any)["chunk_id"].(string), "::")
		if it.CodeRefs[i].File != file || it.CodeRefs[i].Symbol != symbol {
			return fmt.Errorf("code references are %v, want %v", it.CodeRefs, code)
		}
	}
	return nil
}

// checkNoItem holds that no item says what was overwritten or removed.
func (w world) checkNoItem(r row, all []row) error {
	text, _ := r.Fields["content"].(string)
	for _, own := range []bool{false, true} {
		list, err := w.store(own).Knowledge.Items(ctx)
		if err != nil {
			return err
		}
		for _, e := range list {
			if r.Kind == "knowledge-removed" && e.Item.ID == r.ID || text != "" && e.Item.Content == lines(text) {
				return fmt.Errorf("is there as %s", e.Item.ID)
			}
		}
	}
	return nil
}

func (w world) checkFailure(r row, own bool) error {
	list, err := w.store(own).Knowledge.Items(ctx)
	if err != nil {
		return err
	}
	for _, e := range list {
		it := e.Item
		if it.Approach != r.Fields["approach"] {
			continue
		}
		if it.Type != sage.Failure || !r.lost("why_failed") && it.WhyFailed != r.Fields["why_failed"] || it.Learned != r.Fields["learned"] {
			return fmt.Errorf("%+v, want %v", it, r.Fields)
		}
		if d := cmp.Diff(plain(r.Fields["keywords"]), plain(it.Keywords)); d != "" {
			return fmt.Errorf("keywords: %s", d)
		}
		var to []string
		for _, l := range it.Links {
			to = append(to, l.To)
		}
		if d := cmp.Diff(plain(r.Fields["related_to"]), plain(to)); d != "" {
			return fmt.Errorf("links: %s", d)
		}
		if want := r.MadeByTool["added"].(string); it.Added.Format("2006-01-02T15:04:05") != want {
			return fmt.Errorf("added %v, want %s", it.Added, want)
		}
		return nil
	}
	return fmt.Errorf("no failure with this approach")
}

func (w world) checkCore(r row, own bool) error {
	c, err := w.store(own).Knowledge.CoreFile(ctx, r.ID)
	if err != nil {
		return err
	}
	if c.Summary != r.Fields["summary"] || c.Added.Format(time.DateOnly) != r.MadeByTool["marked_at"].(string)[:10] {
		return fmt.Errorf("%+v, want %v", c, r.Fields)
	}
	return nil
}

func (w world) checkOther(r row, own bool) error {
	switch r.Kind {
	case "insight":
		list, err := w.store(own).Knowledge.Items(ctx)
		for _, e := range list {
			if e.Item.Content == r.Fields["text"] {
				return nil
			}
		}
		return fmt.Errorf("no item says this: %v", err)
	case "pending-task":
		if id, ok := r.Fields["knowledge_id"].(string); ok {
			_, err := w.itemOf(id, own)
			return err
		}
		c, err := w.checkpoint(r.ID, own)
		if err == nil && c.Thesis != r.Fields["thesis"] {
			err = fmt.Errorf("thesis %q", c.Thesis)
		}
		return err
	case "skill":
		e, err := w.store(true).Knowledge.Item(ctx, "skills/"+imports.FitName(r.ID))
		if err == nil && e.Item.Description != r.Fields["description"] {
			err = fmt.Errorf("description %q", e.Item.Description)
		}
		return err
	}
	where, _, _ := strings.Cut(r.ID, ":")
	for key, want := range r.Fields {
		if strings.HasSuffix(r.File, "config.yaml") || r.lost(key) && r.Lossy[key].OnDisk == nil {
			continue // nothing of config.yaml has a counterpart
		}
		text := fmt.Sprint(want)
		if list, ok := want.([]any); ok {
			var words []string
			for _, x := range list {
				words = append(words, x.(string))
			}
			text = strings.Join(words, ",")
		}
		if got := w.set[where+" "+key]; got != text {
			return fmt.Errorf("%s is %q, want %q", key, got, text)
		}
	}
	if w.set[where+" api_key"] != "" {
		return fmt.Errorf("a key of an account was taken")
	}
	return nil
}
