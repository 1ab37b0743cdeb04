package cli

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

// recordJSON is what --json prints of a checkpoint in a list, one object a
// line. Fields are only ever added.
type recordJSON struct {
	ID          string    `json:"id"`
	Parents     []string  `json:"parents"`
	Kind        string    `json:"kind"` // checkpoint, merge, tombstone
	Description string    `json:"description"`
	Thesis      string    `json:"thesis,omitempty"`
	Question    string    `json:"core_question,omitempty"`
	Confidence  *float64  `json:"confidence,omitempty"` // 0..1
	Trigger     string    `json:"trigger,omitempty"`
	Skill       string    `json:"skill,omitempty"`
	Project     string    `json:"project,omitempty"`
	Template    string    `json:"template,omitempty"`
	Messages    int       `json:"message_count,omitempty"`
	Tokens      int       `json:"token_estimate,omitempty"`
	Author      string    `json:"author"`
	Email       string    `json:"email"`
	Time        time.Time `json:"ts"`       // when it was thought
	Recorded    time.Time `json:"recorded"` // when it was committed
	Session     string    `json:"session,omitempty"`
	Agent       string    `json:"agent,omitempty"`
	Commit      string    `json:"code_commit,omitempty"`
	Branch      string    `json:"code_branch,omitempty"`
	Dirty       bool      `json:"code_dirty,omitempty"`
	Names       []string  `json:"names,omitempty"` // lines, forks and tags that point to it
	Aliases     []string  `json:"aliases,omitempty"`
	Removed     bool      `json:"removed,omitempty"`
	Removes     []string  `json:"removes,omitempty"`
	Restores    []string  `json:"restores,omitempty"`
	Signature   string    `json:"signature,omitempty"`   // as git's %G?
	Unconfirmed bool      `json:"unconfirmed,omitempty"` // it came from elsewhere, whoever it names, or rules made it, and nobody here stands for it
}

func toRecordJSON(r gitstore.Record) recordJSON {
	return recordJSON{
		ID: r.ID, Parents: notNil(r.Parents), Kind: string(r.Kind),
		Description: r.Description, Thesis: r.Thesis, Question: r.Question, Confidence: r.Confidence,
		Trigger: string(r.Trigger), Skill: r.Skill, Project: r.Project, Template: r.Template,
		Messages: r.Messages, Tokens: r.Tokens,
		Author: r.Author, Email: r.Email, Time: r.Time, Recorded: r.Recorded,
		Session: r.Session, Agent: r.Agent,
		Commit: r.Code.Commit, Branch: r.Code.Branch, Dirty: r.Code.Dirty,
		Names: r.Names, Aliases: r.Aliases,
		Removed: r.Removed, Removes: r.Removes, Restores: r.Restores, Signature: r.Signature, Unconfirmed: !r.Own || r.Unconfirmed,
	}
}

// notNil makes an empty list of none, so that JSON says [] and not null.
func notNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// printRecords prints a list: a table on a terminal, tab-separated in a pipe,
// or objects with --json. line is that which all of them are on, if it is known.
func (a *app) printRecords(records []gitstore.Record, line string) error {
	if a.JSON {
		for _, r := range records {
			if err := a.PrintJSON(toRecordJSON(r)); err != nil {
				return err
			}
		}
		return nil
	}
	p := a.Palette()
	t := term.Table{Head: []string{"id", "age", "line", "turns", "tokens", "confidence", "description"}}
	t.Paint = func(column int, cell string) string {
		if column == 0 {
			return p.ID(cell)
		}
		return cell
	}
	for _, r := range records {
		t.Add(a.Short(r.ID), a.When(r.Time), strings.Join(lineNames(r, line), ", "), term.Count(r.Messages), term.Count(r.Tokens),
			term.Percent(r.Confidence), inList(r))
	}
	return t.Print(&a.Terminal)
}

// lineNames are the names of r with a line among them, if one is known.
func lineNames(r gitstore.Record, line string) []string {
	if line == "" || slices.ContainsFunc(r.Names, func(n string) bool { return !strings.HasPrefix(n, "tag: ") }) {
		return r.Names
	}
	return append([]string{line}, r.Names...)
}

// describe is the description of r, and says so if it was removed, or if nobody thought
// about it: a recovery stands in for a thought until somebody saves one.
func describe(r gitstore.Record) string {
	switch {
	case r.Removed:
		return r.Description + " (removed)"
	case r.Trigger == sage.Recovery:
		return r.Description + " (recovery)"
	}
	return r.Description
}

// inList is what a list says of r: its description, and before that whose it is if it came
// from elsewhere and nobody here stands for it.
func inList(r gitstore.Record) string { return recall.Byline(r) + describe(r) }

// isField says whether a record has a field of this name in JSON.
func isField(name string) bool {
	t := reflect.TypeFor[recordJSON]()
	for i := range t.NumField() {
		if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); tag == name {
			return true
		}
	}
	return false
}
