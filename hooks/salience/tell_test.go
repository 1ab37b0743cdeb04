package salience

import (
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// What stands for a session that nobody saved is what it came to, not how it talked, and
// the question is the one that this answers.
func TestWhatASessionCameTo(t *testing.T) {
	const staging, rate = "Why is the staging database empty again?", "Now let us see why the hit rate of the cache fell."
	for _, tt := range []struct {
		answers          []string
		thesis, question string
	}{
		{[]string{"It prints the hit rate of a trace, here 0.7.", "Decided: we ship ARC for the cache."}, "we ship ARC for the cache.", rate},
		{[]string{"This rules out LRU for the cache and its hit rate.", "I listed the rest of it; here you are."}, "This rules out LRU for the cache and its hit rate.", rate},
		{[]string{"I listed the files for you, all of them, as you said that I should."}, "Changed cache/lru.go.", ""},
		{[]string{"In lru.go the loop moves each entry to the front now."}, "In lru.go the loop moves each entry to the front now.", rate},
	} {
		k := newTalk(t)
		k.person(staging)
		k.agent("Let me look.")
		k.person(rate)
		k.tool("Edit", map[string]any{"file_path": root + "/cache/lru.go", "old_string": "a", "new_string": "b"}, "")
		for _, a := range tt.answers {
			k.agent(a)
		}
		c := Checkpoint(Session{Digest: k.digest()}, sage.Recovery)
		if c == nil || c.Thesis != tt.thesis || c.CoreQuestion != tt.question {
			t.Errorf("%q: %+v", tt.answers, c)
		}
	}
}
