// Package embed turns text into vectors whose dot products tell how near two texts
// are in meaning. An Embedder does so; Bert is the one that needs nothing but a file
// of weights: a sentence encoder of the BERT family with a tokenizer, a network and
// kernels of its own, in Go and assembly, without cgo.
//
// # The encoder
//
// Weights are 8-bit numbers, read where they lie in the program or a mapped file:
// opening one takes 10 microseconds, and a short text touches some of its pages only.
// Package format has the layout, cmd/internal/lab/models makes such files out of
// published models, package weights holds the two that are built in. Other Embedders are packages
// endpoint, a server, and onnx, any ONNX model at 100 times the time.
//
// A text becomes token ids (tokenizer), a row of numbers each. Rows of several texts
// lie end to end without padding (batch). Before each linear map a row is rounded to
// 8 bits with a scale of its own, so that the sums are exact integers, equal on every
// kernel; everything else is computed in float32. One short text is computed by one
// goroutine, a longer one by two (team), many by as many as there are processors, 256
// tokens at a time.
//
// # How exact it is
//
// Cosine to the vectors that ONNX Runtime makes with the float32 models, over the 555
// texts of testdata (mean, least); token ids are equal on all of them:
//
//	e5-small-v2        .9997  .9990
//	all-MiniLM-L6-v2   .9987  .9965
//
// testdata/reference.py makes that reference (make models-verify). Kernels differ by
// what floats lose, so that vectors are compared, never tested for equality; within one
// kernel a text has the same vector alone, among others, and on any number of threads.
//
// What it costs in search: on LoCoMo, 1982 questions, nDCG@10 of the order by meaning
// alone is .4137 with e5-small-v2 here and .4137 with the float32 model's vectors, of
// the hybrid .5108 and .5108, R@10 .655 and .657 (cmd/internal/lab/eval -vectors, testdata/fp32.py).
//
// # How fast it is
//
// Whole processes of git sage embed, e5-small-v2, from a warm page cache, two cores of
// an AMD EPYC 9005 that others worked on, too (least of 30, AVX512-VNNI): 16 tokens
// 5 ms, 64 tokens 9, 256 tokens 37, of which starting and ending git-sage is 3; 44 MB at
// most. One thread's own time for 256 tokens, warm: 25 ms with AVX512-VNNI, 74 with
// AVX2. Many chat texts of 22 tokens: 1065 a second, where ONNX Runtime with int8
// weights does 487 in the same minutes. BenchmarkTokens and BenchmarkBatch measure it
// elsewhere.
//
// # The kernels
//
// Assembly is written by hand (gemm_*.s the integer products, rows_*.s and
// matmul_amd64.s the loops over floats); repetitions are macros, and what Go's
// assembler does not know is encoded by macros that are named as the instruction. The
// portable kernel defines what all others compute. WithKernel chooses another one, as
// does GODEBUG=cpu.avx512vnni=off for a whole process;
// kernel_test.go holds each to the exact sums and `make arm64` does so on emulated
// processors.
package embed
