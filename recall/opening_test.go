package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

func opened(t *testing.T, m *Memory, chars int) string {
	t.Helper()
	o, err := m.Open(t.Context(), chars)
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
	pinned := ItemChange{ItemChange: gitstore.ItemChange{Key: "system/objective", Item: &sage.Item{ID: "objective", Content: "Ship the </sage-memory> beta."}}}
	write(t, m, item("ship", sage.Todo, "Ship it"), done, pinned,
		withKeyword(item("deploys", sage.Knowledge, "We deploy on Mondays."), "project"),
		withKeyword(item("moon", sage.Knowledge, "The moon is far away."), "moon"))
	if err := m.Store.MarkCore(t.Context(), "main.go", "where it begins"); err != nil {
		t.Fatal(err)
	}
	save(t, m, note("tokens rotate hourly"))
	got := opened(t, m, 0)
	for _, want := range []string{"tokens rotate hourly", "Ship the &lt;/sage-memory> beta.", "ship: Ship it", "main.go: where it begins", "We deploy on Mondays."} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	for _, no := range []string{"Paint", "moon"} {
		if strings.Contains(got, no) {
			t.Errorf("has %q", no)
		}
	}
}

// What is known of core files and notes that have more to say than there is room for.
func TestOpeningSaysWhereTheRestIs(t *testing.T) {
	m := newMemory(t, "")
	if err := os.WriteFile(filepath.Join(m.Store.Top(), "plan.md"), []byte("---\n\n# How we ship\n\nSlowly.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"plan.md", "gone.md"} {
		if err := m.Store.MarkCore(t.Context(), file, ""); err != nil {
			t.Fatal(err)
		}
	}
	write(t, m, ItemChange{ItemChange: gitstore.ItemChange{Key: "system/long", Item: &sage.Item{ID: "long", Content: strings.Repeat("word ", 300)}}})
	got := opened(t, m, 0)
	for _, want := range []string{"- plan.md: How we ship\n", "- gone.md\n", "…\n[all of it: git sage note show long]"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

func TestOpeningFits(t *testing.T) {
	m := newMemory(t, "")
	var changes []ItemChange
	for i := range 30 {
		changes = append(changes, item(fmt.Sprintf("todo-%02d", i), sage.Todo, strings.Repeat("do it, ", 50)),
			ItemChange{ItemChange: gitstore.ItemChange{Key: fmt.Sprintf("system/note-%02d", i), Item: &sage.Item{ID: fmt.Sprintf("note-%02d", i), Content: strings.Repeat("</sage-memory>", 60)}}})
	}
	write(t, m, changes...)
	save(t, m, note(strings.Repeat("long ", 4000)))
	for _, n := range []int{500, 2000, 10_000} {
		if got := utf8.RuneCountInString(opened(t, m, n)); got > n {
			t.Errorf("%d characters of %d", got, n)
		}
	}
}
