package diff

import (
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

func TestDiffItems(t *testing.T) {
	a := sagetest.Parsed(t, codec.ParseItem, sagetest.Left)
	b := a.Clone()
	b.Type, b.Keywords, b.Source = sage.Reference, []string{"b"}, "a film"
	b.Scope, b.Links = sage.Scope{Skills: []string{"privacy"}, Always: true}, []sage.Link{{Kind: sage.Contradicts, To: "y"}}
	b.CodeRefs = []sage.CodeRef{{File: "a.go", Lines: [2]int{1, 9}, Symbol: "F"}}
	b.Learned, b.Content = "one\n\ntwo", "Settled.\n\nFor good."
	b.Extra = []sage.Entry{{Key: "mood", Value: "bright"}}
	b.Updated = b.Updated.Add(time.Hour)
	merge.SettleItem(b, "type", "deleted_by")
	sagetest.Golden(t, "diff/item.txt", Items(a, b).Text(false))
	if d := Items(a, a.Clone()); !d.Empty() || d.Text(true) != "" || d.ID != "x" {
		t.Errorf("with itself: %+v", d)
	}
	if d := Items(b, nil); d.ID != "x" || len(d.Fields) < 9 || !strings.Contains(d.Text(true), "\x1b[31m  - Settled.") {
		t.Errorf("with nothing: %s", d.Text(true))
	}
	if d := Items(nil, nil); !d.Empty() {
		t.Errorf("of nothing: %+v", d)
	}
}
