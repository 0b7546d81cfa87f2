// Package population names sets of points: populations, nested and in an order, each with a rule that says which rows
// of the data are in it. A row is labelled by the deepest population that has it; where several of one parent have it,
// by the one that stands first. Kinds of rules are registered, a file each.
package population

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"blossom/model/base/problem"
)

// ID tells the populations of a tree apart. It is never used again in the tree; 0 is none.
type ID int32

// Population is a named set of rows.
type Population struct {
	ID     ID
	Parent ID // 0: it lies in no other
	Name   string
	Ink    uint8 // its colour, below Inks
	Rule   Rule
	// Found is its number in the map of the population that it lies in, where it was named there; else 0.
	Found ID
	// Whole is, in the map of the points of a population, its number in what that is part of, where it was brought
	// along from there; else 0.
	Whole ID
	// As is the sum of the points that it was brought along with, where its rule there could not be; "": it is its
	// rule.
	As string
}

// Unassigned is what rows are called that are in no population.
const Unassigned = "unassigned"

// Bounds of a tree, which keep what draws it quick and what a file claims within reason.
const (
	Most     = 10_000 // populations
	Deepest  = 64     // populations one in another
	Inks     = 48     // colours
	LongName = 10_000 // characters of a name
)

// Tree is populations in the order in which they are shown: each before those that lie in it, and these before the next
// of its own parent. A Tree is immutable; its zero value is empty.
type Tree struct {
	list []Population
	last ID // the largest that was ever given
}

// All returns the populations in their order. They are not to be changed.
func (t Tree) All() []Population { return t.list }

// Len is how many there are.
func (t Tree) Len() int { return len(t.list) }

// Place returns the place of a population in the order, -1 where there is none of that ID.
func (t Tree) Place(id ID) int {
	return slices.IndexFunc(t.list, func(p Population) bool { return p.ID == id })
}

// Find returns the population of an ID.
func (t Tree) Find(id ID) (p Population, ok bool) {
	if i := t.Place(id); i >= 0 {
		return t.list[i], true
	}
	return Population{}, false
}

// Named returns the first population of a name.
func (t Tree) Named(name string) (p Population, ok bool) {
	i := slices.IndexFunc(t.list, func(p Population) bool { return p.Name == name })
	if i < 0 {
		return Population{}, false
	}
	return t.list[i], true
}

// Equal says whether two trees are the same, with the same rules.
func Equal(a, b Tree) bool { return a.last == b.last && slices.Equal(a.list, b.list) }

// Bytes is the memory that a tree takes.
func (t Tree) Bytes() (n int) {
	for _, p := range t.list {
		n += 64 + len(p.Name)
		if c, ok := p.Rule.(*Cells); ok {
			n += c.Set.Bytes() + len(c.other)
		}
		if r, ok := p.Rule.(*Region); ok {
			for _, s := range r.Strokes {
				n += 32 + 16*len(s.Path)
			}
		}
	}
	return n
}

// Depths returns how deep each population lies, by its place: 0 in no other.
func (t Tree) Depths() []int {
	depths, at := make([]int, len(t.list)), map[ID]int{}
	for i, p := range t.list {
		if p.Parent != 0 {
			depths[i] = at[p.Parent] + 1
		}
		at[p.ID] = depths[i]
	}
	return depths
}

// end is the place behind the population at a place and all that lie in it.
func (t Tree) end(place int) int {
	within := map[ID]bool{t.list[place].ID: true}
	for i := place + 1; i < len(t.list); i++ {
		if !within[t.list[i].Parent] {
			return i
		}
		within[t.list[i].ID] = true
	}
	return len(t.list)
}

// Add returns the tree with a population more, the last of its parent, and its ID: a name that is taken has a number
// behind it, and its colour is the first that is the least used.
func (t Tree) Add(p Population) (Tree, ID, error) {
	at := len(t.list)
	if p.Parent != 0 {
		place := t.Place(p.Parent)
		if place < 0 {
			return t, 0, problem.New("", "choose another one", "the population that %s was to lie in is gone", p.Name)
		}
		if t.Depths()[place]+1 >= Deepest {
			return t, 0, problem.New("", "put it beside another one", "populations lie at most %d deep", Deepest)
		}
		at = t.end(place)
	}
	if len(t.list) >= Most {
		return t, 0, problem.New("", "remove some", "there are %d populations, which are as many as there can be", Most)
	}
	t.last++
	p.ID, p.Ink = t.last, t.freeInk()
	p.Name = t.free(Tidy(p.Name), 0)
	t.list = slices.Insert(slices.Clone(t.list), at, p)
	return t, p.ID, nil
}

// Graft returns the tree with the populations of another one, in their tree, as the last of parent (0: of none), and
// the number of the first. Their numbers are new.
func (t Tree) Graft(o Tree, parent ID) (out Tree, first ID, err error) {
	out = t
	ids := map[ID]ID{0: parent}
	for _, p := range o.list {
		more := Population{Parent: ids[p.Parent], Name: p.Name, Rule: p.Rule}
		if out, ids[p.ID], err = out.Add(more); err != nil {
			return t, 0, err
		}
		if first == 0 {
			first = ids[p.ID]
		}
	}
	return out, first, nil
}

// freeInk is the first of the colours that the fewest populations have.
func (t Tree) freeInk() uint8 {
	var used [Inks]int
	for _, p := range t.list {
		used[p.Ink%Inks]++
	}
	return uint8(slices.Index(used[:], slices.Min(used[:])))
}

// Tidy is a name as populations have it: without line ends and blanks around it, and of a length that can be shown.
func Tidy(name string) string {
	name = cut(strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " "), LongName)
	if name == "" {
		return "population"
	}
	return name
}

// Brief is a name within a sentence, cut where it is long.
func Brief(name string) string {
	if r := []rune(name); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return name
}

// cut is a name of at most so many characters.
func cut(name string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return strings.TrimSpace(string([]rune(name)[:most]))
}

// free is a name that no population but that of an ID has.
func (t Tree) free(name string, but ID) string {
	taken := map[string]bool{}
	for _, p := range t.list {
		if p.ID != but {
			taken[p.Name] = true
		}
	}
	return freeOf(name, taken)
}

// freeOf is a name that is not taken.
func freeOf(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = numbered(name, i)
	}
	return out
}

// numbered is a name with a number behind it.
func numbered(name string, i int) string { return fmt.Sprintf("%s %d", cut(name, LongName-8), i) }

// edit returns the tree with one population changed; as it is where there is none of that ID.
func (t Tree) edit(id ID, change func(p *Population)) Tree {
	i := t.Place(id)
	if i < 0 {
		return t
	}
	t.list = slices.Clone(t.list)
	change(&t.list[i])
	return t
}

// Rename returns the tree with another name of a population, which no other has.
func (t Tree) Rename(id ID, name string) Tree {
	name = t.free(Tidy(name), id)
	return t.edit(id, func(p *Population) { p.Name = name })
}

// Recolour returns the tree with another colour of a population.
func (t Tree) Recolour(id ID, ink uint8) Tree {
	return t.edit(id, func(p *Population) { p.Ink = ink % Inks })
}

// Redefine returns the tree with another rule of a population.
func (t Tree) Redefine(id ID, r Rule) Tree {
	return t.edit(id, func(p *Population) { p.Rule = r })
}

// Remove returns the tree without a population and those that lie in it.
func (t Tree) Remove(id ID) Tree {
	i := t.Place(id)
	if i < 0 {
		return t
	}
	t.list = slices.Delete(slices.Clone(t.list), i, t.end(i))
	return t
}

// Within returns the population of an ID and all that lie in it, in their order.
func (t Tree) Within(id ID) []Population {
	i := t.Place(id)
	if i < 0 {
		return nil
	}
	return t.list[i:t.end(i)]
}

// Nest returns the tree with a population, and those that lie in it, as the last of another parent (0: of none). A
// population cannot lie in itself.
func (t Tree) Nest(id, parent ID) (Tree, error) {
	i := t.Place(id)
	if i < 0 || t.list[i].Parent == parent {
		return t, nil
	}
	moved := slices.Clone(t.list[i:t.end(i)])
	if slices.ContainsFunc(moved, func(p Population) bool { return p.ID == parent }) {
		return t, problem.New("", "choose another one", "%s cannot lie in itself", moved[0].Name)
	}
	rest := t
	rest.list = slices.Delete(slices.Clone(t.list), i, i+len(moved))
	at := len(rest.list)
	if parent != 0 {
		place := rest.Place(parent)
		if place < 0 {
			return t, problem.New("", "choose another one", "the population that %s was to lie in is gone",
				moved[0].Name)
		}
		at = rest.end(place)
	}
	moved[0].Parent = parent
	out := rest
	out.list = slices.Insert(rest.list, at, moved...)
	if slices.Max(out.Depths()) >= Deepest {
		return t, problem.New("", "put it beside another one", "populations lie at most %d deep", Deepest)
	}
	return out, nil
}

// Put returns the tree with a population, and those that lie in it, beside another one of its parent: before it, or
// behind it and all that lie in it.
func (t Tree) Put(id, other ID, behind bool) (Tree, error) {
	o, ok := t.Find(other)
	if !ok || id == other {
		return t, nil
	}
	out, err := t.Nest(id, o.Parent)
	if err != nil || out.Place(id) < 0 {
		return t, err
	}
	i := out.Place(id)
	moved := slices.Clone(out.list[i:out.end(i)])
	if slices.ContainsFunc(moved, func(p Population) bool { return p.ID == other }) {
		return t, problem.New("", "choose another one", "%s cannot lie in itself", moved[0].Name)
	}
	out.list = slices.Delete(slices.Clone(out.list), i, i+len(moved))
	at := out.Place(other)
	if behind {
		at = out.end(at)
	}
	out.list = slices.Insert(out.list, at, moved...)
	return out, nil
}

// Shift returns the tree with a population, and those that lie in it, so many places up (below 0) or down among those
// of its parent: the first has the rows that several have.
func (t Tree) Shift(id ID, by int) Tree {
	i := t.Place(id)
	if i < 0 || by == 0 {
		return t
	}
	var family []int // places of those of its parent
	for k, p := range t.list {
		if p.Parent == t.list[i].Parent {
			family = append(family, k)
		}
	}
	from := slices.Index(family, i)
	to := min(max(from+by, 0), len(family)-1)
	moved := slices.Clone(t.list[i:t.end(i)])
	at := family[to]
	if to > from { // behind it and all that lie in it, which stand before it now
		at = t.end(at) - len(moved)
	}
	t.list = slices.Insert(slices.Delete(slices.Clone(t.list), i, i+len(moved)), at, moved...)
	return t
}

// Merge returns the tree with the rows of one population in another beside it, and without the first: what lay in it
// lies in the other. Both are of one parent.
func (t Tree) Merge(id, into ID) (Tree, error) {
	a, ok := t.Find(id)
	b, also := t.Find(into)
	if !ok || !also || id == into || a.Parent != b.Parent {
		return t, problem.New("", "choose two of one parent", "only populations beside each other can be merged")
	}
	out := t.Redefine(into, Join(b.Rule, a.Rule))
	for _, p := range t.Within(id)[1:] {
		if p.Parent == id {
			var err error
			if out, err = out.Nest(p.ID, into); err != nil {
				return t, err
			}
		}
	}
	return out.Remove(id), nil
}
