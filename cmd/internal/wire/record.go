package wire

import (
	"reflect"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// Record is what --json prints of a checkpoint in a list, one object a
// line. Fields are only ever added.
type Record struct {
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
	Refused     bool      `json:"refused,omitempty"` // by this user
	Removes     []string  `json:"removes,omitempty"`
	Restores    []string  `json:"restores,omitempty"`
	Signature   string    `json:"signature,omitempty"`   // as git's %G?
	Unconfirmed bool      `json:"unconfirmed,omitempty"` // it came from elsewhere, whoever it names, or rules made it, and nobody here stands for it
}

// RecordOf is a commit as lists know it.
func RecordOf(r gitstore.Record) Record {
	return Record{
		ID: r.ID, Parents: NotNil(r.Parents), Kind: string(r.Kind),
		Description: r.Description, Thesis: r.Thesis, Question: r.Question, Confidence: r.Confidence,
		Trigger: string(r.Trigger), Skill: r.Skill, Project: r.Project, Template: r.Template,
		Messages: r.Messages, Tokens: r.Tokens,
		Author: r.Author, Email: r.Email, Time: r.Time, Recorded: r.Recorded,
		Session: r.Session, Agent: r.Agent,
		Commit: r.Code.Commit, Branch: r.Code.Branch, Dirty: r.Code.Dirty,
		Names: r.Names, Aliases: r.Aliases,
		Removed: r.Removed, Refused: r.Refused, Removes: r.Removes, Restores: r.Restores, Signature: r.Signature, Unconfirmed: !r.Own || r.Unconfirmed,
	}
}

// IsField says whether a record has a field of this name in JSON.
func IsField(name string) bool {
	t := reflect.TypeFor[Record]()
	for i := range t.NumField() {
		if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); tag == name {
			return true
		}
	}
	return false
}
