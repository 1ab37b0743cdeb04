package suspect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each line of poisoned.txt is a rule, a tab and a text as Go quotes it, each line of
// harmless.txt such a text alone. The rules were written beside them: what they find of other
// texts is in docs/trust.md.
func lines(t *testing.T, name string) (rules, texts []string) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		rule, quoted, ok := strings.Cut(strings.TrimSpace(l), "\t")
		if !ok {
			rule, quoted = "", rule
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %s", err, l)
		}
		rules, texts = append(rules, rule), append(texts, text)
	}
	return rules, texts
}

func TestFindsPoisonedTexts(t *testing.T) {
	rules, texts := lines(t, "poisoned.txt")
	for i, text := range texts {
		found := Find(text)
		if !slices.Contains(Rules(found), rules[i]) {
			t.Errorf("%s: %q has %v", rules[i], text, found)
		}
		for _, f := range found {
			if f.From < 0 || f.To > len(text) || f.From >= f.To || f.What == "" && f.Rule != Hidden {
				t.Errorf("%q: %+v", text, f)
			}
		}
	}
}

func TestLetsHarmlessTextsThrough(t *testing.T) {
	_, texts := lines(t, "harmless.txt")
	for _, text := range texts {
		if found := Find(text); len(found) > 0 {
			t.Errorf("%q: %v", text, found)
		}
	}
}

// What a form needs is in each text that it stands in: else it would not be looked for there.
func TestRequiredWords(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	stood := 0
	for _, file := range files {
		_, texts := lines(t, filepath.Base(file))
		for _, text := range texts {
			folded := fold(text).text
			forms, vocabulary := patterns()
			for _, p := range forms {
				at := p.form.FindStringIndex(folded)
				if at == nil {
					continue
				}
				stood++
				for _, any := range p.words {
					if !slices.ContainsFunc(any, vocabulary.in(folded[at[0]:at[1]])) {
						t.Errorf("%q has none of what %s needs", folded[at[0]:at[1]], p.form)
					}
				}
			}
		}
	}
	if stood < 150 {
		t.Errorf("%d forms stood in all texts", stood)
	}
	for form, want := range map[string]string{
		`\bfoo(?:d|t)`: "[[food foot] [foo]]", `(?:abc|de) xyz`: "[[abc xyz de xyz] [ xyz]]", `(?:abc|xyz)?[a-z]abc+`: "[[abc]]", `(?:abc|)`: "[]", `[a-z]{3}`: "[]", `(?:abc)*`: "[]",
	} {
		if got := fmt.Sprint(required(form)); got != want {
			t.Errorf("%s: %s", form, got)
		}
	}
}

// Whatever a text is, what is found lies in it.
func FuzzFind(f *testing.F) {
	for _, name := range []string{"poisoned.txt", "harmless.txt"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		for l := range strings.Lines(string(b)) {
			f.Add(l)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, found := range Find(text) {
			if found.Rule == "" || found.From < 0 || found.From >= found.To || found.To > len(text) {
				t.Errorf("%q: %+v", text, found)
			}
		}
		Skeleton(text)
	})
}

func TestSkeleton(t *testing.T) {
	for _, same := range [][]string{
		{"deploy-token", "dep1oy-token", "depioy_token", "deploy.t0ken", "dеploy-tоken"},
		{"modern", "rnodern"},
	} {
		for _, name := range same {
			if got := Skeleton(name); got != Skeleton(same[0]) {
				t.Errorf("%s is %s, and %s is %s", same[0], Skeleton(same[0]), name, got)
			}
		}
	}
	if Skeleton("deploy-token") == Skeleton("deploy-tokens") {
		t.Error("a longer name is another")
	}
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("The staging database is emptied every Sunday night; the job is in ops/cron.yaml. ", 6)
	for b.Loop() {
		Find(text)
	}
}
