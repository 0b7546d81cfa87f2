package parts

import "blossom/model/document/state"

// RenameColumn has what looks at a column by its name look at it by another: colours, what was chosen for them, the
// groups that are compared, and the rules of populations.
func RenameColumn(s *state.State, from, to string) {
	if from == to {
		return
	}
	looks := Looks.Of(*s)
	for view, was := range looks {
		if now := was.renamed(from, to); now != was {
			looks = looks.With(view, now)
		}
	}
	Looks.Put(s, looks)
	kept := Palettes.Of(*s)
	if chosen, ok := kept[from]; ok {
		next := LookTable{}
		for column, l := range kept {
			if column != from {
				next[column] = l
			}
		}
		next[to] = chosen.renamed(from, to)
		Palettes.Put(s, next)
	}
	if c := Contrast.Of(*s); c.Column == from {
		c.Column = to
		Contrast.Put(s, c)
	}
	Populations.Put(s, Populations.Of(*s).RenameColumn(from, to))
}

func (l Look) renamed(from, to string) Look {
	for _, column := range []*string{&l.Column, &l.And, &l.Of} {
		if *column == from {
			*column = to
		}
	}
	return l
}
