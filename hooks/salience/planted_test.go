package salience

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
)

// A planted session is a conversation of testdata/sessions with what a record of it has to
// hold, and what must not be in it. The files whose names begin with held were written with
// the others and nothing was fitted to them.
type planted struct {
	name       string
	talk       *talk
	keep, drop []string
	open       []string // stays open: a question of the record, and no evidence
	small      []string // is no question that somebody asked
	question   string   // what was asked, with nothing before it and nothing behind
	thesis     string   // what it came to
}

func readPlanted(t *testing.T, file string) planted {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := planted{name: strings.TrimSuffix(filepath.Base(file), ".txt"), talk: newTalk(t)}
	for _, block := range strings.Split("\n"+string(b), "\n@")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		what, arg, _ := strings.Cut(head, " ")
		body = strings.TrimSpace(body)
		switch what {
		case "person":
			p.talk.person(body)
		case "agent":
			p.talk.agent(body)
		case "edit":
			p.talk.tool("Edit", map[string]any{"file_path": root + "/" + arg, "old_string": "a", "new_string": "b"}, "")
		case "run":
			p.talk.tool("Bash", map[string]any{"command": arg}, "")
		case "fail":
			p.talk.tool("Bash", map[string]any{"command": arg}, "Exit code 1\n"+body)
		case "keep":
			p.keep = strings.Split(body, "\n")
		case "drop":
			p.drop = strings.Split(body, "\n")
		case "open":
			p.open = strings.Split(body, "\n")
		case "small":
			p.small = strings.Split(body, "\n")
		case "question":
			p.question = body
		case "thesis":
			p.thesis = body
		default:
			t.Fatalf("%s: no block is called '%s'", file, what)
		}
	}
	return p
}

// quoted are the parts of a record that claim to be what somebody said.
func quoted(c *sage.Checkpoint) []string {
	out := append([]string{c.Thesis, c.CoreQuestion}, c.KeyEvidence...)
	for _, q := range c.OpenQuestions {
		if !strings.HasPrefix(q, stillFails) {
			out = append(out, q)
		}
	}
	return out
}

// plain is a text without emphasis and line breaks: what is compared word by word.
func plain(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("**", "", "\n", " ").Replace(s)), " ")
}

// check reports what a record lacks, what is in it that must not be, and what nobody said.
func (p planted) check(c *sage.Checkpoint) (missed, unwanted, invented []string) {
	text := plain(strings.Join(quoted(c), "\n"))
	for _, k := range p.keep {
		if !strings.Contains(text, plain(k)) {
			missed = append(missed, k)
		}
	}
	for _, d := range p.drop {
		if strings.Contains(text, plain(d)) {
			unwanted = append(unwanted, d)
		}
	}
	questions, evidence := plain(strings.Join(c.OpenQuestions, "\n")), plain(strings.Join(c.KeyEvidence, "\n")+c.Thesis)
	for _, o := range p.open {
		if !strings.Contains(questions, plain(o)) || strings.Contains(evidence, plain(o)) {
			missed = append(missed, o)
		}
	}
	for _, s := range p.small {
		if strings.Contains(c.ReasoningTrace, "- Asked: "+s) {
			unwanted = append(unwanted, s)
		}
	}
	if p.question != "" && c.CoreQuestion != p.question {
		unwanted = append(unwanted, "the question "+c.CoreQuestion)
	}
	if !strings.Contains(c.Thesis, p.thesis) {
		unwanted = append(unwanted, "the thesis "+c.Thesis)
	}
	var said []string
	for _, t := range p.talk.digest().Texts {
		said = append(said, t.Text)
	}
	all := plain(strings.Join(said, "\n"))
	for _, q := range quoted(c) {
		q = strings.TrimPrefix(strings.TrimPrefix(q, "The user: "), notAnswered)
		if !strings.Contains(all, plain(q)) {
			invented = append(invented, q)
		}
	}
	return missed, unwanted, invented
}

// What was decided, found out and asked for in whole sessions is in their records, word by
// word, and nothing that was not said: of those that rules were made for and of the others, and
// in every language.
func TestRecordsHoldWhatWasPlanted(t *testing.T) {
	files, err := filepath.Glob("testdata/sessions/*.txt")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d sessions, %v", len(files), err)
	}
	kept, all := map[string]int{}, map[string]int{}
	for _, file := range files {
		name, held := strings.CutPrefix(filepath.Base(file), "held-")
		sums := []string{"language " + name[:2], "fitted"}
		if held {
			sums[1] = "held out"
		}
		p := readPlanted(t, file)
		c := Checkpoint(Session{Digest: p.talk.digest()}, sage.SessionEnd)
		if c == nil {
			t.Errorf("%s: nothing is kept", p.name)
			continue
		}
		if err := validate.Checkpoint(c); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		missed, unwanted, invented := p.check(c)
		planted := len(p.keep) + len(p.open)
		for _, sum := range sums {
			all[sum] += planted
			kept[sum] += planted - len(missed)
		}
		t.Logf("%s: %d of %d\n%s", p.name, planted-len(missed), planted, codec.Marshal(c))
		for _, s := range missed {
			t.Logf("%s misses: %s", p.name, s)
		}
		for _, s := range unwanted {
			t.Errorf("%s has: %s", p.name, s)
		}
		for _, s := range invented {
			t.Errorf("%s: nobody said: %s", p.name, s)
		}
	}
	for sum, n := range all {
		t.Logf("%s: %d of %d", sum, kept[sum], n)
		if 10*kept[sum] < 9*n {
			t.Errorf("%s: the records hold %d of %d", sum, kept[sum], n)
		}
	}
}

// A yes behind a compaction makes a decision of what was proposed before it; nothing else of
// that is kept again.
func TestYesBehindACompaction(t *testing.T) {
	k := newTalk(t)
	k.person("Which queue do we take?")
	k.agent("Measured: NATS loses 3% of the jobs when a node dies.\n\nI'd take Postgres with `SKIP LOCKED`. OK?")
	first := Checkpoint(Session{Digest: k.digest()}, sage.Recovery)
	if first == nil || strings.Contains(string(codec.Marshal(first)), "I'd take Postgres") {
		t.Fatalf("nobody agreed yet: %+v", first)
	}
	since := k.when
	k.person("yes, go ahead")
	k.agent("On it.")
	second := Checkpoint(Session{Digest: k.digest(), Since: since, Recovery: first}, sage.Recovery)
	if second == nil || second.Thesis != "I'd take Postgres with `SKIP LOCKED`." || second.CoreQuestion != "Which queue do we take?" {
		t.Fatalf("%+v", second)
	}
	if text := string(codec.Marshal(second)); strings.Count(text, "NATS loses 3%") != 1 || strings.Count(text, "Which queue") != 2 {
		t.Errorf("not once:\n%s", text)
	}
}

// What a session goes on with behind a record is no question that it began with.
func TestContinuationKeepsTheQuestion(t *testing.T) {
	k := newTalk(t)
	k.person("Why do the workers run out of memory every few hours?")
	k.agent("The cause is that each browser stays alive after a timeout.")
	k.person("nice. btw a worker can't use more than 2 GB, that's what finance signed off on")
	first := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
	from := len(k.digest().Texts)
	k.agent("With four browsers it peaks at 1.9 GB, with five at 2.3 GB.")
	d := k.digest()
	second := Checkpoint(Session{Digest: d, Texts: d.Texts[from:], From: d.Texts[from].Offset, Last: first}, sage.SessionEnd)
	if second == nil || first.CoreQuestion == "" || second.CoreQuestion != first.CoreQuestion {
		t.Fatalf("%+v", second)
	}
}

// A session in which nothing was concluded and no file changed leaves nothing, in any
// language; a request is no conclusion.
func TestNothingIsParroted(t *testing.T) {
	for _, talked := range [][]string{
		{"Can you check that claim?", "Sure, which one do you mean?"},
		{"Hello!", "Hello! What shall we do today?"},
		{"We must finish the migration of the billing service this week.", "Let me look at what is left."},
		{"Schau dir bitte mal den Import an.", "Ich sehe mir den Import an."},
		{"帮我看一下登录模块。", "我先看一下代码。"},
		{"Thanks, that was all for today", "You're welcome!"},
	} {
		k := newTalk(t)
		k.person(talked[0])
		k.agent(talked[1])
		if c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd); c != nil {
			t.Errorf("%q: %s", talked, codec.Marshal(c))
		}
	}
}

// The record of a session begins with what it continues: what was recovered of another one
// that was killed, and behind that what somebody saved; what was answered or changed since
// is not told again.
func TestRecordsBeginWithTheirParents(t *testing.T) {
	killed := &sage.Checkpoint{Trigger: sage.Recovery, Agent: sage.Rules, Thesis: "The worker holds a lease for 90 s before a job counts as lost.", OpenQuestions: []string{"Whether the mailer stands duplicate jobs."}}
	saved := &sage.Checkpoint{CoreQuestion: "Which queue do we take?", Thesis: "Postgres will do.", KeyEvidence: []string{"Peak load is 900 jobs a second."}, OpenQuestions: []string{"Who runs the backups?"}}
	k := newTalk(t)
	k.person("Go on.")
	k.agent("**Decision:** the worker holds a lease for 10 minutes before a job counts as lost.\n\n**Finding:** the mailer stands duplicate jobs, it drops the second of them.")
	c := Checkpoint(Session{Digest: k.digest(), Behind: []*sage.Checkpoint{killed, saved}}, sage.SessionEnd)
	if c == nil || c.CoreQuestion != saved.CoreQuestion || !strings.HasPrefix(c.Thesis, "the worker holds a lease for 10 minutes") {
		t.Fatalf("%+v", c)
	}
	want := []string{"the mailer stands duplicate jobs, it drops the second of them.", "Postgres will do.", "Peak load is 900 jobs a second."}
	if strings.Join(c.KeyEvidence, "|") != strings.Join(want, "|") || strings.Join(c.OpenQuestions, "|") != "Who runs the backups?" {
		t.Errorf("evidence %q, open %q", c.KeyEvidence, c.OpenQuestions)
	}
}

// A session that opens with a question of its own and shares no word with what stands where it
// began tells nothing of that; a recovery is told in any case, as nothing else shows it.
func TestAnotherTopicIsNotCarriedAlong(t *testing.T) {
	for _, kind := range []sage.Trigger{sage.SessionEnd, sage.Recovery} {
		parent := &sage.Checkpoint{Trigger: kind, Agent: sage.Rules, CoreQuestion: "Which eviction do we ship?", Thesis: "Ship ARC; 2Q is the fallback.", OpenQuestions: []string{"What does the ghost list weigh?"}}
		k := newTalk(t)
		k.person("Why is the cart total off by one cent?")
		k.agent("The root cause is that each line is rounded to 2 digits before they are added.")
		c := Checkpoint(Session{Digest: k.digest(), Behind: []*sage.Checkpoint{parent}}, sage.SessionEnd)
		if carried := c != nil && strings.Contains(string(codec.Marshal(c)), "Ship ARC"); carried != (kind == sage.Recovery) {
			t.Errorf("%s: %+v", kind, c)
		}
	}
}
