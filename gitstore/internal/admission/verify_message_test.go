package admission

import (
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
)

func recordIn(t testing.TB, id, msg string) *record.Record {
	t.Helper()
	r := &record.Record{ID: id}
	if !r.ParseMessage(msg) {
		t.Fatalf("not recognised: %q", msg)
	}
	return r
}

// FuzzMismatch: what is told of any checkpoint agrees with its text as that is read back,
// also when a purge made the message anew or took parts out of it.
func FuzzMismatch(f *testing.F) {
	for _, s := range []string{"", "plain", "Two sentences. Of one line", "one\n\ntwo\nthree", "e.g. this, v1.2 of it. And more", "# a heading\n- a `list` of **words**", "令牌每小时轮换。然后过期", "👩‍👩‍👧 likes 🏳️‍🌈", "\u202ertl", "a\x00b\x1b[31m",
		"Sage-Format: 1\nSage-Kind: tombstone", `back\slash\n`, "[PURGED] and so on", "…", strings.Repeat("a long thesis, ", 300), strings.Repeat("ä", 300), strings.Repeat("长", 2100), "e" + strings.Repeat("\u0301", 90)} {
		f.Add(s, "", s, s, 3)
		f.Add("Tokens rotate hourly.", s, s, s, 0)
		f.Add("", "", s, s, 0)
	}
	f.Fuzz(func(t *testing.T, thesis, description, question, word string, turns int) {
		c := &sage.Checkpoint{Thesis: thesis, Description: description, CoreQuestion: question, Session: word, Skill: word, Project: word, Template: word, Agent: word,
			Trigger: sage.Manual, Aliases: []string{word, "b"}, MessageCount: max(0, turns), TokenEstimate: max(0, turns), Code: sage.CodeState{Commit: "abc", Branch: strings.Join(strings.Fields(legible.Visible(word)), ""), Dirty: true}}
		if validate.Checkpoint(c) != nil {
			t.Skip() // nobody saves that
		}
		text := codec.Marshal(c)
		back, err := codec.Parse(text)
		if err != nil {
			t.Skip() // nobody takes that in
		}
		for _, turn := range []int{c.MessageCount, 0} {
			m := record.Message(c, record.KindCheckpoint, sage.Describe(c, turn))
			if err := Mismatch(recordIn(t, "0123456789", m), back); err != nil {
				t.Fatalf("%v\n%q\n%q", err, m, text)
			}
		}
		m := record.Message(back, record.KindMerge, sage.Describe(back, back.MessageCount))
		if err := Mismatch(recordIn(t, "0123456789", m), back); err != nil {
			t.Fatalf("made anew: %v\n%q\n%q", err, m, text)
		}
	})
}

// What agrees, as any version wrote it, and what does not.
func TestMismatch(t *testing.T) {
	half, other := 0.5, 0.9
	thought := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	story := "Tokens rotate. " + strings.Repeat("They do so hourly ", 200)
	long := "Every client verifies the certificate of the server that it talks to, and none goes on without; this holds for tests as well."
	c := &sage.Checkpoint{Thesis: "Tokens rotate hourly, e.g. at noon. All of them\nalways.", CoreQuestion: "How long do tokens live?", Confidence: &half, Trigger: sage.Manual, Skill: "security", MessageCount: 12,
		Session: "s1", Agent: "claude-code", Aliases: []string{"old-id"}, Code: sage.CodeState{Commit: "abc", Branch: "main"}}
	with := func(change func(c *sage.Checkpoint)) *sage.Checkpoint {
		d := c.Clone()
		change(d)
		return d
	}
	const end = "\n\nSage-Format: 1\nSage-Kind: checkpoint\n"
	for _, tt := range []struct {
		name, message string
		c             *sage.Checkpoint
		want          string // in the error
	}{
		{"the first sentence", "Tokens rotate hourly, e.g. at noon." + end, c, ""},
		{"one that ended earlier", "Tokens rotate hourly, e.g." + end, c, ""},
		{"the whole line", "Tokens rotate hourly, e.g. at noon. All of them" + end, c, ""},
		{"cut where there was room", "Tokens rotate…" + end, c, "subject"},
		{"cut before its sense", "Deploy by ftp…" + end, with(func(c *sage.Checkpoint) { c.Thesis = "Deploy by ftp is what we must never do" }), "subject"},
		{"a long one, cut early", long[:40] + "…" + end, with(func(c *sage.Checkpoint) { c.Thesis = long }), "subject"},
		{"a description, cut early", "Deploy by ftp…" + end, with(func(c *sage.Checkpoint) { c.Description = "Deploy by ftp is what we must never do" }), "subject"},
		{"a date", "Tokens rotate hourly, e.g." + end, with(func(c *sage.Checkpoint) { c.Time = thought.Add(time.Hour) }), ""},
		{"a date to come", "Tokens rotate hourly, e.g." + end, with(func(c *sage.Checkpoint) { c.Time = thought.AddDate(7000, 0, 0) }), "date"},
		{"a date long ago", "Tokens rotate hourly, e.g." + end, with(func(c *sage.Checkpoint) { c.Time = thought.AddDate(-1, 0, 0) }), ""},
		{"a thesis that is cut", "Tokens rotate hourly, e.g.\n\nTokens rotate hourly, e.g. at noon. All of…" + end, c, "thesis"},
		{"a long thesis that is cut", "Tokens rotate.\n\n" + story[:1990] + "…" + end, with(func(c *sage.Checkpoint) { c.Thesis = story }), ""},
		{"one cut early", "Tokens rotate.\n\n" + story[:1000] + "…" + end, with(func(c *sage.Checkpoint) { c.Thesis = story }), "thesis"},
		{"a thesis of two lines", "Tokens rotate hourly, e.g.\n\nTokens rotate hourly, e.g. at noon. All of them\nalways." + end, c, ""},
		{"purged", "[PURGED] rotate hourly.\n\n[PURGED] rotate hourly. All of them." + end + "Sage-Trigger: [PURGED]\n", with(func(c *sage.Checkpoint) { c.Thesis = "[PURGED] rotate hourly. All of them." }), ""},
		{"purged in the subject alone", "[PURGED] rotate hourly, e.g. at noon." + end, c, "subject"},
		{"purged elsewhere", "Tokens [PURGED] never." + end, with(func(c *sage.Checkpoint) { c.Thesis = "Tokens rotate, some [PURGED] never, never." }), "subject"},
		{"purged in the thesis alone", "Tokens rotate hourly, e.g.\n\nTokens [PURGED] them\nalways." + end, c, "thesis"},
		{"another subject", "Fix a typo" + end, c, "its subject is 'Fix a typo', in the file 'Tokens rotate hourly, e.g. at noon. All of them'"},
		{"half a sentence", "Tokens rotate" + end, c, "subject"},
		{"an ellipsis alone", "…" + end, c, "subject"},
		{"words behind an ellipsis", "Tokens… live forever" + end, c, "subject"},
		{"a subject of the question", "How long do tokens live?" + end, c, "subject"},
		{"another thesis", "Tokens rotate hourly, e.g.\n\nTokens live forever." + end, c, "thesis"},
		{"one that goes on", "Tokens rotate hourly, e.g.\n\nTokens rotate hourly, e.g. at noon. All of them\nalways. Or not" + end, c, "thesis"},
		{"half of one", "Tokens rotate hourly, e.g.\n\nTokens rotate hourly" + end, c, "thesis"},
		{"purged, and other words", "[PURGED] never rotate" + end, c, "subject"},
		{"a description", "Fix a typo" + end, with(func(c *sage.Checkpoint) { c.Description = "Fix a\ttypo" }), ""},
		{"the thesis instead", "Tokens rotate hourly, e.g. at noon." + end, with(func(c *sage.Checkpoint) { c.Description = "Fix a typo" }), "subject"},
		{"half a description", "Fix" + end, with(func(c *sage.Checkpoint) { c.Description = "Fix a typo" }), "subject"},
		{"a long one", long[:60] + "…" + end, with(func(c *sage.Checkpoint) { c.Thesis = long }), ""},
		{"nothing but a question", "How long do tokens live?" + end, with(func(c *sage.Checkpoint) { c.Thesis = "" }), ""},
		{"nothing at all", "checkpoint at turn 12" + end, with(func(c *sage.Checkpoint) { c.Thesis, c.CoreQuestion = "", "" }), ""},
		{"a join of nothing", "checkpoint at turn 0" + end, with(func(c *sage.Checkpoint) { c.Thesis, c.CoreQuestion = "", "" }), ""},
		{"something of nothing", "Fix a typo" + end, with(func(c *sage.Checkpoint) { c.Thesis, c.CoreQuestion = "", "" }), "subject"},
		{"all lines", "Tokens rotate hourly, e.g." + end + "Sage-Trigger: manual\nSage-Confidence: 0.5\nSage-Skill: security\nSage-Question: How long do tokens live?\nSage-Messages: 12\nSage-Code: abc main\nSage-Session: s1\nSage-Agent: claude-code\nSage-Alias: old-id\nSage-Later: x\n", c, ""},
		{"another confidence", "Tokens rotate hourly, e.g." + end + "Sage-Confidence: 0.9\n", c, "confidence"},
		{"one of none", "Tokens rotate hourly, e.g." + end + "Sage-Confidence: 0.9\n", with(func(c *sage.Checkpoint) { c.Confidence = nil }), "confidence"},
		{"none", "Tokens rotate hourly, e.g." + end, with(func(c *sage.Checkpoint) { c.Confidence = &other }), ""},
		{"no number", "Tokens rotate hourly, e.g." + end + "Sage-Confidence: NaN\n", c, "confidence"},
		{"the later of two", "Tokens rotate hourly, e.g." + end + "Sage-Confidence: 0.5\nSage-Confidence: 0.9\n", c, "confidence"},
		{"another trigger", "Tokens rotate hourly, e.g." + end + "Sage-Trigger: sync\n", c, "trigger"},
		{"another skill", "Tokens rotate hourly, e.g." + end + "Sage-Skill: docs\n", c, "skill"},
		{"a project of none", "Tokens rotate hourly, e.g." + end + "Sage-Project: shop\n", c, "project"},
		{"a template of none", "Tokens rotate hourly, e.g." + end + "Sage-Template: decision\n", c, "template"},
		{"another question", "Tokens rotate hourly, e.g." + end + "Sage-Question: Is TLS on?\n", c, "question"},
		{"other messages", "Tokens rotate hourly, e.g." + end + "Sage-Messages: 99\n", c, "messages"},
		{"other tokens", "Tokens rotate hourly, e.g." + end + "Sage-Tokens: 99\n", c, "tokens"},
		{"other code", "Tokens rotate hourly, e.g." + end + "Sage-Code: abc other\n", c, "code"},
		{"dirty", "Tokens rotate hourly, e.g." + end + "Sage-Code: abc main dirty\n", c, "code"},
		{"another session", "Tokens rotate hourly, e.g." + end + "Sage-Session: s2\n", c, "session"},
		{"another agent", "Tokens rotate hourly, e.g." + end + "Sage-Agent: git-sage\n", c, "agent"},
		{"another alias", "Tokens rotate hourly, e.g." + end + "Sage-Alias: old-id\nSage-Alias: taken\n", c, "alias"},
		{"a removal", "Tokens rotate hourly, e.g." + end + "Sage-Removes: 0123\n", c, "only a tombstone"},
	} {
		r := recordIn(t, "0123456789", tt.message)
		r.Time = thought
		err := Mismatch(r, tt.c)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
