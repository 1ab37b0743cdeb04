// Instructions that Go's assembler does not know, of vector registers given as
// numbers: d is the destination. Floats and 32-bit integers are 4 a register.
#define FADD4(d, n, m) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB4(d, n, m) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL4(d, n, m) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FMAX4(d, n, m) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMIN4(d, n, m) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))
#define FADDP4(d, n, m) WORD $(0x6E20D400 | (m)<<16 | (n)<<5 | (d))
#define FABS4(d, n) WORD $(0x4EA0F800 | (n)<<5 | (d))
#define FNEG4(d, n) WORD $(0x6EA0F800 | (n)<<5 | (d))
#define FMAXV4(d, n) WORD $(0x6E30F800 | (n)<<5 | (d))
#define FRINTN4(d, n) WORD $(0x4E218800 | (n)<<5 | (d)) // to the nearest integer
#define FCVTNS4(d, n) WORD $(0x4E21A800 | (n)<<5 | (d)) // the same, as an integer
#define SCVTF4(d, n) WORD $(0x4E21D800 | (n)<<5 | (d))  // integer to float
#define SQXTN4(d, n) WORD $(0x0E614800 | (n)<<5 | (d))  // 32 bits to 16, lower half
#define SQXTN4U(d, n) WORD $(0x4E614800 | (n)<<5 | (d)) // upper half
#define SQXTN8(d, n) WORD $(0x0E214800 | (n)<<5 | (d))  // 16 bits to 8
#define SQXTN8U(d, n) WORD $(0x4E214800 | (n)<<5 | (d))
#define SMULL(d, n, m) WORD $(0x0E20C000 | (m)<<16 | (n)<<5 | (d))  // 8 products of bytes, lower halves
#define SMULLU(d, n, m) WORD $(0x4E20C000 | (m)<<16 | (n)<<5 | (d)) // upper halves
#define SMLAL(d, n, m) WORD $(0x0E208000 | (m)<<16 | (n)<<5 | (d))  // the same, added
#define SMLALU(d, n, m) WORD $(0x4E208000 | (m)<<16 | (n)<<5 | (d))
#define SADALP(d, n) WORD $(0x4E606800 | (n)<<5 | (d)) // adds pairs of 16 bits to 32

// SDOT adds products of 4 bytes of n and the 4 bytes of m that i names: 0, SDOT1, 2, 3.
#define SDOT(d, n, m, i) WORD $(0x4F80E000 | (i) | (m)<<16 | (n)<<5 | (d))
#define SDOT1 0x00200000
#define SDOT2 0x00000800
#define SDOT3 0x00200800

#define ZERO(v) VEOR v.B16, v.B16, v.B16
