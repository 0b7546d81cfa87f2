package population

import (
	"encoding/json"
	"fmt"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
)

// A tree in a file: populations in their order, each with its rule as an object whose one key is the rule's kind.
type encodedTree struct {
	Populations []json.RawMessage `json:"populations"` // each an encoded
	Last        ID                `json:"last,omitempty"`
}

// mostID bounds numbers, so that there is room for those of populations to come.
const mostID = 1 << 30

type encoded struct {
	ID     ID              `json:"id"`
	Parent ID              `json:"parent,omitempty"`
	Name   string          `json:"name"`
	Ink    uint8           `json:"ink"`
	Rule   json.RawMessage `json:"rule"`
	Found  ID              `json:"found,omitempty"` // its number in the map of the one that it lies in
	Whole  ID              `json:"whole,omitempty"` // its number in what the map of a population is part of
	As     string          `json:"as,omitempty"`    // the sum of the points that it came from there with
}

// EncodeRule writes a rule: {"limits": [...]}.
func EncodeRule(r Rule) (json.RawMessage, error) { return json.Marshal(map[string]Rule{r.Kind(): r}) }

// DecodeRule reads a rule for data of so many rows.
func DecodeRule(raw []byte, rows int) (Rule, error) {
	var of map[string]json.RawMessage
	if err := bounded.Unmarshal(raw, &of); err != nil || len(of) != 1 {
		return nil, problem.New("", "leave it out", "its rule is not one of a kind")
	}
	for id, x := range of {
		if k, ok := kinds.Find(id); ok {
			return k.Decode(x, rows)
		}
		return nil, problem.New("", "use a newer program", "there is no rule of the kind %q here", id)
	}
	return nil, nil
}

// MarshalJSON encodes the tree.
func (t Tree) MarshalJSON() ([]byte, error) {
	e := encodedTree{Populations: []json.RawMessage{}, Last: t.last}
	for _, p := range t.list {
		raw, err := EncodeRule(p.Rule)
		if err != nil {
			return nil, err
		}
		one, err := json.Marshal(encoded{p.ID, p.Parent, p.Name, p.Ink, raw, p.Found, p.Whole, p.As})
		if err != nil {
			return nil, err
		}
		e.Populations = append(e.Populations, one)
	}
	return json.Marshal(e)
}

// Decode reads what MarshalJSON wrote, for data of so many rows. A population that cannot be read is left out with
// those that lie in it, and noted in words; what is no tree is a Problem.
func Decode(raw []byte, rows int, note func(string)) (Tree, error) {
	var e encodedTree
	if err := bounded.Unmarshal(raw, &e); err != nil {
		return Tree{}, problem.New("", "leave them out", "its populations cannot be read (%s)",
			bounded.Flaw(err))
	}
	if len(e.Populations) > Most {
		return Tree{}, problem.New("", "leave some out",
			"%d populations are more than the %d that "+
				"there can be", len(e.Populations), Most)
	}
	t, depth, taken, next := Tree{}, map[ID]int{}, map[string]bool{}, map[string]int{}
	if e.Last > 0 && e.Last <= mostID {
		t.last = e.Last
	}
	list, up := e.read(note)
	open := []ID{} // the way from the root to the last one: what may be the parent of the next
	for _, x := range list {
		why := ""
		r, err := DecodeRule(x.Rule, rows)
		_, again := depth[x.ID]
		for len(open) > 0 && open[len(open)-1] != x.Parent {
			open = open[:len(open)-1]
		}
		switch {
		case err != nil:
			why = problem.As(err).What
		case x.ID <= 0 || x.ID > mostID:
			why = fmt.Sprintf("its number %d is wrong", x.ID)
		case again:
			why = fmt.Sprintf("its number %d is taken", x.ID)
		case x.Parent != 0 && len(open) == 0:
			_, read := depth[x.Parent]
			why = up.missing(x.ID, read)
		case len(open) >= Deepest:
			why = fmt.Sprintf("it lies more than %d deep", Deepest)
		}
		if why != "" {
			note(fmt.Sprintf("the population %s is left out: %s", Tidy(x.Name), why))
			continue
		}
		depth[x.ID], open = len(open), append(open, x.ID)
		t.last = max(t.last, x.ID)
		name := Tidy(x.Name)
		for own, i := name, max(next[name], 2); taken[name]; i++ { // there may be thousands of one name
			name, next[own] = numbered(own, i), i+1
		}
		taken[name] = true
		t.list = append(t.list, Population{x.ID, x.Parent, name, x.Ink % Inks, r,
			max(x.Found, 0), max(x.Whole, 0), x.As})
	}
	return t, nil
}

// parents are the numbers of populations in a file, each with that of the one it lies in.
type parents map[ID]ID

// missing says why the parent of a population is none that it can lie in, where read says whether that has been read
// before it.
func (p parents) missing(id ID, read bool) string {
	at := p[id]
	for range Deepest {
		if at == id {
			return "it lies in itself"
		}
		at = p[at]
	}
	_, there := p[p[id]]
	switch {
	case read:
		return "it does not stand behind the one that it lies in"
	case there:
		return "the one that it lies in is left out, or comes after it"
	}
	return "the one that it lies in is not there"
}

// read takes the populations apart, and notes which cannot be.
func (e *encodedTree) read(note func(string)) (list []encoded, up parents) {
	up = parents{}
	for _, one := range e.Populations {
		var x encoded
		if err := bounded.Unmarshal(one, &x); err != nil {
			note(fmt.Sprintf("a population is left out: it cannot be read (%s)", bounded.Flaw(err)))
			continue
		}
		list, up[x.ID] = append(list, x), x.Parent
	}
	return list, up
}
