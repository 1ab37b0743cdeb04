package recall_test

import (
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/prompts"
)

func TestACommonWordAloneDoesNotRecall(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, withKeyword(item("labels", sage.Knowledge, "Carriers refuse PDFs that are scaled."), "labels"),
		withKeyword(item("balthaven", sage.Knowledge, "Carriers send Latin-1."), "balthaven"))
	if got := recalled(t, m, "add aria labels to the toolbar of balthaven and of every other page that we have", prompts.RecallOptions{}); !slices.Equal(got, []string{"balthaven"}) {
		t.Errorf("recalled %q", got)
	}
	if got := recalled(t, m, "labels", prompts.RecallOptions{}); !slices.Equal(got, []string{"labels"}) {
		t.Errorf("asked for by its keyword alone: %q", got)
	}
}
