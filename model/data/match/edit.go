package match

import "slices"

// Changes by hand. Each returns what the columns are then matched by; New makes the plan of it.

// decided is a decision on columns of the files.
func (p *Plan) decided(from []int) Own { return Own{From: p.names(from)} }

// with puts decisions in place of all former ones on the same columns.
func (p *Plan) with(own ...Own) How {
	h := p.How.Clone()
	for _, o := range own {
		for i := range h.Own {
			h.Own[i].From = padded(h.Own[i].From, len(p.Files))
			for f, name := range o.From {
				if name != "" && h.Own[i].From[f] == name {
					h.Own[i].From[f] = ""
				}
			}
		}
	}
	h.Own = slices.DeleteFunc(h.Own, func(o Own) bool {
		return !slices.ContainsFunc(o.From, func(name string) bool { return name != "" })
	})
	h.Own = append(h.Own, own...)
	return h
}

// Choose makes a column of a file, -1 for none, that of a row: what it was there before stands alone.
func (p *Plan) Choose(row, file, column int) How {
	r := &p.Rows[row]
	o := p.decided(r.From)
	if was := r.hand; was != nil {
		o.Name, o.Map, o.Out = was.Name, was.Map, was.Out
	}
	left := Own{From: make([]string, len(p.Files))}
	left.From[file] = o.From[file]
	if o.From[file] = ""; column >= 0 {
		o.From[file] = p.Files[file].Columns[column].Name
	}
	var list []Own
	for _, x := range []Own{left, o} {
		if slices.ContainsFunc(x.From, func(name string) bool { return name != "" }) {
			list = append(list, x)
		}
	}
	return p.with(list...)
}

// Decide settles a doubtful row: it is one column, or stays several.
func (p *Plan) Decide(row int, one bool) How {
	if r := &p.Rows[row]; one {
		return p.with(p.decided(r.From))
	}
	return p.with(p.pieces(row)...)
}

func (p *Plan) pieces(row int) []Own {
	var out []Own
	for _, from := range p.Rows[row].Pieces {
		out = append(out, p.decided(from))
	}
	return out
}

// Tick takes a row into the map, or out of it.
func (p *Plan) Tick(row int, in bool) How {
	r := &p.Rows[row]
	o := p.decided(r.From)
	if was := r.hand; was != nil {
		o = *was
	}
	o.Map, o.Out = in, !in
	return p.with(o)
}

// Settled decides all that is still doubtful as it stands, so that nobody is asked again.
func (p *Plan) Settled() How {
	h := p.How
	for i := range p.Rows {
		r := &p.Rows[i]
		q := Plan{Files: p.Files, Rows: p.Rows, How: h}
		switch {
		case r.Doubt == "" || r.Hand:
		case r.Apart:
			h = q.with(q.pieces(i)...)
		default:
			h = q.with(q.decided(r.From))
		}
	}
	return h
}

// Without are the settings where a file is left out.
func (h How) Without(file int) How {
	h = h.Clone()
	for i := range h.Own {
		if from := h.Own[i].From; file < len(from) {
			h.Own[i].From = slices.Delete(from, file, file+1)
		}
	}
	h.Own = slices.DeleteFunc(h.Own, func(o Own) bool {
		return !slices.ContainsFunc(o.From, func(name string) bool { return name != "" })
	})
	return h
}

// Ticked are the names of columns of the joined table that were taken into the map by hand, or out of it.
func (p *Plan) Ticked() (in, out map[string]bool) {
	in, out = map[string]bool{}, map[string]bool{}
	joined, _ := p.joined()
	for _, j := range joined {
		names := p.names(j.From)
		for i := range p.How.Own {
			if o := &p.How.Own[i]; slices.Equal(padded(o.From, len(names)), names) {
				in[j.Name], out[j.Name] = o.Map, o.Out
			}
		}
	}
	return in, out
}
