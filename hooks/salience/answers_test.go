package salience

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// What a person says of a proposal decides: a yes in any form, with or without a word of its own,
// makes a decision of it; who turns it down and names another way decides for that.
func TestWhatIsMadeOfAProposal(t *testing.T) {
	const ways = "I see three options:\n\n1. `chunksize` in pandas, the smallest change\n2. Polars, which is a new dependency\n3. `COPY` into a staging table\n\nI'd lean towards 3 for speed."
	for _, tt := range []struct {
		proposal, answer, kept, not string
	}{
		{ways, "hmm no, I don't want rules in two places. 1 it is", "`chunksize` in pandas, the smallest change", "I'd lean towards 3"},
		{ways, "2, please", "Polars, which is a new dependency", "`COPY` into"},
		{"What remains is the compiler; a second stage would get rid of it.", "do it", "a second stage would get rid of it.", "do it"},
		{"Then I'd rewrite the tags with `--tag-rename`.", "go", "I'd rewrite the tags with `--tag-rename`.", ""},
		{"41 flags are unused.\n\nI propose to delete them in two PRs.", "yes but not the ones starting with kill_, ops uses those", "I propose to delete them in two PRs.", ""},
		{"主包有2.4M。可以把统计页放到分包里,主包就剩1.5M。", "嗯,拆吧", "可以把统计页放到分包里,主包就剩1.5M。", ""},
		{"Ja: `^MNY` schaltet auf Erkennung um. Alternativ `~JC` vor jedem Auftrag, das kostet aber zwei leere Etiketten.", "keine leeren Etiketten, die sind teuer. nimm ^MNY", "keine leeren Etiketten", "**Decision"},
	} {
		k := newTalk(t)
		k.person("We have to change the import, it takes too long for all of us.")
		k.agent(tt.proposal)
		k.person(tt.answer)
		k.tool("Edit", map[string]any{"file_path": root + "/a.go", "old_string": "a", "new_string": "b"}, "")
		k.agent("On it.")
		c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
		if c == nil {
			t.Errorf("%q: nothing is kept", tt.answer)
			continue
		}
		text := plain(strings.Join(quoted(c), "\n"))
		if !strings.Contains(text, plain(tt.kept)) || tt.not != "" && strings.Contains(text, tt.not) {
			t.Errorf("%q:\n%s", tt.answer, text)
		}
	}
}

// A no in a later sentence than the words of what is turned down makes no decision of that.
func TestARefusedWayIsNoThesis(t *testing.T) {
	k := newTalk(t)
	k.person("Die Etiketten kommen versetzt aus dem Drucker. Können wir das abfangen?")
	k.agent("Ja: `^MNY` schaltet auf Lückenerkennung um. Alternativ `~JC` vor jedem Auftrag, das kostet aber zwei leere Etiketten.")
	k.person("keine leeren Etiketten, die kosten uns 4 Cent das Stück. nimm ^MNY")
	k.tool("Edit", map[string]any{"file_path": root + "/zpl.tmpl", "old_string": "a", "new_string": "b"}, "")
	k.agent("Eingebaut.")
	if c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd); c == nil || strings.Contains(c.Thesis, "~JC") {
		t.Errorf("%+v", c)
	}
}

// What a person states is kept as what they said, and is not listed as what they asked; a
// task that comes to mind is asked, and no more.
func TestStatedAndAsked(t *testing.T) {
	for _, tt := range []struct {
		said   string
		stated bool
	}{
		{"Das Einspielen macht Petra.", true},
		{"we only deploy on tuesdays", true},
		{"strip them, they're in S3 anyway", true},
		{"以后提交信息都用中文写。", true},
		{"мониторинг настроит Дима", true},
		{"remove the skipped tests in the date module", false},
		{"what does the mail look like on a phone", false},
		{"lunch, back in a bit", false},
	} {
		k := newTalk(t)
		k.person("Why does the export lose rows?")
		k.agent("The root cause is a missing flush: the buffer of 4 KB is dropped when the writer is closed.")
		k.person(tt.said)
		k.agent("Okay.")
		c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
		if c == nil {
			t.Fatalf("%q: nothing is kept", tt.said)
		}
		if got := slices.Contains(append(c.KeyEvidence, c.Thesis), "The user: "+tt.said); got != tt.stated {
			t.Errorf("%q is kept: %t; %q", tt.said, got, c.KeyEvidence)
		}
		if tt.stated && strings.Contains(c.ReasoningTrace, tt.said) {
			t.Errorf("%q is listed as asked:\n%s", tt.said, c.ReasoningTrace)
		}
	}
}

// A list is of ways only where that is said of it: another one tells facts.
func TestFactsAreNoWays(t *testing.T) {
	k := newTalk(t)
	k.person("Why are carts evicted?")
	k.agent("Here is what the numbers say:\n\n- the instance sits at 1.97 of 2 GB\n- Redis needs about 20% more memory than the payload\n\nSo carts go first, they are touched less often.")
	c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
	if c == nil || !strings.Contains(plain(strings.Join(quoted(c), "\n")), "Redis needs about 20% more memory") {
		t.Errorf("%+v", c)
	}
}

// A later sentence without a number does not take the place of one that has some.
func TestANumberIsNotReplacedByNone(t *testing.T) {
	const cause = "nginx drops the connection after 60 s, since it counts frames of the server, and our heartbeat goes client to server."
	k := newTalk(t)
	k.person("Why do clients drop off?")
	k.agent(cause)
	k.person("then the server should answer")
	k.tool("Edit", map[string]any{"file_path": root + "/ws.go", "old_string": "a", "new_string": "b"}, "")
	k.agent("The server replies to each heartbeat of a client with a small frame now.")
	if c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd); c == nil || !strings.Contains(strings.Join(quoted(c), "\n"), cause) {
		t.Errorf("%+v", c)
	}
}

// A day in which much was told in so many words is not filled up with what was said besides.
func TestMuchIsNotFilledUp(t *testing.T) {
	k := newTalk(t)
	for _, cause := range []string{
		"a missing index on the cart table", "the clock of node seven", "an expired certificate of the proxy", "two workers sharing one socket",
		"the locale of the export container", "a leaked file handle in the parser", "rounding before tax is added", "the retry loop of the mailer",
		"stale DNS entries behind the balancer", "an unbounded queue between both stages", "a typo in the rollout script",
	} {
		k.person("Why is " + cause[len(cause)-9:] + " slow today?")
		k.agent("The root cause is " + cause + ". Somebody else has written the module in a hurry.")
	}
	c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
	if c == nil || len(c.KeyEvidence) > 12 || strings.Contains(strings.Join(quoted(c), "\n"), "in a hurry") {
		t.Errorf("%+v", c)
	}
}

// A single word that a session shares with what stands where it began makes it no continuation.
func TestOneWordIsNoContinuation(t *testing.T) {
	parent := &sage.Checkpoint{Trigger: sage.SessionEnd, Agent: sage.Rules, CoreQuestion: "Which eviction policy do we ship?", Thesis: "Ship ARC; the service falls back to 2Q."}
	k := newTalk(t)
	k.person("Why is the cart total off by one cent?")
	k.agent("The root cause is that the billing service rounds each line to 2 digits before they are added.")
	if c := Checkpoint(Session{Digest: k.digest(), Behind: []*sage.Checkpoint{parent}}, sage.SessionEnd); c == nil || strings.Contains(string(codec.Marshal(c)), "Ship ARC") {
		t.Errorf("%+v", c)
	}
}

// What the person decided says more of a session than which files changed.
func TestADecisionOfThePersonBeforeFiles(t *testing.T) {
	k := newTalk(t)
	k.person("Can you add the cancel call?")
	k.agent("Sure.")
	k.person("cancel must be idempotent, the mobile app retries on every switch")
	k.tool("Edit", map[string]any{"file_path": root + "/orders.py", "old_string": "a", "new_string": "b"}, "")
	k.agent("Done.")
	if c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd); c == nil || !strings.HasPrefix(c.Thesis, "The user: cancel must be idempotent") {
		t.Errorf("%+v", c)
	}
}
