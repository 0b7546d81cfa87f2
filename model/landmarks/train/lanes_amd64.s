#include "textflag.h"

// Sixteen landmarks lie in four registers of four. Both loops go over the dimensions: broadcast x[j],
// then do the same with each register.

// func distancesSSE(c, x *float32, d int, d2 *[16]float32) (least float32)
TEXT ·distancesSSE(SB), NOSPLIT, $0-36
	MOVQ c+0(FP), SI
	MOVQ x+8(FP), DI
	MOVQ d+16(FP), CX
	MOVQ d2+24(FP), DX
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3

dimension:
	MOVSS  (DI), X4
	SHUFPS $0, X4, X4
	MOVUPS (SI), X5
	MOVUPS 16(SI), X6
	MOVUPS 32(SI), X7
	MOVUPS 48(SI), X8
	SUBPS  X4, X5
	SUBPS  X4, X6
	SUBPS  X4, X7
	SUBPS  X4, X8
	MULPS  X5, X5
	MULPS  X6, X6
	MULPS  X7, X7
	MULPS  X8, X8
	ADDPS  X5, X0
	ADDPS  X6, X1
	ADDPS  X7, X2
	ADDPS  X8, X3
	ADDQ   $4, DI
	ADDQ   $64, SI
	DECQ   CX
	JNZ    dimension

	MOVUPS X0, (DX)
	MOVUPS X1, 16(DX)
	MOVUPS X2, 32(DX)
	MOVUPS X3, 48(DX)
	MINPS  X1, X0
	MINPS  X3, X2
	MINPS  X2, X0
	MOVHLPS X0, X1
	MINPS  X1, X0
	MOVAPS X0, X1
	SHUFPS $1, X1, X1
	MINSS  X1, X0
	MOVSS  X0, least+32(FP)
	RET

// func pullSSE(c, x *float32, d int, h *[16]float32)
TEXT ·pullSSE(SB), NOSPLIT, $0-32
	MOVQ   c+0(FP), SI
	MOVQ   x+8(FP), DI
	MOVQ   d+16(FP), CX
	MOVQ   h+24(FP), DX
	MOVUPS (DX), X0
	MOVUPS 16(DX), X1
	MOVUPS 32(DX), X2
	MOVUPS 48(DX), X3

dimension:
	MOVSS  (DI), X4
	SHUFPS $0, X4, X4
	MOVUPS (SI), X5
	MOVUPS 16(SI), X6
	MOVUPS 32(SI), X7
	MOVUPS 48(SI), X8
	MOVAPS X4, X9
	MOVAPS X4, X10
	MOVAPS X4, X11
	SUBPS  X5, X4
	SUBPS  X6, X9
	SUBPS  X7, X10
	SUBPS  X8, X11
	MULPS  X0, X4
	MULPS  X1, X9
	MULPS  X2, X10
	MULPS  X3, X11
	ADDPS  X4, X5
	ADDPS  X9, X6
	ADDPS  X10, X7
	ADDPS  X11, X8
	MOVUPS X5, (SI)
	MOVUPS X6, 16(SI)
	MOVUPS X7, 32(SI)
	MOVUPS X8, 48(SI)
	ADDQ   $4, DI
	ADDQ   $64, SI
	DECQ   CX
	JNZ    dimension
	RET
