package export

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// Gates writes the populations that are regions of columns as Gating-ML 2.0 (ISAC, Spidlen et al., Cytometry A
// 87:683, 2015), for data whose columns a transform takes: a gate for each, one in another as they are. It returns the
// names of those that no file of gates can hold, with the reason: fixed points, points of landmarks, labels, and what
// lies in one of these. Values are compensated as the transform says. A region of Gating-ML has its lower ends but not
// its upper ones, so that these are the next larger number there.
func Gates(w io.Writer, ds *dataset.Dataset, spec transform.Spec, t population.Tree) (left []string, err error) {
	g := gateFile{ds: ds, spec: spec, ids: map[population.ID]string{}, columns: map[int]*dataset.Column{}}
	g.out = gatingML{Gating: "http://www.isac-net.org/std/Gating-ML/v2.0/gating",
		Transforms: "http://www.isac-net.org/std/Gating-ML/v2.0/transformations",
		Types:      "http://www.isac-net.org/std/Gating-ML/v2.0/datatypes"}
	for _, p := range t.All() {
		up, inside := g.ids[p.Parent], p.Parent != 0
		if inside && up == "" {
			left = append(left, population.Brief(p.Name)+" (what it lies in is no gate)")
			continue
		}
		id := fmt.Sprintf("gate%d", p.ID)
		gates, why := g.rule(id, p.Rule)
		if why != "" {
			left = append(left, population.Brief(p.Name)+" ("+why+")")
			continue
		}
		for _, part := range gates {
			part.Info = &gateInfo{Part: &struct{}{}}
		}
		last := gates[len(gates)-1]
		last.Parent, last.Info = up, &gateInfo{Name: p.Name}
		g.ids[p.ID] = id
		g.out.Gates = append(g.out.Gates, gates...)
	}
	if len(g.out.Gates) == 0 {
		return left, problem.New("", "draw some in a view of two columns", "there are no gates")
	}
	text, err := xml.MarshalIndent(g.out, "", "  ")
	if err != nil {
		return left, err
	}
	_, err = w.Write(append(append([]byte(xml.Header), text...), '\n'))
	return left, err
}

// gateFile is a file of gates being made.
type gateFile struct {
	ds   *dataset.Dataset
	spec transform.Spec
	ids  map[population.ID]string
	out  gatingML

	columns map[int]*dataset.Column // as the gates take them
}

// rule returns the gates that a rule is, the one that has its rows the last; why says why it is none.
func (g *gateFile) rule(id string, r population.Rule) (gates []*mlGate, why string) {
	switch r := r.(type) {
	case *population.Limits:
		return g.limits(id, r)
	case *population.Gate:
		if r.Shape == population.Polygon {
			return g.polygon(id, r)
		}
		return g.box(id, r)
	case *population.Any:
		return g.any(id, r)
	case *population.All:
		return g.all(id, r)
	case *population.Brought:
		return g.brought(id, r.Gate)
	}
	return nil, "it is made of " + r.Says()
}

// limits is a gate of a range of each of some columns.
func (g *gateFile) limits(id string, r *population.Limits) (gates []*mlGate, why string) {
	gate := &mlGate{XMLName: name("RectangleGate"), ID: id}
	for _, l := range r.Of {
		d, _, why := g.dimension(population.Axis{Column: l.Column}, "")
		if why != "" {
			return nil, why
		}
		d.Min, d.Max = g.end(l.Column, l.Low), number(above(g.value(l.Column, l.High)))
		if d.Min == "" && d.Max == "" { // all that has a value: a range has an end
			d.Min = number(-math.MaxFloat64)
		}
		gate.Dimensions = append(gate.Dimensions, d)
	}
	return []*mlGate{gate}, ""
}

// box is a rectangle or a quadrant, in units of the file: its sides are at the same values there.
func (g *gateFile) box(id string, r *population.Gate) (gates []*mlGate, why string) {
	gate := &mlGate{XMLName: name("RectangleGate"), ID: id}
	for i, axis := range []population.Axis{r.X, r.Y} {
		d, f, why := g.dimension(axis, "")
		if why != "" {
			return nil, why
		}
		a, b := f.Inverse(r.Path[0][i]), f.Inverse(r.Path[1][i])
		low, high := min(a, b), above(max(a, b))
		falling, upper := f.Forward(1) < f.Forward(0), r.Path[1][i] > 0
		if !falling { // the first value that is in, and the first one that is no more, as they are shown
			from, to := min(r.Path[0][i], r.Path[1][i]), max(r.Path[0][i], r.Path[1][i])
			low = first(f, low, func(y float64) bool { return y >= from })
			high = first(f, high, func(y float64) bool { return y > to })
			a = first(f, a, func(y float64) bool { return y >= r.Path[0][i] })
		}
		if r.Shape == population.Quadrant {
			switch {
			case falling && upper:
				low, high = math.Inf(-1), above(a)
			case falling:
				low, high = above(a), math.Inf(1)
			case upper:
				low, high = a, math.Inf(1)
			default:
				low, high = math.Inf(-1), a
			}
		}
		d.Min, d.Max = g.end(axis.Column, low), g.end(axis.Column, high)
		gate.Dimensions = append(gate.Dimensions, d)
	}
	return []*mlGate{gate}, ""
}

// first is the smallest float32 near a value whose place, which is a float32 as well, is one of those that in says; the
// value itself where there is none near it.
func first(f transform.Func, near float64, in func(y float64) bool) float64 {
	const most = 64 // float32 in sight
	is := func(x float32) bool { return in(float64(float32(f.Forward(float64(x))))) }
	x := float32(near)
	for range most {
		if is(x) {
			break
		}
		x = math.Nextafter32(x, float32(math.Inf(1)))
	}
	for range most {
		if before := math.Nextafter32(x, float32(math.Inf(-1))); is(before) {
			x = before
			continue
		}
		if is(x) {
			return float64(x)
		}
		break
	}
	return near
}

// polygon is a polygon on the scale that it was drawn on: its sides are straight there.
func (g *gateFile) polygon(id string, r *population.Gate) (gates []*mlGate, why string) {
	gate := &mlGate{XMLName: name("PolygonGate"), ID: id}
	var to [2]func(float64) float64
	for i, a := range []population.Axis{r.X, r.Y} {
		scale, place, why := g.scale(a)
		if why != "" {
			return nil, why
		}
		d, _, why := g.dimension(a, scale)
		if why != "" {
			return nil, why
		}
		gate.Dimensions, to[i] = append(gate.Dimensions, d), place
	}
	for _, p := range r.Path {
		gate.Vertices = append(gate.Vertices, mlVertex{[]mlValue{{to[0](p[0])}, {to[1](p[1])}}})
	}
	return []*mlGate{gate}, ""
}

// any is a gate of what is in any of several.
func (g *gateFile) any(id string, r *population.Any) (gates []*mlGate, why string) {
	gate := &mlGate{XMLName: name("BooleanGate"), ID: id, Or: &mlRefs{}}
	for i, of := range r.Of {
		own := fmt.Sprintf("%s.%d", id, i+1)
		parts, why := g.rule(own, of)
		if why != "" {
			return nil, why
		}
		gates = append(gates, parts...)
		gate.Or.Gates = append(gate.Or.Gates, mlRef{ID: own})
	}
	return append(gates, gate), ""
}

// setting is the transform of an axis, with what it takes from the data.
func (g *gateFile) setting(a population.Axis) (c transform.Column, f transform.Func) {
	if a.Transform == "" {
		return c, f
	}
	c, err := transform.ParseFile(a.Transform)
	at, ok := g.ds.Places()[a.Column]
	if err != nil || !ok {
		return transform.Column{}, f
	}
	spec := g.spec.Clone()
	spec.Columns[at] = c
	f = transform.Function(g.ds, spec, at)
	return c.With(c.Op, f.Params), f
}

// scale adds the scale of an axis to the file, if there is none of it yet, and returns its name, "" for values as they
// are, and where a coordinate of the axis lies on it.
func (g *gateFile) scale(a population.Axis) (id string, place func(float64) float64, why string) {
	c, _ := g.setting(a)
	op := transform.ByID(c.Op)
	if op == nil || op.Standard == nil {
		return "", nil, "Gating-ML has no scale " + a.Transform
	}
	s := op.Standard(c.Params)
	if s, why = amplified(s, g.column(a.Column)); why != "" {
		return "", nil, why
	}
	if s.Name == "" {
		return "", s.Place, ""
	}
	return g.function(s.Name, s.Numbers), s.Place, ""
}

// amplified is a scale of raw values of a column as one of those that these stand for, which Gating-ML takes.
func amplified(s transform.Standard, c *dataset.Column) (out transform.Standard, why string) {
	switch place := s.Place; {
	case c == nil || c.Log == nil && (c.Gain <= 0 || c.Gain == 1):
	case c.Log != nil && s.Name != "":
		return s, "its axis is a scale of logarithms"
	case c.Log != nil: // a line that is straight in raw values is so on a logarithm
		l := c.Log
		return transform.Logarithms(l.Linear(l.Range), l.Decades, func(y float64) float64 {
			return place(y) / l.Range
		}), ""
	case s.Name == "":
		s.Place = func(y float64) float64 { return place(y) / c.Gain }
	default:
		return s.Magnified(1 / c.Gain), ""
	}
	return s, ""
}

// column is a column as the gates take it: one that is compensated is so in linear values.
func (g *gateFile) column(name string) *dataset.Column {
	at, ok := g.ds.Places()[name]
	if !ok {
		return nil
	}
	if c := g.columns[at]; c != nil {
		return c
	}
	c := transform.Mixed(g.ds, g.spec, at)
	g.columns[at] = c
	return c
}

// value is what a raw value of a column stands for.
func (g *gateFile) value(name string, x float64) float64 {
	if c := g.column(name); c != nil && !math.IsInf(x, 0) {
		return c.ScaleValue(x)
	}
	return x
}

// end is an end of a range of raw values.
func (g *gateFile) end(name string, x float64) string { return number(g.value(name, x)) }

// function adds a transformation to the file, if it is not there yet, and returns its name.
func (g *gateFile) function(kind string, numbers []transform.Number, columns ...mlColumn) (id string) {
	of := mlFunction{XMLName: xml.Name{Local: "transforms:" + kind}, Columns: columns}
	for _, n := range numbers {
		of.Numbers = append(of.Numbers, xml.Attr{Name: xml.Name{Local: "transforms:" + n.Name}, Value: number(n.Value)})
	}
	i := slices.IndexFunc(g.out.Scales, func(x mlScale) bool {
		return x.Of.XMLName == of.XMLName && slices.Equal(x.Of.Numbers, of.Numbers) && slices.Equal(x.Of.Columns,
			of.Columns)
	})
	if i < 0 {
		i = len(g.out.Scales)
		g.out.Scales = append(g.out.Scales, mlScale{fmt.Sprintf("scale%d", i+1), of})
	}
	return g.out.Scales[i].ID
}

// dimension is a column of a gate; scale is the name of the one it is shown on, "" for none.
func (g *gateFile) dimension(a population.Axis, scale string) (d mlDimension, f transform.Func, why string) {
	at, ok := g.ds.Places()[a.Column]
	if !ok {
		return d, f, "there is no column " + a.Column
	}
	d = mlDimension{Compensation: "uncompensated", Scale: scale}
	d.Column = &mlColumn{a.Column}
	for i, m := range g.spec.Mixes {
		if !slices.Contains(m.Changed(), at) {
			continue
		}
		switch m.Op {
		case transform.CompensateEach: // each file has its own
			if brought, _ := transform.BroughtCompensation(g.ds); !g.spec.Takes(g.ds, at, brought) {
				return d, f, "each file has a matrix of its own that is not the one that it brings"
			}
			d.Compensation = "FCS"
		case transform.Linearise: // as Gating-ML takes them
		case transform.Compensate:
			d.Compensation, d.Column.Name = g.matrix(i), "Comp-"+a.Column
		default:
			return d, f, "Gating-ML does not know what " + strings.ToLower(m.Says()) + " does"
		}
	}
	_, f = g.setting(a)
	return d, f, ""
}

// matrix adds the matrix of a mix to the file, if it is not there yet, and returns its name.
func (g *gateFile) matrix(mix int) string {
	id, m := fmt.Sprintf("spillover%d", mix+1), g.spec.Mixes[mix]
	if slices.ContainsFunc(g.out.Matrices, func(x mlMatrix) bool { return x.ID == id }) {
		return id
	}
	x := mlMatrix{ID: id}
	for i, c := range m.Cols {
		column := g.ds.Columns[c].Name
		x.Fluorochromes = append(x.Fluorochromes, mlColumn{"Comp-" + column})
		x.Detectors = append(x.Detectors, mlColumn{column})
		var row mlSpectrum
		for _, v := range m.Values[i*len(m.Cols) : (i+1)*len(m.Cols)] {
			row.Coefficients = append(row.Coefficients, mlCoefficient{v})
		}
		x.Spectra = append(x.Spectra, row)
	}
	g.out.Matrices = append(g.out.Matrices, x)
	return id
}

// above is the next larger number: as a range of Gating-ML ends before its upper end.
func above(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }

// number is an end of a range; none where it is infinite.
func number(x float64) string {
	if math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func name(gate string) xml.Name { return xml.Name{Local: "gating:" + gate} }
