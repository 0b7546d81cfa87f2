package state

import (
	"encoding/json"
	"slices"
	"strings"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
)

const remedy = "open the data file itself and start anew"

// Encoded is a part in a file.
type Encoded struct {
	Version int             `json:"version"`
	Value   json.RawMessage `json:"value"`
	Arrays  []string        `json:"arrays,omitempty"` // arrays that the value names
	Rev     uint64          `json:"rev,omitempty"`    // in files with a history, whose entries may hold the same value
}

// Encode returns all parts by their IDs, and the foreign ones as they were. c.State is set here.
func (d *Document) Encode(c Context) (map[string]Encoded, error) {
	out := map[string]Encoded{}
	for id, e := range d.Foreign {
		out[id] = e
		for _, name := range e.Arrays {
			if m, ok := d.ForeignArrays[name]; ok {
				c.Array(m)
			}
		}
	}
	c.Data, c.Seed, c.State = d.Data, d.Seed, d.state
	for i, k := range kinds {
		inner, arrays := c, &putting{Arrays: c.Arrays}
		inner.Arrays = arrays
		raw, err := k.encode(d.state.value(i), inner)
		if err != nil {
			return nil, err
		}
		if _, newer := d.Foreign[k.id]; raw != nil && !(newer && d.state.slots[i].rev == 0) {
			e := Encoded{Version: k.version, Value: raw, Arrays: arrays.names}
			if c.Full {
				e.Rev = uint64(d.state.slots[i].rev)
			}
			out[k.id] = e
		}
	}
	return out, nil
}

// Decode makes the State of encoded parts, in the order in which they follow each other. A part that is
// missing has its default. One that is unknown, or of a newer program, is returned as foreign, to be
// saved again as it is, and noted. One that cannot be read has its default, which is noted: only what a
// session is nothing without, its required parts, is an error.
func Decode(parts map[string]Encoded, c Context) (s State, foreign map[string]Encoded, err error) {
	note := func(text string) {
		if c.Note != nil {
			c.Note(text)
		}
	}
	if foreign, err = unknown(parts, c, note); err != nil {
		return State{}, nil, err
	}
	done := map[string]bool{}
	var visit func(at int) error
	visit = func(at int) error {
		k := kinds[at]
		if done[k.id] {
			return nil
		}
		done[k.id] = true
		for _, id := range k.follows {
			if i := slices.IndexFunc(kinds, func(x *kind) bool { return x.id == id }); i >= 0 {
				if err := visit(i); err != nil {
					return err
				}
			}
		}
		e, ok := parts[k.id]
		if !ok || string(e.Value) == "null" {
			if k.required && !c.Strict && !c.Partial {
				return problem.New(c.File, remedy, "it has no %s", strings.ToLower(k.title))
			}
			return nil
		}
		if known, newer, err := k.knows(e.Version, c, note); !known {
			if newer {
				foreign[k.id] = e
			}
			return err
		}
		c.State = s
		v, err := k.read(e, c)
		if err != nil {
			p := problem.As(err)
			if !k.required && !c.Strict {
				note(k.title + " is as in a new document: " + p.What)
				return nil
			}
			return problem.Wrap(err, c.File, p.Remedy, "%s", p.What)
		}
		s.put(at, v)
		if c.Revisions != nil && e.Rev != 0 {
			c.Revisions[e.Rev] = s.slots[at].rev
		}
		return nil
	}
	for i := range kinds {
		if err := visit(i); err != nil {
			return State{}, nil, err
		}
	}
	return s, foreign, nil
}

// read decodes a part, which where all must be understood is kept as it is.
func (k *kind) read(e Encoded, c Context) (any, error) {
	v, err := k.decode(e.Value, e.Version, c)
	if err == nil && c.Strict {
		err = k.keeps(e, v, c)
	}
	return v, err
}

// keeps says what of a part this program takes for something else, where all must be understood: sessions forgive what
// makes no sense, and what is computed of a job would be something else without a word. What is required forgives
// nothing, and may be written in several ways.
func (k *kind) keeps(e Encoded, v any, c Context) error {
	if k.required || e.Version != k.version {
		return nil
	}
	c.Arrays = InMemory{}
	again, err := k.encode(v, c)
	if err != nil {
		return err
	}
	if again == nil {
		again = []byte("{}")
	}
	if flaw := bounded.Kept(e.Value, again); flaw != "" {
		return problem.New(c.File, "leave it out, or give what can be", "%s: %s", k.id, flaw)
	}
	return nil
}

// knows reports whether this program reads the encoding of a version, or a newer one would: without it the document has
// the default, which is noted, and an error if it cannot do with that.
func (k *kind) knows(version int, c Context, note func(string)) (known, newer bool, err error) {
	needed, file := k.required || c.Strict, c.File
	switch {
	case version >= 0 && version <= k.version:
		return true, false, nil
	case version > k.version && needed:
		return false, true, problem.New(file, "use a newer blossom", "%s was saved by a newer program", k.title)
	case version > k.version:
		note(k.title + " was saved by a newer program and is as in a new document; use a newer blossom for it")
		return false, true, nil
	case needed:
		return false, false, problem.New(file, remedy, "its %s is of version %d, which there never was",
			strings.ToLower(k.title), version)
	}
	note(k.title + " is as in a new document: it is of a version that there never was")
	return false, false, nil
}

// unknown returns the parts that no kind is registered for, which is an error where all must be understood.
func unknown(parts map[string]Encoded, c Context, note func(text string)) (map[string]Encoded, error) {
	foreign := map[string]Encoded{}
	for id, e := range parts {
		if !slices.ContainsFunc(kinds, func(k *kind) bool { return k.id == id }) {
			foreign[id] = e
		}
	}
	for _, id := range sortedKeys(foreign) {
		if c.Strict {
			return nil, problem.New(c.File, "use a newer blossom, or take it out", "its state has a part %q that this "+
				"program does not know, and without which something else would come out", id)
		}
		note("the session has a part \"" + id + "\" that this program does not know; it is kept as it is")
	}
	return foreign, nil
}

func sortedKeys[T any](m map[string]T) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
