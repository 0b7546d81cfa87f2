package transform

import (
	"fmt"
	"math"
	"slices"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
)

// The numbers that the scales of Gating-ML share, at their places among Params where a scale has all four.
const (
	scaleT = iota
	scaleW
	scaleM
	scaleA
)

// autoWidth stands for a width that is taken from the column: 0 is one of its own, and this is none that anybody types.
const autoWidth = -1e300

// Where an instrument does not say how far its scale goes it is taken for one of 18 bits.
const usualTop = 262144

func topParam() Param {
	return Param{Param: step.Param{ID: "top", Title: "Top", Max: 1e30, Help: "T: the value at the top of the scale. " +
		"auto: the upper end of the instrument's scale, else 262144."}, Typed: true, Auto: true}
}

func widthParam(help string) Param {
	return Param{Param: step.Param{ID: "width", Title: "Width", Max: 2, Default: autoWidth, Help: help},
		Auto: true, AutoAt: autoWidth}
}

func decadesParam() Param {
	return Param{Param: step.Param{ID: "decades", Title: "Decades", Min: 2, Max: 8, Default: 4.5,
		Help: "M: how many decades a logarithmic scale of this length would have."}, Seldom: true}
}

// belowParam is A; what is compared in the map does not depend on it, it counts where gates are exchanged.
func belowParam(least float64) Param {
	return Param{Param: step.Param{ID: "below", Title: "Below zero", Min: least, Max: 4,
		Help: "A: further decades below zero, of the scale that gates are exported on. The map does not change."},
		Seldom: true}
}

// wrongTop says what is wrong with T and M; T may be 0, for that of the column.
func wrongTop(name string, t, m float64) string {
	switch {
	case t != 0 && !(t >= 1e-30 && t <= 1e30):
		return fmt.Sprintf("the top T of %s must be above 0 and at most 1e30, it is %g", name, t)
	case !(m >= 0.1 && m <= 20):
		return fmt.Sprintf("the decades M of %s must be 0.1 <= M <= 20, they are %g", name, m)
	}
	return ""
}

// wrongEven says what is wrong with T, W, M and A of a scale that is even around zero: W may be auto, and is above 0
// where positive is set.
func wrongEven(name string, p Params, positive bool) string {
	t, w, m, a := p[scaleT], p[scaleW], p[scaleM], p[scaleA]
	if why := wrongTop(name, t, m); why != "" {
		return why
	}
	least, sign := -w, "0 <="
	if w == autoWidth {
		w, least = 0, -m/2
	}
	if positive {
		sign = "0 <"
	}
	switch {
	case !(w >= 0 && w <= m/2) || positive && p[scaleW] == 0:
		return fmt.Sprintf("the width W of %s must be %s W <= %g, half of its %g decades, it is %g", name, sign, m/2,
			m, w)
	case !(a >= least && a <= m-2*w):
		return fmt.Sprintf("the decades A of %s below zero must be %g <= A <= %g, they are %g", name, least, m-2*w, a)
	}
	return ""
}

// topOf is T, of the column where it is 0.
func topOf(t float64, c *dataset.Column) float64 {
	switch {
	case t != 0:
		return t
	case c.Range >= 1e-30 && c.Range <= 1e30:
		return c.Range
	}
	return usualTop
}

// widthOf is the width at whose lower end a twentieth of the negative values of a column lie further out, W = (M -
// log10(T / |r|)) / 2 with their 5th percentile r, within what M and A leave; none without negative values.
func widthOf(p Params, c *dataset.Column, none float64) float64 {
	w := none
	if r := farNegative(c); r < 0 {
		w = (p[scaleM] - math.Log10(p[scaleT]/-r)) / 2
	}
	return max(0, -p[scaleA], min(w, p[scaleM]/2, (p[scaleM]-p[scaleA])/2))
}

// mostNegative is how many negative values a percentile is taken of; of more, as many at even steps.
const mostNegative = 1 << 20

// farNegative returns the 5th percentile of the negative values of a column, 0 if there are none.
func farNegative(c *dataset.Column) float64 {
	every := len(c.Values)/mostNegative + 1
	var below []float64
	for i := 0; i < len(c.Values); i += every {
		if x := c.At(i); x < 0 && x >= -math.MaxFloat32 {
			below = append(below, x)
		}
	}
	if len(below) == 0 {
		return 0
	}
	slices.Sort(below)
	return dataset.Quantile(below, 0.05)
}

// standardEven is a scale that is even around zero in Gating-ML: there it has the same parameters, and runs from 0 to 1
// at the top. zero is where zero lies on it.
func standardEven(name string, p Params, zero float64, numbers ...Number) Standard {
	length := p[scaleM] + p[scaleA]
	return Standard{Name: name, Numbers: numbers, Lengths: 1,
		Place: func(u float64) float64 { return zero + u/(length*math.Ln10) }}
}

func numbersTWMA(p Params) []Number {
	return []Number{{"T", p[scaleT]}, {"W", p[scaleW]}, {"M", p[scaleM]}, {"A", p[scaleA]}}
}

// biexponential is logicle as an even scale. With the growth b per decade = ln 10 and that of the other exponential r,
//
//	x(u) = p (e^u - 1 - (e^(-r u) - 1) / r²),  ln r = -W ln 10 (1 + r) / 2,
//
// whose second derivative is 0 at zero, p being such that x((M - W) ln 10) = T. A only says where zero lies.
func biexponential(p Params) even {
	k := p[scaleW] * math.Ln10 / 2
	r := math.Exp(descend(0, func(s float64) (float64, float64) { // r is in (0, 1]
		e := math.Exp(s)
		return s + k*(1+e), 1 + k*e
	}))
	return evenTo(p[scaleT], (p[scaleM]-p[scaleW])*math.Ln10, func(u float64) (x, slope float64) {
		up, down := expm1(u), expm1(-r*u)
		return up - down/(r*r), up + 1 + (down+1)/r
	})
}
