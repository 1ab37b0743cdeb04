package embed

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// The assembly is written by hand. Every 64-bit ARM has NEON; most since 2018, and all
// of Apple's, have SDOT, which multiplies bytes four at a time into 32 bits. Others
// multiply them into 16 bits and add these up.

// kernels are those of this processor, the fastest first.
func kernels() []kernel {
	neon := kernel{"neon", 1, 12, gemmSMULL, quantARM, geluNEON, softmaxNEON, matmulNEON, normNEON}
	dot := neon
	dot.name, dot.split, dot.gemm = "neondot", 24, gemmSDOT
	if cpu.ARM64.HasASIMDDP || runtime.GOOS == "darwin" { // where nobody can be asked
		return []kernel{dot, neon, portable}
	}
	return []kernel{neon, portable}
}

// quantARM needs no sum: see gemm_arm64.s.
func quantARM(q []int8, x []float32) (scale float32, sum int32) { return quantNEON(q, x), 0 }

//go:noescape
func gemmSDOT(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)

//go:noescape
func gemmSMULL(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)

//go:noescape
func quantNEON(q []int8, x []float32) (scale float32)

//go:noescape
func geluNEON(x, by []float32)

//go:noescape
func softmaxNEON(x []float32) float32

//go:noescape
func normNEON(x, y, q, w, b, qw, qb []float32, epsilon float32)

//go:noescape
func matmulNEON(c []float32, ldc int, a []float32, lda int, b []float32, ldb, k, n int)
