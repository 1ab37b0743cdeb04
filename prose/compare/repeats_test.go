package compare

import "testing"

// What one has said is not said again only if nothing of it is lost: a word, a number, a sign.
func TestRepeats(t *testing.T) {
	for _, tt := range []struct {
		older, newer string
		want         bool
	}{
		{"Tokens rotate hourly", " Tokens\n rotate  hourly", true},
		{"Tokens rotate hourly", "tokens rotate hourly.", true},
		{"SQLite is enough for the desktop client", "For the desktop client, SQLite is enough", true},
		{"The import needs 4 workers to keep up", "To keep up, the import needs four workers", true},
		{"Tokens of the mobile app rotate hourly", "Tokens of the app rotate hourly", true}, // older says it
		{"Tokens of the app rotate hourly", "Tokens of the mobile app rotate hourly", false},
		{"Tokens rotate hourly", "Encrypted tokens rotate hourly", false},
		{"The gateway times out", "The gateway may time out", false},
		{"Indexing works with the lock held", "Indexing works only with the lock held", false},
		{"Write the parser in C", "Write the parser in C++", false},
		{"The offset is 1", "The offset is -1", false},
		{"Retry if ready", "Retry if !ready", false},
		{"Ein Cache hilft", "Ein verteilter Cache hilft", false},
		{"キャッシュは速い", "分散キャッシュは速い", false},
	} {
		if got := Repeats(tt.older, tt.newer); got != tt.want {
			t.Errorf("%q after %q: %t", tt.newer, tt.older, got)
		}
	}
}
