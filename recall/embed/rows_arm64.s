#include "textflag.h"
#include "neon_arm64.h"

// The loops over rows of floats, 4 in a register.

// func quantNEON(q []int8, x []float32) (scale float32)
TEXT ·quantNEON(SB), NOSPLIT, $0-52
	MOVD q_base+0(FP), R0
	MOVD x_base+24(FP), R1
	MOVD x_len+32(FP), R2
	MOVD R1, R3
	MOVD R2, R4
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)

most:
	VLD1.P 64(R3), [V4.S4, V5.S4, V6.S4, V7.S4]
	FABS4(4, 4)
	FABS4(5, 5)
	FABS4(6, 6)
	FABS4(7, 7)
	FMAX4(0, 0, 4)
	FMAX4(1, 1, 5)
	FMAX4(2, 2, 6)
	FMAX4(3, 3, 7)
	SUBS   $16, R4
	BNE    most
	FMAX4(0, 0, 1)
	FMAX4(2, 2, 3)
	FMAX4(0, 0, 2)
	FMAXV4(0, 0)

	FMOVS $127.0, F1
	FDIVS F1, F0, F2
	FMOVS F2, scale+48(FP)
	FDIVS F0, F1, F3       // 127/most
	FCMPS $(0.0), F0
	BNE   some
	FMOVS ZR, F3           // a row of zeros: times 0

some:
	VDUP V3.S[0], V31.S4

loop:
	VLD1.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4]
	FMUL4(4, 4, 31)
	FMUL4(5, 5, 31)
	FMUL4(6, 6, 31)
	FMUL4(7, 7, 31)
	FCVTNS4(4, 4)
	FCVTNS4(5, 5)
	FCVTNS4(6, 6)
	FCVTNS4(7, 7)
	SQXTN4(8, 4)
	SQXTN4U(8, 5)
	SQXTN4(9, 6)
	SQXTN4U(9, 7)
	SQXTN8(10, 8)
	SQXTN8U(10, 9)
	VST1.P [V10.B16], 16(R0)
	SUBS   $16, R2
	BNE    loop
	RET

// HORNER takes one more coefficient into two polynomials of z0 and z1: from p to t.
#define HORNER(c, z0, z1, p0, p1, t0, t1) \
	VMOV  c.B16, t0.B16;         \
	VMOV  c.B16, t1.B16;         \
	VFMLA z0.S4, p0.S4, t0.S4;   \
	VFMLA z1.S4, p1.S4, t1.S4

// func geluNEON(x, by []float32)
TEXT ·geluNEON(SB), NOSPLIT, $0-48
	MOVD    x_base+0(FP), R0
	MOVD    x_len+8(FP), R2
	MOVD    by_base+24(FP), R1
	MOVD    $·geluP(SB), R3
	VLD1R.P 4(R3), [V20.S4]
	VLD1R.P 4(R3), [V21.S4]
	VLD1R.P 4(R3), [V22.S4]
	VLD1R.P 4(R3), [V23.S4]
	VLD1R.P 4(R3), [V24.S4]
	VLD1R.P 4(R3), [V25.S4]
	VLD1R.P 4(R3), [V26.S4]
	VLD1R.P 4(R3), [V27.S4]
	VLD1R.P 4(R3), [V28.S4]
	MOVD    $·geluHeld(SB), R3
	VLD1R   (R3), [V29.S4]
	FNEG4(30, 29)
	FMOVS   $0.5, F31
	VDUP    V31.S[0], V31.S4

loop:
	VLD1  (R0), [V16.S4, V17.S4]
	FMIN4(0, 16, 29)
	FMIN4(1, 17, 29)
	FMAX4(0, 0, 30)
	FMAX4(1, 1, 30)
	FMUL4(2, 0, 0)
	FMUL4(3, 1, 1)
	HORNER(V27, V2, V3, V28, V28, V6, V7)
	HORNER(V26, V2, V3, V6, V7, V4, V5)
	HORNER(V25, V2, V3, V4, V5, V6, V7)
	HORNER(V24, V2, V3, V6, V7, V4, V5)
	HORNER(V23, V2, V3, V4, V5, V6, V7)
	HORNER(V22, V2, V3, V6, V7, V4, V5)
	HORNER(V21, V2, V3, V4, V5, V6, V7)
	HORNER(V20, V2, V3, V6, V7, V4, V5)
	HORNER(V31, V0, V1, V4, V5, V6, V7)
	VLD1.P 32(R1), [V18.S4, V19.S4]
	FMUL4(6, 6, 16)
	FMUL4(7, 7, 17)
	FMUL4(6, 6, 18)
	FMUL4(7, 7, 19)
	VST1.P [V6.S4, V7.S4], 32(R0)
	SUBS   $8, R2
	BNE    loop
	RET

// EXP takes 4 floats in v apart: n in n, shifted to the exponent, the rest in v.
#define EXP(v, n, N) \
	FSUB4(v, v, 31); \
	FMUL4(v, v, 20); \
	FMAX4(v, v, 21); \
	FRINTN4(n, v);   \
	FSUB4(v, v, n);  \
	FCVTNS4(n, n);   \
	VSHL $23, N.S4, N.S4

// func softmaxNEON(x []float32) float32
TEXT ·softmaxNEON(SB), NOSPLIT, $0-28
	MOVD x_base+0(FP), R0
	MOVD x_len+8(FP), R1
	MOVD R0, R2
	MOVD R1, R3
	VLD1 (R0), [V0.S4]
	VMOV V0.B16, V1.B16

most:
	VLD1.P 32(R2), [V2.S4, V3.S4]
	FMAX4(0, 0, 2)
	FMAX4(1, 1, 3)
	SUBS   $8, R3
	BNE    most
	FMAX4(0, 0, 1)
	FMAXV4(0, 0)
	VDUP   V0.S[0], V31.S4

	MOVD    $·expC(SB), R3
	VLD1R.P 4(R3), [V20.S4]
	VLD1R   (R3), [V21.S4]
	MOVD    $·expP(SB), R3
	VLD1R.P 4(R3), [V22.S4]
	VLD1R.P 4(R3), [V23.S4]
	VLD1R.P 4(R3), [V24.S4]
	VLD1R.P 4(R3), [V25.S4]
	VLD1R.P 4(R3), [V26.S4]
	VLD1R.P 4(R3), [V27.S4]
	ZERO(V16)
	ZERO(V17)

loop:
	VLD1 (R0), [V0.S4, V1.S4]
	EXP(0, 2, V2)
	EXP(1, 3, V3)
	HORNER(V26, V0, V1, V27, V27, V4, V5)
	HORNER(V25, V0, V1, V4, V5, V6, V7)
	HORNER(V24, V0, V1, V6, V7, V4, V5)
	HORNER(V23, V0, V1, V4, V5, V6, V7)
	HORNER(V22, V0, V1, V6, V7, V4, V5)
	VADD   V2.S4, V4.S4, V4.S4
	VADD   V3.S4, V5.S4, V5.S4
	FADD4(16, 16, 4)
	FADD4(17, 17, 5)
	VST1.P [V4.S4, V5.S4], 32(R0)
	SUBS   $8, R1
	BNE    loop
	FADD4(16, 16, 17)
	FADDP4(16, 16, 16)
	FADDP4(16, 16, 16)
	FMOVS  F16, ret+24(FP)
	RET

// AFFINE writes z*w+b; w and b are read and go forwards, to stays.
#define AFFINE(w, b) \
	VLD1.P 32(w), [V4.S4, V5.S4]; \
	VLD1.P 32(b), [V6.S4, V7.S4]; \
	VFMLA  V4.S4, V0.S4, V6.S4;   \
	VFMLA  V5.S4, V1.S4, V7.S4

// func normNEON(x, y, q, w, b, qw, qb []float32, epsilon float32)
TEXT ·normNEON(SB), NOSPLIT, $0-172
	MOVD x_base+0(FP), R0
	MOVD x_len+8(FP), R1
	MOVD y_base+24(FP), R2
	MOVD y_len+32(FP), R3
	MOVD q_base+48(FP), R4
	MOVD w_base+72(FP), R5
	MOVD b_base+96(FP), R6
	MOVD qw_base+120(FP), R7
	MOVD qb_base+144(FP), R8
	ZERO(V16)
	ZERO(V17)
	MOVD R0, R9
	MOVD R1, R10
	CBZ  R3, sum

add:
	VLD1   (R9), [V0.S4, V1.S4]
	VLD1.P 32(R2), [V2.S4, V3.S4]
	FADD4(0, 0, 2)
	FADD4(1, 1, 3)
	FADD4(16, 16, 0)
	FADD4(17, 17, 1)
	VST1.P [V0.S4, V1.S4], 32(R9)
	SUBS   $8, R10
	BNE    add
	B      mean

sum:
	VLD1.P 32(R9), [V0.S4, V1.S4]
	FADD4(16, 16, 0)
	FADD4(17, 17, 1)
	SUBS   $8, R10
	BNE    sum

mean:
	FADD4(16, 16, 17)
	FADDP4(16, 16, 16)
	FADDP4(16, 16, 16)
	SCVTFS R1, F30
	FDIVS  F30, F16, F16
	VDUP   V16.S[0], V31.S4
	ZERO(V16)
	ZERO(V17)
	MOVD   R0, R9
	MOVD   R1, R10

square:
	VLD1.P 32(R9), [V0.S4, V1.S4]
	FSUB4(0, 0, 31)
	FSUB4(1, 1, 31)
	VFMLA  V0.S4, V0.S4, V16.S4
	VFMLA  V1.S4, V1.S4, V17.S4
	SUBS   $8, R10
	BNE    square
	FADD4(16, 16, 17)
	FADDP4(16, 16, 16)
	FADDP4(16, 16, 16)
	FDIVS  F30, F16, F16
	FMOVS  epsilon+168(FP), F18
	FADDS  F18, F16, F16
	FSQRTS F16, F16
	FMOVS  $1.0, F18
	FDIVS  F16, F18, F18
	VDUP   V18.S[0], V30.S4

out:
	VLD1   (R0), [V0.S4, V1.S4]
	FSUB4(0, 0, 31)
	FSUB4(1, 1, 31)
	FMUL4(0, 0, 30)
	FMUL4(1, 1, 30)
	AFFINE(R5, R6)
	VST1.P [V6.S4, V7.S4], 32(R0)
	AFFINE(R7, R8)
	VST1.P [V6.S4, V7.S4], 32(R4)
	SUBS   $8, R1
	BNE    out
	RET

#define FMA16(b0, a, b, c, d) \
	VFMLA V16.S4, b0.S4, a.S4; \
	VFMLA V17.S4, b0.S4, b.S4; \
	VFMLA V18.S4, b0.S4, c.S4; \
	VFMLA V19.S4, b0.S4, d.S4

// func matmulNEON(c []float32, ldc int, a []float32, lda int, b []float32, ldb, k, n int)
// 4 rows x 16 columns in 16 registers.
TEXT ·matmulNEON(SB), NOSPLIT, $0-112
	MOVD c_base+0(FP), R0
	MOVD ldc+24(FP), R1
	MOVD a_base+32(FP), R2
	MOVD lda+56(FP), R3
	MOVD b_base+64(FP), R4
	MOVD ldb+88(FP), R5
	MOVD n+104(FP), R6
	LSL  $2, R1
	LSL  $2, R3
	LSL  $2, R5

columns:
	MOVD R2, R8
	ADD  R3, R8, R9
	ADD  R3, R9, R10
	ADD  R3, R10, R11
	MOVD R4, R12
	MOVD k+96(FP), R7
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)
	ZERO(V4)
	ZERO(V5)
	ZERO(V6)
	ZERO(V7)
	ZERO(V8)
	ZERO(V9)
	ZERO(V10)
	ZERO(V11)
	ZERO(V12)
	ZERO(V13)
	ZERO(V14)
	ZERO(V15)

loop:
	VLD1    (R12), [V16.S4, V17.S4, V18.S4, V19.S4]
	ADD     R5, R12
	VLD1R.P 4(R8), [V20.S4]
	VLD1R.P 4(R9), [V21.S4]
	VLD1R.P 4(R10), [V22.S4]
	VLD1R.P 4(R11), [V23.S4]
	FMA16(V20, V0, V1, V2, V3)
	FMA16(V21, V4, V5, V6, V7)
	FMA16(V22, V8, V9, V10, V11)
	FMA16(V23, V12, V13, V14, V15)
	SUBS    $1, R7
	BNE     loop

	MOVD R0, R13
	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R13)
	ADD  R1, R13
	VST1 [V4.S4, V5.S4, V6.S4, V7.S4], (R13)
	ADD  R1, R13
	VST1 [V8.S4, V9.S4, V10.S4, V11.S4], (R13)
	ADD  R1, R13
	VST1 [V12.S4, V13.S4, V14.S4, V15.S4], (R13)
	ADD  $64, R0
	ADD  $64, R4
	SUBS $16, R6
	BNE  columns
	RET
