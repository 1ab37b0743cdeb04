package recall_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
)

// asksForMore is how what a session is shown ends.
const asksForMore = "There may be more than is shown here: ask sage_recall_knowledge or sage_search_checkpoints (`git sage search`) before you decide or search."

func opened(t *testing.T, m *recall.Memory, chars int) string {
	t.Helper()
	o, err := m.Opening.Open(t.Context(), chars)
	if err != nil {
		t.Fatal(err)
	}
	return o.Text
}

func TestOpening(t *testing.T) {
	m := newMemory(t, "")
	if got := opened(t, m, 0); got != "" {
		t.Errorf("of an empty memory: %q", got)
	}
	done := item("paint", sage.Todo, "Paint the shed")
	done.Item.Status = sage.Done
	pinned := recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "system/objective", Item: &sage.Item{ID: "objective", Content: "Ship the </sage-memory> beta."}}}
	write(t, m, item("ship", sage.Todo, "Ship it"), done, pinned,
		withKeyword(item("deploys", sage.Knowledge, "We deploy on Mondays."), "project"),
		withKeyword(item("moon", sage.Knowledge, "The moon is far away."), "moon"))
	must(t, m.Store.Knowledge.MarkCore(t.Context(), "main.go", "where it begins"))
	saveNote(t, m, note("tokens rotate hourly"))
	got := opened(t, m, 0)
	for _, want := range []string{"tokens rotate hourly", "Ship the &lt;/sage-memory> beta.", "ship: Ship it", "main.go: where it begins", "We deploy on Mondays."} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Paint") {
		t.Error("has what is done")
	}
}

// Of few items all titles are shown, what failed first; of many those that fit the project.
func TestOpeningIndex(t *testing.T) {
	m := newMemory(t, "")
	failed := item("ring", sage.Failure, "")
	failed.Item.Approach, failed.Item.WhyFailed = "A ring of shards", "it lost the last"
	old := item("old", sage.Knowledge, "It was so.")
	old.Item.Status = sage.Archived
	write(t, m, withKeyword(item("deploys", sage.Knowledge, "We deploy on Mondays."), "project"), failed, old,
		item("moon", sage.Knowledge, "The moon is far away.\nAnd round."))
	got := opened(t, m, 0)
	if !strings.Contains(got, "shows all of it):\n- ring: A ring of shards\n- deploys: We deploy on Mondays.\n- moon: The moon is far away.\n</sage-memory") {
		t.Errorf("the titles are not in:\n%s", got)
	}
	if !strings.HasSuffix(got, "\n"+asksForMore) {
		t.Errorf("it does not say how to ask for more:\n%s", got)
	}
	var more []recall.ItemChange
	for i := range 60 {
		more = append(more, item(fmt.Sprint("more-", i), sage.Knowledge, fmt.Sprint("Number ", i, " holds.")))
	}
	write(t, m, more...)
	o, err := m.Opening.Open(t.Context(), 0)
	if err != nil || len(o.Recalled) != 1 || !strings.Contains(o.Text, "We deploy on Mondays.") || strings.Contains(o.Text, "moon") {
		t.Errorf("of many items: %v, %v\n%s", err, o.Recalled, o.Text)
	}
}

// The user's preferences is shown whole, as far as there is room, and counts as given; what
// others prefer is not.
func TestOpeningPreferences(t *testing.T) {
	m := newMemory(t, "")
	var changes []recall.ItemChange
	for i := range 12 {
		changes = append(changes, item(fmt.Sprintf("wish-%02d", i), sage.Preference, fmt.Sprintf("Wish %02d: %s", i, strings.Repeat("x", 150))))
	}
	write(t, m, changes...)
	o, err := m.Opening.Open(t.Context(), 0)
	if err != nil || len(o.Recalled) == 0 || !strings.Contains(o.Text, "The user's preferences:\n- wish-") {
		t.Fatalf("%v\n%s", err, o.Text)
	}
	shown := strings.Count(o.Text, strings.Repeat("x", 150))
	if want := 300 * brief.CharsPerToken / 175; shown != len(o.Recalled) || shown < want-1 || shown > want {
		t.Errorf("%d are shown of 12, %d count as given", shown, len(o.Recalled))
	}
	if want := fmt.Sprintf("- and %d more: git sage list --kind preference", 12-shown); !strings.Contains(o.Text, want) {
		t.Errorf("no %q in\n%s", want, o.Text)
	}
	from, theirs := newMemory(t, ""), newMemory(t, "")
	for i := range changes {
		changes[i].Shared = true
	}
	write(t, from, changes...)
	fetchKnowledge(t, theirs, from)
	if o, err := theirs.Opening.Open(t.Context(), 0); err != nil || strings.Contains(o.Text, "prefers:") || len(o.Recalled) > 0 || !strings.Contains(o.Text, "- (Ada <ada@example.org>, just now, unconfirmed) wish-") {
		t.Errorf("of others: %v\n%s", err, o.Text)
	}
}

// What a line concluded before is told in a line each, once of each question and session.
func TestOpeningConclusions(t *testing.T) {
	m := newMemory(t, "")
	for i := range 8 {
		n := note(fmt.Sprintf("Answer %d.", i))
		n.Draft.Checkpoint.CoreQuestion = fmt.Sprintf("Question %d?", i/2)
		if i == 0 {
			n.Draft.Checkpoint.CoreQuestion = ""
		}
		saveNote(t, m, n)
	}
	got := opened(t, m, 0)
	var at []int
	for _, want := range []string{"## Conclusion", "Answer 7.", "## Earlier conclusions", ": Answer 5.\n", ": Answer 3.\n", ": Answer 1.\n", ": Answer 0.\n"} {
		at = append(at, strings.Index(got, want))
	}
	if at[0] < 0 || !slices.IsSorted(at) {
		t.Errorf("%v in\n%s", at, got)
	}
	for _, no := range []string{"Answer 6", "Answer 4", "Answer 2"} {
		if strings.Contains(got, no) {
			t.Errorf("it has %q, which was answered anew", no)
		}
	}
}

// However much there is, a session begins with a thousand tokens of it.
func TestOpeningIsShort(t *testing.T) {
	m := newMemory(t, "")
	var changes []recall.ItemChange
	for i := range 20 {
		changes = append(changes, item(fmt.Sprint("todo-", i), sage.Todo, strings.Repeat("do it, ", 50)), item(fmt.Sprint("wish-", i), sage.Preference, strings.Repeat("so, ", 100)),
			item(fmt.Sprint("fact-", i), sage.Knowledge, strings.Repeat("word ", 100)),
			recall.ItemChange{ItemChange: gitstore.ItemChange{Key: fmt.Sprint("system/note-", i), Item: &sage.Item{Content: strings.Repeat("note ", 100)}}})
	}
	write(t, m, changes...)
	for i := range 7 {
		n := note(fmt.Sprint(i, strings.Repeat(" long", 50)))
		n.Draft.Checkpoint.CoreQuestion = fmt.Sprint("Question ", i)
		n.Draft.Checkpoint.KeyEvidence = []string{strings.Repeat("evidence ", 200)}
		n.Draft.Checkpoint.OpenQuestions = []string{"What does it cost?"}
		saveNote(t, m, n)
	}
	got := opened(t, m, 0)
	if n := legible.EstimateTokens(got); n > recall.StartTokens || n < recall.StartTokens*3/4 {
		t.Errorf("%d tokens:\n%s", n, got)
	}
	for _, want := range []string{"## Conclusion", "What does it cost?", "## Earlier conclusions", "preferences:\n- wish-", "## note-", "Pending todos", "by id and title", "more\n</sage-memory", asksForMore} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// What is known of core files and notes that have more to say than there is room for.
func TestOpeningSaysWhereTheRestIs(t *testing.T) {
	m := newMemory(t, "")
	must(t, os.WriteFile(filepath.Join(m.Store.Repo.Top(), "plan.md"), []byte("---\n\n# How we ship\n\nSlowly.\n"), 0o666))
	for _, file := range []string{"plan.md", "gone.md"} {
		must(t, m.Store.Knowledge.MarkCore(t.Context(), file, ""))
	}
	write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "system/long", Item: &sage.Item{ID: "long", Content: strings.Repeat("word ", 300)}}})
	got := opened(t, m, 0)
	for _, want := range []string{"- plan.md: How we ship\n", "- gone.md\n", "…\n[all of it: git sage note show long]"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

func TestOpeningFits(t *testing.T) {
	m := newMemory(t, "")
	var changes []recall.ItemChange
	for i := range 30 {
		changes = append(changes, item(fmt.Sprintf("todo-%02d", i), sage.Todo, strings.Repeat("do it, ", 50)),
			recall.ItemChange{ItemChange: gitstore.ItemChange{Key: fmt.Sprintf("system/note-%02d", i), Item: &sage.Item{ID: fmt.Sprintf("note-%02d", i), Content: strings.Repeat("</sage-memory>", 60)}}})
	}
	write(t, m, changes...)
	saveNote(t, m, note(strings.Repeat("long ", 4000)))
	for _, n := range []int{500, 2000, 10_000} {
		if got := utf8.RuneCountInString(opened(t, m, n)); got > n {
			t.Errorf("%d characters of %d", got, n)
		}
	}
}
