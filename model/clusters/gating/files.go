package gating

import (
	"reflect"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// in is a strategy for file f of a table with the columns of the table in the place of what the file calls them. What
// is no column keeps its name.
func (s *Strategy) in(ds *dataset.Dataset, f int) *Strategy {
	known := map[string]string{}
	r := renaming{gates: map[*Gate]*Gate{}, matrices: map[*Matrix]*Matrix{}, as: func(name string) string {
		as, ok := known[name]
		if !ok {
			as = meant(ds, f, name)
			known[name] = as
		}
		return as
	}}
	out := *s
	out.Gates = slices.Clone(s.Gates)
	for i := range out.Gates {
		out.Gates[i].Gate = r.gate(out.Gates[i].Gate)
	}
	return &out
}

// meant is what a table calls a column of its file f.
func meant(ds *dataset.Dataset, f int, name string) string {
	switch at, ok := ds.Meant(f, name); {
	case ok && at >= 0:
		return ds.Columns[at].Name
	case ok:
		return name + " of " + ds.Sources[f].Name
	}
	return name
}

// byFile says that the gates of a strategy are not the same in all files.
const byFile = "each file is gated by its own columns and matrix"

// together is the strategy of a table of those of its files, which may differ in the columns and the matrices that they
// take and in nothing else.
func together(ds *dataset.Dataset, of []*Strategy) (*Strategy, error) {
	first := of[0]
	if len(of) == 1 {
		return first, nil
	}
	files := make([]string, len(of))
	for f := range of {
		files[f] = fileName(ds, f)
	}
	x := joining{ds: ds, files: files, done: map[*Gate]joined{}}
	out := &Strategy{Left: slices.Clone(first.Left), Notes: slices.Clone(first.Notes)}
	for f, s := range of {
		if f > 0 {
			out.Left, out.Notes = united(out.Left, s.Left), united(out.Notes, s.Notes)
		}
		if !slices.EqualFunc(s.Gates, first.Gates, func(a, b Named) bool {
			return a.Name == b.Name && a.Parent == b.Parent
		}) {
			return nil, x.differ(f)
		}
	}
	for i, g := range first.Gates {
		each := make([]*Gate, len(of))
		for f, s := range of {
			each[f] = s.Gates[i].Gate
		}
		var err error
		if g.Gate, err = x.gate(each); err != nil {
			return nil, err
		}
		out.Gates = append(out.Gates, g)
	}
	if x.parted {
		out.Notes = append(out.Notes, byFile)
	}
	return out, nil
}

// fileName is the name of a file among those of a table.
func fileName(ds *dataset.Dataset, f int) string {
	if from := ds.Origin(); from != nil && f < len(from.Categories) {
		return from.Categories[f]
	}
	return ds.Name
}

func united(a, b []string) []string {
	for _, text := range b {
		if !slices.Contains(a, text) {
			a = append(a, text)
		}
	}
	return a
}

// joining makes gates of several files one.
type joining struct {
	ds     *dataset.Dataset
	files  []string
	parted bool // some dimension is not the same in all files
	done   map[*Gate]joined
}

// joined is a gate of all files, and the one of each that it was made of.
type joined struct {
	each []*Gate
	gate *Gate
}

// differ is the error about file f, which has other gates than the first.
func (x *joining) differ(f int) error {
	return problem.New("", "open them one by one", "has other gates or scales for %.60s than for %.60s, which are one "+
		"table", x.files[f], x.files[0])
}

func (x *joining) gate(each []*Gate) (*Gate, error) {
	if done, ok := x.done[each[0]]; ok {
		// The first file has one gate here and there: so must each other file.
		for f, g := range each {
			if g != done.each[f] && !reflect.DeepEqual(g, done.each[f]) {
				return nil, x.differ(f)
			}
		}
		return done.gate, nil
	}
	out := *each[0]
	out.Sides, out.Of = slices.Clone(out.Sides), slices.Clone(out.Of)
	for f, g := range each {
		a, b := out, *g
		a.Sides, a.Of, b.Sides, b.Of = nil, nil, nil, nil
		if len(g.Sides) != len(out.Sides) || len(g.Of) != len(out.Of) || !reflect.DeepEqual(a, b) {
			return nil, x.differ(f)
		}
	}
	for i := range out.Sides {
		sides := make([]Side, len(each))
		for f, g := range each {
			if sides[f] = g.Sides[i]; !sameScale(sides[f], sides[0]) {
				return nil, x.differ(f)
			}
		}
		out.Sides[i] = x.side(sides)
	}
	for i := range out.Of {
		parts := make([]*Gate, len(each))
		for f, g := range each {
			if parts[f] = g.Of[i].Gate; g.Of[i].Not != out.Of[i].Not {
				return nil, x.differ(f)
			}
		}
		var err error
		if out.Of[i].Gate, err = x.gate(parts); err != nil {
			return nil, err
		}
	}
	x.done[each[0]] = joined{each, &out}
	return &out, nil
}

func sameScale(a, b Side) bool {
	return a.Scale == b.Scale && reflect.DeepEqual(a.Low, b.Low) && reflect.DeepEqual(a.High, b.High)
}

// side is a dimension of all files. Where each is compensated with the matrix that it brings, it is said so: these
// numbers are in the data.
func (x *joining) side(each []Side) Side {
	alike := func(a Side) bool { return reflect.DeepEqual(a, each[0]) }
	if !slices.ContainsFunc(each, func(a Side) bool { return !alike(a) }) {
		return each[0]
	}
	own := slices.Clone(each)
	for f := range own {
		if s := &own[f]; s.Matrix != nil && s.Ratio == nil && x.brings(f, s.Matrix) {
			s.Column, s.Own = s.Matrix.Detectors[slices.Index(s.Matrix.Dyes, s.Column)], true
			s.Matrix = nil
		}
	}
	if !slices.ContainsFunc(own, func(a Side) bool { return !a.Own || a.Column != own[0].Column }) {
		return own[0]
	}
	x.parted = true
	out := Side{Scale: each[0].Scale, Drawn: each[0].Drawn, Low: each[0].Low, High: each[0].High}
	for f, s := range each {
		s.Scale, s.Drawn, s.Low, s.High = "", "", nil, nil
		out.Files = append(out.Files, OfFile{x.files[f], s})
	}
	return out
}

// brings says whether file f brings the matrix m.
func (x *joining) brings(f int, m *Matrix) bool {
	if m.Inverse || len(m.Dyes) != len(m.Detectors) {
		return false
	}
	own := x.ds.Spillover
	if f < len(x.ds.Spillovers) {
		own = x.ds.Spillovers[f]
	}
	return own.Equal(&dataset.Spillover{Names: m.Detectors, M: m.Rows})
}

// byFile makes the values of a dimension that each file has otherwise.
func (p *plan) byFile(of []OfFile) (func(from, to int) []float64, error) {
	names := []string{p.ds.Name}
	if from := p.ds.Origin(); from != nil {
		names = from.Categories
	}
	each := make([]func(from, to int) []float64, len(names))
	for i, name := range names {
		at := slices.IndexFunc(of, func(o OfFile) bool { return o.File == name })
		if at < 0 {
			var known []string
			for _, o := range of[:min(len(of), 5)] {
				known = append(known, o.File)
			}
			return nil, problem.New(name, "open the gates again, with all of the files",
				"is none of the files that a gate is of (%s)", strings.Join(known, ", "))
		}
		var err error
		if each[i], err = p.values(of[at].Side); err != nil {
			return nil, err
		}
	}
	return p.portions(each), nil
}

// portions makes the values of the rows of each file in its own way. A row of none has no value.
func (p *plan) portions(each []func(from, to int) []float64) func(from, to int) []float64 {
	from := p.ds.Origin()
	if from == nil {
		return each[0]
	}
	label := from.Values
	return func(from, to int) []float64 {
		v := make([]float64, 0, to-from)
		for at := from; at < to; { // rows of a file stand together
			end := at + 1
			for end < to && label[end] == label[at] {
				end++
			}
			if f := label[at]; f >= 0 && int(f) < len(each) {
				v = append(v, each[int(f)](at, end)...)
			} else {
				v = append(v, gaps(end-at)...)
			}
			at = end
		}
		return v
	}
}
