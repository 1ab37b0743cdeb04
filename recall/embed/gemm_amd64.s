#include "textflag.h"

// The three gemm kernels; kernel_amd64.go says what they share.

// ARGS loads the arguments: y DX, distance of its rows in bytes R13, x SI, k R12, w DI,
// rows R8, sums R9, scale R10, bias R11.
#define ARGS \
	MOVQ y_base+0(FP), DX; \
	MOVQ ld+24(FP), R13; \
	SHLQ $2, R13; \
	MOVQ x_base+32(FP), SI; \
	MOVQ k+56(FP), R12; \
	MOVQ w_base+64(FP), DI; \
	MOVQ rows_base+88(FP), R8; \
	MOVQ sums_base+112(FP), R9; \
	MOVQ scale_base+136(FP), R10; \
	MOVQ bias_base+160(FP), R11

// The four rows of x lie at (SI), (SI)(AX*1), (SI)(AX*2) and (SI)(BX*1).

// OUT makes the float out of a sum: sum is less 128 times the sum of x, row its scale.
#define OUT(acc, sum, row, tmp, off) \
	VPSUBD      sum, acc, acc; \
	VCVTDQ2PS   acc, acc; \
	VMULPS      row, acc, acc; \
	VMOVUPS     off(R10), tmp; \
	VFMADD213PS off(R11), tmp, acc; \
	VMOVUPS     acc, off(DX)

// DOT512 adds the products of 4 inputs of a row and of 64 outputs.
#define DOT512(x, a, b, c, d) \
	VPDPBUSD x, Z16, a; \
	VPDPBUSD x, Z17, b; \
	VPDPBUSD x, Z18, c; \
	VPDPBUSD x, Z19, d

#define OUT512(r, a, b, c, d) \
	VPBROADCASTD (4*r)(R9), Z16; \
	VBROADCASTSS (4*r)(R8), Z17; \
	OUT(a, Z16, Z17, Z18, 0); \
	OUT(b, Z16, Z17, Z18, 64); \
	OUT(c, Z16, Z17, Z18, 128); \
	OUT(d, Z16, Z17, Z18, 192); \
	ADDQ R13, DX

#define ZERO512(a, b, c, d) \
	VPXORD a, a, a; \
	VPXORD b, b, b; \
	VPXORD c, c, c; \
	VPXORD d, d, d

// func gemmVNNI512(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)
// 4 rows x 64 outputs in 16 registers: 2 loads for 4 multiplications.
TEXT ·gemmVNNI512(SB), NOSPLIT, $0-184
	ARGS
	MOVQ R12, AX
	LEAQ (AX)(AX*2), BX
	MOVQ R12, CX
	SHRQ $2, CX
	SHLQ $4, R12             // bytes of a block of 16 outputs
	LEAQ (R12)(R12*2), R15
	ZERO512(Z0, Z1, Z2, Z3)
	ZERO512(Z4, Z5, Z6, Z7)
	ZERO512(Z8, Z9, Z10, Z11)
	ZERO512(Z12, Z13, Z14, Z15)

loop:
	VMOVDQU32    (DI), Z16
	VMOVDQU32    (DI)(R12*1), Z17
	VMOVDQU32    (DI)(R12*2), Z18
	VMOVDQU32    (DI)(R15*1), Z19
	VPBROADCASTD (SI), Z20
	VPBROADCASTD (SI)(AX*1), Z21
	VPBROADCASTD (SI)(AX*2), Z22
	VPBROADCASTD (SI)(BX*1), Z23
	DOT512(Z20, Z0, Z1, Z2, Z3)
	DOT512(Z21, Z4, Z5, Z6, Z7)
	DOT512(Z22, Z8, Z9, Z10, Z11)
	DOT512(Z23, Z12, Z13, Z14, Z15)
	ADDQ         $64, DI
	ADDQ         $4, SI
	DECQ         CX
	JNZ          loop

	OUT512(0, Z0, Z1, Z2, Z3)
	OUT512(1, Z4, Z5, Z6, Z7)
	OUT512(2, Z8, Z9, Z10, Z11)
	OUT512(3, Z12, Z13, Z14, Z15)
	VZEROUPPER
	RET

// VPDPBUSD of AVX-VNNI, whose VEX form Go's assembler does not know, of registers
// given as numbers: acc below 8, x of 8 and more.
#define DOT256(x, w, acc) \
	BYTE $0xC4; BYTE $0xC2; BYTE $(((15-w)<<3)|5); BYTE $0x50; BYTE $(0xC0|(acc<<3)|(x-8))

#define OUT256(r, a, b, sum, row, tmp) \
	VPBROADCASTD (4*r)(R9), sum; \
	VBROADCASTSS (4*r)(R8), row; \
	OUT(a, sum, row, tmp, 0); \
	OUT(b, sum, row, tmp, 32); \
	ADDQ R13, DX

#define ZERO256 \
	VPXOR Y0, Y0, Y0; \
	VPXOR Y1, Y1, Y1; \
	VPXOR Y2, Y2, Y2; \
	VPXOR Y3, Y3, Y3; \
	VPXOR Y4, Y4, Y4; \
	VPXOR Y5, Y5, Y5; \
	VPXOR Y6, Y6, Y6; \
	VPXOR Y7, Y7, Y7

// NEXT256 goes to the next block of 16 outputs; DI stands there.
#define NEXT256 \
	SUBQ AX, SI; \
	LEAQ 64(CX), DX; \
	ADDQ $64, R10; \
	ADDQ $64, R11

// func gemmVNNI256(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)
// 4 rows x 16 outputs in 8 registers, four times.
TEXT ·gemmVNNI256(SB), NOSPLIT, $0-184
	ARGS
	MOVQ R12, AX
	LEAQ (AX)(AX*2), BX
	MOVQ $4, R15

outputs:
	MOVQ R12, CX
	SHRQ $2, CX
	ZERO256

loop:
	VMOVDQU      (DI), Y8
	VMOVDQU      32(DI), Y9
	VPBROADCASTD (SI), Y10
	VPBROADCASTD (SI)(AX*1), Y11
	VPBROADCASTD (SI)(AX*2), Y12
	VPBROADCASTD (SI)(BX*1), Y13
	DOT256(10, 8, 0)
	DOT256(10, 9, 1)
	DOT256(11, 8, 2)
	DOT256(11, 9, 3)
	DOT256(12, 8, 4)
	DOT256(12, 9, 5)
	DOT256(13, 8, 6)
	DOT256(13, 9, 7)
	ADDQ         $64, DI
	ADDQ         $4, SI
	DECQ         CX
	JNZ          loop

	MOVQ DX, CX
	OUT256(0, Y0, Y1, Y8, Y9, Y10)
	OUT256(1, Y2, Y3, Y8, Y9, Y10)
	OUT256(2, Y4, Y5, Y8, Y9, Y10)
	OUT256(3, Y6, Y7, Y8, Y9, Y10)
	NEXT256
	DECQ R15
	JNZ  outputs
	VZEROUPPER
	RET

// MUL256 adds the products of two inputs of a row, 16-bit numbers at x, and of 16
// outputs, whose weights lie in 16-bit halves in w0 and w1.
#define MUL256(x, w0, w1, a, b) \
	VPBROADCASTD x, Y12; \
	VPMADDWD     Y12, w0, Y13; \
	VPMADDWD     Y12, w1, Y14; \
	VPADDD       Y13, a, a; \
	VPADDD       Y14, b, b

// func gemmAVX2(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)
// As above with 16-bit products, which cannot overflow: the even bytes of a group of 4
// weights with the inputs 0 and 2, then the odd ones with 1 and 3.
TEXT ·gemmAVX2(SB), NOSPLIT, $0-184
	ARGS
	LEAQ (R12)(R12*1), AX
	LEAQ (AX)(AX*2), BX
	MOVQ $4, R15
	VPCMPEQW Y15, Y15, Y15
	VPSRLW   $8, Y15, Y15    // 0x00ff

outputs:
	MOVQ R12, CX
	SHRQ $2, CX
	ZERO256

loop:
	VMOVDQU (DI), Y8
	VMOVDQU 32(DI), Y9
	VPSRLW  $8, Y8, Y10
	VPSRLW  $8, Y9, Y11
	VPAND   Y15, Y8, Y8
	VPAND   Y15, Y9, Y9
	MUL256((SI), Y8, Y9, Y0, Y1)
	MUL256((SI)(AX*1), Y8, Y9, Y2, Y3)
	MUL256((SI)(AX*2), Y8, Y9, Y4, Y5)
	MUL256((SI)(BX*1), Y8, Y9, Y6, Y7)
	MUL256(4(SI), Y10, Y11, Y0, Y1)
	MUL256(4(SI)(AX*1), Y10, Y11, Y2, Y3)
	MUL256(4(SI)(AX*2), Y10, Y11, Y4, Y5)
	MUL256(4(SI)(BX*1), Y10, Y11, Y6, Y7)
	ADDQ    $64, DI
	ADDQ    $8, SI
	DECQ    CX
	JNZ     loop

	MOVQ DX, CX
	OUT256(0, Y0, Y1, Y8, Y9, Y10)
	OUT256(1, Y2, Y3, Y8, Y9, Y10)
	OUT256(2, Y4, Y5, Y8, Y9, Y10)
	OUT256(3, Y6, Y7, Y8, Y9, Y10)
	NEXT256
	DECQ R15
	JNZ  outputs
	VZEROUPPER
	RET
