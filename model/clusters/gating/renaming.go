package gating

import "slices"

// renaming gives the columns of gates other names. What several gates share they share afterwards.
type renaming struct {
	as       func(name string) string
	gates    map[*Gate]*Gate
	matrices map[*Matrix]*Matrix
}

// Renamed returns the gate with another name of a column of the data.
func (g *Gate) Renamed(from, to string) *Gate {
	if !slices.Contains(g.Columns(), from) {
		return g
	}
	r := renaming{gates: map[*Gate]*Gate{}, matrices: map[*Matrix]*Matrix{}, as: func(name string) string {
		if name == from {
			return to
		}
		return name
	}}
	return r.gate(g)
}

func (r *renaming) gate(g *Gate) *Gate {
	if done := r.gates[g]; done != nil {
		return done
	}
	out := *g
	out.Sides, out.Of = slices.Clone(g.Sides), slices.Clone(g.Of)
	for i := range out.Sides {
		r.side(&out.Sides[i])
	}
	for i := range out.Of {
		out.Of[i].Gate = r.gate(out.Of[i].Gate)
	}
	r.gates[g] = &out
	return &out
}

func (r *renaming) side(s *Side) {
	s.Files = slices.Clone(s.Files)
	for i := range s.Files {
		r.side(&s.Files[i].Side)
	}
	column := func(name *string) {
		if *name != "" && (s.Matrix == nil || !s.Matrix.has(*name)) { // a dye is no column
			*name = r.as(*name)
		}
	}
	column(&s.Column)
	if s.Ratio != nil {
		of := *s.Ratio
		column(&of.X)
		column(&of.Y)
		s.Ratio = &of
	}
	if s.Matrix != nil {
		s.Matrix = r.matrix(s.Matrix)
	}
}

func (r *renaming) matrix(m *Matrix) *Matrix {
	if done := r.matrices[m]; done != nil {
		return done
	}
	out := *m
	out.Detectors = make([]string, len(m.Detectors))
	for i, name := range m.Detectors {
		out.Detectors[i] = r.as(name)
	}
	r.matrices[m] = &out
	return &out
}
