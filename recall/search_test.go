package recall_test

import (
	"slices"
	"testing"

	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/search"
)

func searched(t *testing.T, m *recall.Memory, query string, o search.SearchOptions) (theses []string) {
	t.Helper()
	found, err := m.Search.Find(t.Context(), query, o)
	if err != nil || !found.Words {
		t.Fatalf("%v, %+v", err, found)
	}
	for _, f := range found.Checkpoints {
		if f.Score < 0 || f.Score > 1 {
			t.Errorf("%q has score %v", f.Thesis, f.Score)
		}
		theses = append(theses, f.Thesis)
	}
	return theses
}

func TestSearchFindsCheckpoints(t *testing.T) {
	m := newMemory(t, "")
	if got := searched(t, m, "anything", search.SearchOptions{}); got != nil {
		t.Errorf("found %q in nothing", got)
	}
	saveNote(t, m, note("Refresh tokens rotate at every use."))
	privacy := note("Consent lapses after thirteen months.")
	privacy.Draft.Checkpoint.Skill = "privacy"
	gone := saveNote(t, m, privacy)
	saveNote(t, m, note("Postgres is queue enough."))
	for query, want := range map[string]string{
		"refresh tokens": "Refresh tokens rotate at every use.", "is postgres a queue": "Postgres is queue enough.",
		"when does consent lapse?": "Consent lapses after thirteen months.",
	} {
		if got := searched(t, m, query, search.SearchOptions{Limit: 1}); !slices.Equal(got, []string{want}) {
			t.Errorf("%q finds %q", query, got)
		}
	}
	weak, err := m.Search.Find(t.Context(), "bake a cake with plums", search.SearchOptions{})
	if err != nil || !weak.Weak || len(weak.Checkpoints)+len(weak.Items) != 3 {
		t.Errorf("for something else: %+v, %v", weak, err)
	}
	if got := searched(t, m, "postgres consent", search.SearchOptions{Skill: "privacy"}); !slices.Equal(got, []string{"Consent lapses after thirteen months."}) {
		t.Errorf("of a skill: %q", got)
	}
	if _, err := m.Store.Checkpoints.Remove(t.Context(), []string{gone.ID}); err != nil {
		t.Fatal(err)
	}
	if got := searched(t, m, "consent", search.SearchOptions{}); slices.Contains(got, "Consent lapses after thirteen months.") {
		t.Errorf("found what was removed: %q", got)
	}
}
