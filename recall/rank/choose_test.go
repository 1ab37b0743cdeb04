package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/recall/index"
)

// words makes a candidate with a given score in a store without a model.
func scored(key, kind string, raw float64) testHit {
	return testHit{key, math.NaN(), raw, index.Meta{Type: kind, Tokens: 10}}
}

func TestChooseHoldsScoresAgainstThresholdsByType(t *testing.T) {
	raw := func(score float64) float64 { // whose score is this
		for x := 0.0; x <= 1; x += 0.001 {
			if at(wordCurve, x) >= score {
				return x
			}
		}
		return 1
	}
	r := Ranking{MaxItems: 9}
	var hits []testHit
	for kind, threshold := range DefaultThresholds {
		hits = append(hits, scored(kind+"-above", kind, raw(threshold+.01)), scored(kind+"-below", kind, raw(threshold-.02)))
	}
	hits = append(hits, scored("note-below", "note", raw(.6)), scored("note-above", "note", raw(.71)))
	ranked := r.Rank(ask, resultOf(hits...))
	chosen := keys(r.Choose(ranked))
	for _, s := range ranked {
		if strings.HasSuffix(s.Meta.Key, "-above") != s.Chosen || s.Chosen != strings.Contains(chosen, s.Meta.Key) {
			t.Errorf("%s: chosen %v: %s", s.Meta.Key, s.Chosen, s.Explain())
		}
		if !s.Chosen && !strings.Contains(s.Why, "below recall_threshold") {
			t.Errorf("%s: %s", s.Meta.Key, s.Why)
		}
	}
	r = Ranking{Thresholds: map[string]float64{"knowledge": .2}}
	if got := keys(r.Choose(r.Rank(ask, resultOf(scored("low", "knowledge", raw(.25)))))); got != "low" {
		t.Errorf("a threshold that was set: %q", got)
	}
	r = Ranking{Proactive: true}
	if got := keys(r.Choose(r.Rank(ask, resultOf(scored("a", "reference", raw(.45)), scored("b", "preference", raw(.35)))))); got != "a" {
		t.Errorf("proactive: %q, want what reaches .40, of any type", got)
	}
}

func TestNothingIsRecalledWhenNothingFits(t *testing.T) {
	r := Ranking{}
	if got := r.Choose(r.Rank(ask, resultOf(scored("a", "knowledge", .1), scored("b", "reference", .3)))); len(got) != 0 {
		t.Errorf("recalled %s", keys(got))
	}
	if got := r.Choose(r.Rank(ask, &index.Result{})); len(got) != 0 {
		t.Errorf("recalled %s of nothing", keys(got))
	}
}

func TestWhoAsksOutrightIsGivenWhatComesNearest(t *testing.T) {
	r := Ranking{Asked: true}
	got := r.Choose(r.Rank(ask, resultOf(scored("a", "knowledge", .05), scored("b", "reference", .3), scored("c", "knowledge", .1), scored("d", "knowledge", .02))))
	if keys(got) != "b c a" || !got[0].Weak || !got[2].Weak {
		t.Errorf("given %s, %+v", keys(got), got)
	}
	got = r.Choose(r.Rank(ask, resultOf(scored("a", "knowledge", .95), scored("b", "reference", .3))))
	if keys(got) != "a" || got[0].Weak {
		t.Errorf("beside a good match given %s", keys(got))
	}
}

func TestChooseKeepsCountAndTokens(t *testing.T) {
	always := testHit{"always", math.NaN(), 0, index.Meta{Type: "knowledge", Tokens: 30, Always: true}}
	hits := []testHit{scored("a", "knowledge", .99), scored("b", "knowledge", .96), scored("c", "knowledge", .93), scored("d", "knowledge", .9), always}
	for _, tt := range []struct {
		name string
		r    Ranking
		want string
	}{
		{"three, and what always is", Ranking{}, "always a b c"},
		{"one", Ranking{MaxItems: 1}, "always a"},
		{"what fits", Ranking{MaxTokens: 55}, "always a b"},
		{"always is within the tokens", Ranking{MaxTokens: 25}, "a b"},
	} {
		ranked := tt.r.Rank(ask, resultOf(hits...))
		if got := keys(tt.r.Choose(ranked)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		for _, s := range ranked {
			if s.Why == "" {
				t.Errorf("%s: nothing said of %s", tt.name, s.Meta.Key)
			}
		}
	}
	r := Ranking{MaxItems: 1}
	ranked := r.Rank(ask, resultOf(hits...))
	r.Choose(ranked)
	if why := ranked[1].Why; why != "1 better ones (recall_max_items)" {
		t.Error(why)
	}
}

func TestOnlyTheNewVersionIsChosen(t *testing.T) {
	r := Ranking{}
	old := testHit{"old", math.NaN(), .9, index.Meta{Type: "knowledge", ReplacedBy: []string{"new"}}}
	ranked := r.Rank(ask, resultOf(old, scored("new", "knowledge", .88)))
	if got := keys(r.Choose(ranked)); got != "new" || ranked[1].Why != "replaced by new" {
		t.Errorf("chosen %s; %s", got, ranked[1].Why)
	}
	ranked = r.Rank(ask, resultOf(old))
	if got := r.Choose(ranked); len(got) != 1 || got[0].Outdated != "replaced by new" {
		t.Errorf("the old one alone: %+v", got)
	}
}

func TestTriggers(t *testing.T) {
	hit := func(docs int) (*index.Result, *index.Hit) {
		r := &index.Result{Keywords: []index.Keyword{{Phrase: "staging db", Docs: docs, Ours: docs}}}
		r.Hits = []index.Hit{{Exact: []int{0}, Meta: &index.Meta{Key: "k", Type: "knowledge", Keywords: []string{"staging db", "deploy", "go"}, Patterns: []string{`v\d+`, "("}}}}
		return r, &r.Hits[0]
	}
	found, h := hit(SharedBy)
	got := lexiconOf("redeploying V12 to the staging db, ergo", found).triggers(h)
	if len(got.Exact) != 1 || len(got.Substring) != 1 || got.Substring[0] != "deploy" || len(got.Patterns) != 1 {
		t.Errorf("triggers: %+v", got)
	}
	r := Ranking{}
	recalled := func(text string, found *index.Result) bool {
		return len(r.Choose(r.Rank(Question{Text: text}, found))) > 0
	}
	if !recalled("staging db", found) {
		t.Error("a keyword does not recall by itself")
	}
	if found, _ = hit(SharedBy + 1); recalled("staging db", found) {
		t.Error("a keyword that 11 items share recalls by itself")
	}
	found.Hits[0].Exact = nil
	if recalled("redeploying v12", found) {
		t.Error("a substring and a pattern recall by themselves")
	}
	for kind, threshold := range DefaultThresholds {
		if mostBonus >= threshold {
			t.Errorf("%s: triggers alone reach %.2f", kind, threshold)
		}
	}
}

func TestExplainSaysWhatAScoreWasMadeOf(t *testing.T) {
	r := Ranking{Calibration: flat}
	ranked := r.Rank(ask, resultOf(testHit{"a", .4, .3, index.Meta{Status: "deprecated"}}))
	r.Choose(ranked)
	got := ranked[0].Explain()
	for _, part := range []string{"= meaning 0.4", " + words 0.1", "deprecated", "recall_threshold 0.45"} {
		if !strings.Contains(got, part) {
			t.Errorf("%s: no %s", got, part)
		}
	}
}

// Parts add up to the score as they are printed, whatever it was made of.
func TestSumAddsUp(t *testing.T) {
	with := func(change func(*Scored)) Scored {
		s := Scored{Score: .5, ByWords: .2}
		change(&s)
		return s
	}
	for want, s := range map[string]Scored{
		"0.50 = meaning 0.30 + words 0.20":        with(func(*Scored) {}),
		"0.50 = meaning 0.30 + keyword 'db' 0.20": with(func(s *Scored) { s.Triggers.Exact = []string{"db"} }),
		"0.50 = meaning 0.15 + words 0.20 + keyword in a word 'deploy' 0.10 + code in this branch 0.05": with(func(s *Scored) { s.Bonus, s.Near, s.Triggers.Substring = .1, .05, []string{"deploy"} }),
		"0.50 = meaning 0.10 + words 0.20 + patterns 0.20":                                              with(func(s *Scored) { s.Bonus, s.Triggers.Patterns = .2, []string{"a", "b"} }),
		"0.50 = meaning 0.10 + words 0.20 + keyword in a word and pattern 0.20":                         with(func(s *Scored) { s.Bonus, s.Triggers.Patterns, s.Triggers.Substring = .2, []string{"a"}, []string{"b"} }),
		"0.50 = words 0.50":                with(func(s *Scored) { s.ByWords = .5 }),
		"0.01 = meaning 0.01":              {Score: .008, ByWords: .004, Bonus: 0},
		"0.00":                             {},
		"0.33 = words 0.17 + pattern 0.16": {Score: .33, ByWords: .175, Bonus: .155, Triggers: Triggers{Patterns: []string{"a"}}},
	} {
		if got := s.Sum(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	r := Ranking{Calibration: flat}
	for _, cosine := range []float64{0, .1, .3, .5, .9} {
		for _, words := range []float64{0, .2, .6, 1} {
			s := r.Rank(ask, resultOf(testHit{"a", cosine, words, index.Meta{}}))[0]
			if s.ByWords < 0 || s.ByWords > s.Score+1e-9 {
				t.Errorf("cosine %.1f, words %.1f: %.3f of %.3f by words", cosine, words, s.ByWords, s.Score)
			}
		}
	}
}

// A common word as a keyword counts in full, and is not enough; a name is, and a phrase.
func TestACommonWordIsNotEnough(t *testing.T) {
	for phrase, want := range map[string]bool{"test": true, "tests": true, "labels": true, "architecture": true, "staging": false, "test plan": false, "pgbouncer": false, "vpn": false, "": false} {
		if got := isCommonWord(phrase); got != want {
			t.Errorf("%q: %v, want %v", phrase, got, want)
		}
	}
}

// Of more items the best is better by chance, so that a title needs a better score.
func TestTitlesNeedMoreAmongMore(t *testing.T) {
	for n, want := range map[int]float64{0: 0.45, 60: 0.45, 250: 0.55, 10_000: 0.81} {
		if got := leastTitle(n); math.Abs(got-want) > 0.005 {
			t.Errorf("among %d: %.3f, want %.2f", n, got, want)
		}
	}
}

// What was written for code that changed takes the last places, whatever its score, or none.
func TestOutlivedComesLast(t *testing.T) {
	ranked := func() []Scored {
		var list []Scored
		for i, key := range []string{"k/old", "k/one", "k/two"} {
			list = append(list, Scored{Hit: &index.Hit{Meta: &index.Meta{Key: key, Type: "knowledge"}}, Score: .95 - float64(i)/20})
		}
		list[0].Outlived = "written for an older version of f()"
		return list
	}
	keys := func(list []Scored) (out []string) {
		for _, s := range list {
			out = append(out, s.Meta.Key)
		}
		return out
	}
	for _, c := range []struct {
		r    Ranking
		want []string
	}{
		{Ranking{}, []string{"k/one", "k/two", "k/old"}}, {Ranking{MaxItems: 2}, []string{"k/one", "k/two"}}, {Ranking{Withhold: true}, []string{"k/one", "k/two"}},
	} {
		list := ranked()
		if got := keys(c.r.Choose(list)); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.r, got, c.want)
		}
		if c.r.Withhold && (list[0].Why != "written for an older version of f() (recall_stale)" || len(c.r.Maybes(list, func(string) bool { return false })) > 0) {
			t.Errorf("withheld: %+v", list[0])
		}
	}
	list := ranked()
	ByScore(list, func(s *Scored) *Scored { return s })
	if got := keys(list); !slices.Equal(got, []string{"k/one", "k/two", "k/old"}) {
		t.Errorf("by score: %v", got)
	}
}

// Anybody can send what ranks before all others: what somebody here stands for keeps half of the
// places, and its keyword.
func TestWhatIsFromElsewhereLeavesRoom(t *testing.T) {
	foreign := func(key string, tokens int) testHit {
		h := scored(key, "knowledge", 1)
		h.meta.Part, h.meta.Tokens = 1, tokens
		return h
	}
	hits := []testHit{foreign("x1", 10), foreign("x2", 1990), foreign("x3", 10), foreign("x4", 10), scored("a", "knowledge", .9), scored("b", "knowledge", .89), scored("c", "knowledge", .88)}
	r := Ranking{Thresholds: map[string]float64{"knowledge": .5}}
	if got := keys(r.Choose(r.Rank(ask, resultOf(hits...)))); got != "a b x1" {
		t.Errorf("chosen: %s", got)
	}
	found := resultOf(foreign("x", 10), scored("a", "knowledge", .1))
	found.Keywords = []index.Keyword{{Phrase: "staging db", Docs: SharedBy + 1, Ours: 1}}
	for i := range found.Hits {
		found.Hits[i].Exact = []int{0}
	}
	for _, s := range r.Rank(ask, found) {
		if got := len(s.Triggers.Exact) > 0; got == s.Meta.IsForeign() {
			t.Errorf("%s has the keyword: %v", s.Meta.Key, got)
		}
	}
}

func TestSlowPatternsFromElsewhere(t *testing.T) {
	prompt := strings.Repeat("lorem ipsum ", 200)
	p := newPatterns(prompt)
	began := time.Now()
	for i := range 100 {
		for _, slow := range []string{`[a-z ]{0,990}%d`, `(a|b|[a-z ]){0,250}%d`, `[\pL\pN ]{0,150}%d`, `((a{0,14} ?){0,14}){0,1}%d`, `(.*.*.*.*.*.*.*)?%d`} {
			p.match(fmt.Sprintf(slow, i), true)
		}
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("500 patterns took %s", took)
	}
	if !p.match("l[ou]rem", false) || !newPatterns(prompt).match("ips(um|e)", true) {
		t.Error("a pattern that is in the prompt does not match")
	}
}
