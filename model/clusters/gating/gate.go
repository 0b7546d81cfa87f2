// Package gating reads gates that other programs have drawn, Gating-ML 2.0 (ISAC, Spidlen et al., Cytometry A 87:683,
// 2015) and workspaces of FlowJo 10, and says which rows of a table are in them. It is pure: what it works out, it
// works out in float64, and what our own rules of populations make of gates is held against it.
package gating

import (
	"fmt"
	"math"
	"slices"

	"blossom/model/base/problem"
)

// MostCorners is how many corners a polygon may have.
const MostCorners = 10_000

// Limits of what is read.
const (
	maxGates    = 10_000
	maxMade     = 20_000 // gates within a gate
	maxSides    = 64     // dimensions of a gate
	maxDetector = 1024
	maxName     = 10_000
)

// Gate is a gate on its own: what it refers to is in it. It is a region of one of several shapes, or made of others.
type Gate struct {
	Sides []Side `json:"sides,omitempty"` // the dimensions of a region

	Range   []Range      `json:"range,omitempty"`   // a range in each dimension, without its high end
	Polygon [][2]float64 `json:"polygon,omitempty"` // corners in the plane of two dimensions; edges belong to it
	Ellipse *Ellipse     `json:"ellipse,omitempty"`

	// A gate that is made of others has the rows of all of these, or of any of them where Any is set.
	Of  []Part `json:"of,omitempty"`
	Any bool   `json:"any,omitempty"`

	Outside bool `json:"outside,omitempty"` // it has the rows with a place outside the region

	Quarter bool `json:"-"` // it is one of the parts that lines make, as those of dividers are
}

// Part is a gate as another takes it.
type Part struct {
	Gate *Gate `json:"gate"`
	Not  bool  `json:"not,omitempty"` // its complement is taken
}

// Range is the places from Low to before High; nil: no end.
type Range struct {
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// Ellipse is the places x with (x - Mean)' Covariance^-1 (x - Mean) <= Distance, of any number of dimensions.
type Ellipse struct {
	Mean       []float64   `json:"mean"`
	Covariance [][]float64 `json:"covariance"`
	Distance   float64     `json:"distance_square"`
}

// Side is a dimension of a gate: a column, or the ratio of two, compensated, on a scale.
type Side struct {
	Column string `json:"column,omitempty"`
	// Own: compensated as the file of the data says. Matrix: with this one. Neither: as it was measured.
	Own    bool    `json:"own,omitempty"`
	Matrix *Matrix `json:"matrix,omitempty"`
	Ratio  *Ratio  `json:"ratio,omitempty"` // in the place of Column
	Scale  string  `json:"scale,omitempty"` // as transform.ParseFile reads it; "": values as they are
	// Drawn is the scale that a gate of such values has been drawn on, "" for none: it is where the gate is seen.
	Drawn string `json:"-"`
	// Low and High bound places on the scale, where the file has it so.
	Low  *float64 `json:"at_least,omitempty"`
	High *float64 `json:"at_most,omitempty"`
	// Files is what each of several files has for the dimension before its scale, where that differs: in the place of
	// Column or Ratio, and of what goes with these.
	Files []OfFile `json:"files,omitempty"`
}

// OfFile is a dimension of the rows of a file, which has this name among those of its table.
type OfFile struct {
	File string `json:"file"`
	Side Side   `json:"side"`
}

// Ratio is A (x - B) / (y - C) of two columns.
type Ratio struct {
	X string  `json:"x"`
	Y string  `json:"y"`
	A float64 `json:"a"`
	B float64 `json:"b"`
	C float64 `json:"c"`
}

// Matrix is a matrix of spectra: a row for each of Dyes with its share in each of Detectors.
type Matrix struct {
	Dyes      []string    `json:"dyes"`
	Detectors []string    `json:"detectors"`
	Rows      [][]float64 `json:"rows"`
	Inverse   bool        `json:"inverse,omitempty"` // it is what values are multiplied with as it stands
}

// Named is a gate of a file with its name and the one that it lies in, -1 for none.
type Named struct {
	Name   string
	Parent int
	Gate   *Gate
}

// Strategy is the gates of a file, each behind the one that it lies in.
type Strategy struct {
	Gates []Named
	Left  []string // gates of the file that are left out, in words
	Notes []string // remarks about the file as a whole
}

// Columns are the names of the columns that a gate looks at, each once: the detectors of a matrix where a dye of it is
// looked at.
func (g *Gate) Columns() (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	seen := map[*Gate]bool{}
	var gate func(*Gate)
	gate = func(g *Gate) {
		if seen[g] {
			return
		}
		seen[g] = true
		for i := range g.Sides {
			g.Sides[i].columns(add)
		}
		for _, p := range g.Of {
			gate(p.Gate)
		}
	}
	gate(g)
	return names
}

// columns adds those of a dimension.
func (s *Side) columns(add func(name string)) {
	for i := range s.Files {
		s.Files[i].Side.columns(add)
	}
	looked := []string{s.Column}
	if s.Ratio != nil {
		looked = append(looked, s.Ratio.X, s.Ratio.Y)
	}
	for _, name := range looked {
		if s.Matrix == nil || !s.Matrix.has(name) { // a dye is no column
			add(name)
		}
	}
	if s.Matrix != nil && slices.ContainsFunc(looked, s.Matrix.has) {
		for _, name := range s.Matrix.Detectors {
			add(name)
		}
	}
}

func (m *Matrix) has(dye string) bool { return slices.Contains(m.Dyes, dye) }

// Check says what is wrong with a gate, wherever it is from. The error is a Problem.
func (g *Gate) Check() error { return g.check(0) }

func (g *Gate) check(deep int) error {
	bad := func(format string, args ...any) error { return problem.New("", "leave it out", format, args...) }
	if deep > 64 {
		return bad("gates lie within each other more than 64 deep")
	}
	n := len(g.Sides)
	shapes := 0
	for _, is := range []bool{g.Range != nil, g.Polygon != nil, g.Ellipse != nil, g.Of != nil} {
		if is {
			shapes++
		}
	}
	switch {
	case shapes != 1:
		return bad("a gate of %d shapes is none", shapes)
	case g.Of == nil && (n == 0 || n > maxSides):
		return bad("a gate of %d dimensions is none", n)
	case g.Range != nil && len(g.Range) != n:
		return bad("a gate of %d ranges of %d dimensions is none", len(g.Range), n)
	case g.Polygon != nil && (n != 2 || len(g.Polygon) < 3 || len(g.Polygon) > MostCorners):
		return bad("a polygon of %d corners in %d dimensions is no gate", len(g.Polygon), n)
	case g.Of != nil && (len(g.Of) == 0 || len(g.Of) > maxGates || n > 0):
		return bad("a gate that is made of %d others is none", len(g.Of))
	}
	for _, p := range g.Polygon {
		if !finite(p[0]) || !finite(p[1]) {
			return bad("a polygon with a corner at %g, %g is no gate", p[0], p[1])
		}
	}
	for _, r := range g.Range {
		if r.Low != nil && math.IsNaN(*r.Low) || r.High != nil && math.IsNaN(*r.High) {
			return bad("a range needs numbers")
		}
	}
	if e := g.Ellipse; e != nil {
		if _, err := e.inverse(n); err != nil {
			return err
		}
	}
	for _, s := range g.Sides {
		if err := s.check(); err != nil {
			return err
		}
	}
	for _, p := range g.Of {
		if p.Gate == nil {
			return bad("a gate is made of one that is not there")
		}
		if err := p.Gate.check(deep + 1); err != nil {
			return err
		}
	}
	return nil
}

func finite(x float64) bool { return x-x == 0 }

// words says so many of a thing.
func words(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
