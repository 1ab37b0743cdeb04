package texts

import (
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/internal/hint"
)

// tools are what an agent calls in place of a command that a person types, with $1 for the
// argument.
var tools = map[remedy.Do]string{
	remedy.MergeThesis:     "sage_merge(thesis: ...) settles it",
	remedy.CompareTwo:      "sage_diff(from: $1, to: $2) compares the two",
	remedy.MergeFork:       "sage_merge(checkpoint_id: $1) merges it",
	remedy.ListCheckpoints: ListCheckpoints,
	remedy.RemoveItem:      "sage_remove_knowledge(knowledge_id: $1) removes it",
	remedy.DescribeCore:    "sage_mark_core(path: $1, summary: ...) settles them",
	remedy.UnmarkCore:      "sage_unmark_core(path: $1) unmarks it",
}

// What lists everything that there is: without the argument a tool lists what is current.
const (
	ListCheckpoints = "sage_list_checkpoints(all: true) lists all checkpoints"
	ListItems       = `sage_list_knowledge(status: "all") lists all items`
)

// Error is the text of an error, and what an agent can do about it.
func Error(err error) string { return Note(remedy.NoteOf(err)) }

// Note is the text of a note, and what an agent can do about it.
func Note(n remedy.Note) string { return n.Say(Sentence) }

// Sentence says what to call for a remedy, or what to type where no tool does it.
func Sentence(r remedy.Remedy) string {
	said, ok := tools[r.Do]
	if !ok {
		return hint.Sentence(r)
	}
	arg := "..."
	if r.Args[0] != "" {
		arg = strconv.Quote(strings.Trim(r.Args[0], "'"))
	}
	return strings.ReplaceAll(said, "$1", arg)
}
