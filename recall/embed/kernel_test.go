package embed

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// each runs a test for every kernel of this processor.
func each(t *testing.T, f func(t *testing.T, k kernel)) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) { f(t, k) })
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func normals(r *rand.Rand, n int, by float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64()) * by
	}
	return x
}

// product is the integer that gemm has to find: of a row and of output n.
func product(x []int8, w []byte, n int) (sum int32) {
	k := len(x)
	for i, v := range x {
		sum += int32(v) * (int32(w[(n/16*(k/4)+i/4)*64+n%16*4+i%4]) - 128)
	}
	return sum
}

// TestSumsAreExact holds every kernel to the sums of integers, at the extremes, too.
// What gemm takes off a row's sums is chosen so that the outputs of one column are
// 0, 1, 2 and 3: floats hide no bit of them.
func TestSumsAreExact(t *testing.T) {
	r := random(1)
	fill := map[string]func() (x int8, w byte){
		"random":     func() (int8, byte) { return int8(r.IntN(255) - 127), byte(1 + r.IntN(255)) },
		"most":       func() (int8, byte) { return 127, 255 },
		"least":      func() (int8, byte) { return -127, 255 },
		"turned":     func() (int8, byte) { return -127, 1 },
		"any weight": func() (int8, byte) { return int8(127 - 254*r.IntN(2)), byte(r.IntN(256)) },
	}
	each(t, func(t *testing.T, with kernel) {
		for name, next := range fill {
			for _, k := range []int{64, 384, 1536, 4096} {
				x, w := make([]int8, tile*k), make([]byte, block*k)
				for i := range x {
					x[i], _ = next()
				}
				for i := range w {
					_, w[i] = next()
				}
				q, sums := quantised(t, with, x, k)
				for n := range block {
					checkColumn(t, with, name, x, q, w, sums, k, n)
				}
			}
		}
	})
}

// quantised is rows of integers as a kernel wants them.
func quantised(t *testing.T, with kernel, x []int8, k int) (q []int8, sums []int32) {
	t.Helper()
	q, sums = make([]int8, len(x)*with.wide), make([]int32, tile)
	for r := range tile {
		x := x[r*k : r*k+k]
		x[r], x[k-1-r] = 127, 127 // so that rounding changes nothing
		floats := make([]float32, k)
		var sum int32
		for i, v := range x {
			floats[i] = float32(v) / 16
			sum += int32(v)
		}
		var scale float32
		scale, sums[r] = with.quant(q[r*k*with.wide:(r+1)*k*with.wide], floats)
		if scale != 1./16 || sums[r] != takesOff(with, sum) {
			t.Fatalf("scale %v, sum %d, want 1/16, %d", scale, sums[r], takesOff(with, sum))
		}
	}
	return q, sums
}

// takesOff is what quant has to return for a row whose sum is known.
func takesOff(with kernel, sum int32) int32 {
	if strings.HasPrefix(with.name, "neon") {
		return 0
	}
	return 128 * sum
}

func checkColumn(t *testing.T, with kernel, name string, x, q []int8, w []byte, sums []int32, k, n int) {
	t.Helper()
	off := make([]int32, tile)
	for r := range off {
		off[r] = sums[r] + product(x[r*k:r*k+k], w, n) - int32(r)
	}
	ones, zeros := make([]float32, block), make([]float32, block)
	for i := range ones {
		ones[i] = 1
	}
	const ld = block + 16
	y := make([]float32, tile*ld)
	with.gemm(y, ld, q, k, w, ones, off, ones, zeros)
	for r := range tile {
		if got := y[r*ld+n]; got != float32(r) {
			t.Fatalf("%s, k %d: row %d, output %d is off by %v", name, k, r, n, got-float32(r))
		}
		if r < tile-1 && y[r*ld+block] != 0 {
			t.Fatalf("%s: row %d is longer than it should be", name, r)
		}
	}
}

// TestGemmScales holds the float part of gemm to the portable one.
func TestGemmScales(t *testing.T) {
	r := random(2)
	const k = 384
	x, w := make([]int8, tile*k), make([]byte, block*k)
	for i := range x {
		x[i] = int8(r.IntN(255) - 127)
	}
	for i := range w {
		w[i] = byte(1 + r.IntN(255))
	}
	rows, scale, bias := normals(r, tile, .01), normals(r, block, .01), normals(r, block, 1)
	q, sums := quantised(t, portable, x, k)
	want, got := make([]float32, tile*block), make([]float32, tile*block)
	portable.gemm(want, block, q, k, w, rows, sums, scale, bias)
	each(t, func(t *testing.T, with kernel) {
		q, sums := quantised(t, with, x, k)
		with.gemm(got, block, q, k, w, rows, sums, scale, bias)
		near(t, "gemm", got, want, 1e-4)
	})
}

func near(t *testing.T, what string, got, want []float32, by float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= by) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestQuant(t *testing.T) {
	each(t, func(t *testing.T, with kernel) {
		r := random(3)
		for _, n := range []int{32, 64, 384, 1536} {
			x := normals(r, n, 3)
			want, got := make([]int8, n), make([]int8, n*with.wide)
			scale, sum := quantGo(want, x)
			gotScale, gotSum := with.quant(got, x)
			if sum = takesOff(with, sum/128); scale != gotScale || sum != gotSum {
				t.Errorf("%d numbers: scale %v, sum %d, want %v, %d", n, gotScale, gotSum, scale, sum)
			}
			if with.wide == 1 {
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("number %d is %d, want %d", i, got[i], want[i])
					}
				}
			}
		}
		zeros := make([]int8, 64*with.wide)
		zeros[7] = 1
		if scale, sum := with.quant(zeros, make([]float32, 64)); scale != 0 || sum != 0 || zeros[7] != 0 {
			t.Errorf("a row of zeros: scale %v, sum %d", scale, sum)
		}
	})
}

func TestGelu(t *testing.T) {
	each(t, func(t *testing.T, with kernel) {
		x, by := normals(random(4), 1536, 3), normals(random(5), 1536, 1)
		want := make([]float32, len(x))
		for i, v := range x {
			want[i] = float32(float64(v)/2*(1+math.Erf(float64(v)/math.Sqrt2))) * by[i]
		}
		with.gelu(x, by)
		near(t, "gelu", x, want, 2e-4)
	})
}

func TestSoftmax(t *testing.T) {
	each(t, func(t *testing.T, with kernel) {
		for _, n := range []int{32, 64, 512} {
			x := normals(random(6), n, 5)
			x[n-1] = -1e30
			most, want, sum := x[0], make([]float32, n), 0.
			for _, v := range x {
				most = max(most, v)
			}
			for i, v := range x {
				want[i] = float32(math.Exp(float64(v - most)))
				sum += float64(want[i])
			}
			got := with.softmax(x)
			near(t, "exp", x, want, 3e-6)
			near(t, "sum", []float32{got / float32(sum)}, []float32{1}, 5e-6)
		}
	})
}

func TestMatmul(t *testing.T) {
	each(t, func(t *testing.T, with kernel) {
		r := random(7)
		for _, size := range []struct{ k, n int }{{32, 32}, {1, 64}, {17, 96}, {64, 512}} {
			const lda, extra = 100, 5
			ldb := size.n + extra
			a, b := normals(r, tile*lda, 1), normals(r, size.k*ldb, 1)
			want, got := make([]float32, tile*ldb), make([]float32, tile*ldb)
			for i := range tile {
				for j := range size.n {
					var sum float64
					for k := range size.k {
						sum += float64(a[i*lda+k]) * float64(b[k*ldb+j])
					}
					want[i*ldb+j] = float32(sum)
				}
			}
			with.matmul(got, ldb, a, lda, b, ldb, size.k, size.n)
			near(t, "matmul", got, want, 1e-4) // the columns beyond n stay 0
		}
	})
}

func TestNorm(t *testing.T) {
	each(t, func(t *testing.T, with kernel) {
		r := random(8)
		for _, plus := range []bool{true, false} {
			const n = 384
			x, y := normals(r, n, 2), []float32(nil)
			if plus {
				y = normals(r, n, 2)
			}
			w, b, qw, qb := normals(r, n, 1), normals(r, n, 1), normals(r, n, 1), normals(r, n, 1)
			want, wantQ, gotQ := append([]float32(nil), x...), make([]float32, n), make([]float32, n)
			normGo(want, y, wantQ, w, b, qw, qb, 1e-12)
			with.norm(x, y, gotQ, w, b, qw, qb, 1e-12)
			near(t, "norm", x, want, 2e-5)
			near(t, "copy", gotQ, wantQ, 2e-5)
		}
	})
}

// TestKernelsAgree compares whole vectors: what floats lose differs, and rounding to
// 8 bits makes it visible.
func TestKernelsAgree(t *testing.T) {
	text := []string{"Where did Zoë keep the résumé of the naïve 東京 café project?"}
	for _, name := range files {
		b := open(t, name)
		b.with = portable
		want, err := b.Queries(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		each(t, func(t *testing.T, with kernel) {
			b.with = with
			got, err := b.Queries(t.Context(), text)
			if err != nil || dot(got[0], want[0]) < .998 {
				t.Errorf("%s: cosine %v, %v", name, dot(got[0], want[0]), err)
			}
		})
	}
}
