package embed

import "golang.org/x/sys/cpu"

// The assembly is written by hand, its repetitions are macros. VPDPBUSD multiplies 4
// unsigned bytes with 4 signed ones and adds the products to 32 bits without
// saturation; processors without it multiply 16-bit numbers in pairs (VPMADDWD), so
// that rows are quantised to 16 bits for them. One core of an AMD EPYC 9005 multiplies
// 400 numbers in a nanosecond with AVX512-VNNI, 186 with AVX-VNNI, 62 with AVX2, and 4.5
// with plain Go (BenchmarkGemm).

// kernels are those of this processor, the fastest first.
func kernels() []kernel {
	var all []kernel
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasFMA {
		return []kernel{portable}
	}
	avx2 := kernel{"avx2", 2, 12, gemmAVX2, quantWide, geluAVX2, softmaxAVX2, matmulAVX2, normAVX2}
	vnni := avx2
	vnni.name, vnni.wide, vnni.split, vnni.gemm, vnni.quant = "avxvnni", 1, 24, gemmVNNI256, quantNarrow
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL && x.HasAVX512VNNI {
		wide := vnni
		wide.name, wide.split, wide.gemm, wide.matmul = "avx512vnni", 32, gemmVNNI512, matmulAVX512
		all = append(all, wide)
	}
	if x.HasAVXVNNI {
		all = append(all, vnni)
	}
	return append(all, avx2, portable)
}

func quantNarrow(q []int8, x []float32) (scale float32, sum int32) {
	scale, sum = quantAVX2(q, x)
	return scale, sum * 128
}

// quantWide quantises to bytes in the upper half of q and widens them forwards.
func quantWide(q []int8, x []float32) (scale float32, sum int32) {
	bytes := q[len(x):]
	scale, sum = quantAVX2(bytes, x)
	widenAVX2(q, bytes)
	return scale, sum * 128
}

//go:noescape
func gemmVNNI512(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)

//go:noescape
func gemmVNNI256(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)

//go:noescape
func gemmAVX2(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)

//go:noescape
func quantAVX2(q []int8, x []float32) (scale float32, sum int32)

//go:noescape
func widenAVX2(to, q []int8)

//go:noescape
func geluAVX2(x, by []float32)

//go:noescape
func softmaxAVX2(x []float32) float32

//go:noescape
func matmulAVX2(c []float32, ldc int, a []float32, lda int, b []float32, ldb, k, n int)

//go:noescape
func matmulAVX512(c []float32, ldc int, a []float32, lda int, b []float32, ldb, k, n int)

//go:noescape
func normAVX2(x, y, q, w, b, qw, qb []float32, epsilon float32)
