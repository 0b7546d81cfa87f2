// Package exact sums float32 without rounding: the sum is a number that does not depend on the order of the values, on
// how they are split, and on who adds the parts, and is rounded once, when it is asked for.
//
// Each finite float32 is a multiple of 2^-149 below 2^128, so a sum is a whole number of these. It is kept modulo
// 2^320, two's complement in words of 64 bits, which leaves room for 2^42 values. Squares are multiples of 2^-298 below
// 2^256, kept modulo 2^640.
package exact

import (
	"math"
	"math/bits"
)

// The exponents of the units: a Sum counts 2^sumUnit, Squares count 2^squareUnit.
const (
	sumUnit    = -149
	squareUnit = 2 * sumUnit
)

// Sum is the sum of finite float32, exactly. The zero Sum is 0. Sums are compared with ==.
type Sum [5]uint64

// Add adds x, which is finite.
func (s *Sum) Add(x float32) {
	m, shift := parts(x)
	add(s[:], m, shift, math.Float32bits(x)>>31 != 0)
}

// AddFloat64 adds a sum of at most 2^42 finite float32 that float64 holds exactly.
func (s *Sum) AddFloat64(x float64) { addFloat64(s[:], x, sumUnit) }

// AddScaled adds v 2^exponent, of which all bits count for 2^-149 at least.
func (s *Sum) AddScaled(v int64, exponent int) {
	m := uint64(max(v, -v))
	if exponent < sumUnit {
		m, exponent = m>>(sumUnit-exponent), sumUnit
	}
	add(s[:], m, uint(exponent-sumUnit), v < 0)
}

// addFloat64 adds a multiple of 2^unit to w.
func addFloat64(w []uint64, x float64, unit int) {
	b := math.Float64bits(x)
	e, m := int(b>>52&0x7ff), b&(1<<52-1)
	if e == 0 { // 0, as no other of these is a multiple of the unit
		return
	}
	m |= 1 << 52
	one := 1075 + unit // the exponent field of a number whose last bit is the unit
	if e < one {
		m, e = m>>(one-e), one
	}
	add(w, m, uint(e-one), b>>63 != 0)
}

// Merge adds another sum.
func (s *Sum) Merge(o *Sum) { merge(s[:], o[:]) }

// Float64 returns the sum, rounded to the nearest float64, ties to even.
func (s *Sum) Float64() float64 { w := *s; return round(w[:], sumUnit) }

// Squares is the sum of the squares of finite float32, exactly. The zero Squares is 0.
type Squares [10]uint64

// Add adds the square of x, which is finite.
func (s *Squares) Add(x float32) {
	m, shift := parts(x)
	add(s[:], m*m, 2*shift, false)
}

// Merge adds another sum.
func (s *Squares) Merge(o *Squares) { merge(s[:], o[:]) }

// Float64 returns the sum, rounded to the nearest float64, ties to even.
func (s *Squares) Float64() float64 { w := *s; return round(w[:], squareUnit) }

// parts returns the size of x: m 2^shift of the unit of a Sum.
func parts(x float32) (m uint64, shift uint) {
	b := math.Float32bits(x)
	m, e := uint64(b&(1<<23-1)), uint(b>>23&0xff)
	if e == 0 {
		return m, 0
	}
	return m | 1<<23, e - 1
}

// add adds m 2^shift to w, or takes it off.
func add(w []uint64, m uint64, shift uint, negative bool) {
	at, off := shift/64, shift%64
	low, high := m<<off, m>>1>>(63-off)
	var carry uint64
	if negative {
		w[at], carry = bits.Sub64(w[at], low, 0)
		for at++; at < uint(len(w)) && (high|carry) != 0; at++ {
			w[at], carry = bits.Sub64(w[at], high, carry)
			high = 0
		}
		return
	}
	w[at], carry = bits.Add64(w[at], low, 0)
	for at++; at < uint(len(w)) && (high|carry) != 0; at++ {
		w[at], carry = bits.Add64(w[at], high, carry)
		high = 0
	}
}

// merge adds b to a, which is as long.
func merge(a, b []uint64) {
	var carry uint64
	for i := range a {
		a[i], carry = bits.Add64(a[i], b[i], carry)
	}
}

// round returns w times 2^unit, rounded to the nearest float64, ties to even. It leaves the size in w.
func round(w []uint64, unit int) float64 {
	negative := w[len(w)-1]>>63 != 0
	if negative {
		carry := uint64(1)
		for i := range w {
			w[i], carry = bits.Add64(^w[i], 0, carry)
		}
	}
	top := len(w) - 1
	for top > 0 && w[top] == 0 {
		top--
	}
	low := 64*top + bits.Len64(w[top]) - 53 // the place of the last bit that is kept
	var m uint64
	if low <= 0 {
		m, low = w[0], 0
	} else {
		at, off := low/64, uint(low%64)
		if m = w[at] >> off; off > 11 { // its 53 bits reach into the next word
			m |= w[at+1] << (64 - off)
		}
		m &= 1<<53 - 1
		if half := w[(low-1)/64] >> uint((low-1)%64) & 1; half != 0 && (m&1 != 0 || below(w, low-1)) {
			m++
		}
	}
	x := math.Ldexp(float64(m), low+unit)
	if negative {
		return -x
	}
	return x
}

// below says whether a bit of w is set before place n.
func below(w []uint64, n int) bool {
	for i := range n / 64 {
		if w[i] != 0 {
			return true
		}
	}
	return w[n/64]&(1<<uint(n%64)-1) != 0
}
