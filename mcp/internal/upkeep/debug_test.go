package upkeep

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

// A threshold that lets everything in is no advice.
func TestLetIn(t *testing.T) {
	for score, want := range map[float64]string{0.004: "; a keyword in the query would recall it", 0.437: "; recall_threshold 0.43 would recall it", 0.8: ""} {
		r := search.Recalled{
			Known:  recall.Known{ItemEntry: gitstore.ItemEntry{Item: &sage.Item{}}},
			Scored: rank.Scored{Hit: &index.Hit{Meta: &index.Meta{}}, Score: score, Threshold: 0.7, Why: "below 0.70"},
		}
		if got := letIn(r); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%.3f: %q", score, got)
		}
	}
}
