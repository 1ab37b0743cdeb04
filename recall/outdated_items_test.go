package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/prompts"
)

func TestWhatReplacedItIsRecalledInItsPlace(t *testing.T) {
	m := newMemory(t, "")
	old := withKeyword(item("old", sage.Knowledge, "Consent is asked for once."), "consent")
	write(t, m, old, item("mid", sage.Knowledge, "It is asked for every year."), item("new", sage.Knowledge, "Every month the banner appears."),
		item("scoped", sage.Knowledge, "Only for the lawyers."))
	replace := func(id, by string) {
		write(t, m, edited(id, func(it *sage.Item) { it.Status, it.Replacement = sage.Deprecated, by }))
	}
	replace("old", "mid")
	if got := recalled(t, m, "when is consent needed", prompts.RecallOptions{}); !slices.Equal(got, []string{"mid"}) {
		t.Errorf("recalls %q", got)
	}
	replace("mid", "new")
	if got := recalled(t, m, "when is consent needed", prompts.RecallOptions{}); !slices.Equal(got, []string{"new"}) {
		t.Errorf("through a chain: %q", got)
	}
	r, err := m.Prompts.Recall(t.Context(), "when is consent needed", prompts.RecallOptions{})
	if err != nil || !strings.Contains(r.Items[0].Why, "newer than mid (newer than old (keyword 'consent'))") {
		t.Errorf("it says why: %q, %v", r.Items[0].Why, err)
	}
	write(t, m, edited("scoped", func(it *sage.Item) { it.Scope.Skills = []string{"law"} }))
	replace("old", "scoped")
	if got := recalled(t, m, "when is consent needed", prompts.RecallOptions{}); !slices.Equal(got, []string{"old"}) {
		t.Errorf("where the other may not be recalled: %q", got)
	}
	r, _ = m.Prompts.Recall(t.Context(), "when is consent needed", prompts.RecallOptions{})
	if text := m.Prompts.Text(t.Context(), r.Items); !strings.Contains(text, "Deprecated; use scoped.") {
		t.Error(text)
	}
}

func TestTheNewerOfTwoThatContradictComesFirst(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, withKeyword(item("once", sage.Knowledge, "Consent is asked for once."), "consent"))
	later := withKeyword(item("yearly", sage.Knowledge, "Consent is asked for every year."), "consent")
	later.Item.Links = []sage.Link{{Kind: sage.Contradicts, To: "once"}}
	later.Item.Added = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	later.Item.Updated = later.Item.Added
	write(t, m, later)
	r, err := m.Prompts.Recall(t.Context(), "is consent asked for once", prompts.RecallOptions{})
	if err != nil || len(r.Items) != 2 || r.Items[0].Item.ID != "yearly" || r.Items[1].Outdated != "contradicted by yearly, which is newer" {
		t.Fatalf("%+v, %v", r, err)
	}
	if text := m.Prompts.Text(t.Context(), r.Items); !strings.Contains(text, "Consent is asked for once.\nOutdated: contradicted by yearly, which is newer.") {
		t.Error(text)
	}
	if got := recalled(t, m, "is consent asked for once", prompts.RecallOptions{MaxItems: 1}); !slices.Equal(got, []string{"yearly"}) {
		t.Errorf("of one: %q", got)
	}
}

func TestWhatIsTooLongIsGivenByItsBeginning(t *testing.T) {
	m := newMemory(t, "")
	long := withKeyword(item("guide", sage.Knowledge, "How consent works.\n"+strings.Repeat("One more sentence about it. ", 1000)), "consent")
	out := write(t, m, long)
	if w := out[0].Warnings; len(w) != 1 || !strings.Contains(w[0].Text, "more than the 2000 of recall_max_tokens") {
		t.Errorf("warned: %q", w)
	}
	r, err := m.Prompts.Recall(t.Context(), "consent", prompts.RecallOptions{})
	if err != nil || len(r.Items) != 1 || r.Items[0].Excerpt != 400 {
		t.Fatalf("%+v, %v", r, err)
	}
	text := m.Prompts.Text(t.Context(), r.Items)
	if len(text) > 2500 || !strings.Contains(text, "How consent works.") || !strings.Contains(text, "For all of it: sage_recall_knowledge with query guide, or `git sage knowledge show guide`.]") {
		t.Error(text)
	}
	if got := prompts.Notice(r.Items); got != "Knowledge recalled (1): guide 400 tokens" {
		t.Error(got)
	}
	write(t, m, withKeyword(item("short", sage.Knowledge, "Consent needs a checkbox."), "consent"))
	if got := recalled(t, m, "consent", prompts.RecallOptions{}); len(got) != 2 {
		t.Errorf("beside a short one: %q", got)
	}
}
