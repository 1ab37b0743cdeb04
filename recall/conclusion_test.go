package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/save"
)

func concluded(t *testing.T, m *recall.Memory, query string, o prompts.RecallOptions) (out []prompts.Conclusion) {
	t.Helper()
	o.Checkpoints = true
	r, err := m.Prompts.Recall(t.Context(), query, o)
	if err != nil {
		t.Fatal(err)
	}
	return r.Conclusions
}

func theses(list []prompts.Conclusion) (out []string) {
	for _, c := range list {
		out = append(out, c.Thesis)
	}
	return out
}

func TestCheckpointsAnswerPrompts(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	n := note("sessions live in process memory")
	n.Draft.Checkpoint.KeyEvidence = []string{"redis was rejected for one more service to run", "a session has two kilobytes"}
	s := saveNote(t, m, n)
	saveNote(t, m, note("the moon is far away"))
	got := concluded(t, m, "redis was rejected?", prompts.RecallOptions{})
	if len(got) != 1 || got[0].ID != s.ID || !slices.Equal(got[0].Says, []string{n.Draft.Checkpoint.Thesis, n.Draft.Checkpoint.KeyEvidence[0]}) {
		t.Fatalf("%+v", got)
	}
	text := m.Prompts.ConclusionText(got, "the_tool")
	for _, want := range []string{"checkpoint " + s.ID[:8] + " (just now, confidence 50%)\n", "redis was rejected", "the_tool shows one in full"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	for what, seen := range map[string]string{"given before": s.ID, "shown before": "-"} {
		if got := concluded(t, m, "redis was rejected?", prompts.RecallOptions{Seen: map[string]string{doc.CheckpointKey(s.ID): seen}}); got != nil {
			t.Errorf("%s: %q", what, theses(got))
		}
	}
	if got := concluded(t, m, "bake a cake with plums", prompts.RecallOptions{}); got != nil {
		t.Errorf("foreign: %q", theses(got))
	}
}

// Those of the current line come before others, and last what a later thesis of the line
// stands for. A statement that is inherited comes once, from the newest.
func TestCheckpointsOfTheCurrentLineComeFirst(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	n := 0
	at := func(thesis string) save.Note {
		n++
		x := note(thesis)
		x.Draft.Checkpoint.Time = noon.Add(time.Duration(n-10) * time.Hour)
		return x
	}
	saveNote(t, m, at("deploy friday afternoon with the old script"))
	if _, err := m.Store.Lines.Switch(t.Context(), "other", true, ""); err != nil {
		t.Fatal(err)
	}
	saveNote(t, m, at("deploy friday script other way"))
	if _, err := m.Store.Lines.Switch(t.Context(), "main", false, ""); err != nil {
		t.Fatal(err)
	}
	saveNote(t, m, at("deploy friday afternoon with the new script"))
	got := concluded(t, m, "deploy friday script", prompts.RecallOptions{})
	want := []string{"deploy friday afternoon with the new script", "deploy friday script other way", "deploy friday afternoon with the old script"}
	if !slices.Equal(theses(got), want) {
		for _, c := range got {
			t.Logf("%s later %q here %v %s", c.Thesis, c.Later, c.Here, c.Explain())
		}
		t.Errorf("%q instead of %q", theses(got), want)
	}
}

// What is hidden for its age or the number of a line's checkpoints takes no place from what is
// shown.
func TestHiddenCheckpointsTakeNoPlace(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{MaintenanceOnSave: true, MaxCount: 2} }
	for i := range 32 {
		n := note("redis was rejected")
		n.Draft.Checkpoint.KeyEvidence = []string{"in case " + strings.Repeat("x", i+1)} // else it is the same again
		saveNote(t, m, n)
	}
	want := saveNote(t, m, note("redis was rejected for one more service to run"))
	saveNote(t, m, note("the moon is far away"))
	for _, o := range []prompts.RecallOptions{{}, {Asked: true}} {
		if got := concluded(t, m, "redis was rejected?", o); len(got) == 0 || got[0].ID != want.ID {
			t.Errorf("asked %v: %q", o.Asked, theses(got))
		}
	}
}
