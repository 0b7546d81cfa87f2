package recovery

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"blossom/model/data/format"
	"blossom/model/document/session"
)

// Saves share their arrays, most of which are the history's and never change: they lie in packs beside the saves, and a
// save writes only those that no pack has. A new pack takes in the one before as long as that is not twice as large, so
// that there are few, and what is written in all is a small multiple of what there is to write once.

const (
	packExtension = ".arrays"
	// inSave is the size up to which an array of the present is in the save itself: should a pack be damaged, the
	// landmarks are there.
	inSave = 1 << 20
	// overhead is about what a pack takes for an array beside its numbers.
	overhead = 350
)

// pack is a file of arrays.
type pack struct {
	name string
	size int64
	has  map[string]bool
}

// store writes the arrays of a session that no pack has yet, and says in the session where they all are.
func (s *Slot) store(f *session.Session) error {
	there := map[string]bool{}
	for _, p := range s.packs {
		if info, err := os.Stat(filepath.Join(s.dir, p.name)); err != nil || info.Size() != p.size {
			return errLost
		}
		for name := range p.has {
			there[name] = true
		}
	}
	needed := map[string]bool{}
	var fresh []string
	size := int64(0)
	for _, name := range f.Arrays(inSave) {
		needed[name] = true
		if there[name] {
			continue
		}
		m, ok := f.Array(name)
		if !ok {
			return errLost
		}
		fresh = append(fresh, name)
		size += 4*int64(len(m.Data)) + overhead
	}
	packs := s.packs
	if len(fresh) > 0 {
		from := len(packs)
		for from > 0 && packs[from-1].size <= 2*size {
			from--
			size += packs[from].size
		}
		made, err := s.pack(f, fresh, packs[from:], needed)
		if err != nil {
			return err
		}
		packs = append(packs[:from:from], made)
	}
	s.packs, f.Packs = packs, nil
	for _, p := range packs {
		f.Packs = append(f.Packs, p.name)
	}
	return nil
}

// errLost says that an array is in no pack any more, or that a pack is not as it was written.
var errLost = errors.New("an array of the session is gone")

// pack writes a new pack of fresh arrays, and of those in older packs that are still needed.
func (s *Slot) pack(f *session.Session, fresh []string, older []pack, needed map[string]bool) (pack, error) {
	s.packed++
	made := pack{name: fmt.Sprintf("%08d%s", s.packed, packExtension), has: map[string]bool{}}
	path := filepath.Join(s.dir, made.name)
	err := format.AtomicWrite(path, func(w io.Writer) error {
		p := session.NewPack(w)
		for _, name := range fresh {
			m, _ := f.Array(name)
			p.Add(name, m)
			made.has[name] = true
		}
		for _, o := range older {
			err := p.Copy(filepath.Join(s.dir, o.name), func(name string) bool {
				want := needed[name] && !made.has[name]
				made.has[name] = made.has[name] || want
				return want
			})
			if err != nil {
				return errors.Join(errLost, err)
			}
		}
		return p.Close()
	})
	if err != nil {
		return pack{}, err
	}
	if info, err := os.Stat(path); err == nil {
		made.size = info.Size()
	}
	return made, nil
}

// tidyPacks deletes packs that no save needs. Where one cannot be read, whose packs are not known, all stay.
func (s *Slot) tidyPacks() {
	used := map[string]bool{}
	for _, p := range s.packs {
		used[p.name] = true
	}
	for _, n := range saves(s.dir) {
		packs, err := session.PacksOf(s.save(n))
		if err != nil {
			return
		}
		for _, p := range packs {
			used[p] = true
		}
	}
	list, _ := os.ReadDir(s.dir) // if that fails, some more are there
	for _, e := range list {
		if strings.HasSuffix(e.Name(), packExtension) && !used[e.Name()] {
			_ = os.Remove(filepath.Join(s.dir, e.Name()))
		}
	}
}

// latestPack is the greatest number of a pack in a slot.
func latestPack(dir string) (latest int) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "%08d"+packExtension, &n); err == nil {
			latest = max(latest, n)
		}
	}
	return latest
}
