package sage

import (
	"fmt"
	"testing"
	"time"
)

// Anybody can send an item with any number of links, or of kinds of them.
func TestManyLinks(t *testing.T) {
	var links []Link
	for i := range 100_000 {
		links = append(links, Link{Supersedes, "a"}, Link{LinkKind(fmt.Sprint("kind", i)), "b"})
	}
	began := time.Now()
	fields := LinkFields(links, "more")
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
	if len(fields) != 100_002 || fields[0].Key != string(Supersedes) || fields[1].Key != "more" {
		t.Errorf("%d fields, the first %s", len(fields), fields[0].Key)
	}
	if got := LinksOf(fields); len(got) != len(links) {
		t.Errorf("%d links of %d", len(got), len(links))
	}
}
