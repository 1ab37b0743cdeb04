package compare

import "testing"

func TestDifference(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{"Use Redis", "use redis!", ""},
		{"it takes 30 s", "it takes 60 s", "numbers"},
		{"it scales", "it doesn't scale", "negation"},
		{"it may scale", "it must scale", "strength"},
		{"it got faster", "slower is what it got", "opposite"},
		{"Ada beats Bob", "Bob beats Ada", "names"},
		{"a cache, e.g. Redis, holds the sessions", "a cache, e.g. Valkey, holds the sessions", "names"},
		{"the cat sees the dog", "the dog sees the cat", "turned"},
		{"the cat is tired", "the cow is tired", "words"},
		{"", "", ""},
		{"", "Redis keeps the sessions", "words"},
	} {
		if got := Difference(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

// FuzzDifference holds that nothing differs from itself.
func FuzzDifference(f *testing.F) {
	for _, s := range []string{"", "Use Redis", "30 µs isn’t 60 s", "\xff\xfe", "Ä. Ö? I’m", "a/b_c.d-e%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d := Difference(s, s); d != "" {
			t.Errorf("%q differs from itself: %s", s, d)
		}
		Difference(s, "x "+s)
	})
}
