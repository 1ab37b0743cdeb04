package recall_test

import (
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/save"
)

// A save that nobody asked for loses nothing by saying less than what it continues; one that
// somebody asked for says what it says.
func TestUnaskedSavesLoseNothing(t *testing.T) {
	older := sage.Checkpoint{Thesis: "Tokens rotate hourly.", CoreQuestion: "How often do tokens rotate?", KeyEvidence: []string{"A leak lived for 50 minutes."}, OpenQuestions: []string{"Who renews them?"}}
	none := sage.Checkpoint{Thesis: "Nobody renews tokens by hand."}
	none.SayNone("open_questions")
	for name, tt := range map[string]struct {
		now   sage.Checkpoint
		asked bool
		want  sage.Checkpoint
	}{
		"less":             {now: sage.Checkpoint{Thesis: "The rotation runs at noon."}, want: older},
		"none":             {now: none, want: sage.Checkpoint{CoreQuestion: older.CoreQuestion, KeyEvidence: older.KeyEvidence}},
		"more":             {now: sage.Checkpoint{Thesis: "The rotation runs at noon.", KeyEvidence: []string{"cron says so"}}, want: sage.Checkpoint{CoreQuestion: older.CoreQuestion, KeyEvidence: []string{"cron says so"}, OpenQuestions: older.OpenQuestions}},
		"another question": {now: sage.Checkpoint{Thesis: "Use a ring buffer.", CoreQuestion: "Which queue do we take?"}, want: sage.Checkpoint{CoreQuestion: "Which queue do we take?"}},
		"asked for":        {now: sage.Checkpoint{Thesis: "The rotation runs at noon."}, asked: true},
		"a recovery":       {now: sage.Checkpoint{Thesis: "The rotation runs at noon.", Trigger: sage.Recovery}},
	} {
		m := newMemory(t, "one")
		saveNote(t, m, save.Note{Draft: gitstore.Draft{Checkpoint: older}})
		saved := saveNote(t, m, save.Note{Unasked: !tt.asked, Draft: gitstore.Draft{Checkpoint: tt.now}})
		c, err := m.Store.Commits.Load(t.Context(), saved.ID)
		if err != nil {
			t.Fatal(err)
		}
		if c.Thesis != tt.now.Thesis || c.CoreQuestion != tt.want.CoreQuestion || !slices.Equal(c.KeyEvidence, tt.want.KeyEvidence) || !slices.Equal(c.OpenQuestions, tt.want.OpenQuestions) {
			t.Errorf("%s: %q, %q, %q", name, c.CoreQuestion, c.KeyEvidence, c.OpenQuestions)
		}
	}
}
