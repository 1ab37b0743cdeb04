#include "textflag.h"

// The loops over rows of floats, 8 at a time.

DATA consts<>+0(SB)/4, $0x7FFFFFFF // all but the sign
DATA consts<>+4(SB)/4, $0x42FE0000 // 127
DATA consts<>+8(SB)/4, $0x3F800000 // 1
DATA consts<>+12(SB)/4, $0x01010101
DATA consts<>+16(SB)/4, $0x00010001
DATA consts<>+20(SB)/4, $0x3F000000 // 0.5
GLOBL consts<>(SB), RODATA|NOPTR, $24

// Packing works in each half of a register: this puts the quarters in order again.
DATA order<>+0(SB)/8, $0x0000000400000000
DATA order<>+8(SB)/8, $0x0000000500000001
DATA order<>+16(SB)/8, $0x0000000600000002
DATA order<>+24(SB)/8, $0x0000000700000003
GLOBL order<>(SB), RODATA|NOPTR, $32

// ACROSS leaves in X of a register what op makes of its 8 floats.
#define ACROSS(op, y, x, tmp) \
	VEXTRACTF128 $1, y, tmp;      \
	op           tmp, x, x;       \
	VPERMILPS    $0x4E, x, tmp;   \
	op           tmp, x, x;       \
	VPERMILPS    $0xB1, x, tmp;   \
	op           tmp, x, x

#define MAXABS(off, tmp, y) \
	VANDPS off(DX), Y15, tmp; \
	VMAXPS tmp, y, y

#define ROUND(off, y) \
	VMULPS    off(SI), Y14, y; \
	VCVTPS2DQ y, y

// func quantAVX2(q []int8, x []float32) (scale float32, sum int32)
// The sum is that of q, without the factor 128.
TEXT ·quantAVX2(SB), NOSPLIT, $0-56
	MOVQ         q_base+0(FP), DI
	MOVQ         x_base+24(FP), SI
	MOVQ         x_len+32(FP), CX
	MOVQ         SI, DX
	MOVQ         CX, BX
	VBROADCASTSS consts<>+0(SB), Y15
	VXORPS       Y0, Y0, Y0
	VXORPS       Y1, Y1, Y1
	VXORPS       Y2, Y2, Y2
	VXORPS       Y3, Y3, Y3

most:
	MAXABS(0, Y4, Y0)
	MAXABS(32, Y5, Y1)
	MAXABS(64, Y6, Y2)
	MAXABS(96, Y7, Y3)
	ADDQ   $128, DX
	SUBQ   $32, BX
	JNZ    most
	VMAXPS Y1, Y0, Y0
	VMAXPS Y3, Y2, Y2
	VMAXPS Y2, Y0, Y0
	ACROSS(VMAXPS, Y0, X0, X1)

	VMOVSS   consts<>+4(SB), X2
	VDIVSS   X2, X0, X3
	VMOVSS   X3, scale+48(FP)
	VXORPS   X4, X4, X4
	VUCOMISS X4, X0
	JNE      some
	VXORPS   X2, X2, X2       // a row of zeros: times 0
	VMOVSS   consts<>+4(SB), X0

some:
	VDIVSS       X0, X2, X2
	VBROADCASTSS X2, Y14
	VMOVDQU      order<>(SB), Y13
	VPXOR        Y12, Y12, Y12
	VPBROADCASTD consts<>+12(SB), Y11
	VPBROADCASTD consts<>+16(SB), Y10

loop:
	ROUND(0, Y0)
	ROUND(32, Y1)
	ROUND(64, Y2)
	ROUND(96, Y3)
	VPACKSSDW  Y1, Y0, Y0
	VPACKSSDW  Y3, Y2, Y2
	VPACKSSWB  Y2, Y0, Y0
	VPERMD     Y0, Y13, Y0
	VMOVDQU    Y0, (DI)
	VPMADDUBSW Y0, Y11, Y1
	VPMADDWD   Y10, Y1, Y1
	VPADDD     Y1, Y12, Y12
	ADDQ       $128, SI
	ADDQ       $32, DI
	SUBQ       $32, CX
	JNZ        loop

	VEXTRACTI128 $1, Y12, X1
	VPADDD       X1, X12, X0
	VPSHUFD      $0x4E, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, AX
	MOVL         AX, sum+52(FP)
	VZEROUPPER
	RET

// func widenAVX2(to, q []int8)
// Bytes q0 q1 q2 q3 become 16-bit numbers q0 q2 q1 q3. to is twice as long as q and may
// end where q does.
TEXT ·widenAVX2(SB), NOSPLIT, $0-48
	MOVQ to_base+0(FP), DI
	MOVQ q_base+24(FP), SI
	MOVQ q_len+32(FP), CX

loop:
	VMOVDQU    (SI), X0
	VPSLLW     $8, X0, X1
	VPSRAW     $8, X1, X1     // even bytes
	VPSRAW     $8, X0, X0     // odd ones
	VPUNPCKLDQ X0, X1, X2
	VPUNPCKHDQ X0, X1, X3
	VMOVDQU    X2, (DI)
	VMOVDQU    X3, 16(DI)
	ADDQ       $16, SI
	ADDQ       $32, DI
	SUBQ       $16, CX
	JNZ        loop
	RET

#define HOLD(off, z, zz) \
	VMOVUPS off(SI), z;  \
	VMINPS  Y15, z, z;   \
	VMAXPS  Y14, z, z;   \
	VMULPS  z, z, zz

// HORNER takes one more coefficient of the polynomial into Y8 to Y11.
#define HORNER(c) \
	VBROADCASTSS c, Y13;        \
	VFMADD213PS  Y13, Y4, Y8;   \
	VFMADD213PS  Y13, Y5, Y9;   \
	VFMADD213PS  Y13, Y6, Y10;  \
	VFMADD213PS  Y13, Y7, Y11

#define GELU(off, z, p) \
	VFMADD213PS Y12, z, p;      \
	VMULPS      off(SI), p, p;  \
	VMULPS      off(DX), p, p;  \
	VMOVUPS     p, off(SI)

// func geluAVX2(x, by []float32)
TEXT ·geluAVX2(SB), NOSPLIT, $0-48
	MOVQ         x_base+0(FP), SI
	MOVQ         x_len+8(FP), CX
	MOVQ         by_base+24(FP), DX
	VBROADCASTSS ·geluHeld(SB), Y15
	VXORPS       Y14, Y14, Y14
	VSUBPS       Y15, Y14, Y14
	VBROADCASTSS consts<>+20(SB), Y12

loop:
	HOLD(0, Y0, Y4)
	HOLD(32, Y1, Y5)
	HOLD(64, Y2, Y6)
	HOLD(96, Y3, Y7)
	VBROADCASTSS ·geluP+32(SB), Y8
	VMOVAPS      Y8, Y9
	VMOVAPS      Y8, Y10
	VMOVAPS      Y8, Y11
	HORNER(·geluP+28(SB))
	HORNER(·geluP+24(SB))
	HORNER(·geluP+20(SB))
	HORNER(·geluP+16(SB))
	HORNER(·geluP+12(SB))
	HORNER(·geluP+8(SB))
	HORNER(·geluP+4(SB))
	HORNER(·geluP+0(SB))
	GELU(0, Y0, Y8)
	GELU(32, Y1, Y9)
	GELU(64, Y2, Y10)
	GELU(96, Y3, Y11)
	ADDQ         $128, SI
	ADDQ         $128, DX
	SUBQ         $32, CX
	JNZ          loop
	VZEROUPPER
	RET

// EXP takes 8 floats in two halves: n in n, shifted to the exponent, the rest in z.
#define EXP(off, z, n, p) \
	VMOVUPS   off(SI), z;    \
	VSUBPS    Y15, z, z;     \
	VMULPS    Y7, z, z;      \
	VMAXPS    Y8, z, z;      \
	VROUNDPS  $0, z, n;      \
	VSUBPS    n, z, z;       \
	VCVTPS2DQ n, n;          \
	VPSLLD    $23, n, n;     \
	VMOVAPS   Y14, p

#define SCALED(off, n, p) \
	VPADDD  n, p, p;        \
	VMOVUPS p, off(SI);     \
	VADDPS  p, Y6, Y6

// func softmaxAVX2(x []float32) float32
TEXT ·softmaxAVX2(SB), NOSPLIT, $0-28
	MOVQ         x_base+0(FP), SI
	MOVQ         x_len+8(FP), CX
	MOVQ         SI, DX
	MOVQ         CX, BX
	VMOVUPS      (DX), Y0
	VMOVAPS      Y0, Y1

most:
	VMAXPS (DX), Y0, Y0
	VMAXPS 32(DX), Y1, Y1
	ADDQ   $64, DX
	SUBQ   $16, BX
	JNZ    most
	VMAXPS Y1, Y0, Y0
	ACROSS(VMAXPS, Y0, X0, X1)
	VBROADCASTSS X0, Y15

	VBROADCASTSS ·expC+0(SB), Y7  // log2 e
	VBROADCASTSS ·expC+4(SB), Y8  // the least exponent
	VBROADCASTSS ·expP+0(SB), Y9
	VBROADCASTSS ·expP+4(SB), Y10
	VBROADCASTSS ·expP+8(SB), Y11
	VBROADCASTSS ·expP+12(SB), Y12
	VBROADCASTSS ·expP+16(SB), Y13
	VBROADCASTSS ·expP+20(SB), Y14
	VXORPS       Y6, Y6, Y6

loop:
	EXP(0, Y0, Y2, Y4)
	EXP(32, Y1, Y3, Y5)
	VFMADD213PS Y13, Y0, Y4
	VFMADD213PS Y13, Y1, Y5
	VFMADD213PS Y12, Y0, Y4
	VFMADD213PS Y12, Y1, Y5
	VFMADD213PS Y11, Y0, Y4
	VFMADD213PS Y11, Y1, Y5
	VFMADD213PS Y10, Y0, Y4
	VFMADD213PS Y10, Y1, Y5
	VFMADD213PS Y9, Y0, Y4
	VFMADD213PS Y9, Y1, Y5
	SCALED(0, Y2, Y4)
	SCALED(32, Y3, Y5)
	ADDQ        $64, SI
	SUBQ        $16, CX
	JNZ         loop
	ACROSS(VADDPS, Y6, X6, X1)
	VMOVSS      X6, ret+24(FP)
	VZEROUPPER
	RET

#define PLUS(off, tmp, sum) \
	VMOVUPS off(SI)(AX*1), tmp;      \
	VADDPS  off(DX)(AX*1), tmp, tmp; \
	VMOVUPS tmp, off(SI)(AX*1);      \
	VADDPS  tmp, sum, sum

#define SQUARE(off, tmp, sum) \
	VMOVUPS     off(SI)(AX*1), tmp; \
	VSUBPS      Y15, tmp, tmp;      \
	VFMADD231PS tmp, tmp, sum

// AFFINE writes z*w+b, w at (w), b at (b).
#define AFFINE(off, z, tmp, w, b, to) \
	VMOVUPS     off(w)(AX*1), tmp;      \
	VFMADD213PS off(b)(AX*1), z, tmp;   \
	VMOVUPS     tmp, off(to)(AX*1)

#define NORMED(off, z, t1, t2) \
	VMOVUPS off(SI)(AX*1), z;          \
	VSUBPS  Y15, z, z;                 \
	VMULPS  Y14, z, z;                 \
	AFFINE(off, z, t1, R8, R9, SI);    \
	AFFINE(off, z, t2, R10, R11, DI)

// func normAVX2(x, y, q, w, b, qw, qb []float32, epsilon float32)
TEXT ·normAVX2(SB), NOSPLIT, $0-172
	MOVQ   x_base+0(FP), SI
	MOVQ   x_len+8(FP), CX
	MOVQ   y_base+24(FP), DX
	MOVQ   y_len+32(FP), BX
	MOVQ   q_base+48(FP), DI
	MOVQ   w_base+72(FP), R8
	MOVQ   b_base+96(FP), R9
	MOVQ   qw_base+120(FP), R10
	MOVQ   qb_base+144(FP), R11
	SHLQ   $2, CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX
	TESTQ  BX, BX
	JZ     sum

add:
	PLUS(0, Y2, Y0)
	PLUS(32, Y3, Y1)
	ADDQ $64, AX
	CMPQ AX, CX
	JL   add
	JMP  mean

sum:
	VADDPS (SI)(AX*1), Y0, Y0
	VADDPS 32(SI)(AX*1), Y1, Y1
	ADDQ   $64, AX
	CMPQ   AX, CX
	JL     sum

mean:
	VADDPS       Y1, Y0, Y0
	ACROSS(VADDPS, Y0, X0, X1)
	MOVQ         x_len+8(FP), BX
	VXORPS       X7, X7, X7
	VCVTSI2SSQ   BX, X7, X7
	VDIVSS       X7, X0, X0
	VBROADCASTSS X0, Y15
	VXORPS       Y0, Y0, Y0
	VXORPS       Y1, Y1, Y1
	XORQ         AX, AX

square:
	SQUARE(0, Y2, Y0)
	SQUARE(32, Y3, Y1)
	ADDQ         $64, AX
	CMPQ         AX, CX
	JL           square
	VADDPS       Y1, Y0, Y0
	ACROSS(VADDPS, Y0, X0, X1)
	VDIVSS       X7, X0, X0
	VADDSS       epsilon+168(FP), X0, X0
	VSQRTSS      X0, X0, X0
	VMOVSS       consts<>+8(SB), X1
	VDIVSS       X0, X1, X1
	VBROADCASTSS X1, Y14
	XORQ         AX, AX

out:
	NORMED(0, Y2, Y3, Y4)
	NORMED(32, Y5, Y6, Y7)
	ADDQ $64, AX
	CMPQ AX, CX
	JL   out
	VZEROUPPER
	RET
