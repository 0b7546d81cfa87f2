package train

import (
	"slices"
	"strings"

	"blossom/model/base/registry"
)

var algorithms = registry.New("train", func(a Algorithm) string { return a.ID },
	func(a, b Algorithm) int { return a.Order - b.Order })

// Register adds an algorithm; each registers itself from the init of its file, with an ID in lower case. It panics if
// the ID is taken.
func Register(a Algorithm) { algorithms.Add(a) }

// All returns the algorithms in the order in which they are offered.
func All() []Algorithm { return algorithms.All() }

// ByID returns the algorithm with this ID ("SOM" finds "som").
func ByID(id string) (Algorithm, bool) { return algorithms.Find(strings.ToLower(id)) }

// IDs returns those of the algorithms that find centres, or of those that keep a map: first the one that is
// taken where none is named, then as they are offered.
func IDs(centres bool) []string {
	var ids []string
	for _, a := range All() {
		switch {
		case a.Centres != centres:
		case a.Default:
			ids = slices.Insert(ids, 0, a.ID)
		default:
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// DefaultID returns the first of IDs.
func DefaultID(centres bool) string { return IDs(centres)[0] }

// Lengths says how many epochs each algorithm takes unless told otherwise, as help tells it.
func Lengths() string {
	var texts []string
	by := map[string][]string{}
	for _, a := range All() {
		if a.Length == "" {
			continue
		}
		if by[a.Length] == nil {
			texts = append(texts, a.Length)
		}
		by[a.Length] = append(by[a.Length], a.ID)
	}
	for i, t := range texts {
		texts[i] = strings.Join(by[t], " and ") + " " + t
	}
	return strings.Join(texts, "; ")
}

// Param returns the descriptor of the parameter with this id.
func (a Algorithm) Param(id string) (p Param, ok bool) {
	for _, p := range a.Params {
		if p.ID == id {
			return p, true
		}
	}
	return p, false
}
