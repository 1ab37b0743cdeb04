package trigger

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const width = 384 // of the vectors of the head's model

func nothing(texts []string) [][]float32 {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = make([]float32, width)
	}
	return out
}

func TestHeadHasAWeightForEachFeature(t *testing.T) {
	h, n := theHead(), len(Reading{}.Features(make([]float32, width)))
	for _, k := range append([]Kind{""}, Kinds...) {
		if len(h.Rows[k]) != n {
			t.Errorf("%q has %d weights, not %d", k, len(h.Rows[k]), n)
		}
	}
}

func TestSecondOpinionIsAskedOfTheStrongest(t *testing.T) {
	var asked []string
	encode := func(texts []string) [][]float32 {
		asked = append(asked, texts...)
		return nothing(texts)
	}
	turns := []Turn{{Text: "Done."}, {Text: "The file is there."}, {Text: "It may be the pool, as the profile shows."}, {Text: shift}, {Text: conclusion}}
	ReadAll(turns, len(turns), encode)
	if len(asked) != mostAsked || !strings.Contains(strings.Join(asked, " "), "In short") {
		t.Errorf("%q", asked)
	}
	asked = nil
	if ReadAll(turns[:2], 2, encode); len(asked) != 0 {
		t.Errorf("of routine: %q", asked)
	}
}

func TestWithoutASecondOpinionSignsTell(t *testing.T) {
	want := Read(conclusion, false).Kind(threshold)
	for name, encode := range map[string]Encode{
		"no encoder": nil,
		"no vectors": func([]string) [][]float32 { return nil },
		"another's":  func(texts []string) [][]float32 { return make([][]float32, len(texts)) },
	} {
		if got := ReadAll([]Turn{{Text: conclusion}}, 1, encode)[0].Kind(threshold); got != want || want == "" {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}

func TestAgentNeitherAgreesNorAsks(t *testing.T) {
	r := ReadAll([]Turn{{Text: conclusion}}, 1, nothing)[0]
	if r.Scores[Validation]+r.Scores[Explicit] != 0 || r.Best[Synthesis] == "" || r.Best[TopicShift] == "" {
		t.Errorf("%+v", r)
	}
}

func TestOpening(t *testing.T) {
	r := Read("```\ncode\n```\n"+strings.Repeat("The naïve façade of the café. ", 40), true)
	if len(r.Opening) > openingBytes || len(r.Opening) < openingBytes-4 || !utf8.ValidString(r.Opening) || strings.Contains(r.Opening, "code") {
		t.Errorf("%d bytes: %q", len(r.Opening), r.Opening)
	}
}
