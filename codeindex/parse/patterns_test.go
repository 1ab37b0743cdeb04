package parse

import (
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
)

// patternSamples are the samples of the languages that are read by patterns.
func patternSamples(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, l := range patterns.Languages() {
		files, err := filepath.Glob("testdata/" + l + "/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if filepath.Base(f) != "golden" {
				data, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				out[l] = data
			}
		}
	}
	return out
}

// TestPatternsAreWellFormed reads the descriptions of all languages, and makes sure that
// what their rules define is of a kind that there is.
func TestPatternsAreWellFormed(t *testing.T) {
	for _, l := range patterns.Languages() {
		for _, r := range patterns.Of(l).Rules {
			switch r.Kind {
			case "import", "prefix", "none":
			default:
				for _, k := range append(r.In, r.Kind) {
					if !slices.Contains(Kinds(), Kind(k)) {
						t.Errorf("%s: unknown kind %q", l, k)
					}
				}
			}
		}
	}
}

func FuzzPatterns(f *testing.F) {
	languages := patterns.Languages()
	samples := patternSamples(f)
	for _, l := range languages {
		f.Add(l, samples[l])
	}
	f.Fuzz(func(t *testing.T, language string, source []byte) {
		p := patterns.Of(language)
		if p == nil {
			p = patterns.Of(languages[crc32.ChecksumIEEE([]byte(language))%uint32(len(languages))])
		}
		checkFile(t, parsePatterns(p, source), source)
		m := p.Mask(source)
		if len(m.Code) != len(source) {
			t.Fatalf("%d bytes of %d", len(m.Code), len(source))
		}
		lines := linesOf(source)
		if len(lines) != len(m.Lines) {
			t.Fatalf("%d lines of %d", len(m.Lines), len(lines))
		}
		for i, line := range m.Lines {
			if line.Start != lines[i] || line.End < line.Start || line.First < line.Start || line.First > line.End {
				t.Fatalf("line %d: %+v, it begins at %d", i, line, lines[i])
			}
		}
	})
}

// TestPatternsMoveWithTheText reads each sample again, two lines further down: the
// definitions are the same.
func TestPatternsMoveWithTheText(t *testing.T) {
	for l, source := range patternSamples(t) {
		p := patterns.Of(l)
		before, after := parsePatterns(p, source), parsePatterns(p, append([]byte("\n\n"), source...))
		if len(before.Definitions) != len(after.Definitions) {
			t.Errorf("%s: %d definitions, then %d", l, len(before.Definitions), len(after.Definitions))
			continue
		}
		for i, d := range before.Definitions {
			if m := after.Definitions[i]; m.Name != d.Name || m.FirstLine != d.FirstLine+2 || m.LastLine != d.LastLine+2 {
				t.Errorf("%s: %+v, then %+v", l, d, m)
			}
		}
	}
}

// TestPatternsIgnoreLineEndings reads each sample with the line endings of Windows.
func TestPatternsIgnoreLineEndings(t *testing.T) {
	for l, source := range patternSamples(t) {
		p := patterns.Of(l)
		before, after := parsePatterns(p, source), parsePatterns(p, []byte(strings.ReplaceAll(string(source), "\n", "\r\n")))
		if len(before.Definitions) != len(after.Definitions) {
			t.Errorf("%s: %d definitions, then %d", l, len(before.Definitions), len(after.Definitions))
			continue
		}
		for i, d := range before.Definitions {
			if m := after.Definitions[i]; m.Name != d.Name || m.FirstLine != d.FirstLine || m.LastLine != d.LastLine || m.Kind != d.Kind {
				t.Errorf("%s: %+v, then %+v", l, d, m)
			}
		}
	}
}

func BenchmarkPatterns(b *testing.B) {
	samples := patternSamples(b)
	total := int64(0)
	sources := map[*patterns.Set][]byte{}
	for l, s := range samples {
		sources[patterns.Of(l)] = []byte(strings.Repeat(string(s), 20))
		total += int64(20 * len(s))
	}
	b.SetBytes(total)
	for b.Loop() {
		for p, s := range sources {
			parsePatterns(p, s)
		}
	}
}

// BenchmarkEachPatterns tells which language is slow.
func BenchmarkEachPatterns(b *testing.B) {
	for l, s := range patternSamples(b) {
		b.Run(l, func(b *testing.B) {
			source := []byte(strings.Repeat(string(s), 20))
			b.SetBytes(int64(len(source)))
			for b.Loop() {
				parsePatterns(patterns.Of(l), source)
			}
		})
	}
}
