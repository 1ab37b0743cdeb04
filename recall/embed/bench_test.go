package embed

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkGemm is what the innermost loop reaches when all that it reads lies in the
// first two caches. GMAC is 10^9 multiplications and additions.
func BenchmarkGemm(b *testing.B) {
	for _, with := range kernels() {
		for _, k := range []int{384, 1536} {
			b.Run(fmt.Sprintf("%s/k=%d", with.name, k), func(b *testing.B) {
				const rows = 64
				x, w := make([]int8, rows*k*with.wide), make([]byte, block*k)
				y, scale, sums := make([]float32, rows*block), make([]float32, block), make([]int32, rows)
				for b.Loop() {
					for r := 0; r < rows; r += tile {
						with.gemm(y[r*block:], block, x[r*k*with.wide:], k, w, scale, sums[r:], scale, scale)
					}
				}
				b.ReportMetric(float64(rows*block*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}

// BenchmarkTokens is one text, everything warm, by two goroutines from 32 tokens on.
func BenchmarkTokens(b *testing.B) {
	for _, name := range files {
		for _, with := range kernels() {
			for _, n := range []int{16, 64, 256} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, with.name, n), func(b *testing.B) {
					e := open(b, name)
					e.with = with
					text := []string{tokens(e, n)}
					for b.Loop() {
						if _, err := e.Queries(b.Context(), text); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// tokens is a query of n tokens.
func tokens(e *Bert, n int) string {
	words := strings.Fields("the token rotates every hour and the cache is warm when a new session begins so that nothing waits")
	n -= e.Count(e.head.QueryPrefix) + 2
	var text []string
	for i := range n {
		text = append(text, words[i%len(words)])
	}
	return strings.Join(text, " ")
}

// BenchmarkBatch is many documents at once: the chat of the reference, 20 tokens each.
func BenchmarkBatch(b *testing.B) {
	r := loadReference(b)
	var texts []string
	for i := range 1000 {
		if t := r.Texts[i%len(r.Texts)]; t.Kind == "chat" || t.Kind == "question" {
			texts = append(texts, t.Text)
		}
	}
	for _, name := range files {
		for _, with := range kernels() {
			b.Run(name+"/"+with.name, func(b *testing.B) {
				e := open(b, name)
				e.with = with
				for b.Loop() {
					if _, err := e.Documents(b.Context(), texts); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "texts/s")
			})
		}
	}
}

func BenchmarkTokenizer(b *testing.B) {
	e := open(b, files[0])
	text := strings.Repeat("Why does the token cache of naïve cafés fail on Fridays? 東京 handleRequest(ctx) ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e.Count(text)
	}
}

func BenchmarkOpen(b *testing.B) {
	file := read()[files[0]]
	for b.Loop() {
		if _, err := OpenBert(file); err != nil {
			b.Fatal(err)
		}
	}
}
