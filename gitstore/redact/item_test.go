package redact_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// A keyword alone does not tell that it is a secret; the text of the item does.
func TestItemDropsNamesThatTellASecret(t *testing.T) {
	it := &sage.Item{
		ID: "db", Content: "The db password: CorrectHorse99Battery, of the kiln", Source: "docs/use-correcthorse99battery.md",
		Keywords: []string{"correcthorse99battery", "kiln", "db correcthorse99"}, Aliases: []string{"0001-CORRECTHORSE99BATTERY-db", "database"}, When: []string{"what is correcthorse99battery", "how to log in"},
		Extra: []sage.Entry{{Key: "note_x", Value: "correcthorse99battery again"}},
	}
	if _, tells, err := redact.Default().Named(it.Clone(), "use-correcthorse99battery"); err != nil || !tells {
		t.Errorf("Named: %v, %v", tells, err)
	}
	if _, tells, err := redact.Default().Named(it.Clone(), "kiln-db"); err != nil || tells {
		t.Errorf("Named of another name: %v, %v", tells, err)
	}
	found, err := redact.Default().Item(it)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(codec.MarshalItem(it)); strings.Contains(strings.ToLower(text), "correcthorse") {
		t.Errorf("left:\n%s", text)
	}
	if !slices.Equal(it.Keywords, []string{"kiln"}) || !slices.Equal(it.Aliases, []string{"database"}) || !slices.Equal(it.When, []string{"how to log in"}) {
		t.Errorf("keywords %q, aliases %q, when %q", it.Keywords, it.Aliases, it.When)
	}
	if len(found) != 1 || found[0].Count != 7 {
		t.Errorf("found %v", found)
	}
}

// A password that is a word of the text is no reason to lose the keyword.
func TestItemKeepsNamesThatItsTextSays(t *testing.T) {
	it := &sage.Item{ID: "db", Content: "Connect to postgres://admin:postgres@db.example.com/prod", Keywords: []string{"postgres"}}
	if _, err := redact.Default().Item(it); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(it.Keywords, []string{"postgres"}) || !strings.Contains(it.Content, "[redacted:") {
		t.Errorf("%+v", it)
	}
}
