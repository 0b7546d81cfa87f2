package train

import (
	"slices"
	"strings"
	"sync"
)

var (
	mu         sync.Mutex
	algorithms []Algorithm
)

// Register adds an algorithm; each registers itself from the init of its file. It panics if the id
// is taken.
func Register(a Algorithm) {
	mu.Lock()
	defer mu.Unlock()
	for _, o := range algorithms {
		if o.ID == a.ID {
			panic("train: algorithm registered twice: " + a.ID)
		}
	}
	algorithms = append(algorithms, a)
	slices.SortStableFunc(algorithms, func(a, b Algorithm) int { return a.Order - b.Order })
}

// All returns the algorithms in the order in which they are offered.
func All() []Algorithm {
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(algorithms)
}

// ByID returns the algorithm with this id ("SOM" finds "som").
func ByID(id string) (Algorithm, bool) {
	for _, a := range All() {
		if strings.EqualFold(a.ID, id) {
			return a, true
		}
	}
	return Algorithm{}, false
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
