package session

import (
	"archive/zip"
	"bytes"
	"context"
	"path/filepath"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/document/state"
)

// arrays are those of a session, in memory or still in files.
type arrays struct {
	state.InMemory
	order  []string        // in which they were put
	needed map[string]bool // arrays that may be elsewhere
	from   []*container
	packs  []string // files beside the session that hold the rest, opened when first needed
	opened bool
}

func newArrays() *arrays { return &arrays{InMemory: state.InMemory{}, needed: map[string]bool{}} }

// Put keeps an array.
func (a *arrays) Put(m matrix.Matrix32) string {
	name := a.InMemory.Put(m)
	a.need(name)
	return name
}

// need says that an array is needed, which may be elsewhere.
func (a *arrays) need(names ...string) {
	for _, name := range names {
		if !a.needed[name] {
			a.needed[name] = true
			a.order = append(a.order, name)
		}
	}
}

// noting tells of what is put.
type noting struct {
	*arrays
	needed func(names ...string)
}

// Put keeps an array.
func (n noting) Put(m matrix.Matrix32) string {
	name := n.arrays.Put(m)
	n.needed(name)
	return name
}

// Get returns an array.
func (a *arrays) Get(name string) (matrix.Matrix32, error) {
	if m, ok := a.InMemory[name]; ok {
		return m, nil
	}
	m, err := a.find(name)
	if err != nil {
		return m, problem.Wrap(err, "", "take a copy of the session from before, or "+remedy, "%s %v",
			arrayFile(name), err)
	}
	a.InMemory[name] = m
	return m, nil
}

// prefetch reads what arrays there are beside those that are in memory, on all cores: a history needs most of them.
// What is wrong with one is said by who asks for it.
func (a *arrays) prefetch() {
	if !a.opened {
		a.openPacks()
	}
	var names []string
	seen := map[string]bool{}
	for _, c := range a.from {
		for file, e := range c.files {
			name := arrayOf(file)
			_, ok := a.InMemory[name]
			// Together those that are not compressed are no larger than the file.
			if name != "" && !ok && !seen[name] && e.method == zip.Store {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	found := make([]matrix.Matrix32, len(names))
	good := make([]bool, len(names))
	// Never cancelled: as the rest of opening.
	_ = par.Blocks(context.Background(), len(names), 8, func(_, from, to int) {
		for i := from; i < to; i++ {
			m, err := a.find(names[i])
			found[i], good[i] = m, err == nil
		}
	})
	for i, name := range names {
		if good[i] {
			a.InMemory[name] = found[i]
		}
	}
}

func (a *arrays) find(name string) (m matrix.Matrix32, err error) {
	b, err := a.content(name)
	if err != nil {
		return m, err
	}
	if m, err = readNPY(b); err != nil {
		return m, errSum
	}
	if state.NameOf(m) != name {
		return matrix.Matrix32{}, problem.New("", "", "is not the one that was saved")
	}
	return m, nil
}

// content is the file of an array, the sum of which is right.
func (a *arrays) content(name string) (b []byte, err error) {
	err = errMissing
	for i := 0; ; i++ {
		if i == len(a.from) {
			if a.opened {
				return nil, err
			}
			a.openPacks()
			if i == len(a.from) {
				return nil, err
			}
		}
		got, e := a.from[i].read(arrayFile(name), mostArray)
		if e == nil {
			return got, nil
		}
		if e != errMissing {
			err = e
		}
	}
}

// openPacks opens the files beside the session.
func (a *arrays) openPacks() {
	a.opened = true
	for _, path := range a.packs {
		b, err := plain.ReadFile(path, mostPack)
		if err != nil {
			continue
		}
		if c, err := openContainer(bytes.NewReader(b), int64(len(b))); err == nil {
			a.from = append(a.from, c)
		}
	}
}

// beside are the paths of files in the folder of a session.
func beside(session string, names []string) (out []string) {
	for _, name := range names {
		out = append(out, filepath.Join(filepath.Dir(session), filepath.Base(name)))
	}
	return out
}
