#include "textflag.h"
#include "neon_arm64.h"

// The gemm kernels. Weights are stored as w+128: flipping the highest bit makes them
// the signed bytes that these multiply, and nothing is to be taken off for it.

// ARGS: y R10, distance of its rows in bytes R11, rows of x R4 to R7, k R3, w R1, what
// the sums are scaled with R12, what is taken off them R13, scale R14, bias R15.
#define ARGS \
	MOVD y_base+0(FP), R10; \
	MOVD ld+24(FP), R11; \
	LSL  $2, R11; \
	MOVD x_base+32(FP), R4; \
	MOVD k+56(FP), R3; \
	ADD  R3, R4, R5; \
	ADD  R3, R5, R6; \
	ADD  R3, R6, R7; \
	MOVD w_base+64(FP), R1; \
	MOVD rows_base+88(FP), R12; \
	MOVD sums_base+112(FP), R13; \
	MOVD scale_base+136(FP), R14; \
	MOVD bias_base+160(FP), R15; \
	MOVD $0x80, R8; \
	VDUP R8, V31.B16

// REWIND puts the rows of x back to their begin.
#define REWIND \
	SUB R3, R4; \
	SUB R3, R5; \
	SUB R3, R6; \
	SUB R3, R7

// SCALED makes a float of the integers in a, less those in V28, times V29, times n and
// plus m.
#define SCALED(a, an, n, nn, m, mn) \
	VSUB  V28.S4, a.S4, a.S4; \
	SCVTF4(an, an); \
	FMUL4(an, an, 29); \
	VFMLA n.S4, a.S4, m.S4

// ROW16 writes 16 outputs of a row to R9 and goes to the next row.
#define ROW16(r, a, an, b, bn, c, cn, d, dn) \
	ADD    $(4*r), R13, R16; \
	VLD1R  (R16), [V28.S4]; \
	ADD    $(4*r), R12, R16; \
	VLD1R  (R16), [V29.S4]; \
	VLD1   (R15), [V24.S4, V25.S4, V26.S4, V27.S4]; \
	SCALED(a, an, V16, 16, V24, 24); \
	SCALED(b, bn, V17, 17, V25, 25); \
	SCALED(c, cn, V18, 18, V26, 26); \
	SCALED(d, dn, V19, 19, V27, 27); \
	VST1   [V24.S4, V25.S4, V26.S4, V27.S4], (R9); \
	ADD    R11, R9

// DOT16 multiplies 4 inputs of a row with 16 outputs, GROUP those of all rows, which
// are in V20 to V23.
#define DOT16(r, x, i) \
	SDOT(4*r, 16, x, i); \
	SDOT(4*r+1, 17, x, i); \
	SDOT(4*r+2, 18, x, i); \
	SDOT(4*r+3, 19, x, i)

#define GROUP(i) \
	VLD1.P 64(R1), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	VEOR   V31.B16, V16.B16, V16.B16; \
	VEOR   V31.B16, V17.B16, V17.B16; \
	VEOR   V31.B16, V18.B16, V18.B16; \
	VEOR   V31.B16, V19.B16, V19.B16; \
	DOT16(0, 20, i); \
	DOT16(1, 21, i); \
	DOT16(2, 22, i); \
	DOT16(3, 23, i)

#define ZERO16 \
	ZERO(V0); ZERO(V1); ZERO(V2); ZERO(V3); \
	ZERO(V4); ZERO(V5); ZERO(V6); ZERO(V7); \
	ZERO(V8); ZERO(V9); ZERO(V10); ZERO(V11); \
	ZERO(V12); ZERO(V13); ZERO(V14); ZERO(V15)

// func gemmSDOT(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)
// 4 rows x 16 outputs in 16 registers, four times.
TEXT ·gemmSDOT(SB), NOSPLIT, $0-184
	ARGS
	MOVD $4, R2

outputs:
	ZERO16
	MOVD R3, R8

loop:
	VLD1.P 16(R4), [V20.B16]
	VLD1.P 16(R5), [V21.B16]
	VLD1.P 16(R6), [V22.B16]
	VLD1.P 16(R7), [V23.B16]
	GROUP(0)
	GROUP(SDOT1)
	GROUP(SDOT2)
	GROUP(SDOT3)
	SUBS   $16, R8
	BNE    loop

	REWIND
	VLD1.P 64(R14), [V16.S4, V17.S4, V18.S4, V19.S4]
	MOVD   R10, R9
	ROW16(0, V0, 0, V1, 1, V2, 2, V3, 3)
	ROW16(1, V4, 4, V5, 5, V6, 6, V7, 7)
	ROW16(2, V8, 8, V9, 9, V10, 10, V11, 11)
	ROW16(3, V12, 12, V13, 13, V14, 14, V15, 15)
	ADD    $64, R15
	ADD    $64, R10
	SUBS   $1, R2
	BNE    outputs
	RET

// MUL8 adds 8 inputs of a row, 4 in x0 and 4 in x1, times 8 outputs: products of bytes
// are added in pairs to 16 bits, where 2*127*128 has room, and these in pairs to 32. Each
// output has two sums.
#define MUL8(a, b, c, d, x0, x1) \
	SMULL(28, 16, x0);  \
	SMULLU(29, 16, x0); \
	SMLAL(28, 18, x1);  \
	SMLALU(29, 18, x1); \
	SADALP(a, 28);      \
	SADALP(b, 29);      \
	SMULL(28, 17, x0);  \
	SMULLU(29, 17, x0); \
	SMLAL(28, 19, x1);  \
	SMLALU(29, 19, x1); \
	SADALP(c, 28);      \
	SADALP(d, 29)

// ROW8 adds up the sums of 8 outputs of a row and writes them.
#define ROW8(r, a, an, b, bn, c, cn, d, dn) \
	VADDP  b.S4, a.S4, a.S4; \
	VADDP  d.S4, c.S4, c.S4; \
	ADD    $(4*r), R13, R16; \
	VLD1R  (R16), [V28.S4]; \
	ADD    $(4*r), R12, R16; \
	VLD1R  (R16), [V29.S4]; \
	VLD1   (R15), [V24.S4, V25.S4]; \
	SCALED(a, an, V16, 16, V24, 24); \
	SCALED(c, cn, V17, 17, V25, 25); \
	VST1   [V24.S4, V25.S4], (R9); \
	ADD    R11, R9

// func gemmSMULL(y []float32, ld int, x []int8, k int, w []byte, rows []float32, sums []int32, scale, bias []float32)
// For processors without SDOT: 4 rows x 8 outputs in 16 registers, eight times; each
// block of 16 outputs is gone through twice.
TEXT ·gemmSMULL(SB), NOSPLIT, $0-184
	ARGS
	MOVD $8, R2

outputs:
	ZERO16
	MOVD R1, R0
	MOVD R3, R8

loop:
	VLD1    (R0), [V16.B16, V17.B16]
	ADD     $64, R0
	VLD1    (R0), [V18.B16, V19.B16]
	ADD     $64, R0
	VEOR    V31.B16, V16.B16, V16.B16
	VEOR    V31.B16, V17.B16, V17.B16
	VEOR    V31.B16, V18.B16, V18.B16
	VEOR    V31.B16, V19.B16, V19.B16
	VLD1R.P 4(R4), [V20.S4]
	VLD1R.P 4(R4), [V21.S4]
	VLD1R.P 4(R5), [V22.S4]
	VLD1R.P 4(R5), [V23.S4]
	VLD1R.P 4(R6), [V24.S4]
	VLD1R.P 4(R6), [V25.S4]
	VLD1R.P 4(R7), [V26.S4]
	VLD1R.P 4(R7), [V27.S4]
	MUL8(0, 1, 2, 3, 20, 21)
	MUL8(4, 5, 6, 7, 22, 23)
	MUL8(8, 9, 10, 11, 24, 25)
	MUL8(12, 13, 14, 15, 26, 27)
	SUBS    $8, R8
	BNE     loop

	REWIND
	VLD1.P 32(R14), [V16.S4, V17.S4]
	MOVD   R10, R9
	ROW8(0, V0, 0, V1, 1, V2, 2, V3, 3)
	ROW8(1, V4, 4, V5, 5, V6, 6, V7, 7)
	ROW8(2, V8, 8, V9, 9, V10, 10, V11, 11)
	ROW8(3, V12, 12, V13, 13, V14, 14, V15, 15)
	ADD    $32, R15
	ADD    $32, R10
	ADD    $32, R1             // the other half of the block
	TST    $1, R2
	BEQ    next
	SUB    $32, R0, R1         // or the next block

next:
	SUBS   $1, R2
	BNE    outputs
	RET
