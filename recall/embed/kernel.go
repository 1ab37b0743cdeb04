package embed

// kernel is the innermost loops, one set for each family of processors. What is
// computed in integers is exact, so that all kernels agree on it; what is computed
// in floats differs in the last bit, which rounding to 8 bits makes up to 5e-4 of
// cosine: vectors of two kernels can be compared, not tested for equality.
//
// Rows of the matrices lie end to end, but for those whose distance is an argument.
type kernel struct {
	name string
	wide int // bytes that a quantised number takes

	// split is how many tokens have to be there for two goroutines to share one batch:
	// 2 to 3 ms of work. Below that, waiting for each other eats what sharing saves.
	split int

	// gemm multiplies 4 quantised rows of k numbers with a block of 64 outputs:
	// y[r*ld+n] = (sum(x[r]*w[n]) - sums[r]) * rows[r] * scale[n] + bias[n].
	gemm func(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)
	// quant rounds a row to q so that its largest number is 127, and returns what 1
	// means and what gemm has to take off: w is stored as w+128, which adds 128 times
	// the sum of q, unless gemm makes it w again. len(x) is a multiple of 32.
	quant func(q []int8, x []float32) (scale float32, sum int32)
	// gelu is x = GELU(x)*by; len(x) is a multiple of 32.
	gelu func(x, by []float32)
	// softmax makes exp(x - max x) of x and returns the sum; len(x) is a multiple of 32.
	softmax func(x []float32) float32
	// matmul computes c = a*b for 4 rows of a, k columns of it and n of b, a multiple of 32.
	matmul func(c []float32, ldc int, a []float32, lda int, b []float32, ldb, k, n int)
	// norm is x = z*w+b and q = z*qw+qb, z being x+y, or x where y is empty, shifted
	// and scaled to mean 0 and variance 1; len(x) is a multiple of 32.
	norm func(x, y, q, w, b, qw, qb []float32, epsilon float32)
}

// tile is the number of rows of one call of gemm and matmul, block that of gemm's
// outputs, lanes what the others' lengths are multiples of.
const (
	tile  = 4
	block = 64
	lanes = 32
)

var portable = kernel{"go", 1, 2, gemmGo, quantGo, geluGo, softmaxGo, matmulGo, normGo}
