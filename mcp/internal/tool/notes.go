package tool

import (
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/search"
)

// NoteGiven keeps the prompt hook from giving the session the same again.
func (c *Call) NoteGiven(m *recall.Memory, items []search.Recalled) {
	given := map[string]string{}
	for _, r := range items {
		if r.Hit != nil {
			given[r.Meta.Key] = r.Meta.Blob
		}
	}
	if err := m.Store.Session.NoteGiven(given); err != nil { // then it comes again
		c.Client.Logf("note what was recalled: %v", err)
	}
}

// NoteShown keeps it from bringing back checkpoints that the session was shown.
func (c *Call) NoteShown(m *recall.Memory, ids ...string) {
	if err := m.Prompts.NoteShown(ids...); err != nil { // then they come again
		c.Client.Logf("note what was shown: %v", err)
	}
}

// NoteConcluded is NoteGiven of checkpoints.
func (c *Call) NoteConcluded(m *recall.Memory, list []prompts.Conclusion) {
	var ids []string
	for _, x := range list {
		ids = append(ids, x.ID)
	}
	c.NoteShown(m, ids...)
}
