package gitstore

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/internal/exchange"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// What all sides say to have none of is gone, what one says to have none of is gone but for
// what another adds, and what none mentions is as it was; in whatever order and however
// often they are merged.
func TestWhatIsDroppedOnPurposeStaysDropped(t *testing.T) {
	fields := []string{"open_questions", "files_changed", "tensions", "core_question", "fields"}
	rapid.Check(t, func(t *rapid.T) {
		base := &sage.Checkpoint{
			CoreQuestion: "Q", OpenQuestions: []string{"q1", "q2"}, FilesChanged: []string{"a.go"}, Fields: map[string]any{"k": "v"},
			Tensions: []sage.Tension{{Between: []string{"a", "b"}, Nature: "n"}},
		}
		var sides []*sage.Checkpoint
		said := map[string]int{}
		adds := rapid.Bool().Draw(t, "adds")
		for i := range 3 {
			c := &sage.Checkpoint{ID: string(rune('a' + i)), Thesis: "t"}
			for _, f := range fields {
				if rapid.Bool().Draw(t, f) {
					c.SayNone(f)
					said[f]++
				}
			}
			if i == 0 && adds {
				c.OpenQuestions = []string{"q1", "new"}
				c.SettleNone()
			}
			sides = append(sides, c)
		}
		merged := func(order ...int) *sage.Checkpoint {
			var list []*sage.Checkpoint
			for _, i := range order {
				list = append(list, sides[i].Clone())
			}
			return exchange.MergeSides(base, list)
		}
		m := merged(0, 1, 2)
		if other := merged(2, 0, 1); string(codec.Marshal(other)) != string(codec.Marshal(m)) {
			t.Fatalf("the order matters:\n%s\n%s", codec.Marshal(m), codec.Marshal(other))
		}
		again := exchange.MergeSides(base, []*sage.Checkpoint{m.Clone(), {ID: "d", Thesis: "t"}}) // a bare save beside it
		for _, c := range []*sage.Checkpoint{m, again, parsed(t, m)} {
			check := func(field string, empty, whole bool) {
				if said[field] > 0 && (!empty || !c.SaysNone(field)) || said[field] == 0 && !whole {
					t.Fatalf("%s, which %d say to have none of:\n%s", field, said[field], codec.Marshal(c))
				}
			}
			check("core_question", c.CoreQuestion == "", c.CoreQuestion == "Q")
			check("files_changed", len(c.FilesChanged) == 0, len(c.FilesChanged) == 1)
			check("tensions", len(c.Tensions) == 0, len(c.Tensions) == 1)
			check("fields", len(c.Fields) == 0, len(c.Fields) == 1)
			if !adds {
				check("open_questions", len(c.OpenQuestions) == 0, len(c.OpenQuestions) == 2)
			} else if !slices.Contains(c.OpenQuestions, "new") || slices.Contains(c.OpenQuestions, "q2") || c.SaysNone("open_questions") {
				t.Fatalf("what one adds counts:\n%s", codec.Marshal(c))
			}
		}
	})
}

func parsed(t *rapid.T, c *sage.Checkpoint) *sage.Checkpoint {
	out, err := codec.Parse(codec.Marshal(c))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
