package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/propose"
)

// Issues is the tool of issues.jsonl.
const Issues = "beads"

// issue is a line of the file.
type issue struct {
	ID           string       `json:"id"`
	Title        string       `json:"title"`
	Description  string       `json:"description,omitempty"`
	Design       string       `json:"design,omitempty"`
	Acceptance   string       `json:"acceptance_criteria,omitempty"`
	Notes        string       `json:"notes,omitempty"`
	Status       string       `json:"status"`
	Priority     *json.Number `json:"priority,omitempty"`
	IssueType    string       `json:"issue_type,omitempty"`
	Assignee     string       `json:"assignee,omitempty"`
	CreatedAt    string       `json:"created_at,omitempty"`
	UpdatedAt    string       `json:"updated_at,omitempty"`
	ClosedAt     string       `json:"closed_at,omitempty"`
	CloseReason  string       `json:"close_reason,omitempty"`
	Owner        string       `json:"owner,omitempty"`
	CreatedBy    string       `json:"created_by,omitempty"`
	StartedAt    string       `json:"started_at,omitempty"`
	DueAt        string       `json:"due_at,omitempty"`
	DeferUntil   string       `json:"defer_until,omitempty"`
	ExternalRef  string       `json:"external_ref,omitempty"`
	Spec         string       `json:"spec_id,omitempty"`
	Labels       []string     `json:"labels,omitempty"`
	Dependencies []dependency `json:"dependencies,omitempty"`
	Comments     []comment    `json:"comments,omitempty"`

	// Newer files hold records of other kinds as well: a memory is what 'bd remember' keeps.
	RecordType string `json:"_type,omitempty"`
	Key        string `json:"key,omitempty"`
	Value      string `json:"value,omitempty"`
}

// usualPriority is what beads gives an issue if nobody says; one that is absent counts as 0, the
// most urgent.
const usualPriority = "2"

type dependency struct {
	IssueID     string `json:"issue_id"`
	DependsOnID string `json:"depends_on_id"`
	Type        string `json:"type"`
}

type comment struct {
	Author    string `json:"author,omitempty"`
	Text      string `json:"text"`
	CreatedAt string `json:"created_at,omitempty"`
}

// dependenciesKey is the key of an item's Extra with dependencies that are no kind of links,
// each as "kind: issue".
const dependenciesKey = "dependencies"

// sections of an issue's text, by their headings.
var sections = []struct {
	heading string
	of      func(*issue) *string
}{
	{"Design", func(i *issue) *string { return &i.Design }},
	{"Acceptance criteria", func(i *issue) *string { return &i.Acceptance }},
	{"Notes", func(i *issue) *string { return &i.Notes }},
}

// facts of an issue that an item has no field for.
var facts = []struct {
	key string
	of  func(*issue) *string
}{
	{"issue_type", func(i *issue) *string { return &i.IssueType }},
	{"assignee", func(i *issue) *string { return &i.Assignee }},
	{"closed_at", func(i *issue) *string { return &i.ClosedAt }},
	{"close_reason", func(i *issue) *string { return &i.CloseReason }},
	{"owner", func(i *issue) *string { return &i.Owner }},
	{"created_by", func(i *issue) *string { return &i.CreatedBy }},
	{"started_at", func(i *issue) *string { return &i.StartedAt }},
	{"due_at", func(i *issue) *string { return &i.DueAt }},
	{"defer_until", func(i *issue) *string { return &i.DeferUntil }},
	{"external_ref", func(i *issue) *string { return &i.ExternalRef }},
	{"spec_id", func(i *issue) *string { return &i.Spec }},
}

// ReadIssues reads the file.
func ReadIssues(file, shown string) (imports.Source, error) {
	l := &imports.List{From: Issues}
	var list []issue
	var places []string
	at := map[string]int{}
	err := eachLine(l, file, shown, func(where string, v issue) {
		i, twice := at[v.ID]
		switch {
		case v.RecordType == "memory" && strings.TrimSpace(v.Value) != "":
			it := memory(v.Key, v.Value)
			it.Source = plain.Source(shown)
			l.Add(where, "memory "+v.Key, it)
		case v.RecordType != "" && v.RecordType != "issue":
			l.Say(imports.Problem{Where: where, Grade: imports.Skipped, What: fmt.Sprintf("is a %s and no issue", legible.Quoted(v.RecordType, 40))})
		case v.ID == "" || strings.TrimSpace(v.Title) == "":
			l.Say(imports.Problem{Where: where, Grade: imports.Skipped, What: "is no issue with an id and a title"})
		case v.Status == "tombstone":
			l.Say(imports.Problem{Where: where, Grade: imports.Noted, What: legible.OneLine(v.ID) + " was deleted there"})
		case twice:
			l.Say(imports.Problem{Where: where, Grade: imports.Noted, What: legible.OneLine(v.ID) + " is there twice; the one that changed last counts"})
			if v.UpdatedAt >= list[i].UpdatedAt {
				list[i], places[i] = v, where
			}
		default:
			at[v.ID] = len(list)
			list, places = append(list, v), append(places, where)
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range list {
		it, problems := list[i].item(places[i], at)
		it.Source = plain.Source(shown)
		l.Add(places[i], list[i].ID, it, problems...)
	}
	return l, nil
}

// memory makes a fact of what 'bd remember' keeps, by its key. It has no date.
func memory(key, value string) *sage.Item {
	it := &sage.Item{Type: sage.Knowledge, Content: strings.TrimSpace(value), Keywords: plain.Keywords(value)}
	if it.ID = naming.SuggestName(propose.WithoutSecrets(key)); it.ID == "" || len(it.ID) > 60 { // one that bd made is cut from the text
		it.ID = propose.IDFor(it.Type, value)
	}
	return it
}

// item makes a todo of an issue.
func (v *issue) item(where string, known map[string]int) (it *sage.Item, problems []imports.Problem) {
	say := func(g imports.Grade, format string, args ...any) {
		problems = append(problems, imports.Problem{Where: where, Grade: g, What: fmt.Sprintf(format, args...)})
	}
	it = &sage.Item{Type: sage.Todo, Status: sage.Pending, Description: cut.Bytes(legible.OneLine(v.Title), 500), Content: strings.TrimSpace(v.Description)}
	if it.ID = v.ID; naming.NameProblem(v.ID) != "" {
		it.ID = cmp.Or(naming.SuggestName(propose.WithoutSecrets(v.ID)), propose.IDFor(sage.Todo, v.Title))
		it.Aliases = []string{cut.Bytes(legible.OneLine(v.ID), 200)}
	}
	for _, s := range sections {
		if text := strings.TrimSpace(*s.of(v)); text != "" {
			it.Content += "\n\n## " + s.heading + "\n\n" + text
		}
	}
	if len(v.Comments) > 0 {
		it.Content += "\n\n## Comments"
		for _, c := range v.Comments {
			it.Content += "\n\n" + strings.TrimSpace(fmt.Sprintf("%s %s: %s", legible.OneLine(c.CreatedAt), legible.OneLine(c.Author), strings.TrimSpace(c.Text)))
		}
	}
	it.Content = strings.TrimSpace(it.Content)
	switch status := strings.ToLower(v.Status); status {
	case "closed", "done":
		it.Status = sage.Done
	case "open", "":
	default:
		it.Extra = append(it.Extra, sage.Entry{Key: "issue_status", Value: status})
	}
	if v.Priority != nil {
		n, _ := v.Priority.Int64()
		it.Extra = append(it.Extra, sage.Entry{Key: "priority", Value: n})
	}
	for _, f := range facts {
		if s := *f.of(v); s != "" {
			it.Extra = append(it.Extra, sage.Entry{Key: f.key, Value: s})
		}
	}
	for _, s := range v.Labels {
		if s = legible.OneLine(s); s != "" {
			it.Keywords = append(it.Keywords, cut.Bytes(s, 200))
		}
	}
	if len(it.Keywords) == 0 {
		it.Keywords = plain.Keywords(v.Title)
	}
	var ok bool
	if it.Added, ok = plain.Date(v.CreatedAt); !ok && v.CreatedAt != "" {
		say(imports.Partial, "created_at: %s is no date", legible.Quoted(v.CreatedAt, 40))
	}
	v.depend(it, known, say)
	return it, problems
}

// depend makes links of dependencies.
func (v *issue) depend(it *sage.Item, known map[string]int, say func(imports.Grade, string, ...any)) {
	for _, d := range v.Dependencies {
		_, there := known[d.DependsOnID]
		if !there {
			say(imports.Noted, "depends on %s, which is no issue of the file", legible.Quoted(d.DependsOnID, 60))
		}
		relate(it, dependenciesKey, relation{d.Type, d.DependsOnID}, there && d.DependsOnID != v.ID)
	}
}

var (
	sectionLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^## (Design|Acceptance criteria|Notes|Comments)\n`)
	})
	commentHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?) ?([^:\n]*): `)
	})
)

// WriteIssues writes the todos of a list as the file. others is how many items are none.
func WriteIssues(items []*sage.Item) (data []byte, others int) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	names := map[string]string{}
	for _, it := range items {
		if it.Type != sage.Todo {
			others++
			continue
		}
		names[it.ID] = it.ID
		if len(it.Aliases) > 0 && naming.SuggestName(it.Aliases[0]) == it.ID {
			names[it.ID] = it.Aliases[0]
		}
	}
	for _, it := range items {
		if it.Type != sage.Todo {
			continue
		}
		v := issueOf(it)
		v.ID = names[it.ID]
		here, _ := relations(it, dependenciesKey, names)
		for _, r := range here {
			v.Dependencies = append(v.Dependencies, dependency{v.ID, r.to, r.word})
		}
		_ = enc.Encode(v)
	}
	return b.Bytes(), others
}

// issueOf is a todo as an issue, without what it depends on.
func issueOf(it *sage.Item) *issue {
	v := &issue{Title: cmp.Or(it.Description, legible.OneLine(it.Title())), Status: "open", Labels: it.Keywords}
	if slices.Equal(v.Labels, plain.Keywords(v.Title)) { // nobody gave them
		v.Labels = nil
	}
	content := it.Content
	if it.Description == "" && legible.OneLine(content) == v.Title {
		content = ""
	}
	parts := sectionLine().FindAllStringSubmatchIndex(content, -1)
	v.Description = content
	if len(parts) > 0 {
		v.Description = strings.TrimSpace(content[:parts[0][0]])
	}
	for i, p := range parts {
		end := len(content)
		if i+1 < len(parts) {
			end = parts[i+1][0]
		}
		heading, body := content[p[2]:p[3]], strings.TrimSpace(content[p[1]:end])
		for _, s := range sections {
			if s.heading == heading {
				*s.of(v) = body
			}
		}
		if heading == "Comments" {
			if v.Comments = commentsOf(body); v.Comments == nil {
				v.Description = strings.TrimSpace(v.Description + "\n\n## Comments\n\n" + body)
			}
		}
	}
	for _, f := range facts {
		*f.of(v), _ = plain.ExtraText(it.Extra, f.key)
	}
	switch s, ok := plain.ExtraText(it.Extra, "issue_status"); {
	case it.Status == sage.Done:
		v.Status = "closed"
	case it.Status == sage.Deprecated || it.Status == sage.Archived || it.Status == sage.Superseded: // nobody is to do it
		v.Status, v.CloseReason = "closed", cmp.Or(v.CloseReason, it.Reason, string(it.Status))
	case ok:
		v.Status = s
	}
	n := json.Number(usualPriority)
	if x := plain.Extra(it.Extra, "priority"); x != nil {
		n = json.Number(fmt.Sprint(x))
	}
	v.Priority = &n
	if !it.Added.IsZero() {
		v.CreatedAt = it.Added.UTC().Format(time.RFC3339)
		v.UpdatedAt = it.Updated.UTC().Format(time.RFC3339)
	}
	if v.Status != "closed" { // beads refuses an open issue that was closed, and one closed at no time
		v.ClosedAt, v.CloseReason = "", ""
	} else if v.ClosedAt == "" {
		v.ClosedAt = v.UpdatedAt
	}
	return v
}

func commentsOf(body string) (out []comment) {
	at := commentHead().FindAllStringSubmatchIndex(body, -1)
	for i, m := range at {
		end := len(body)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		out = append(out, comment{Author: body[m[4]:m[5]], CreatedAt: body[m[2]:m[3]], Text: strings.TrimSpace(body[m[1]:end])})
	}
	return out
}
