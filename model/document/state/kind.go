// Package state holds a Document: a data set, the State of everything the user has set about it, and the
// history of its changes.
//
// A State is made of parts. Each kind of part is registered once, by the package that owns it, with how it
// is compared, encoded and decoded; the history, sessions, autosave and "is it saved" go over the registered
// kinds and know none by name. Parts are immutable: a change makes a new one with a new revision. That is
// why undo here is a list of States rather than of inverse operations: neighbouring entries share the parts
// that did not change, so an entry costs only what it changed and cannot be wrong.
package state

import (
	"cmp"
	"encoding/json"
	"strconv"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
)

// Kind describes a kind of part whose values are of type T.
type Kind[T any] struct {
	ID      string // stable key in session files
	Title   string // for people: "Transform"
	Version int    // version of its encoding; files of later versions are kept, not understood
	// View says that the part is how things are looked at (which views there are, what they show). Its
	// changes make no entries of the history, and leave a session saved.
	View bool
	// Required: a session without this part is damaged.
	Required bool
	// Follows names the kinds whose parts Decode needs: they are decoded before.
	Follows []string

	Default func() T
	Equal   func(a, b T) bool
	Encode  func(v T, c Context) (json.RawMessage, error)
	// Decode reads what any Version up to the present has written. The error is a problem.Problem.
	Decode func(raw json.RawMessage, version int, c Context) (T, error)
	// Bytes is the memory that a value takes, for the limit of the history; nil: little.
	Bytes func(T) int
	// Aspects are pieces of a part that change by themselves, so that undoing one leaves the others as they
	// are now: a drag and the training that went on meanwhile. nil: the part is one piece.
	Aspects []Aspect[T]
}

// Aspect is a piece of a part.
type Aspect[T any] struct {
	ID   string // in histories that are saved; "" is its number among the aspects
	Same func(a, b T) bool
	// Take returns dst with this aspect of src.
	Take func(dst, src T) T
	// Bytes is the memory that this aspect of a value takes; nil: little.
	Bytes func(T) int
}

// Context is what encoding and decoding of a part may look at.
type Context struct {
	Data    *dataset.Dataset
	Seed    uint64
	State   State  // the parts so far
	File    string // for errors
	Program string // name and version, for files
	// Strict: every part that is there must be understood, and none has to be there.
	Strict bool
	// Partial: required parts may be missing, and have their defaults then.
	Partial bool
	Changed bool // Data has changed since: what is of columns that are gone is left out, and noted
	// Full: the file holds the history too, and what is the same in several of its moments is to be known as the
	// same again, by Revisions. Held: the value is one of the history, which may not fit the other parts of State.
	Full, Held bool
	Arrays     Arrays    // beside the JSON; nil while encoding keeps none
	Revisions  Revisions // when decoding a full file
	// Note takes what the user should know: a part that could be read only in part.
	Note func(text string)
}

// Key is a registered kind: the way to its part in a State.
type Key[T any] struct{ at int }

// kind is a Kind without its type.
type kind struct {
	id, title string
	version   int
	view      bool
	required  bool
	follows   []string
	def       func() any
	equal     func(a, b any) bool
	encode    func(v any, c Context) (json.RawMessage, error)
	decode    func(raw json.RawMessage, version int, c Context) (any, error)
	bytes     func(any) int
	aspects   []string
	same      []func(a, b any) bool
	take      []func(dst, src any) any

	aspectBytes []func(any) int
}

// weight is the memory that some aspects of a value take.
func (k *kind) weight(v any, aspects uint32) (n int) {
	if len(k.aspectBytes) == 0 {
		return k.bytes(v)
	}
	for i, bytes := range k.aspectBytes {
		if aspects&(1<<i) != 0 {
			n += bytes(v)
		}
	}
	return n
}

var kinds []*kind

// Register adds a kind of part, from the init of the package that owns it. It panics if the ID is taken:
// two packages claim one name.
func Register[T any](k Kind[T]) Key[T] {
	for _, x := range kinds {
		if x.id == k.ID {
			panic("state: part registered twice: " + k.ID)
		}
	}
	if len(kinds) == MaxKinds {
		panic("state: more kinds of parts than MaxKinds")
	}
	var initial any = k.Default() // immutable, so that all documents can share it
	e := &kind{id: k.ID, title: k.Title, version: max(1, k.Version), view: k.View, required: k.Required,
		follows: k.Follows,
		def:     func() any { return initial },
		equal:   func(a, b any) bool { return k.Equal(a.(T), b.(T)) },
		encode: func(v any, c Context) (json.RawMessage, error) {
			return k.Encode(v.(T), c)
		},
		decode: func(raw json.RawMessage, version int, c Context) (any, error) {
			v, err := k.Decode(raw, version, c)
			return v, err
		},
		bytes: func(any) int { return 0 },
	}
	if k.Bytes != nil {
		e.bytes = func(v any) int { return k.Bytes(v.(T)) }
	}
	for i, a := range k.Aspects {
		id, weight := cmp.Or(a.ID, strconv.Itoa(i)), func(any) int { return 0 }
		if a.Bytes != nil {
			weight = func(v any) int { return a.Bytes(v.(T)) }
		}
		e.aspects, e.aspectBytes = append(e.aspects, id), append(e.aspectBytes, weight)
		e.same = append(e.same, func(x, y any) bool { return a.Same(x.(T), y.(T)) })
		e.take = append(e.take, func(x, y any) any { return a.Take(x.(T), y.(T)) })
	}
	kinds = append(kinds, e)
	return Key[T]{len(kinds) - 1}
}

// Title returns the title of the kind of part of an ID, for people, and whether a session needs one. Of an unknown ID
// the title is the ID.
func Title(id string) (title string, required bool) {
	for _, k := range kinds {
		if k.id == id {
			return k.title, k.required
		}
	}
	return id, false
}

// IDs are those of all kinds that are registered.
func IDs() (ids []string) {
	for _, k := range kinds {
		ids = append(ids, k.id)
	}
	return ids
}

// Of returns the part in s.
func (k Key[T]) Of(s State) T { return s.value(k.at).(T) }

// Rev returns the revision of the part in s: another number is another value. 0 is the default.
func (k Key[T]) Rev(s State) revision.Revision { return s.slots[k.at].rev }

// Put replaces the part in s. One that is equal changes nothing, not even the revision.
func (k Key[T]) Put(s *State, v T) { s.put(k.at, v) }

// With is a change that puts v, for Change and Do.
func (k Key[T]) With(v T) func(*State) { return func(s *State) { k.Put(s, v) } }

// Edit replaces the part in s by what change makes of a copy of it.
func (k Key[T]) Edit(s *State, change func(v *T)) {
	v := k.Of(*s)
	change(&v)
	k.Put(s, v)
}

// Only is the aspect of a part for Mark and Follow: number i of Kind.Aspects.
func (k Key[T]) Only(aspect int) Touch { return Touch{k.at, 1 << aspect} }

// Whole is all of a part.
func (k Key[T]) Whole() Touch { return Touch{k.at, kinds[k.at].all()} }

// Touch names what an entry of the history changes of one part: some of its aspects.
type Touch struct {
	at      int
	aspects uint32
}

func (k *kind) all() uint32 { return 1<<max(1, len(k.same)) - 1 }

// Take puts the part of another state into s, with its revision: what was made for that state fits again.
func (k Key[T]) Take(s *State, from State) { s.slots[k.at] = from.slots[k.at] }
