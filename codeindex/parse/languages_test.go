package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
	"github.com/google/go-cmp/cmp"
)

const languagesPage = "../../docs/languages.md"

var languageRow = regexp.MustCompile(`(?m)^\| (\w+) \| ([\w/]+) \| (.*?) \| (.*?) \|\n`)

// TestLanguagesPage holds the table of languages to the samples, and the files that it
// names to Detect. With -update it writes what is found, and leaves the files of grammars.
func TestLanguagesPage(t *testing.T) {
	data, err := os.ReadFile(languagesPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	files := map[string]string{}
	for _, row := range languageRow.FindAllStringSubmatch(page, -1) {
		files[row[1]] = row[3]
	}
	var rows strings.Builder
	for _, l := range Languages() {
		names, sample := filesOf(t, l, files[l]), sampleOf(t, l)
		for name := range strings.FieldsSeq(names) {
			if strings.HasPrefix(name, ".") && Detect("x"+name, sample) == l {
				continue
			}
			if got := Detect(name, nil); got != l {
				t.Errorf("Detect(%s) = %q, the table says %s", name, got, l)
			}
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", l, readBy(l), names, foundIn(t, l))
	}
	begin := strings.Index(page, "| --- |")
	begin += strings.IndexByte(page[begin:], '\n') + 1
	end := begin
	for strings.HasPrefix(page[end:], "|") {
		end += strings.IndexByte(page[end:], '\n') + 1
	}
	want := page[:begin] + rows.String() + page[end:]
	if *update {
		if err := os.WriteFile(languagesPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("docs/languages.md (go test ./codeindex/parse -update writes it):\n%s", diff)
	}
	samples, err := filepath.Glob("testdata/*/golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		if l := filepath.Base(filepath.Dir(s)); !slices.Contains(Languages(), l) {
			t.Errorf("a sample of %s, which nothing reads", l)
		}
	}
}

// filesOf lists the files of a language: those that its patterns name, or else those of the
// table, or the sample's.
func filesOf(t *testing.T, language, listed string) string {
	t.Helper()
	var names []string
	for _, name := range patterns.Files(language) {
		if name[0] != '.' || name == strings.ToLower(name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 0:
		return strings.Join(names, " ")
	case listed != "":
		return listed
	}
	samples, err := filepath.Glob("testdata/" + language + "/*.*")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no sample of %s: %v", language, err)
	}
	return filepath.Ext(samples[0])
}

// sampleOf returns the text of the sample of a language.
func sampleOf(t *testing.T, language string) []byte {
	t.Helper()
	files, err := filepath.Glob("testdata/" + language + "/*")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return filepath.Base(f) == "golden" })
	source, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func readBy(language string) string {
	switch {
	case language == "go":
		return "go/parser"
	case reader(language) != nil:
		return "lines"
	case hasGrammar(language):
		return "grammar"
	}
	return "patterns"
}

// foundIn lists the kinds in the golden file of a language.
func foundIn(t *testing.T, language string) string {
	t.Helper()
	golden, err := os.ReadFile("testdata/" + language + "/golden")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var list []string
	for line := range strings.Lines(string(golden)) {
		switch words := strings.Fields(line); words[0] {
		case "calls", "imports":
			if len(words) > 1 {
				list = append(list, words[0])
			}
		case "splits":
		default:
			seen[words[1]] = true
		}
	}
	var found []string
	for _, k := range Kinds() {
		if seen[string(k)] {
			found = append(found, string(k))
		}
	}
	if len(found) == 0 {
		t.Errorf("nothing is found in %s", language)
	}
	return strings.Join(append(found, list...), " ")
}
