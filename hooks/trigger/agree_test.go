package trigger

import (
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// TestAgreementDecidesTheProposal: behind a yes, the sentence that is told is the proposal,
// verbatim; a yes to a step, to a question or to nothing decides nothing.
func TestAgreementDecidesTheProposal(t *testing.T) {
	const list = "Two ways:\n\n1. Retry in the `http` client.\n2. Put the calls on a queue, e.g. NATS.\n\nWhich one?"
	for _, tt := range []struct{ before, reply, want string }{
		{"The heap is full. I'd suggest raising `mem.limit` to 1 GiB, e.g. in `app.yaml`. Shall I?", "yes, do that",
			"I'd suggest raising `mem.limit` to 1 GiB, e.g. in `app.yaml`."},
		{"**Proposal:** one schema for each tenant.", "Sounds good.", "one schema for each tenant."},
		{list, "the second one please", "Put the calls on a queue, e.g. NATS."},
		{"Ich würde `max_connections` auf 600 setzen.", "einverstanden", "Ich würde `max_connections` auf 600 setzen."},
		{"我建议把会话移到 `redis`，这样不会掉线。", "好，就这么办", "我建议把会话移到 `redis`，这样不会掉线。"},
		{"I suggest one table per tenant.", "👍", "I suggest one table per tenant."},

		{"Shall I run the tests now?", "yes", ""},
		{"I'd suggest raising the limit to 1 GiB.", "why?", ""},
		{"I'd suggest raising the limit to 1 GiB.", "no, leave it", ""},
		{"The limit is 1 GiB.", "ok", ""},
		{"I'll read the config next.", "sounds good", ""},
		{list, "hm", ""},
	} {
		talk := Talk{Turns: []Turn{{Text: tt.before}, {tt.reply, true}, {Text: "Done."}}, New: 2}
		f := Detect(talk, Rules{Threshold: threshold})
		switch {
		case tt.want == "" && f != nil:
			t.Errorf("%q behind %q: %+v", tt.reply, tt.before, f)
		case tt.want != "" && (f == nil || f.Said != tt.want || !f.Agreed || f.Trigger != sage.UserValidated):
			t.Errorf("%q behind %q: %+v, want %q", tt.reply, tt.before, f, tt.want)
		}
	}
}

// TestStructureTellsInAnyLanguage: a label or a heading says what stands behind it, and the
// sentence is told verbatim.
func TestStructureTellsInAnyLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"**Decision:** `pool.max` goes to 600, see db.go.":   "`pool.max` goes to 600, see db.go.",
		"**Entscheidung:** Das Limit `max` steigt auf 600.":  "Das Limit `max` steigt auf 600.",
		"## 根因\n\n`nginx` 没有重新加载证书。":                         "`nginx` 没有重新加载证书。",
		"**Решение:** пул общий, т. е. один на два сервиса.": "пул общий, т. е. один на два сервиса.",
		"**Result:** all 41 tests pass.":                     "",
		"**Decision:** which of the two should it be?":       "",
		"```\n**Decision:** we keep it.\n```":                "",
	} {
		got := ""
		if f := Detect(Talk{Turns: []Turn{{Text: text}}, New: 1, Work: Work{Looks: 1}}, Rules{Threshold: threshold}); f != nil {
			got = f.Said
		}
		if got != want {
			t.Errorf("%q tells %q, want %q", text, got, want)
		}
	}
}
