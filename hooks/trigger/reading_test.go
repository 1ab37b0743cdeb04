package trigger

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A labelled turn, see testdata/trigger/README.md.
type labelled struct {
	Text string
	Kind Kind
	Who  string
}

func load(t testing.TB, file string) (out []labelled) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "trigger", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var l labelled
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

// threshold is the default of trigger_threshold.
const threshold = 0.55

// TestTurnsAreReadWell holds the rules to their goals on the turns that they were written with:
// 'make eval TRIGGERS=all' has those on others.
func TestTurnsAreReadWell(t *testing.T) {
	told, gold, right := 0, 0, 0
	for _, l := range load(t, "sentences.jsonl") {
		got := Read(l.Text, l.Who == "user").Kind(threshold)
		if got != "" {
			told++
		}
		if l.Kind != "" {
			gold++
		}
		if got != "" && got == l.Kind {
			right++
		} else if got != l.Kind {
			t.Logf("%q, not %q: %.100q", got, l.Kind, l.Text)
		}
	}
	if precision, recall := float64(right)/float64(told), float64(right)/float64(gold); precision < 0.90 || recall < 0.70 {
		t.Errorf("precision %.3f, recall %.3f (%d right of %d told, %d to tell)", precision, recall, right, told, gold)
	}
}

// TestRoutineIsNoMoment: at most 2 false alarms in 100 turns of sessions in which little
// deserves a save.
func TestRoutineIsNoMoment(t *testing.T) {
	list, wrong := load(t, "ordinary.jsonl"), 0
	for _, l := range list {
		if got := Read(l.Text, l.Who == "user").Kind(threshold); got != "" && got != l.Kind {
			wrong++
			t.Logf("%q, not %q: %.100q", got, l.Kind, l.Text)
		}
	}
	if wrong*100 > 2*len(list) {
		t.Errorf("%d false alarms in %d turns", wrong, len(list))
	}
}

// TestWhatDoesNotCount: the same words as a statement, and where they are nobody's.
func TestWhatDoesNotCount(t *testing.T) {
	const said = "Decision: we keep the monolith, since it was twice as fast in all 9 runs."
	if got := Read(said, false).Kind(threshold); got != Synthesis {
		t.Fatalf("said as such: %q", got)
	}
	for name, text := range map[string]string{
		"a fence":            "Here it is:\n```\n" + said + "\n```",
		"a fence in tildes":  "~~~md\n" + said + "\n```\n" + said + "\n~~~",
		"an open fence":      "```\n" + said,
		"indented code":      "The comment:\n\n    " + said,
		"inline code":        "The comment is `" + said + "` now.",
		"double inline code": "The comment is `` " + said + " `x` `` now.",
		"a quotation":        "The page says “" + said + "” in bold.",
		"straight marks":     `The page has "` + said + `" on top.`,
		"a quoted line":      "> " + said,
		"a nested quote":     "> > " + said,
		"a table":            "| " + said + " | x |\n| --- | --- |",
		"the tool":           "git-sage saves this: " + said,
	} {
		if got := Read(text, false).Kind(threshold); got != "" {
			t.Errorf("in %s: %q", name, got)
		}
	}
}

// TestOnlyPersonsAskAndAgree: what an agent says to itself is no request.
func TestOnlyPersonsAskAndAgree(t *testing.T) {
	for text, kind := range map[string]Kind{
		"Remember that the tests need TZ=UTC.":             Explicit,
		"I agree with your analysis, the cache has to go.": Validation,
	} {
		if got := Read(text, true).Kind(threshold); got != kind {
			t.Errorf("%q of a person: %q", text, got)
		}
		if got := Read(text, false).Kind(threshold); got == kind {
			t.Errorf("%q of an agent: %q", text, got)
		}
	}
}

// hostile are texts that would take a reader for ever that goes back.
var hostile = map[string]string{
	"quotes":    strings.Repeat(`"`, 1<<20),
	"nested":    strings.Repeat(`"a '`, 1<<18),
	"backticks": strings.Repeat("`", 1<<20),
	"spans":     strings.Repeat("` `` ", 1<<18),
	"fences":    strings.Repeat("```\n~~~\n", 1<<17),
	"quoted":    strings.Repeat("> ", 1<<19),
	"one word":  strings.Repeat("we", 1<<19),
	"ors":       strings.Repeat("either whether or could not so we ", 1<<15),
	"dots":      strings.Repeat(".", 1<<20),
	"commas":    strings.Repeat(", so we can not", 1<<16),
	"bytes":     strings.Repeat("\xff\xfe\x00", 1<<18),
	"headings":  strings.Repeat("#", 1<<20),
	"spaces":    strings.Repeat(" ", 1<<20),
}

func BenchmarkRead(b *testing.B) {
	list := load(b, "sentences.jsonl")
	b.Run("turns", func(b *testing.B) {
		for i := range b.N {
			Read(list[i%len(list)].Text, true)
		}
	})
	for name, text := range hostile {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				Read(text, true)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range hostile {
		f.Add(text[:1000], true)
	}
	f.Fuzz(func(t *testing.T, text string, person bool) {
		r := Read(text, person)
		for k, x := range r.Scores {
			if x <= 0 || x > 1 || k.persons() && !person {
				t.Errorf("%s: %g", k, x)
			}
		}
		if again := Read(text, person); again.Kind(threshold) != r.Kind(threshold) {
			t.Errorf("%q, then %q", r.Kind(threshold), again.Kind(threshold))
		}
		if g := Gist(text, 100); len(g) > 100 {
			t.Errorf("%d bytes", len(g))
		}
	})
}

func BenchmarkGrammar(b *testing.B) {
	for range b.N {
		if _, err := parseGrammar(patterns); err != nil {
			b.Fatal(err)
		}
	}
}

// A conclusion is one although the same breath tells what was done then; a report alone is none.
func TestConclusionWithAReport(t *testing.T) {
	for text, want := range map[string]bool{
		"We decided to keep LRU. I restored the promotion, and all tests pass.":           true,
		"I conclude that we should restore moveToFront. I did, and the tests pass again.": true,
		"I restored the promotion, and all tests pass.":                                   false,
		"Fixed the import. It is cleaner now, and all tests pass.":                        false,
	} {
		if got := Read(text, false).Scores[Synthesis] >= plainSigns; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
