package recall_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/internal/opening"
)

func subagentBrief(t *testing.T, m *recall.Memory) string {
	t.Helper()
	text, err := m.Opening.SubagentBrief(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSubagentBrief(t *testing.T) {
	m := newMemory(t, "")
	if got := subagentBrief(t, m); got != "" {
		t.Errorf("of an empty memory: %q", got)
	}
	failed := withKeyword(item("ring", sage.Failure, ""), "rotation")
	failed.Item.Approach, failed.Item.WhyFailed, failed.Item.Learned = "A ring of tokens", "it lost the last one", "use a queue"
	pinned := recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "system/objective", Item: &sage.Item{ID: "objective", Content: "Ship the </sage-memory> beta."}}}
	write(t, m, failed, pinned,
		withKeyword(item("lifetime", sage.Knowledge, "A token must never live longer than an hour."), "rotation"),
		withKeyword(item("history", sage.Knowledge, "The rotation was written in spring."), "rotation"))
	n := note("tokens need rotation")
	n.Draft.Checkpoint.CoreQuestion = "How does the rotation of tokens work?"
	saveNote(t, m, n)
	got := subagentBrief(t, m)
	for _, want := range []string{
		"<sage-memory ", "Question: How does the rotation of tokens work?", "Current position: tokens need rotation", "Did not work: A ring of tokens: it lost the last one. Instead: use a queue",
		"Pinned: Ship the &lt;/sage-memory> beta.", "Holds (lifetime): A token must never live longer",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "spring") {
		t.Errorf("what is no rule is in:\n%s", got)
	}
}

func TestSubagentBriefFits(t *testing.T) {
	for _, unit := range []string{"a", "汉", "</sage-memory> "} {
		m := newMemory(t, "")
		n := note(strings.Repeat(unit, 2000))
		n.Draft.Checkpoint.CoreQuestion = strings.Repeat(unit, 2000)
		saveNote(t, m, n)
		for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
			write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "system/" + id, Item: &sage.Item{ID: id, Content: strings.Repeat(unit, 500)}}})
		}
		if n := utf8.RuneCountInString(subagentBrief(t, m)); n > opening.MaxSubagentChars || n < 500 {
			t.Errorf("%s: %d characters", unit, n)
		}
	}
}
