package doc

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

func TestStatementsAreShort(t *testing.T) {
	var c sage.Checkpoint
	c.ReasoningTrace = strings.Repeat("One sentence of some words that says a thing. ", 40)
	c.KeyEvidence = []string{"", "one"}
	all := Statements(&c)
	if len(all) < 4 || all[0] != "one" {
		t.Errorf("%q", all)
	}
	for _, s := range all {
		if len(s) > maxApart {
			t.Errorf("%d bytes", len(s))
		}
	}
}
