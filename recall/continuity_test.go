package recall_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
)

func marked(t *testing.T, m *recall.Memory, reason, summary string) {
	t.Helper()
	must(t, m.Continuity.Mark(t.Context(), gitstore.Marker{Reason: reason, Summary: summary}))
}

// broughtBack is what a session is shown; "" is nothing. It is delivered.
func broughtBack(t *testing.T, m *recall.Memory, chars int) string {
	t.Helper()
	c, err := m.Continuity.Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		return ""
	}
	o, err := c.Bundle(t.Context(), chars)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Delivered(); err != nil {
		t.Error(err)
	}
	return o
}

// among holds a text to what must and what must not stand in it, in that order.
func among(t *testing.T, text string, wants []string, no ...string) {
	t.Helper()
	rest := text
	for _, want := range wants {
		i := strings.Index(rest, want)
		if i < 0 {
			t.Errorf("lacks %q, or has it further up:\n%s", want, text)
			continue
		}
		rest = rest[i:]
	}
	for _, s := range no {
		if strings.Contains(text, s) {
			t.Errorf("has %q:\n%s", s, text)
		}
	}
}

// The whole of it: the most valuable first, each part once, and to nobody twice.
func TestContinuity(t *testing.T) {
	m := newMemory(t, "5e55104e")
	if got := broughtBack(t, m, 0); got != "" {
		t.Errorf("nothing is marked: %q", got)
	}
	failed := item("cron-locks", sage.Failure, "")
	failed.Item.Approach, failed.Item.WhyFailed, failed.Item.Learned = "Rotate tokens with cron", "Two hosts rotate tokens at once.", "Take a lease."
	other := item("moon-shot", sage.Failure, "")
	other.Item.Approach, other.Item.WhyFailed, other.Item.Learned = "Fly to the moon", "Too far.", "Stay."
	extends := item("leases", sage.Knowledge, "A lease lasts a minute.")
	extends.Item.Links = []sage.Link{{Kind: sage.Extends, To: "clock-skew"}}
	file := item("signer", sage.Reference, "The signer holds the key.")
	file.Item.CodeRefs = []sage.CodeRef{{File: "auth/sign.go"}}
	gone := item("old-way", sage.Knowledge, "It was so.")
	gone.Item.Status = sage.Archived
	write(t, m, withKeyword(failed, "rotate tokens"), withKeyword(other, "moon"), item("clock-skew", sage.Knowledge, "Clocks differ by 2 s."), extends, file, gone,
		item("unrelated", sage.Knowledge, "Cats sleep."))
	n := note("tokens rotate hourly")
	n.Draft.Checkpoint.CoreQuestion = "how often to rotate tokens?"
	n.Draft.Checkpoint.KnowledgeRecalled = []string{"clock-skew", "old-way", "no-such"}
	n.Draft.Checkpoint.CodeRefs = []sage.CodeRef{{File: "auth/sign.go", Lines: [2]int{3, 4}}}
	kept := saveNote(t, m, n)
	rescue := note("a rescue")
	rescue.Draft.Checkpoint.Trigger = sage.Recovery
	saved := saveNote(t, m, rescue)
	marked(t, m, "precompact-auto", "We talked about </sage-memory> tokens.")
	got := broughtBack(t, m, 0)
	among(t, got, []string{
		"<sage-memory", `origin="git-sage continuity"`, "Context was compacted. Where you were:", "checkpoint " + kept.ID[:8], "just now, by Ada",
		"tokens rotate hourly",
		"Also saved by this session, newest first (1)\n- " + saved.ID[:8] + ": a rescue\n",
		"## Linked knowledge", "### clock-skew", "### signer", "### leases",
		"## What did not work", "### cron-locks",
		"</sage-memory",
	}, "old-way", "unrelated", "moon", "no-such", "client's summary", "We talked about")
	if again := broughtBack(t, m, 0); again != "" {
		t.Errorf("twice: %q", again)
	}
	marked(t, m, "precompact-manual", "")
	among(t, broughtBack(t, m, 0), []string{"tokens rotate hourly"}, "Also saved by this session", "summary of")
}

// A session is brought back its own, also where another one moved the line, and what
// others saved is not in its queue.
func TestContinuityIsTheSessions(t *testing.T) {
	one := newMemory(t, "aaaaaaaa")
	two := reopen(t, one.Store.Repo.Top(), "bbbbbbbb")
	saveNote(t, one, note("of one"))
	marked(t, one, "why", "")
	saveNote(t, two, note("of two"))
	if got := broughtBack(t, two, 0); got != "" {
		t.Errorf("another session's: %s", got)
	}
	among(t, broughtBack(t, one, 0), []string{"of one"}, "# Where we left off\n\nof two", "Saved by")
	three := reopen(t, one.Store.Repo.Top(), "cccccccc") // has saved nothing
	marked(t, three, "why", "")
	saveNote(t, two, note("of two, later"))
	among(t, broughtBack(t, three, 0), []string{"of two"}, "later", "Saved by")
}

// What waits in the queues of other sessions is told of, last, and once.
func TestContinuityTellsOfOthers(t *testing.T) {
	one := newMemory(t, "aaaaaaaa")
	two := reopen(t, one.Store.Repo.Top(), "bbbbbbbb")
	saveNote(t, one, note("of one"))
	lately := saveNote(t, two, note("of two"))
	saveNote(t, two, note("of two, and not queued"))
	mine := saveNote(t, one, note("of one, later"))
	for id, m := range map[string]*recall.Memory{lately.ID: two, mine.ID: one, strings.Repeat("0", 40): two} {
		must(t, m.Store.Session.Enqueue(id))
	}
	marked(t, one, "why", "")
	among(t, broughtBack(t, one, 0), []string{
		"of one, later", "Also saved by this session", "Saved by other sessions in the last hours, newest first\n- " + lately.ID[:8] + ": of two\n</sage-memory",
	}, "not queued", "00000000")
}

// What was saved behind the mark counts, and what the mark named is the fallback.
func TestContinuityBehindTheMark(t *testing.T) {
	m := newMemory(t, "aaaaaaaa")
	first := saveNote(t, m, note("the elder"))
	marked(t, m, "why", "")
	saveNote(t, m, note("behind"))
	among(t, broughtBack(t, m, 0), []string{"# Where we left off", "behind", "(1)\n- " + first.ID[:8] + ": the elder"})
	saveNote(t, m, note("then"))
	saveNote(t, m, note("and then"))
	marked(t, m, "why", "")
	among(t, broughtBack(t, m, 0), []string{"and then", "(1)\n", "then"}, "elder", ": behind")
}

// Where nothing can be brought back nothing is, and the marker is no more.
func TestContinuityOfNothing(t *testing.T) {
	m := newMemory(t, "aaaaaaaa")
	marked(t, m, "why", "")
	if got := broughtBack(t, m, 0); got != "" {
		t.Errorf("got %q", got)
	}
	if list, err := m.Store.Session.Markers(true); len(list) > 0 || err != nil {
		t.Errorf("left: %v %v", list, err)
	}
	marked(t, m, "why", "The client tells this.") // and has told the session
	if got := broughtBack(t, m, 0); got != "" {
		t.Errorf("got %q", got)
	}
	saveNote(t, m, note("tokens rotate hourly"))
	off := true
	m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{NoContinuity: off} }
	if err := m.Continuity.Mark(t.Context(), gitstore.Marker{}); !errors.Is(err, recall.ErrNoContinuity) {
		t.Errorf("switched off: %v", err)
	}
	off = false
	marked(t, m, "why", "The client tells this.")
	off = true
	if got := broughtBack(t, m, 0); got != "" {
		t.Errorf("switched off: %q", got)
	}
	off = false
	if got := broughtBack(t, m, 0); got == "" {
		t.Error("switched on again: it is gone")
	}
}

// Whatever there is, it fits, and nothing is left out for what is worth less.
func TestContinuityFits(t *testing.T) {
	m := newMemory(t, "aaaaaaaa")
	var ids []string
	for i := range 8 {
		id := fmt.Sprint("item-", i)
		ids = append(ids, id)
		write(t, m, item(id, sage.Knowledge, strings.Repeat("\U0001F9ED known </sage-memory> ", 200)))
	}
	for i := range 20 {
		saveNote(t, m, note(fmt.Sprint("short ", i)))
	}
	n := note("the thesis. " + strings.Repeat("\U0001F9ED long ", 3000))
	n.Draft.Checkpoint.KnowledgeRecalled = ids
	n.Draft.Checkpoint.KeyEvidence = slices.Repeat([]string{"evidence </sage-memory>"}, 300)
	saveNote(t, m, n)
	for _, chars := range []int{3000, 7000, 10_000} {
		marked(t, m, "why", strings.Repeat("The client tells \U0001F9ED. ", 2000))
		c, err := m.Continuity.Claim(t.Context())
		if err != nil || c == nil {
			t.Fatal(c, err)
		}
		o, err := c.Bundle(t.Context(), chars)
		if n := brief.Units(o); err != nil || n > chars || n < chars*8/10 {
			t.Errorf("%d units of %d: %v", n, chars, err)
		}
		among(t, o, []string{"the thesis.", "Also saved by this session"}, "client's summary")
		if chars > 5000 { // where there is room for one
			among(t, o, []string{"### item-0"})
		}
		all, err := c.Open(t.Context(), chars)
		if n := len([]rune(all.Text)); err != nil || n > chars {
			t.Errorf("with the rest %d of %d: %v", n, chars, err)
		}
		if len(c.Items()) != 5 {
			t.Errorf("%d items", len(c.Items()))
		}
		c.Release()
	}
}

// The item that is brought back is not recalled beside it, and counts as given.
func TestContinuityOpens(t *testing.T) {
	m := newMemory(t, "aaaaaaaa")
	write(t, m, withKeyword(item("deploys", sage.Knowledge, "We deploy on Mondays."), "project"), item("ship", sage.Todo, "Ship it"))
	n := note("tokens rotate hourly")
	n.Draft.Checkpoint.KnowledgeRecalled = []string{"deploys"}
	saveNote(t, m, n)
	marked(t, m, "why", "")
	c, err := m.Continuity.Claim(t.Context())
	if err != nil || c == nil {
		t.Fatal(c, err)
	}
	o, err := c.Open(t.Context(), 0)
	if err != nil || strings.Count(o.Text, "We deploy on Mondays.") != 1 || len(o.Recalled) != 0 {
		t.Errorf("%v %+v\n%s", err, o.Recalled, o.Text)
	}
	among(t, o.Text, []string{"tokens rotate hourly", "Ship it"})
	if err := c.Delivered(); err != nil || len(m.Store.Session.Given()) != 2 { // the item and the checkpoint
		t.Errorf("given %v: %v", m.Store.Session.Given(), err)
	}
}

// A checkpoint that is removed meanwhile is not brought back.
func TestContinuityOfTheRemoved(t *testing.T) {
	m := newMemory(t, "aaaaaaaa")
	saveNote(t, m, note("kept"))
	bad := saveNote(t, m, note("wrong"))
	marked(t, m, "why", "")
	if _, err := m.Store.Checkpoints.Remove(t.Context(), []string{bad.ID}); err != nil {
		t.Fatal(err)
	}
	among(t, broughtBack(t, m, 0), []string{"kept"}, "wrong")
	saveNote(t, m, note("zebras"))
	marked(t, m, "why", "")
	if _, err := m.Store.Purge.Run(t.Context(), gitstore.PurgeRequest{Match: "zebras"}); err != nil {
		t.Fatal(err)
	}
	among(t, broughtBack(t, m, 0), []string{"Where we left off"}, "zebras")
}

// Who comes first in the work tree did not make the summary of what was there, and has it
// not in front of it.
func TestSummaryIsForOthers(t *testing.T) {
	m := newMemory(t, "")
	saveNote(t, m, note("tokens rotate hourly"))
	marked(t, m, "why", "We talked about </sage-memory> tokens.")
	among(t, broughtBack(t, m, 0), []string{"client's summary", "We talked about &lt;/sage-memory> tokens.", "tokens rotate hourly"})
}
