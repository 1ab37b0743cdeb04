#include "textflag.h"

// Products of small float matrices, for attention: 4 rows of a times all columns of b.
// AX is the distance of a's rows in bytes, BX three of them, R9 that of b's, R8 of c's.
#define ARGS \
	MOVQ c_base+0(FP), DI;  \
	MOVQ ldc+24(FP), R8;    \
	MOVQ a_base+32(FP), SI; \
	MOVQ lda+56(FP), AX;    \
	MOVQ b_base+64(FP), DX; \
	MOVQ ldb+88(FP), R9;    \
	MOVQ n+104(FP), R10;    \
	SHLQ $2, R8;            \
	SHLQ $2, AX;            \
	SHLQ $2, R9;            \
	LEAQ (AX)(AX*2), BX

#define FMA(from, x, b0, b1, c0, c1) \
	VBROADCASTSS from, x;      \
	VFMADD231PS  x, b0, c0;    \
	VFMADD231PS  x, b1, c1

// func matmulAVX2(c []float32, ldc int, a []float32, lda int, b []float32, ldb, k, n int)
// 16 columns at a time.
TEXT ·matmulAVX2(SB), NOSPLIT, $0-112
	ARGS

columns:
	MOVQ   k+96(FP), CX
	MOVQ   SI, R11
	MOVQ   DX, R12
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

loop:
	VMOVUPS (R12), Y8
	VMOVUPS 32(R12), Y9
	FMA((R11), Y10, Y8, Y9, Y0, Y1)
	FMA((R11)(AX*1), Y11, Y8, Y9, Y2, Y3)
	FMA((R11)(AX*2), Y12, Y8, Y9, Y4, Y5)
	FMA((R11)(BX*1), Y13, Y8, Y9, Y6, Y7)
	ADDQ    $4, R11
	ADDQ    R9, R12
	DECQ    CX
	JNZ     loop

	LEAQ    (DI)(R8*2), R13
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, (DI)(R8*1)
	VMOVUPS Y3, 32(DI)(R8*1)
	VMOVUPS Y4, (R13)
	VMOVUPS Y5, 32(R13)
	VMOVUPS Y6, (R13)(R8*1)
	VMOVUPS Y7, 32(R13)(R8*1)
	ADDQ    $64, DI
	ADDQ    $64, DX
	SUBQ    $16, R10
	JNZ     columns
	VZEROUPPER
	RET

// func matmulAVX512(c []float32, ldc int, a []float32, lda int, b []float32, ldb, k, n int)
// 32 columns at a time.
TEXT ·matmulAVX512(SB), NOSPLIT, $0-112
	ARGS

columns:
	MOVQ   k+96(FP), CX
	MOVQ   SI, R11
	MOVQ   DX, R12
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7

loop:
	VMOVUPS (R12), Z8
	VMOVUPS 64(R12), Z9
	FMA((R11), Z10, Z8, Z9, Z0, Z1)
	FMA((R11)(AX*1), Z11, Z8, Z9, Z2, Z3)
	FMA((R11)(AX*2), Z12, Z8, Z9, Z4, Z5)
	FMA((R11)(BX*1), Z13, Z8, Z9, Z6, Z7)
	ADDQ    $4, R11
	ADDQ    R9, R12
	DECQ    CX
	JNZ     loop

	LEAQ    (DI)(R8*2), R13
	VMOVUPS Z0, (DI)
	VMOVUPS Z1, 64(DI)
	VMOVUPS Z2, (DI)(R8*1)
	VMOVUPS Z3, 64(DI)(R8*1)
	VMOVUPS Z4, (R13)
	VMOVUPS Z5, 64(R13)
	VMOVUPS Z6, (R13)(R8*1)
	VMOVUPS Z7, 64(R13)(R8*1)
	ADDQ    $128, DI
	ADDQ    $128, DX
	SUBQ    $32, R10
	JNZ     columns
	VZEROUPPER
	RET
