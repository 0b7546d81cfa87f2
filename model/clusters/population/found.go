package population

import (
	"slices"

	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

// TakeBack returns the tree with the populations that were named in the map of one of its own, of under, in it, with
// these rules, by place in found. What was taken back from there before and is there no more is gone, and what is there
// still has its number; populations that were made here stay. The error is a Problem, where there is no room or under
// is gone.
func (t Tree) TakeBack(under ID, found Tree, rules []Rule) (Tree, error) {
	if t.Place(under) < 0 {
		return t, problem.New("", "undo what removed it", "the population that they were found in is gone")
	}
	out, kept := t, map[ID]ID{} // number there -> number here
	for _, p := range t.taken(under) {
		if found.Place(p.Found) < 0 {
			out = out.dissolve(p.ID)
		} else {
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

// taken are the populations that were taken back from the map of one: below it, with none between that was made here.
func (t Tree) taken(under ID) (out []Population) {
	from := map[ID]bool{under: true}
	for _, p := range t.Within(under)[1:] {
		if p.Found != 0 && from[p.Parent] {
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

// same says whether two rules are equal as far as is quickly told: fixed points with the same rows.
func same(a, b Rule) bool {
	x, ok := a.(*Cells)
	y, also := b.(*Cells)
	return a == b || ok && also && selection.Equal(x.Set, y.Set)
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
