package texts

import (
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/internal/hint"
)

// tools are what an agent calls in place of a command that a person types.
var tools = map[remedy.Do]string{
	remedy.MergeThesis:     "call sage_merge with a thesis, which settles it",
	remedy.MergeFork:       "sage_merge merges it",
	remedy.ListCheckpoints: "sage_list_checkpoints lists the checkpoints",
	remedy.RemoveItem:      "sage_remove_knowledge removes it",
	remedy.DescribeCore:    "sage_mark_core with a summary settles them",
	remedy.UnmarkCore:      "sage_unmark_core unmarks it",
}

// Error is the text of an error, and what an agent can do about it.
func Error(err error) string { return Note(remedy.NoteOf(err)) }

// Note is the text of a note, and what an agent can do about it.
func Note(n remedy.Note) string { return n.Say(Sentence) }

// Sentence names the tool for a remedy, or the command where there is none.
func Sentence(r remedy.Remedy) string {
	if call, ok := tools[r.Do]; ok {
		return call
	}
	return hint.Sentence(r)
}
