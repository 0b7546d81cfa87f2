package gating

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
	"blossom/model/data/spillover"
)

// gatingML reads a document of Gating-ML 2.0. What a gate refers to and is not there, and gates that refer to each
// other in a circle, are errors.
func gatingML(root *xmlfile.Element, ds *dataset.Dataset) (*Strategy, error) {
	remark, err := edition(root.Name.Space)
	if err != nil {
		return nil, err
	}
	d := document{gates: map[string]*read{}, scales: map[string]scale{}, matrices: map[string]*Matrix{}}
	for _, e := range root.Children {
		var err error
		switch e.Name.Local {
		case "spectrumMatrix":
			err = d.matrix(e)
		case "transformation":
			err = d.scale(e)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, e := range root.Children {
		if err := d.gate(e); err != nil {
			return nil, err
		}
	}
	s, err := d.strategy()
	if err != nil {
		return nil, err
	}
	if remark != "" {
		s.Notes = append(s.Notes, remark)
	}
	var of []*Strategy
	for f := range max(1, len(ds.Sources)) {
		of = append(of, s.in(ds, f))
	}
	return together(ds, of)
}

// document is a document that is being read.
type document struct {
	scales   map[string]scale
	matrices map[string]*Matrix
	gates    map[string]*read
	order    []*read
	left     []string
	notes    []string
}

// scale is a transformation: a scale of one dimension, or a ratio that is one.
type scale struct {
	text      string
	low, high *float64
	ratio     *Ratio
}

// read is a gate as it was read, which names what it refers to.
type read struct {
	id, name, parent string
	part             bool // it is but a part of others
	gate             *Gate
	refs             []reference
	size             int // gates that it is made of, again and again where it has one several times
	state            int // 0: untouched, 1: its references are being followed, 2: done
	place            int // in the strategy, -1: not there yet
}

type reference struct {
	id  string
	not bool
}

func (d *document) matrix(e *xmlfile.Element) error {
	id, _ := e.Attr("id")
	read, why := spillover.SpectraOf(e)
	if why != "" {
		return wrong("has a matrix of spillover %.60q that %s", id, why)
	}
	m := &Matrix{Dyes: read.Dyes, Detectors: read.Detectors, Rows: read.Rows, Inverse: read.Inverse}
	if _, err := m.unmix(); err != nil {
		return err
	}
	if read.Percent {
		d.notes = append(d.notes, fmt.Sprintf("the matrix of spillover %.60s %s", id, inPercent))
	}
	d.matrices[id] = m
	return nil
}

// inPercent is said of a matrix.
const inPercent = "is in percent, and was divided by 100"

func yes(text string) bool { return text == "1" || strings.EqualFold(strings.TrimSpace(text), "true") }

func (d *document) scale(e *xmlfile.Element) error {
	id, _ := e.Attr("id")
	if len(e.Children) == 0 {
		return wrong("has a transformation %.60q of nothing", id)
	}
	f := e.Children[0]
	var s scale
	var err error
	if f.Name.Local == "fratio" {
		of := names(f)
		if len(of) != 2 {
			return wrong("has a ratio %.60q of %d columns", id, len(of))
		}
		s.ratio = &Ratio{X: of[0], Y: of[1]}
		for name, to := range map[string]*float64{"A": &s.ratio.A, "B": &s.ratio.B, "C": &s.ratio.C} {
			if *to, err = required(f, name); err != nil {
				return err
			}
		}
	} else {
		known := false
		if s.text, known, err = scaleText(f); err != nil {
			return err
		}
		if !known {
			return wrong("has a transformation %.60q of a kind that is not known, %.40s", id, f.Name.Local)
		}
	}
	for _, of := range []*xmlfile.Element{e, f} {
		for name, to := range map[string]**float64{"boundMin": &s.low, "boundMax": &s.high} {
			if *to == nil {
				if *to, err = end(of, name); err != nil {
					return err
				}
			}
		}
	}
	d.scales[id] = s
	return nil
}

// gate reads an element that is a gate, and leaves others alone.
func (d *document) gate(e *xmlfile.Element) error {
	g := &Gate{}
	r := &read{gate: g, place: -1}
	var err error
	switch e.Name.Local {
	case "RectangleGate":
		g.Range = []Range{}
		err = d.ranges(e, g)
	case "PolygonGate":
		if err = d.sides(e, g); err == nil {
			g.Polygon, err = corners(e)
		}
	case "EllipsoidGate":
		err = d.ellipse(e, g)
	case "BooleanGate":
		err = d.boolean(e, r)
	case "QuadrantGate":
		return d.quadrants(e)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	return d.keep(e, r)
}

// keep takes a gate with what all gates have.
func (d *document) keep(e *xmlfile.Element, r *read) error {
	if r.id == "" {
		r.id, _ = e.Attr("id")
	}
	if r.parent == "" {
		r.parent, _ = e.Attr("parent_id")
	}
	if r.id == "" {
		return wrong("has a %.40s without an id", e.Name.Local)
	}
	if _, twice := d.gates[r.id]; twice {
		return wrong("has two gates with the id %.60q", r.id)
	}
	if len(d.order) >= maxGates {
		return wrong("has more than %d gates", maxGates)
	}
	r.name, r.part = nameOf(e, r.id), partOnly(e)
	if r.gate.Of == nil && r.refs == nil {
		if err := r.gate.Check(); err != nil {
			return wrong("its gate %.60q: %s", r.id, whatOf(err))
		}
	}
	d.gates[r.id] = r
	d.order = append(d.order, r)
	return nil
}

// nameOf is what a gate is called: by its information where that says so, else its ID.
func nameOf(e *xmlfile.Element, id string) string {
	for info := range e.Named("custom_info") {
		for n := range info.All("name") {
			if n.Text != "" && len(n.Text) <= maxName {
				return n.Text
			}
		}
	}
	return id
}

// partOnly says whether the information of a gate, as we write it, says that it is but a part of others.
func partOnly(e *xmlfile.Element) bool {
	for info := range e.Named("custom_info") {
		if info.Child("part") != nil {
			return true
		}
	}
	return false
}

func (d *document) sides(e *xmlfile.Element, g *Gate) error {
	for of := range e.Named("dimension") {
		s, err := d.side(of)
		if err != nil {
			return err
		}
		if len(g.Sides) >= maxSides {
			return wrong("has a gate of more than %d dimensions", maxSides)
		}
		g.Sides = append(g.Sides, s)
	}
	return nil
}

func (d *document) ranges(e *xmlfile.Element, g *Gate) error {
	if err := d.sides(e, g); err != nil {
		return err
	}
	for of := range e.Named("dimension") {
		low, err := end(of, "min")
		if err != nil {
			return err
		}
		high, err := end(of, "max")
		if err != nil {
			return err
		}
		g.Range = append(g.Range, Range{low, high})
	}
	return nil
}

// side reads a dimension, or a divider.
func (d *document) side(e *xmlfile.Element) (s Side, err error) {
	if of := e.Child("new-dimension"); of != nil {
		id, _ := of.Attr("transformation-ref")
		t, ok := d.scales[id]
		if !ok || t.ratio == nil {
			return s, wrong("has a dimension of the ratio %.60q, which is not there", id)
		}
		s.Ratio = t.ratio
	} else if of := e.Child("fcs-dimension"); of != nil {
		s.Column, _ = of.Attr("name")
	}
	if s.Column == "" && s.Ratio == nil {
		return s, wrong("has a dimension without a column")
	}
	switch by, ok := e.Attr("compensation-ref"); {
	case !ok || by == "uncompensated":
	case by == "FCS":
		s.Own = true
	default:
		if s.Matrix = d.matrices[by]; s.Matrix == nil {
			return s, wrong("has a dimension compensated with %.60q, which is not there", by)
		}
		if s.Ratio == nil && !s.Matrix.has(s.Column) {
			d.detector(&s)
		}
	}
	id, ok := e.Attr("transformation-ref")
	if !ok {
		return s, nil
	}
	t, known := d.scales[id]
	if !known || t.ratio != nil {
		return s, wrong("has a dimension on the scale %.60q, which is not there", id)
	}
	s.Scale, s.Low, s.High = t.text, t.low, t.high
	return s, nil
}

// detector finds the dye of a dimension that is called by its detector; one that is neither is not compensated.
func (d *document) detector(s *Side) {
	if i := slices.Index(s.Matrix.Detectors, s.Column); i >= 0 && len(s.Matrix.Dyes) == len(s.Matrix.Detectors) {
		s.Column = s.Matrix.Dyes[i]
		return
	}
	s.Matrix = nil
}

func (d *document) ellipse(e *xmlfile.Element, g *Gate) error {
	if err := d.sides(e, g); err != nil {
		return err
	}
	g.Ellipse = &Ellipse{}
	var err error
	if m := e.Child("mean"); m != nil {
		if g.Ellipse.Mean, err = values(m, "coordinate"); err != nil {
			return err
		}
	}
	if m := e.Child("covarianceMatrix"); m != nil {
		for row := range m.Named("row") {
			v, err := values(row, "entry")
			if err != nil {
				return err
			}
			if len(g.Ellipse.Covariance) > maxSides {
				return wrong("has a covariance of more than %d rows", maxSides)
			}
			g.Ellipse.Covariance = append(g.Ellipse.Covariance, v)
		}
	}
	of := e.Child("distanceSquare")
	if of == nil {
		return wrong("has an ellipsoid without a distance")
	}
	g.Ellipse.Distance, err = required(of, "value")
	return err
}

func (d *document) boolean(e *xmlfile.Element, r *read) error {
	for _, kind := range []string{"and", "or", "not"} {
		of := e.Child(kind)
		if of == nil {
			continue
		}
		r.gate.Any = kind == "or"
		for ref := range of.Named("gateReference") {
			id, _ := ref.Attr("ref")
			not, _ := ref.Attr("use-as-complement")
			if len(r.refs) >= maxGates {
				return wrong("has a gate of more than %d others", maxGates)
			}
			r.refs = append(r.refs, reference{id, yes(not) != (kind == "not")})
		}
		if len(r.refs) == 0 || kind == "not" && len(r.refs) != 1 {
			return wrong("has a gate that is %q of %s", kind, words(len(r.refs), "other", "others"))
		}
		return nil
	}
	return wrong("has a Boolean gate of neither and, or, nor not")
}

// quadrants reads the parts that dividers make, each as a gate of its own: what lies on a divider belongs above it.
func (d *document) quadrants(e *xmlfile.Element) error {
	type divider struct {
		side   Side
		values []float64
	}
	dividers := map[string]divider{}
	for of := range e.Named("divider") {
		id, _ := of.Attr("id")
		side, err := d.side(of)
		if err != nil {
			return err
		}
		div := divider{side: side}
		for v := range of.Named("value") {
			x, err := textNumber(v)
			if err != nil {
				return err
			}
			div.values = append(div.values, x)
		}
		slices.Sort(div.values)
		dividers[id] = div
	}
	parent, _ := e.Attr("parent_id")
	for q := range e.Named("Quadrant") {
		g := &Gate{Range: []Range{}, Quarter: true}
		for at := range q.Named("position") {
			id, _ := at.Attr("divider_ref")
			div, ok := dividers[id]
			if !ok {
				return wrong("has a quadrant at the divider %.60q, which is not there", id)
			}
			x, err := required(at, "location")
			if err != nil {
				return err
			}
			if len(g.Sides) >= maxSides {
				return wrong("has a quadrant of more than %d dividers", maxSides)
			}
			k, _ := slices.BinarySearch(div.values, x)
			for k < len(div.values) && div.values[k] <= x { // on a divider it is above
				k++
			}
			var r Range
			if k > 0 {
				r.Low = &div.values[k-1]
			}
			if k < len(div.values) {
				r.High = &div.values[k]
			}
			g.Sides, g.Range = append(g.Sides, div.side), append(g.Range, r)
		}
		if err := d.keep(q, &read{gate: g, parent: parent, place: -1}); err != nil {
			return err
		}
	}
	return nil
}

// strategy puts gates into the order of their parents, with the gates that they are made of.
func (d *document) strategy() (*Strategy, error) {
	s := &Strategy{Left: d.left, Notes: d.notes}
	for _, r := range d.order {
		if err := d.follow(r); err != nil {
			return nil, err
		}
	}
	for _, r := range d.order {
		if !r.part {
			d.put(r, s)
		}
	}
	return s, nil
}

// put puts a gate into a strategy, behind the one that it lies in.
func (d *document) put(r *read, s *Strategy) int {
	if r.place < 0 {
		parent := -1
		if r.parent != "" {
			parent = d.put(d.gates[r.parent], s)
		}
		r.place = len(s.Gates)
		s.Gates = append(s.Gates, Named{r.name, parent, r.gate})
	}
	return r.place
}

// follow makes what a gate refers to its own, and finds those that it lies in.
func (d *document) follow(r *read) error {
	switch r.state {
	case 1:
		return wrong("has gates that refer to each other in a circle, %.60q among them", r.id)
	case 2:
		return nil
	}
	r.state, r.size = 1, 1
	for _, ref := range r.refs {
		of, err := d.referred(r, ref.id)
		if err != nil {
			return err
		}
		if r.size > maxMade {
			return wrong("has a gate %.60q that is made of more than %d others", r.id, maxMade)
		}
		r.gate.Of = append(r.gate.Of, Part{of, ref.not})
	}
	if r.parent != "" {
		up, ok := d.gates[r.parent]
		if !ok {
			return wrong("has a gate %.60q in %.60q, which is not there", r.id, r.parent)
		}
		if err := d.follow(up); err != nil {
			return err
		}
	}
	r.state = 2
	return nil
}

// referred is a gate that another is made of, with those that it lies in.
func (d *document) referred(r *read, id string) (*Gate, error) {
	of, ok := d.gates[id]
	if !ok {
		return nil, wrong("has a gate %.60q of %.60q, which is not there", r.id, id)
	}
	if err := d.follow(of); err != nil {
		return nil, err
	}
	r.size += of.size
	if of.parent == "" {
		return of.gate, nil
	}
	all := &Gate{}
	for at := of; ; at = d.gates[at.parent] {
		r.size += at.size
		if all.Of = append(all.Of, Part{Gate: at.gate}); at.parent == "" {
			return all, nil
		}
	}
}
