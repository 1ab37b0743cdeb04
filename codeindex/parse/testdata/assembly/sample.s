# Orders and what they cost.
	.include "rates.inc"
	.equ RATE, 19

	.macro twice reg
	add \reg, \reg
	.endm

	.text
	.globl with_tax

# Adds the tax.
with_tax:
	imul	$119, %rdi, %rax
	ret

/* commented:
 */

; also_commented:

total:
	xor	%eax, %eax
.Lloop:
	call	with_tax
	dec	%rcx
	jnz	.Lloop
	ret

	.data
text:
	.asciz	"quoted:"
number: .quad 1
