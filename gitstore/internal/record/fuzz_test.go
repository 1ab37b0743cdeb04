package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// FuzzTrailers puts any text where a commit message has text: it is read back, one
// line each, adds none of its own, and says the same when it is written again.
func FuzzTrailers(f *testing.F) {
	for _, s := range []string{"plain", "two\nlines", "Sage-Kind: tombstone", "\n\nSage-Format: 9\nSage-Removes: x", `back\slash\n`, "---", "# ------------------------ >8 ------------------------", "a\x00b\x1b[31m", "\u202ertl", strings.Repeat("ä", 300)} {
		f.Add(s, s, s, s)
	}
	f.Fuzz(func(t *testing.T, thesis, question, branch, alias string) {
		c := &sage.Checkpoint{Thesis: thesis, CoreQuestion: question, Session: alias, Skill: branch, Trigger: sage.Manual, Aliases: []string{alias},
			Code: sage.CodeState{Commit: "abc", Branch: "b" + strings.Join(strings.Fields(legible.Visible(branch)), "")}}
		m := Message(c, KindCheckpoint, sage.Describe(c, 0))
		var r Record
		if !r.ParseMessage(m) {
			t.Fatalf("not recognised: %q", m)
		}
		if r.Kind != KindCheckpoint || r.Format != formatPlain || len(r.Removes)+len(r.Restores) > 0 || len(r.Aliases) > 1 {
			t.Fatalf("%q reads as %+v", m, r)
		}
		if text := strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(thesis + question + branch + alias); legible.Visible(text) != text {
			return // made visible once, for good
		}
		again := &sage.Checkpoint{Thesis: r.Thesis, CoreQuestion: r.Question, Session: r.Session, Skill: r.Skill, Trigger: r.Trigger, Aliases: r.Aliases, Code: r.Code}
		if d := cmp.Diff(m, Message(again, r.Kind, r.Description)); d != "" {
			t.Fatalf("written again: %s", d)
		}
	})
}
