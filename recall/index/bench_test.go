package index

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

const benchDim = 384

// benchWords is a vocabulary as uneven as a language without its stop words: the most
// frequent word stands in a tenth of the texts.
type benchWords struct {
	r *rand.Rand
	z *rand.Zipf
}

func newBenchWords() *benchWords {
	r := rand.New(rand.NewPCG(1, 2))
	return &benchWords{r, rand.NewZipf(r, 1.1, 100, 60000)}
}

func (w *benchWords) text(n int) string {
	var b strings.Builder
	for range n {
		k := w.z.Uint64()
		fmt.Fprintf(&b, "%c%c%c%d ", 'b'+rune(k%19), 'a'+rune(k/19%26), 'f'+rune(k/494%17), k)
	}
	return b.String()
}

// clustered is n vectors in groups, all off the origin, as those of sentence models
// are.
func clustered(n, groups, dim int, noise, offset float64) [][]float32 {
	r := rand.New(rand.NewPCG(3, 4))
	normal := func(scale float64) []float64 {
		v := make([]float64, dim)
		for i := range v {
			v[i] = r.NormFloat64() * scale
		}
		return v
	}
	off := normal(offset)
	centres := make([][]float64, groups)
	for i := range centres {
		centres[i] = normal(1)
	}
	out := make([][]float32, n)
	for i := range out {
		v, sum := normal(noise), 0.0
		for j, c := range centres[i%groups] {
			v[j] += c + off[j]
			sum += v[j] * v[j]
		}
		out[i] = make([]float32, dim)
		for j := range v {
			out[i][j] = float32(v[j] / math.Sqrt(sum))
		}
	}
	return out
}

// filled is a folder with an index of n documents and their vectors.
func filled(tb testing.TB, n int) string {
	dir := os.Getenv("SAGE_BENCH_INDEX")
	if dir != "" {
		dir = fmt.Sprintf("%s/%d", dir, n)
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	} else {
		dir = tb.TempDir()
	}
	w := newBenchWords()
	c := Change{To: map[string]string{"refs/sage/knowledge": "1"}}
	for i := range n {
		c.Docs = append(c.Docs, segment.Doc{Meta: segment.Meta{Key: fmt.Sprintf("item-%d", i), Kind: "knowledge", Type: "knowledge", Blob: "0123456789012345678901234567890123456789",
			Title: w.text(5), Keywords: strings.Fields(w.text(3)), Skills: []string{"privacy"}}, Body: w.text(30 + w.r.IntN(30))})
	}
	x := open(tb, dir, benchOptions())
	if err := x.Update(context.Background(), c); err != nil {
		tb.Fatal(err)
	}
	vs := clustered(n, n/20+1, benchDim, 0.8, 2)
	var add []Vector
	for i := range c.Docs {
		for _, ch := range x.o.Chunks(&c.Docs[i]) {
			add = append(add, Vector{ch.ID, vs[i]})
		}
	}
	if err := x.AddVectors(context.Background(), add); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func benchOptions() Options { return Options{Store: "s", Model: "m", Dim: benchDim} }

func benchQuery() Query {
	return Query{Text: newBenchWords().text(20), Vector: clustered(3, 2, benchDim, 0.8, 2)[2]}
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := open(b, filled(b, n), benchOptions())
			for _, leg := range []string{"words", "meaning", "both"} {
				q := benchQuery()
				if leg == "words" {
					q.Vector = nil
				}
				if leg == "meaning" {
					q.Text = ""
				}
				b.Run(leg, func(b *testing.B) {
					for b.Loop() {
						if _, err := x.Search(context.Background(), q); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// BenchmarkOpen is what a fresh process does, less its start.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir, q := filled(b, n), benchQuery()
			for b.Loop() {
				x, err := Open(dir, benchOptions())
				if err != nil {
					b.Fatal(err)
				}
				if _, err := x.Search(context.Background(), q); err != nil {
					b.Fatal(err)
				}
				x.Close()
			}
		})
	}
}

// BenchmarkSave is what one item costs: its words and its vector.
func BenchmarkSave(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filled(b, n))); err != nil {
				b.Fatal(err)
			}
			v, w, i := clustered(1, 1, benchDim, 1, 0)[0], newBenchWords(), 0
			for b.Loop() {
				i++
				x, err := Open(dir, benchOptions())
				if err != nil {
					b.Fatal(err)
				}
				d := segment.Doc{Meta: segment.Meta{Key: fmt.Sprintf("new-%d", i%50)}, Body: fmt.Sprint(w.text(40), i)}
				for _, c := range x.o.Chunks(&d) {
					if err := x.AddVectors(context.Background(), []Vector{{c.ID, v}}); err != nil {
						b.Fatal(err)
					}
				}
				tips, err := x.Tips()
				if err != nil {
					b.Fatal(err)
				}
				if err := x.Update(context.Background(), Change{From: tips, To: map[string]string{"refs/sage/knowledge": fmt.Sprint(i)}, Docs: []segment.Doc{d}}); err != nil {
					b.Fatal(err)
				}
				x.Close()
			}
		})
	}
}

func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		filled(b, 10_000)
	}
}
