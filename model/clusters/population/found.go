package population

import (
	"bytes"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

// TakeDown returns the tree of the map of the population under of whole with the populations that lie in that one
// there: those that it has from there, or that were taken back to there, are as they are in whole, others are added.
// rule is what says of the map's points which are in one. The error is a Problem, where there is no room.
func (t Tree) TakeDown(whole Tree, under ID, rule func(Population) Rule) (Tree, error) {
	out, here := t, map[ID]ID{under: 0} // number in whole -> number here
	for _, p := range t.list {
		if p.Whole != 0 {
			here[p.Whole] = p.ID
		}
	}
	for _, p := range whole.Within(under)[min(1, len(whole.Within(under))):] {
		id, known := here[p.ID]
		if !known && t.Place(p.Found) >= 0 {
			if x, _ := t.Find(p.Found); x.Whole == 0 {
				id, known = p.Found, true
			}
		}
		if !known {
			var err error
			more := Population{Parent: here[p.Parent], Name: p.Name, Rule: rule(p), Whole: p.ID}
			if out, id, err = out.Add(more); err != nil {
				return t, err
			}
			out = out.Recolour(id, p.Ink)
		}
		here[p.ID] = id
		out = out.Rename(id, p.Name)
		if x, _ := out.Find(id); x.Whole != 0 {
			if r := rule(p); !same(x.Rule, r) {
				out = out.Redefine(id, r)
			}
		}
		var err error
		if out, err = out.Nest(id, here[p.Parent]); err != nil {
			return t, err
		}
	}
	return out, nil
}

// TakeBack returns the tree with the populations of the map of one of its own, of under, in it, with these rules, by
// place in found. Those that were brought along to there keep their places here, and their names and rules follow; of
// those that were named there and taken back before, what is there no more is gone, and what is there still has its
// number; populations that were made here stay. The error is a Problem, where there is no room or under is gone.
func (t Tree) TakeBack(under ID, found Tree, rules []Rule) (Tree, error) {
	if t.Place(under) < 0 {
		return t, problem.New("", "undo what removed it", "the population that they were found in is gone")
	}
	out, kept := t, map[ID]ID{} // number there -> number here
	brought := map[ID]bool{}    // numbers here of those brought along
	for _, p := range t.Within(under)[1:] {
		for _, x := range found.All() {
			if x.Whole == p.ID {
				kept[x.ID], brought[p.ID] = p.ID, true
			}
		}
	}
	for _, p := range t.taken(under, brought) {
		switch x, there := found.Find(p.Found); {
		case brought[p.ID]:
		case !there || x.Whole != 0:
			out = out.dissolve(p.ID)
		default:
			kept[p.Found] = p.ID
		}
	}
	for i, p := range found.All() {
		parent := under
		if p.Parent != 0 {
			parent = kept[p.Parent]
		}
		id, ok := kept[p.ID]
		if !ok {
			var err error
			more := Population{Parent: parent, Name: p.Name, Rule: rules[i], Found: p.ID}
			if out, id, err = out.Add(more); err != nil {
				return t, err
			}
			kept[p.ID] = id
			if !out.inked(id, p.Ink) {
				out = out.Recolour(id, p.Ink)
			}
			out = out.before(id)
		}
		out = out.Rename(id, p.Name)
		if x, _ := out.Find(id); !same(x.Rule, rules[i]) {
			out = out.Redefine(id, rules[i])
		}
		var err error
		if out, err = out.Nest(id, parent); err != nil {
			return t, err
		}
	}
	return out, nil
}

// inked says whether another population than that of an ID has a colour.
func (t Tree) inked(id ID, ink uint8) bool {
	return slices.ContainsFunc(t.list, func(p Population) bool { return p.ID != id && p.Ink == ink })
}

// before returns the tree with a population before those of its parent that were made here: what was looked at alone to
// be found is more than they say of its points, which are called by the first that has them.
func (t Tree) before(id ID) Tree {
	x, _ := t.Find(id)
	for _, p := range t.list {
		if p.Parent == x.Parent && p.Found == 0 {
			if out, err := t.Put(id, p.ID, false); err == nil {
				return out
			}
		}
	}
	return t
}

// taken are the populations that were taken back from the map of one: below it, with none between that was made here
// and has not been brought along to there.
func (t Tree) taken(under ID, brought map[ID]bool) (out []Population) {
	from := map[ID]bool{under: true}
	for _, p := range t.Within(under)[1:] {
		switch {
		case !from[p.Parent]:
		case brought[p.ID]:
			from[p.ID] = true
		case p.Found != 0:
			from[p.ID] = true
			out = append(out, p)
		}
	}
	return out
}

// dissolve returns the tree without a population; what lay in it lies in its parent.
func (t Tree) dissolve(id ID) Tree {
	x, ok := t.Find(id)
	if !ok {
		return t
	}
	for _, p := range t.Within(id)[1:] {
		if p.Parent == id {
			t, _ = t.Nest(p.ID, x.Parent) // it becomes less deep
		}
	}
	return t.Remove(id)
}

// same says whether two rules say the same.
func same(a, b Rule) bool {
	x, ok := a.(*Cells)
	y, also := b.(*Cells)
	switch {
	case a == b:
		return true
	case ok != also:
		return false
	case ok:
		return selection.Equal(x.Set, y.Set)
	}
	one, err := EncodeRule(a)
	other, err2 := EncodeRule(b)
	return err == nil && err2 == nil && bytes.Equal(one, other)
}

// Above returns the population of an ID and those that it lies in, the outermost first.
func (t Tree) Above(id ID) (out []Population) {
	for id != 0 {
		p, ok := t.Find(id)
		if !ok {
			break
		}
		out, id = append(out, p), p.Parent
	}
	slices.Reverse(out)
	return out
}

// Path is the names from the outermost population to the one at a place, as "T cells/CD4"; behind the last it is
// Unassigned.
func (t Tree) Path(place int) string {
	if place >= len(t.list) {
		return Unassigned
	}
	var names []string
	for _, p := range t.Above(t.list[place].ID) {
		names = append(names, p.Name)
	}
	return strings.Join(names, "/")
}

// Carry returns the tree with its populations of fixed points on other rows.
func (t Tree) Carry(to func(*selection.Set) *selection.Set) Tree {
	t.list = slices.Clone(t.list)
	for i := range t.list {
		if c, ok := t.list[i].Rule.(*Cells); ok && c.Set != nil && c.other == nil {
			t.list[i].Rule = Of(to(c.Set))
		}
	}
	return t
}
