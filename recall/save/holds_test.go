package save

import "testing"

// A text holds the sentences that it has, and not what a part of one would say alone.
func TestHasSentence(t *testing.T) {
	for _, tt := range []struct {
		text, sentence string
		want           bool
	}{
		{"Use Redis.", "use Redis", true},
		{"We looked at both. Use Redis. It is fast.", "Use Redis", true},
		{"- Use Redis\n- Keep the queue short\n", "Keep the queue short.", true},
		{"We looked at both. Use Redis. It is fast.", "Use Redis. It is fast.", true},
		{"Do not use Redis", "Use Redis", false},
		{"Nobody says that we use Redis.", "We use Redis", false},
		{"Use Redis only in tests", "Use Redis", false},
		{"Use Redis. Sometimes. It is fast.", "Use Redis. It is fast.", false},
		{"Use Redis.", "", false},
	} {
		if got := hasSentence(tt.text, tt.sentence); got != tt.want {
			t.Errorf("%q in %q: %v", tt.sentence, tt.text, got)
		}
	}
}
