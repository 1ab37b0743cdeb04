// Orders and what they cost.

#include "go_asm.h"
#include "textflag.h"

#define RATE 19
#define TWICE(r) \
	ADDQ r, r

DATA ·rates+0(SB)/8, $19
GLOBL ·rates(SB), RODATA, $8

// func clear(p unsafe.Pointer, n uintptr)
// clear zeroes n bytes.
TEXT runtime·clear<ABIInternal>(SB), NOSPLIT, $0-16
	MOVQ	AX, DI	// DI = p
tail:
	TESTQ	BX, BX
	JEQ	_0
	JBE	_1or2
loop:
	CALL	runtime·total(SB)
	JMP	tail
_1or2:
	MOVB	AX, (DI)
_0:
	RET

TEXT internal∕money·total(SB),NOSPLIT,$0
	RET

/* TEXT ·commented(SB) */
TEXT ·add(SB), NOSPLIT|NOFRAME, $0-24
	RET

TEXT _start(SB), NOSPLIT, $-8
	JMP	·add(SB)
