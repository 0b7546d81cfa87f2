#include "textflag.h"

// Four blocks lie behind each other, each of 64 d bytes: what one row of a block gives waits for the row before it, and
// the other blocks do not.

#define STARTS \
	MOVQ c+0(FP), SI; \
	MOVQ x+8(FP), DI; \
	MOVQ d+16(FP), CX; \
	MOVQ d2+24(FP), DX; \
	MOVQ least+32(FP), BX; \
	MOVQ CX, AX; \
	SHLQ $6, AX; \
	LEAQ (SI)(AX*1), R8; \
	LEAQ (R8)(AX*1), R9; \
	LEAQ (R9)(AX*1), R10

#define NEXT \
	ADDQ $4, DI; \
	ADDQ $64, SI; \
	ADDQ $64, R8; \
	ADDQ $64, R9; \
	ADDQ $64, R10

// LEAST puts the least of four numbers in X into memory.
#define LEAST(x, t, at) \
	VMOVHLPS x, x, t; \
	VMINPS t, x, x; \
	VSHUFPS $1, x, x, t; \
	VMINSS t, x, x; \
	VMOVSS x, at

#define HALF8(from, sum, t) \
	VSUBPS from, Y8, t; \
	VMULPS t, t, t; \
	VADDPS t, sum, sum

#define KEEP8(low, high, lowX, at, least) \
	VMOVUPS low, at(DX); \
	VMOVUPS high, (at+32)(DX); \
	VMINPS high, low, low; \
	VEXTRACTF128 $1, low, X9; \
	VMINPS X9, lowX, lowX; \
	LEAST(lowX, X9, least(BX))

#define WHOLE16(from, sum, t) \
	VSUBPS from, Z4, t; \
	VMULPS t, t, t; \
	VADDPS t, sum, sum

#define KEEP16(all, allY, allX, at, least) \
	VMOVUPS all, at(DX); \
	VEXTRACTF64X4 $1, all, Y9; \
	VMINPS Y9, allY, allY; \
	VEXTRACTF128 $1, allY, X9; \
	VMINPS X9, allX, allX; \
	LEAST(allX, X9, least(BX))

// func distancesAVX2(c, x *float32, d int, d2 *[64]float32, least *[4]float32)
TEXT ·distancesAVX2(SB), NOSPLIT, $0-40
	STARTS
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

dimension:
	VBROADCASTSS (DI), Y8
	HALF8((SI), Y0, Y9)
	HALF8(32(SI), Y1, Y10)
	HALF8((R8), Y2, Y11)
	HALF8(32(R8), Y3, Y12)
	HALF8((R9), Y4, Y13)
	HALF8(32(R9), Y5, Y14)
	HALF8((R10), Y6, Y15)
	HALF8(32(R10), Y7, Y9)
	NEXT
	DECQ CX
	JNZ  dimension

	KEEP8(Y0, Y1, X0, 0, 0)
	KEEP8(Y2, Y3, X2, 64, 4)
	KEEP8(Y4, Y5, X4, 128, 8)
	KEEP8(Y6, Y7, X6, 192, 12)
	VZEROUPPER
	RET

// func distancesAVX512(c, x *float32, d int, d2 *[64]float32, least *[4]float32)
TEXT ·distancesAVX512(SB), NOSPLIT, $0-40
	STARTS
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3

dimension:
	VBROADCASTSS (DI), Z4
	WHOLE16((SI), Z0, Z5)
	WHOLE16((R8), Z1, Z6)
	WHOLE16((R9), Z2, Z7)
	WHOLE16((R10), Z3, Z8)
	NEXT
	DECQ CX
	JNZ  dimension

	KEEP16(Z0, Y0, X0, 0, 0)
	KEEP16(Z1, Y1, X1, 64, 4)
	KEEP16(Z2, Y2, X2, 128, 8)
	KEEP16(Z3, Y3, X3, 192, 12)
	VZEROUPPER
	RET

// func pullAVX2(c, x *float32, d int, h *[16]float32)
TEXT ·pullAVX2(SB), NOSPLIT, $0-32
	MOVQ    c+0(FP), SI
	MOVQ    x+8(FP), DI
	MOVQ    d+16(FP), CX
	MOVQ    h+24(FP), DX
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1

dimension:
	VBROADCASTSS (DI), Y2
	VMOVUPS      (SI), Y3
	VMOVUPS      32(SI), Y4
	VSUBPS       Y3, Y2, Y5
	VSUBPS       Y4, Y2, Y6
	VMULPS       Y0, Y5, Y5
	VMULPS       Y1, Y6, Y6
	VADDPS       Y5, Y3, Y3
	VADDPS       Y6, Y4, Y4
	VMOVUPS      Y3, (SI)
	VMOVUPS      Y4, 32(SI)
	ADDQ         $4, DI
	ADDQ         $64, SI
	DECQ         CX
	JNZ          dimension
	VZEROUPPER
	RET

// func pullAVX512(c, x *float32, d int, h *[16]float32)
TEXT ·pullAVX512(SB), NOSPLIT, $0-32
	MOVQ    c+0(FP), SI
	MOVQ    x+8(FP), DI
	MOVQ    d+16(FP), CX
	MOVQ    h+24(FP), DX
	VMOVUPS (DX), Z0

dimension:
	VBROADCASTSS (DI), Z2
	VMOVUPS      (SI), Z3
	VSUBPS       Z3, Z2, Z5
	VMULPS       Z0, Z5, Z5
	VADDPS       Z5, Z3, Z3
	VMOVUPS      Z3, (SI)
	ADDQ         $4, DI
	ADDQ         $64, SI
	DECQ         CX
	JNZ          dimension
	VZEROUPPER
	RET
