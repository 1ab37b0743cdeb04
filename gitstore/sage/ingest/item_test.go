package ingest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

// FuzzParseItem feeds any bytes: what is accepted prints to a form that stays, with
// all that it says.
func FuzzParseItem(f *testing.F) {
	for _, s := range append(slices.Clone(sagetest.Shaped), sagetest.Left, "---\nkeywords: a\nskill: b\n---\nc\r\n", "---\nscope:\n  variants:\n  - 1\n  - {skills: [a], x: y}\n---\n", "---\nlinks: {variants: [{related: [a]}, b]}\n---\n<!-- sage: end -->") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		it, err := codec.ParseItem(b)
		if err != nil {
			return
		}
		merge.Conflicts(it)
		_, _ = it.Title(), validate.Item(it)
		text := codec.MarshalItem(it)
		again, err := codec.ParseItem(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(it, again, sagetest.SameValue); d != "" {
			t.Fatalf("%s\n%s", d, text)
		}
		if d := cmp.Diff(string(text), string(codec.MarshalItem(again))); d != "" {
			t.Fatal(d)
		}
		if d := diff.Items(it, again); !d.Empty() {
			t.Fatal(d)
		}
	})
}
