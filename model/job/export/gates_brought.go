package export

import (
	"fmt"
	"math"
	"slices"

	"blossom/model/clusters/gating"
	"blossom/model/clusters/population"
	"blossom/model/space/transform"
)

// all is a gate of what several terms have.
func (g *gateFile) all(id string, r *population.All) (gates []*mlGate, why string) {
	gate := &mlGate{XMLName: name("BooleanGate"), ID: id}
	refs := &mlRefs{}
	for i, of := range r.Of {
		own := fmt.Sprintf("%s.%d", id, i+1)
		parts, why := g.rule(own, of.Rule)
		if why != "" {
			return nil, why
		}
		gates = append(gates, parts...)
		refs.Gates = append(refs.Gates, mlRef{own, of.Not})
	}
	if gate.And = refs; len(refs.Gates) == 1 && refs.Gates[0].Not {
		refs.Gates[0].Not = false
		gate.And, gate.Not = nil, refs
	}
	return append(gates, gate), ""
}

// brought is a gate that came from another program, as it was.
func (g *gateFile) brought(id string, of *gating.Gate) (gates []*mlGate, why string) {
	if of.Of != nil {
		return g.combined(id, of)
	}
	gate := &mlGate{XMLName: name("RectangleGate"), ID: id}
	for i, s := range of.Sides {
		d, why := g.side(s)
		if why != "" {
			return nil, why
		}
		if of.Range != nil {
			d.Min, d.Max = endOf(of.Range[i].Low), endOf(of.Range[i].High)
			if d.Min == "" && d.Max == "" {
				d.Min = number(-math.MaxFloat64)
			}
		}
		gate.Dimensions = append(gate.Dimensions, d)
	}
	switch e := of.Ellipse; {
	case of.Polygon != nil:
		gate.XMLName = name("PolygonGate")
		for _, p := range of.Polygon {
			gate.Vertices = append(gate.Vertices, mlVertex{[]mlValue{{p[0]}, {p[1]}}})
		}
	case e != nil:
		gate.XMLName, gate.Distance = name("EllipsoidGate"), &mlValue{e.Distance}
		gate.Mean, gate.Covariance = &mlVertex{entries(e.Mean)}, &mlRows{}
		for _, row := range e.Covariance {
			gate.Covariance.Rows = append(gate.Covariance.Rows, mlRow{entries(row)})
		}
	}
	if !of.Outside {
		return []*mlGate{gate}, ""
	}
	// A row that is outside has a place: it is among all that have one, and not in the region.
	gate.ID = id + ".1"
	there := &mlGate{XMLName: name("RectangleGate"), ID: id + ".2"}
	for _, d := range gate.Dimensions {
		d.Min, d.Max = number(-math.MaxFloat64), ""
		there.Dimensions = append(there.Dimensions, d)
	}
	return []*mlGate{gate, there, {XMLName: name("BooleanGate"), ID: id,
		And: &mlRefs{[]mlRef{{gate.ID, true}, {there.ID, false}}}}}, ""
}

// combined is a gate of another program that is made of others.
func (g *gateFile) combined(id string, of *gating.Gate) (gates []*mlGate, why string) {
	refs := &mlRefs{}
	for i, p := range of.Of {
		own := fmt.Sprintf("%s.%d", id, i+1)
		parts, why := g.brought(own, p.Gate)
		if why != "" {
			return nil, why
		}
		gates = append(gates, parts...)
		refs.Gates = append(refs.Gates, mlRef{own, p.Not})
	}
	gate := &mlGate{XMLName: name("BooleanGate"), ID: id, And: refs}
	if of.Any {
		gate.And, gate.Or = nil, refs
	}
	return append(gates, gate), ""
}

func entries(numbers []float64) (out []mlValue) {
	for _, x := range numbers {
		out = append(out, mlValue{x})
	}
	return out
}

func endOf(x *float64) string {
	if x == nil {
		return ""
	}
	return number(*x)
}

// side is a dimension of a gate of another program.
func (g *gateFile) side(s gating.Side) (d mlDimension, why string) {
	d.Compensation = "uncompensated"
	switch {
	case s.Files != nil:
		return d, "each file has its own columns or matrix, which Gating-ML cannot say"
	case s.Own:
		d.Compensation = "FCS"
	case s.Matrix != nil:
		d.Compensation = g.spectra(s.Matrix)
	}
	if r := s.Ratio; r != nil {
		d.New = &mlNew{g.function("fratio", []transform.Number{{Name: "A", Value: r.A}, {Name: "B", Value: r.B},
			{Name: "C", Value: r.C}}, mlColumn{r.X}, mlColumn{r.Y})}
	} else {
		d.Column = &mlColumn{s.Column}
	}
	if s.Scale == "" && s.Low == nil && s.High == nil {
		return d, ""
	}
	c, err := transform.ParseFile(s.Scale)
	op := transform.ByID(c.Op)
	if err != nil || op.Standard == nil || op.Standard(c.Params).Name != string(c.Op) {
		return d, "Gating-ML has no scale " + s.Scale
	}
	numbers := op.Standard(c.Params).Numbers
	if s.Low != nil {
		numbers = append(numbers, transform.Number{Name: "boundMin", Value: *s.Low})
	}
	if s.High != nil {
		numbers = append(numbers, transform.Number{Name: "boundMax", Value: *s.High})
	}
	d.Scale = g.function(op.Standard(c.Params).Name, numbers)
	return d, ""
}

// spectra adds a matrix of another program to the file, if it is not there yet, and returns its name.
func (g *gateFile) spectra(m *gating.Matrix) string {
	x := mlMatrix{Inverted: m.Inverse}
	for _, dye := range m.Dyes {
		x.Fluorochromes = append(x.Fluorochromes, mlColumn{dye})
	}
	for _, detector := range m.Detectors {
		x.Detectors = append(x.Detectors, mlColumn{detector})
	}
	for _, row := range m.Rows {
		var s mlSpectrum
		for _, v := range row {
			s.Coefficients = append(s.Coefficients, mlCoefficient{v})
		}
		x.Spectra = append(x.Spectra, s)
	}
	for _, o := range g.out.Matrices {
		if o.Inverted == x.Inverted && slices.Equal(o.Fluorochromes, x.Fluorochromes) &&
			slices.Equal(o.Detectors, x.Detectors) && slices.EqualFunc(o.Spectra, x.Spectra, func(a,
			b mlSpectrum) bool {
			return slices.Equal(a.Coefficients, b.Coefficients)
		}) {
			return o.ID
		}
	}
	x.ID = fmt.Sprintf("spectra%d", len(g.out.Matrices)+1)
	g.out.Matrices = append(g.out.Matrices, x)
	return x.ID
}
