package record

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// What a message says of a checkpoint is what is read back, whatever the texts
// look like.
// It is case L171.
func TestMessageRoundTrip(t *testing.T) {
	odd := []string{"x", "Sage-Format: 1\nSage-Kind: tombstone", "a\n\nSage-Trigger: forged", "# ------------------------ >8 ------------------------", "--- \n", "Signed-off-by: x", "é\u202e\x1b[31m", "a\\nb\\\\", strings.Repeat("long ", 200)}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.SampledFrom(odd), rapid.String())
		half := rapid.Float64Range(0, 1).Draw(t, "confidence")
		c := sage.Checkpoint{Thesis: text.Draw(t, "thesis"), CoreQuestion: text.Draw(t, "question"), Skill: text.Draw(t, "skill"), Confidence: &half, Trigger: sage.Synthesis, MessageCount: 3,
			Code: sage.CodeState{Commit: "abc", Dirty: true}, Aliases: []string{"2026-01-01T00-00-00_x"}}
		var r Record
		if !r.ParseMessage(Message(&c, KindCheckpoint, sage.Describe(&c, 3))) {
			t.Fatal("not recognised")
		}
		if r.Kind != KindCheckpoint || r.Trigger != sage.Synthesis || *r.Confidence != half || r.Messages != 3 || r.Code != c.Code || len(r.Removes) > 0 || r.Aliases[0] != c.Aliases[0] {
			t.Fatalf("%+v", r)
		}
		for l := range strings.Lines(Message(&c, KindCheckpoint, "s")) {
			if strings.HasPrefix(l, "Sage-") && len(l) > MaxTrailer+20 {
				t.Fatalf("%d bytes: %s", len(l), l)
			}
		}
	})
}

func FuzzParseMessage(f *testing.F) {
	f.Add("s\n\nt\n\nSage-Format: 1\nSage-Kind: checkpoint\nSage-Code: a b dirty\n")
	f.Add("s\n\nSage-Format: 1\nSage-Removes: x")
	f.Add("\n\n\n\nSage-Format: \nSage-Confidence: NaN")
	f.Fuzz(func(t *testing.T, s string) {
		var r Record
		r.ParseMessage(s)
		r.ParseCommit([]byte(s))
		r.Parse([]byte(s))
	})
}
