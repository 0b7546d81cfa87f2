package population

import (
	"bytes"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

// TakeDown returns the tree of the map of the population under of whole with the populations that lie in that one
// there: those that it has from there, or that were taken back to there, are as they are in whole, others are added,
// and what has come from there and is there no more is gone. rule is what says of the map's points which are in one,
// fixed whether these are points in place of the rule that it has. The error is a Problem, where there is no room.
func (t Tree) TakeDown(whole Tree, under ID, rule func(Population) (r Rule, fixed bool)) (Tree, error) {
	inner := whole.below(under)
	here := map[ID]ID{under: 0} // number in whole -> number here
	found := map[ID]bool{}      // numbers here of those that were named here
	for _, p := range inner {
		if x, ok := t.Find(p.Found); ok && (x.Whole == 0 || !whole.lies(x.Whole, under)) {
			here[p.ID], found[x.ID] = x.ID, true
		}
	}
	out := t
	for _, p := range t.list {
		switch {
		case p.Whole == 0 || found[p.ID]:
		case whole.lies(p.Whole, under):
			here[p.Whole] = p.ID
		default:
			out = out.dissolve(p.ID)
		}
	}
	names := map[ID]string{}
	for _, p := range inner {
		id, known := here[p.ID]
		if !known {
			var err error
			if out, id, err = out.Add(Population{Parent: here[p.Parent], Name: p.Name, Whole: p.ID}); err != nil {
				return t, err
			}
			out = out.Recolour(id, p.Ink)
		}
		here[p.ID], names[id] = id, p.Name
		if x, _ := out.Find(id); x.Whole != 0 && !found[id] {
			r, fixed := rule(p)
			out = out.brought(id, r, fixed)
		}
		var err error
		if out, err = out.Nest(id, here[p.Parent]); err != nil {
			return t, err
		}
	}
	return out.call(names), nil
}

// brought gives a population the rule that it is brought along with.
func (t Tree) brought(id ID, r Rule, fixed bool) Tree {
	as := ""
	if c, ok := r.(*Cells); ok && fixed {
		as = c.Sum()
	}
	if x, _ := t.Find(id); x.Rule != nil && same(x.Rule, r) && x.As == as {
		return t
	}
	return t.edit(id, func(p *Population) { p.Rule, p.As = r, as })
}

// below are the populations that lie in one.
func (t Tree) below(id ID) []Population {
	if all := t.Within(id); len(all) > 0 {
		return all[1:]
	}
	return nil
}

// lies says whether a population lies in another.
func (t Tree) lies(id, in ID) bool {
	return id != in && slices.ContainsFunc(t.Above(id), func(p Population) bool { return p.ID == in })
}

// call gives populations names, all at once, so that two may change theirs.
func (t Tree) call(names map[ID]string) Tree {
	taken, changed := map[string]bool{}, false
	for _, p := range t.list {
		name, ok := names[p.ID]
		if !ok {
			taken[p.Name] = true
		}
		changed = changed || ok && name != p.Name
	}
	if !changed {
		return t
	}
	t.list = slices.Clone(t.list)
	for i, p := range t.list {
		if name, ok := names[p.ID]; ok {
			t.list[i].Name = freeOf(Tidy(name), taken)
			taken[t.list[i].Name] = true
		}
	}
	return t
}

// TakeBack returns the tree with the populations of the map of one of its own, of under, in it, with these rules, by
// place in found; a nil one is left as it is here, and not added. Those that were brought along to there keep their
// places here, and their names and rules follow; of those that were named there and taken back before, what is there no
// more is gone, and what is there still has its number; populations that were made here stay. The error is a Problem,
// where there is no room or under is gone.
func (t Tree) TakeBack(under ID, found Tree, rules []Rule) (Tree, error) {
	if t.Place(under) < 0 {
		return t, problem.New("", "undo what removed it", "the population that they were found in is gone")
	}
	out, kept := t, map[ID]ID{} // number there -> number here
	brought := map[ID]bool{}    // numbers here of those brought along
	for _, x := range found.All() {
		if t.lies(x.Whole, under) {
			kept[x.ID], brought[x.Whole] = x.Whole, true
		}
	}
	for _, p := range t.taken(under, brought) {
		_, there := found.Find(p.Found)
		if _, has := kept[p.Found]; !there || has {
			out = out.dissolve(p.ID)
		} else {
			kept[p.Found] = p.ID
		}
	}
	names := map[ID]string{}
	for i, p := range found.All() {
		parent := under
		if p.Parent != 0 {
			parent = kept[p.Parent]
		}
		id, ok := kept[p.ID]
		switch {
		case !ok && rules[i] == nil:
			kept[p.ID] = parent // populations that lie in it lie there
			continue
		case !ok:
			var err error
			more := Population{Parent: parent, Name: p.Name, Rule: rules[i], Found: p.ID}
			if out, id, err = out.Add(more); err != nil {
				return t, err
			}
			kept[p.ID] = id
			if !out.inked(id, p.Ink) {
				out = out.Recolour(id, p.Ink)
			}
			out = out.put(id, found, i, kept)
		}
		names[id] = p.Name
		if x, _ := out.Find(id); rules[i] != nil && !same(x.Rule, rules[i]) {
			out = out.Redefine(id, rules[i])
		}
		var err error
		if out, err = out.Nest(id, parent); err != nil {
			return t, err
		}
	}
	return out.call(names), nil
}

// put returns the tree with a population that was added, at a place of found: before the next beside it there that is
// here, else before those that were made here.
func (t Tree) put(id ID, found Tree, place int, kept map[ID]ID) Tree {
	p := found.list[place]
	for _, next := range found.list[place+1:] {
		if at, ok := kept[next.ID]; ok && next.Parent == p.Parent {
			if out, err := t.Put(id, at, false); err == nil {
				return out
			}
		}
	}
	return t.before(id)
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
	for _, p := range t.below(under) {
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
