package parse

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// newParser returns a parser whose compiled grammars the tests of this run share.
func newParser(t testing.TB) *Parser {
	t.Helper()
	p, err := New(compiledFolder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

var compiledFolder string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "parse")
	if err != nil {
		panic(err)
	}
	compiledFolder = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// TestSamples reads a file of each language, and compares what was found with the file
// "golden" beside it.
func TestSamples(t *testing.T) {
	p := newParser(t)
	samples, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, sample := range samples {
		dir, name := filepath.Split(sample)
		if name == "golden" || strings.HasPrefix(dir, "testdata/fuzz") {
			continue
		}
		language := filepath.Base(dir)
		seen[language] = true
		t.Run(language, func(t *testing.T) {
			source, err := os.ReadFile(sample)
			if err != nil {
				t.Fatal(err)
			}
			if got := Detect(sample, source); got != language {
				t.Errorf("Detect(%s) = %q", sample, got)
			}
			f, err := p.Parse(t.Context(), language, source)
			if err != nil {
				t.Fatal(err)
			}
			checkFile(t, f, source)
			if f.Errors > 0 {
				t.Errorf("%d bytes are no syntax", f.Errors)
			}
			golden, got := filepath.Join(dir, "golden"), describe(f, source)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, l := range Languages() {
		if !seen[l] {
			t.Errorf("%s has no sample", l)
		}
	}
}

// describe writes what a file defines, a line each; then what is called, by whom, what
// is imported, and the lines before which the least deep splits are.
func describe(f File, source []byte) string {
	var out strings.Builder
	lines := linesOf(source)
	for _, d := range f.Definitions {
		name := d.Name
		if d.Container != "" {
			name = d.Container + " > " + name
		}
		fmt.Fprintf(&out, "%d-%d:%d %s %s", d.FirstLine, d.LastLine, d.Line, d.Kind, name)
		fmt.Fprintf(&out, " | %s", strings.Join(strings.Fields(string(source[d.Signature.Start:d.Signature.End])), " "))
		if d.Doc.End > 0 {
			fmt.Fprintf(&out, " | doc %d-%d", lines.line(d.Doc.Start), lines.line(d.Doc.End-1))
		}
		if d.Body.End > 0 {
			fmt.Fprintf(&out, " | body %d-%d", lines.line(d.Body.Start), lines.line(d.Body.End-1))
		}
		out.WriteString("\n")
	}
	out.WriteString("calls")
	for _, r := range f.References {
		from := ""
		if r.From >= 0 {
			from = f.Definitions[r.From].Name
		}
		fmt.Fprintf(&out, " %s>%s:%d", from, r.Name, r.Line)
	}
	fmt.Fprintf(&out, "\nimports %s\nsplits", strings.Join(f.Imports, ", "))
	for _, s := range f.Splits {
		fmt.Fprintf(&out, " %d^%d", lines.line(s.Offset), s.Depth)
	}
	out.WriteString("\n")
	return out.String()
}

// checkFile holds what Parse returns to what it promises of any source.
func checkFile(t *testing.T, f File, source []byte) {
	t.Helper()
	within := func(s Span) bool { return 0 <= s.Start && s.Start <= s.End && s.End <= len(source) }
	last := -1
	for i, d := range f.Definitions {
		if !within(d.Span) || !within(d.Signature) || !within(d.Doc) || !within(d.Body) {
			t.Fatalf("%s %s is outside of the source: %+v", d.Kind, d.Name, d)
		}
		if d.Signature.Start < d.Start || d.Signature.End > d.End {
			t.Errorf("signature of %s %s is outside of it: %+v", d.Kind, d.Name, d)
		}
		if d.Parent >= i || d.FirstLine > d.LastLine || d.FirstLine < 1 {
			t.Errorf("definition %d: %+v", i, d)
		}
	}
	for _, r := range f.References {
		if r.From >= len(f.Definitions) || r.Name == "" {
			t.Errorf("reference %+v", r)
		}
	}
	for _, s := range f.Splits {
		if s.Offset <= last || s.Offset >= len(source) {
			t.Errorf("split %+v after offset %d", s, last)
		}
		last = s.Offset
	}
}
