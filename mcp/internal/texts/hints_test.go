package texts

import (
	"errors"
	"testing"

	"github.com/git-sage/git-sage/gitstore/remedy"
)

func TestError(t *testing.T) {
	for _, tt := range []struct {
		remedy remedy.Remedy
		want   string
	}{
		{remedy.MergeFork.On("main/abc"), `odd; sage_merge(checkpoint_id: "main/abc") merges it`},
		{remedy.RemoveItem.On(), "odd; sage_remove_knowledge(knowledge_id: ...) removes it"},
		{remedy.UnmarkCore.On("'a b.go'"), `odd; sage_unmark_core(path: "a b.go") unmarks it`},
		{remedy.ListCheckpoints.On(), "odd; sage_list_checkpoints(all: true) lists all checkpoints"},
		{remedy.Check.On(), "odd; run 'git sage fsck'"},
	} {
		if got := Error(remedy.For(errors.New("odd"), tt.remedy)); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
