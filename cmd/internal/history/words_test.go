package history

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
)

// marked writes pieces as [-gone-] and {+new+}, as git's word diff does.
func marked(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		switch p.Sign {
		case "-":
			b.WriteString("[-" + p.Text + "-]")
		case "+":
			b.WriteString("{+" + p.Text + "+}")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ before, after, want string }{
		{"ARC beats LRU by 9 points.", "ARC beats LRU by 9 points, and 2Q by 2.", "ARC beats LRU by 9 points{+, and 2Q by 2+}."},
		{"The pool is opened for each row.", "The pool is made anew for each batch.", "The pool is [-opened-]{+made anew+} for each [-row-]{+batch+}."},
		{"ship 2Q now", "keep ARC now", "[-ship 2Q-]{+keep ARC+} now"},
		{"先に測る", "先に試す", "先に[-測る-]{+試す+}"},
		{"same", "same", "same"},
		{"", "all new", "{+all new+}"},
		{"all gone", "", "[-all gone-]"},
	} {
		if pieces, _ := words(split(tt.before), split(tt.after)); marked(pieces) != tt.want {
			t.Errorf("%s, want %s", marked(pieces), tt.want)
		}
	}
}

// The pieces are both texts, each whole, whatever is in them.
func TestWordsLoseNothing(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab ,.\n日\u0301\u202e")), 0, 30, -1)
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		pieces, share := words(split(before), split(after))
		sides := map[string]string{}
		for _, p := range pieces {
			for _, sign := range []string{"-", "+"} {
				if p.Sign == "" || p.Sign == sign {
					sides[sign] += p.Text
				}
			}
		}
		if sides["-"] != before || sides["+"] != after || share < 0 || share > 1 {
			t.Fatalf("%q and %q are %+v, %f", before, after, pieces, share)
		}
	})
}

// Of lists, what was said anew is told as one text; of all else nothing is told word by word.
func TestRewordings(t *testing.T) {
	d := diff.Checkpoints(
		&sage.Checkpoint{Thesis: "ARC beats LRU by 9 points.", CoreQuestion: "Which cache?", KeyEvidence: []string{"hit rate 62% on the October traces", "cheap"}, OpenQuestions: []string{"does it scan?"}},
		&sage.Checkpoint{Thesis: "ARC beats LRU by 7 points.", CoreQuestion: "Do we shard by tenant?", KeyEvidence: []string{"the largest tenant has 3%", "hit rate 71% on the October traces"}})
	var got []string
	for _, r := range Rewordings(d) {
		got = append(got, r.Key+": "+marked(r.Pieces))
	}
	const want = "thesis: ARC beats LRU by [-9-]{+7+} points.\nkey_evidence: hit rate [-62-]{+71+}% on the October traces"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("%s\nwant\n%s", s, want)
	}
}

// Of sources, tensions and references to code, what they say is told word by word, also of those
// that changed in place; a tension that was settled was not said anew.
func TestRewordingsOfItems(t *testing.T) {
	d := diff.Checkpoints(
		&sage.Checkpoint{
			Sources:  []sage.Source{{ID: "s1", Take: "all training is allowed"}, {Identifier: "blog", Take: "consent is asked for once a year"}},
			Tensions: []sage.Tension{{Nature: "is consent needed in the EU"}, {Nature: "does the ruling bind the US"}},
			CodeRefs: []sage.CodeRef{{File: "ask.go", Snippet: "return ask(user)"}, {File: "log.go", Snippet: "return log(user)"}},
		},
		&sage.Checkpoint{
			Sources:  []sage.Source{{ID: "s1", Take: "no training is allowed"}, {Identifier: "paper", Take: "consent is asked for twice a year"}},
			Tensions: []sage.Tension{{Nature: "is consent needed in the UK"}, {Nature: "does the ruling bind the US", Resolution: "resolved"}},
			CodeRefs: []sage.CodeRef{{File: "ask.go", Snippet: "return ask(users)"}},
		})
	var got []string
	for _, r := range Rewordings(d) {
		got = append(got, r.Key+": "+marked(r.Pieces))
	}
	const want = "sources: [-all-]{+no+} training is allowed\nsources: consent is asked for [-once-]{+twice+} a year\n" +
		"tensions: is consent needed in the [-EU-]{+UK+}\ncode_refs: return ask([-user-]{+users+})"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("%s\nwant\n%s", s, want)
	}
}
