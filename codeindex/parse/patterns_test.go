package parse

import (
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// patternSamples are the samples of the languages that are read by patterns.
func patternSamples(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, l := range patternLanguages().languages {
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

func FuzzPatterns(f *testing.F) {
	languages := patternLanguages().languages
	samples := patternSamples(f)
	for _, l := range languages {
		f.Add(l, samples[l])
	}
	f.Fuzz(func(t *testing.T, language string, source []byte) {
		p := patternsOf(language)
		if p == nil {
			p = patternsOf(languages[crc32.ChecksumIEEE([]byte(language))%uint32(len(languages))])
		}
		checkFile(t, p.parse(source), source)
		m := p.mask(source)
		if len(m.code) != len(source) {
			t.Fatalf("%d bytes of %d", len(m.code), len(source))
		}
		lines := linesOf(source)
		if len(lines) != len(m.lines) {
			t.Fatalf("%d lines of %d", len(m.lines), len(lines))
		}
		for i, line := range m.lines {
			if line.start != lines[i] || line.end < line.start || line.first < line.start || line.first > line.end {
				t.Fatalf("line %d: %+v, it begins at %d", i, line, lines[i])
			}
		}
	})
}

// TestPatternsMoveWithTheText reads each sample again, two lines further down: the
// definitions are the same.
func TestPatternsMoveWithTheText(t *testing.T) {
	for l, source := range patternSamples(t) {
		p := patternsOf(l)
		before, after := p.parse(source), p.parse(append([]byte("\n\n"), source...))
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
		p := patternsOf(l)
		before, after := p.parse(source), p.parse([]byte(strings.ReplaceAll(string(source), "\n", "\r\n")))
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
	sources := map[*patterns][]byte{}
	for l, s := range samples {
		sources[patternsOf(l)] = []byte(strings.Repeat(string(s), 20))
		total += int64(20 * len(s))
	}
	b.SetBytes(total)
	for b.Loop() {
		for p, s := range sources {
			p.parse(s)
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
				patternsOf(l).parse(source)
			}
		})
	}
}
