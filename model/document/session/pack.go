package session

import (
	"archive/zip"
	"io"

	"blossom/model/base/bounded"
	"blossom/model/base/matrix"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
)

// Pack writes a file of arrays alone, for sessions beside it: of those that save themselves again and again most arrays
// are the same every time.
type Pack struct{ w *writer }

// NewPack begins a pack.
func NewPack(w io.Writer) *Pack { return &Pack{newWriter(w)} }

// Add adds an array by its name.
func (p *Pack) Add(name string, m matrix.Matrix32) { p.w.add(arrayFile(name), npy(m), false) }

// Copy adds those arrays of another pack that are wanted, without looking into them.
func (p *Pack) Copy(path string, want func(name string) bool) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		if name := arrayOf(f.Name); name == "" || !want(name) {
			continue
		}
		r, err := f.OpenRaw()
		if err != nil {
			return err
		}
		h := f.FileHeader
		p.w.raw(&h, r)
	}
	return p.w.err
}

// Close ends the pack.
func (p *Pack) Close() error { return p.w.close() }

// PacksOf returns the names of the packs that a session needs, from its folder.
func PacksOf(path string) ([]string, error) {
	f, err := plain.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 2)
	if _, err := io.ReadFull(f, head); err != nil || string(head) != "PK" {
		return nil, err // an old one has none
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	c, err := openContainer(f, info.Size())
	if err != nil {
		return nil, problem.Wrap(err, path, remedy, "not a readable session: %s", bounded.Flaw(err))
	}
	text, err := c.read(headName, mostJSON)
	if err != nil {
		return nil, err
	}
	var s struct{ Packs []string }
	return s.Packs, bounded.Unmarshal(text, &s)
}
