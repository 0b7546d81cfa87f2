package format

import "blossom/model/data/encoding/frame"

// begun is a set of the labels of a column before any is met: those that the file notes have their numbers.
func (f *framed) begun(s *series) *labelSet {
	set, noted := newLabelSet(), f.in.labels[s.of.Name]
	set.room(len(noted))
	for _, name := range noted {
		set.addName(name, 0)
	}
	return set
}

// labels takes the texts of a column of a piece.
func (f *framed) labels(s *series, piece int) func(*frame.Run) error {
	set := f.begun(s)
	s.sets[piece] = set
	var names *frame.Names
	var known []float32 // the labels that names have; -1: not yet
	return func(run *frame.Run) error {
		if run.Names != nil && run.Names != names { // a plain run, or one of nothing, has none
			names, known = run.Names, make([]float32, len(run.Names.Texts))
			for i := range known {
				known[i] = -1
			}
			set.room(len(known))
		}
		first, had := f.starts[piece]+run.Row, len(set.names)
		from, to := f.rows.places(first, run.Rows)
		for i := from; i < to; i++ {
			v, at := nan32, f.row(i, first)
			switch {
			case run.Missing != nil && run.Missing[at] || len(run.Codes)+len(run.Texts) == 0:
			case run.Texts != nil:
				v = set.add(run.Texts[at], 1)
			default:
				code := run.Codes[at]
				if known[code] == -1 && names.Texts[code] == nil {
					known[code] = nan32 // a dictionary may hold none too
				} else if known[code] == -1 {
					known[code] = set.add(names.Texts[code], 1)
				}
				v = known[code]
			}
			s.values[0][i] = v
		}
		taken := int64(0)
		for _, name := range set.names[had:] {
			taken += 64 + int64(len(name))
		}
		if taken > 0 && f.words.Add(-taken) < 0 {
			return f.in.problem("leave such columns out when the file is written",
				"column %q holds more text than the memory", shortLabel(s.of.Name))
		}
		return nil
	}
}

// together makes the labels of the pieces those of the column, in the order in which they appear.
func (f *framed) together(s *series) []string {
	all, most, sum, names := f.begun(s), 0, 0, false
	for p, set := range s.sets {
		if set == nil {
			continue
		}
		n := len(set.names)
		most, sum = max(most, n), sum+n
		names = names || 2*int64(n) > f.pieces[p] // names are of points, so each piece has others
	}
	if names {
		most = sum
	}
	all.room(most)
	for p, set := range s.sets {
		if set == nil {
			continue
		}
		to := make([]float32, len(set.names))
		for i, name := range set.names {
			to[i] = all.addName(name, 1)
		}
		from, end := f.rows.places(f.starts[p], int(f.pieces[p]))
		for i, v := range s.values[0][from:end] {
			if v == v {
				s.values[0][from+i] = to[int(v)]
			}
		}
	}
	if all.names == nil {
		return []string{}
	}
	return all.names
}
