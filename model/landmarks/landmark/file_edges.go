package landmark

import "slices"

// putEdits puts what was done to edges by hand where files have it: a list of pairs for each mark.
func (d *disk) putEdits(edits []EdgeEdit) {
	for _, e := range edits {
		for _, l := range d.marked() {
			if e.Mark&l.mark != 0 {
				*l.pairs = append(*l.pairs, []int32{e.A, e.B})
			}
		}
	}
}

// edits takes them from there, in the order of their landmarks; what cannot be an edit is left to Set.Validate.
func (d *disk) edits(name string) ([]EdgeEdit, error) {
	var out []EdgeEdit
	for _, l := range d.marked() {
		list, err := pairs(*l.pairs, name)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			e := EdgeEdit{A: p[0], B: p[1], Mark: l.mark}
			i, found := slices.BinarySearchFunc(out, e, compareEdits)
			if found {
				out[i].Mark |= l.mark
			} else {
				out = slices.Insert(out, i, e)
			}
		}
	}
	return out, nil
}

type markedPairs struct {
	mark  EdgeMark
	pairs *[][]int32
}

func (d *disk) marked() []markedPairs {
	return []markedPairs{{EdgeCut, &d.Cut}, {EdgeJoined, &d.Joined}, {EdgeLocked, &d.Locked}}
}
