package recall_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
)

func recalled(t *testing.T, m *recall.Memory, query string, o prompts.RecallOptions) (ids []string) {
	t.Helper()
	r, err := m.Prompts.Recall(t.Context(), query, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Items {
		if x.Item == nil || x.Item.Content == "" {
			t.Errorf("%s has no content", x.Meta.Key)
		}
		ids = append(ids, x.Item.ID)
	}
	return ids
}

func withKeyword(c recall.ItemChange, words ...string) recall.ItemChange {
	c.Item.Keywords = words
	return c
}

func TestRecallByKeyword(t *testing.T) {
	m := newMemory(t, "")
	write(t, m,
		withKeyword(item("staging-wipe", sage.Knowledge, "It is emptied every Sunday night."), "staging database"),
		withKeyword(item("colours", sage.Preference, "Dark, please."), "theme"),
		item("other", sage.Knowledge, "The moon is far away."))
	for query, want := range map[string][]string{
		"why is the staging database empty?": {"staging-wipe"},
		"which theme do I like":              {"colours"},
		"bake a cake with plums":             nil,
		"":                                   nil,
		"stagingdatabases":                   nil,
	} {
		if got := recalled(t, m, query, prompts.RecallOptions{}); !slices.Equal(got, want) {
			t.Errorf("%q recalls %q instead of %q", query, got, want)
		}
	}
}

func TestScopesOfSkillsAndAlways(t *testing.T) {
	m := newMemory(t, "")
	scoped := withKeyword(item("gdpr", sage.Knowledge, "Ask first."), "consent")
	scoped.Item.Scope.Skills = []string{"privacy"}
	always := item("tone", sage.Knowledge, "Be brief.")
	always.Item.Scope.Always = true
	write(t, m, scoped, always)
	if got, want := recalled(t, m, "is consent needed", prompts.RecallOptions{}), []string{"tone"}; !slices.Equal(got, want) {
		t.Errorf("without the skill: %q", got)
	}
	if got, want := recalled(t, m, "is consent needed", prompts.RecallOptions{Skill: "privacy"}), []string{"tone", "gdpr"}; !slices.Equal(got, want) {
		t.Errorf("with the skill: %q", got)
	}
	if got := recalled(t, m, "is consent needed", prompts.RecallOptions{Skill: "privacy", MaxTokens: 1}); got != nil {
		t.Errorf("beyond the budget: %q", got)
	}
}

func TestWhatWasGivenIsNotGivenAgain(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, withKeyword(item("a", sage.Knowledge, "one"), "consent"))
	r, err := m.Prompts.Recall(t.Context(), "consent", prompts.RecallOptions{})
	if err != nil || len(r.Items) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	o := prompts.RecallOptions{Seen: map[string]string{r.Items[0].Meta.Key: r.Items[0].Blob}}
	if got := recalled(t, m, "consent", o); got != nil {
		t.Errorf("again: %q", got)
	}
	write(t, m, withKeyword(item("b", sage.Knowledge, "two"), "consent"))
	o.MaxItems = 1
	if got := recalled(t, m, "consent", o); got != nil {
		t.Errorf("instead of what was given: %q", got)
	}
	o.MaxItems = 0
	if got := recalled(t, m, "consent", o); !slices.Equal(got, []string{"b"}) {
		t.Errorf("beside what was given: %q", got)
	}
	write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "a", Edit: func(it *sage.Item) error { it.Content = "two"; return nil }}})
	if got := recalled(t, m, "consent", o); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("behind a change: %q", got)
	}
}

func TestRecallByMeaning(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{Thresholds: map[string]float64{"knowledge": 0.2}} }
	write(t, m, item("when", sage.Knowledge, "release every friday afternoon"), item("moon", sage.Knowledge, strings.Repeat("the moon is far away ", 3)))
	if got := recalled(t, m, "deploy friday", prompts.RecallOptions{}); !slices.Equal(got, []string{"when"}) {
		t.Errorf("recalls %q", got)
	}
}

func TestWhatWasReplacedGivesWay(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, withKeyword(item("old", sage.Knowledge, "Consent is asked for once."), "consent"))
	newer := withKeyword(item("new", sage.Knowledge, "Consent is asked for every year."), "consent")
	newer.Item.Links = []sage.Link{{Kind: sage.Supersedes, To: "old"}}
	write(t, m, newer)
	r, err := m.Prompts.Recall(t.Context(), "how often is consent asked for?", prompts.RecallOptions{})
	if err != nil || len(r.Items) != 1 || r.Items[0].Item.ID != "new" {
		t.Fatalf("%+v, %v", r, err)
	}
	if len(r.Near) != 1 || r.Near[0].Outdated != "replaced by new" {
		t.Errorf("the old one is left out because it is %q", r.Near[0].Outdated)
	}
	write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "old", Edit: func(it *sage.Item) error { it.Source = "a person"; return nil }}})
	if got := recalled(t, m, "how often is consent asked for?", prompts.RecallOptions{}); !slices.Equal(got, []string{"new"}) {
		t.Errorf("behind a change of the old one: %q", got)
	}
}
