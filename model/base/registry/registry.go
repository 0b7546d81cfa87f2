// Package registry keeps the members of a family, each of which registers itself from the init of its file.
package registry

import (
	"slices"
	"sync"
)

// Family is the members of one kind of thing. It may be used from any goroutine.
type Family[T any] struct {
	family  string
	name    func(T) string
	compare func(a, b T) int

	mu      sync.RWMutex
	members []T
}

// New returns an empty family, called family where a member is refused; name returns the name of a member, and compare
// its place beside another, as slices.SortFunc has it.
func New[T any](family string, name func(T) string, compare func(a, b T) int) *Family[T] {
	return &Family[T]{family: family, name: name, compare: compare}
}

// Add adds a member. It panics if its name is taken, which is a mistake of the program: two files claim one name.
func (f *Family[T]) Add(m T) {
	if _, taken := f.Find(f.name(m)); taken {
		panic(f.family + ": registered twice: " + f.name(m))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members = append(f.members, m)
	slices.SortStableFunc(f.members, f.compare)
}

// All returns the members in order.
func (f *Family[T]) All() []T {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return slices.Clone(f.members)
}

// Find returns the member of that name.
func (f *Family[T]) Find(name string) (m T, ok bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, m := range f.members {
		if f.name(m) == name {
			return m, true
		}
	}
	return m, false
}
