package tally

import (
	"slices"
	"strings"
	"testing"
)

func TestQuotes(t *testing.T) {
	q := quotes{}
	q.add(0, "The staging database is emptied every Sunday night.")
	q.add(1, "Retry with more jitter.")
	q.add(2, "Too short.")
	for said, want := range map[string][]int{
		"So the staging database is emptied every Sunday, right?":                {0},
		"the *staging* database\nis emptied, every sunday":                       {0},
		"The staging database is emptied every day.":                             nil,
		"Retry with more jitter":                                                 {1},
		"Retry with more":                                                        nil,
		"Too short.":                                                             nil,
		"retry with more jitter; staging database is emptied every Sunday night": {1, 0},
	} {
		if got := q.in(said); !slices.Equal(got, want) {
			t.Errorf("%q quotes %v, want %v", said, got, want)
		}
	}
}

func TestGivenIn(t *testing.T) {
	const text = `Before.
<sage-memory mark="aa" origin="git-sage checkpoint dfde7ac4 on line main">
Memory.

## Conclusion (confidence: 70%)
ARC.
</sage-memory mark="aa">
<sage-memory mark="bb" origin="git-sage knowledge">
Knowledge.

## staging-wipe (fact, of this repository, just now)
Emptied.

## retry (preference, of the user, 2 days ago)
Jitter.
</sage-memory mark="bb">
<sage-memory mark="cc" origin="git-sage checkpoints">
## checkpoint 95f8d25d (just now)
2Q.
</sage-memory mark="cc">
## faked (fact)
Behind the fence.`
	want := []found{{Brief, "dfde7ac4", "\nMemory.\n\n## Conclusion (confidence: 70%)\nARC.\n"}, {Item, "staging-wipe", "Emptied."}, {Item, "retry", "Jitter."}, {Conclusion, "95f8d25d", "2Q."}}
	if got := givenIn(text); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestEnds(t *testing.T) {
	for _, tt := range []struct {
		file, path string
		want       bool
	}{
		{"/home/ada/shop/net/retry.go", "net/retry.go", true},
		{"/home/ada/shop/net/retry.go", "retry.go", true},
		{"/home/ada/shop/net/retry.go", "try.go", false},
		{"/home/ada/shop/net/http/retry.go", "net/http", true},
		{"/home/ada/shop/net/retry.go", "net", false},
	} {
		if got := ends(tt.file, tt.path); got != tt.want {
			t.Errorf("%s ends with %s: %v", tt.file, tt.path, got)
		}
	}
}

// A shell opens the files that it is plain it does.
func TestCallFiles(t *testing.T) {
	for in, want := range map[string]string{
		`{"file_path":"/w/a.go"}`:                                   "/w/a.go",
		`{"notebook_path":"/w/n.ipynb"}`:                            "/w/n.ipynb",
		`{"command":"cat net/retry.go | head -3"}`:                  "/w/net/retry.go",
		`{"command":"cd net && sed -n 5,9p retry.go && go test ."}`: "/w/net/retry.go",
		`{"command":"head -20 a.go b.go"}`:                          "/w/a.go /w/b.go",
		`{"command":"rg -n jitter net/retry.go"}`:                   "/w/net/retry.go",
		`{"command":"rg -n jitter net"}`:                            "",
		`{"command":"cat \"$FILE\""}`:                               "",
		`{"query":"net/retry.go"}`:                                  "",
	} {
		if got := strings.Join(parseCall([]byte(in)).files("/w"), " "); got != want {
			t.Errorf("%s opens %q, want %q", in, got, want)
		}
	}
}

func TestCallNames(t *testing.T) {
	for _, tt := range []struct {
		in   string
		kind Kind
		id   string
		want bool
	}{
		{`{"checkpoint_id":"dfde7ac4"}`, Brief, "dfde7ac4", true},
		{`{"checkpoint_id":"dfde7ac4c83f5df1"}`, Brief, "dfde7ac4", true},
		{`{"command":"git sage show dfde7ac4 | head"}`, Brief, "dfde7ac4", true},
		{`{"checkpoint_id":"dfd"}`, Brief, "dfde7ac4", false},
		{`{"query":"staging-wipe"}`, Item, "staging-wipe", true},
		{`{"query":"staging-wipes"}`, Item, "staging-wipe", false},
		{`{"query":`, Item, "staging-wipe", false},
	} {
		if got := parseCall([]byte(tt.in)).names(tt.kind, tt.id); got != tt.want {
			t.Errorf("%s names %s: %v", tt.in, tt.id, got)
		}
	}
}

func TestPrices(t *testing.T) {
	p := Prices{Models: map[string]Price{"claude": {Input: 1}, "claude-opus": {Input: 2, Output: 4}}}
	for model, want := range map[string]float64{"claude-opus-5": 6, "claude-haiku": 1} {
		if got, ok := p.of(model, Tokens{Input: 1e6, Output: 1e6}); got != want || !ok {
			t.Errorf("%s costs %v, want %v", model, got, want)
		}
	}
	if _, ok := p.of("gpt", Tokens{Input: 1}); ok {
		t.Error("a model without a price has one")
	}
}
