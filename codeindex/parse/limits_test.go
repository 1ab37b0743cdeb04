package parse

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestHostileSourcesAreStopped hands every grammar what has no end or no syntax: each is
// parsed or refused by an error of this package, and the next file is parsed as before.
func TestHostileSourcesAreStopped(t *testing.T) {
	p := newParser(t)
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 8<<10)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	sources := map[string]string{
		"empty":        "",
		"noise":        string(noise),
		"open":         strings.Repeat("([{<", 1000),
		"nested":       strings.Repeat("(", 5000) + strings.Repeat(")", 5000),
		"quote":        `"` + strings.Repeat("a\\", 2000),
		"zeros":        string(make([]byte, 2000)),
		"one line":     strings.Repeat("a = b(c) + d; ", 500),
		"indented":     indented(400), // overflows a buffer of YAML's scanner,
		"not UTF-8":    "name = '\xff\xfe\xed\xa0\x80'\n",
		"line endings": "\r\r\n\n\r",
	}
	for i, language := range Languages() {
		if testing.Short() && i%5 != 0 { // each grammar is compiled anew
			continue
		}
		t.Run(language, func(t *testing.T) {
			for name, source := range sources {
				f, err := p.Parse(t.Context(), language, []byte(source))
				if err != nil && !stoppedBy(err) {
					t.Errorf("%s: %v", name, err)
				}
				checkFile(t, f, []byte(source))
			}
			if _, err := p.Parse(t.Context(), language, nil); err != nil {
				t.Errorf("then %v", err)
			}
		})
	}
}

func stoppedBy(err error) bool {
	return errors.Is(err, ErrTooSlow) || errors.Is(err, ErrMemory) || errors.Is(err, ErrCrash)
}

// indented is a program whose every line is in a block of the one before.
func indented(deep int) string {
	var s strings.Builder
	for i := range deep {
		s.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return s.String()
}

func TestLimits(t *testing.T) {
	p := newParser(t)
	t.Run("size", func(t *testing.T) {
		if _, err := p.Parse(t.Context(), "python", make([]byte, MaxSize+1)); !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
	})
	t.Run("language", func(t *testing.T) {
		for _, l := range []string{"", "klingon", "../python"} {
			if _, err := p.Parse(t.Context(), l, nil); !errors.Is(err, ErrLanguage) {
				t.Errorf("%q: %v", l, err)
			}
		}
	})
	t.Run("time", func(t *testing.T) {
		source := []byte(strings.Repeat("x = f(y)\n", 10000))
		for _, n := range []int64{1, 2, 300} { // before, at the beginning, in the midst
			ctx := &doneLater{Context: t.Context()}
			ctx.left.Store(n)
			if _, err := p.Parse(ctx, "python", source); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(n, err)
			}
			if asked := -ctx.left.Load(); asked > 5 {
				t.Errorf("it asked %d times more", asked)
			}
		}
		g := p.grammar("python")
		m, err := g.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer m.module.Close(t.Context())
		past := context.WithValue(t.Context(), deadlineKey{}, time.Now().Add(-time.Second))
		if _, err := m.parse(past, source); !errors.Is(err, ErrTooSlow) {
			t.Error(err)
		}
	})
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		source := []byte(strings.Repeat("x = f(y)\n", 1000))
		if _, err := p.Parse(ctx, "python", source); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if f, err := p.Parse(t.Context(), "python", source); err != nil || len(f.Definitions) != 1000 {
			t.Error(len(f.Definitions), err)
		}
	})
}

// doneLater is a context that is done once it was asked a number of times.
type doneLater struct {
	context.Context
	left atomic.Int64
}

func (c *doneLater) Err() error {
	if c.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestRunawayScannerIsStopped takes the lexer's budget away, as a scanner does that asks
// for the next character without end.
func TestRunawayScannerIsStopped(t *testing.T) {
	p := newParser(t)
	ctx, source := t.Context(), []byte("x = f(y)\n")
	g := p.grammar("python")
	m, err := g.take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer m.module.Close(ctx)
	at, err := m.write(source)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.call(ctx, "parse", uint64(at), uint64(len(source)), 5); err == nil {
		t.Error("it went on")
	}
	if words, ok := m.words(m.result, 1); !ok || words[0] != runaway {
		t.Errorf("it ended with %v", words)
	}
}

// TestParsingAtOnce parses many files at once, and compares what each yields.
func TestParsingAtOnce(t *testing.T) {
	p := newParser(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				n := 1 + (i*20+j)%17
				f, err := p.Parse(t.Context(), "python", []byte(strings.Repeat("def f(): g()\n", n)))
				if err != nil || len(f.Definitions) != n || len(f.References) != n {
					t.Errorf("%d definitions, %d calls of %d, %v", len(f.Definitions), len(f.References), n, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestCompiledGrammarsAreKept makes sure that a second parser finds what the first has
// compiled, and that one survives what is damaged.
func TestCompiledGrammarsAreKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	parseOnce := func() (file string, written time.Time) {
		p, err := New(folder)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Parse(t.Context(), "toml", []byte("x = 1")); err != nil {
			t.Error(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		files, err := filepath.Glob(filepath.Join(folder, "wazero-*", "*"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		info, err := os.Stat(files[0])
		if err != nil {
			t.Fatal(err)
		}
		return files[0], info.ModTime()
	}
	file, first := parseOnce()
	if _, second := parseOnce(); !second.Equal(first) {
		t.Error("it was compiled again")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string][]byte{
		"cut":   data[:len(data)/2],
		"empty": nil,
		"bit":   append(append([]byte{}, data[:len(data)/2]...), append([]byte{^data[len(data)/2]}, data[len(data)/2+1:]...)...),
	} {
		if err := os.WriteFile(file, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		parseOnce()
		if got, err := os.ReadFile(file); err != nil || len(got) != len(data) {
			t.Errorf("%s: %d bytes where %d are wanted, %v", name, len(got), len(data), err)
		}
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("what is not wazero's is gone: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	p := newParser(f)
	languages := Languages()
	f.Fuzz(func(t *testing.T, language uint8, source []byte) {
		file, err := p.Parse(t.Context(), languages[int(language)%len(languages)], source)
		if err != nil && !stoppedBy(err) && !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
		checkFile(t, file, source)
	})
}

// TestFullDiskCostsTimeAlone takes away where compiled grammars are kept.
func TestFullDiskCostsTimeAlone(t *testing.T) {
	folder := t.TempDir()
	p, err := New(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if f, err := p.Parse(t.Context(), "toml", []byte("[x]\n")); err != nil || len(f.Definitions) != 1 {
			t.Errorf("%d definitions, %v", len(f.Definitions), err)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestBrokenInstanceIsReplaced leaves an instance with a memory full of nonsense, as a
// file may that provokes a fault in a scanner: the next file has a new one.
func TestBrokenInstanceIsReplaced(t *testing.T) {
	p := newParser(t)
	ctx := t.Context()
	g := p.grammar("python")
	m, err := g.take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m.used = true
	m.memory.Write(0, bytes.Repeat([]byte{0xff}, int(m.memory.Size())))
	g.put(ctx, m)
	if f, err := p.Parse(ctx, "python", []byte("x = f(y)\n")); err != nil || len(f.Definitions) != 1 {
		t.Errorf("%d definitions, %v", len(f.Definitions), err)
	}
}
