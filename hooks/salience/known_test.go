package salience

import (
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Who is shown a conclusion and tells it again has not come to another one.
func TestToldAgainIsNoNews(t *testing.T) {
	shown := &sage.Checkpoint{
		CoreQuestion: "Which cache policy do we ship?", Thesis: "Ship ARC: it beats LRU by 9 points on our traces.",
		KeyEvidence: []string{"hit rate .70 against .61 over a week of traces"}, OpenQuestions: []string{"what does the ghost list cost in memory?"},
	}
	for _, tt := range []struct {
		first, answer string
		saved         bool
		question      string
	}{
		{"Where were we?", "We decided to ship ARC: 9 points over LRU on our own traces. Open is what the ghost list costs in memory.", false, ""},
		{"Where were we?", "We decided to ship ARC with 64 shards: 9 points over LRU on our own traces.", true, shown.CoreQuestion},
		{"ok, let's continue", "We decided not to ship ARC: the ghost list costs too much memory.", true, shown.CoreQuestion},
		{"Is a ring better?", "**Decision:** we use a ring buffer for the queue, since it never allocates.", true, "Is a ring better?"},
	} {
		k := newTalk(t)
		k.person(tt.first)
		k.agent(tt.answer)
		c := Checkpoint(Session{Digest: k.digest(), Behind: []*sage.Checkpoint{shown}}, sage.SessionEnd)
		if (c != nil) != tt.saved {
			t.Errorf("%s: saved %v", tt.answer, c)
		} else if c != nil && c.CoreQuestion != tt.question {
			t.Errorf("%s: about %q", tt.answer, c.CoreQuestion)
		}
	}
}
