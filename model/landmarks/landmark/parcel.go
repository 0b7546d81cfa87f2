package landmark

import (
	"encoding/json"
	"strconv"

	"blossom/model/base/bounded"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// Parcel is a File in pieces, for containers that keep arrays by themselves.
type Parcel struct {
	Head                json.RawMessage // all but the arrays, as in the file
	Codebook, Positions matrix.Matrix32
	Edges               matrix.Matrix32 // rows are pairs of landmarks; none: of no rows
}

// Parcel takes the file apart. A file without columns is of landmarks alone.
func (f *File) Parcel() (*Parcel, error) {
	if err := f.Set.Validate(); err != nil {
		return nil, err
	}
	if len(f.Columns) != f.Set.Codebook.Cols && len(f.Columns) > 0 {
		return nil, problem.New("", "report this", "%d columns are named for %d dimensions", len(f.Columns),
			f.Set.Codebook.Cols)
	}
	head, err := json.Marshal(f.head())
	if err != nil {
		return nil, problem.Wrap(err, "", "report this", "the landmarks cannot be written: %v", err)
	}
	p := &Parcel{Head: head, Codebook: f.Set.Codebook, Positions: f.Set.Pos, Edges: matrix.New(len(f.Set.Edges), 2)}
	for i, e := range f.Set.Edges {
		p.Edges.Data[2*i], p.Edges.Data[2*i+1] = float32(e[0]), float32(e[1]) // exact up to MaxLandmarks
	}
	return p, nil
}

// File puts it together again; name is used in errors, which are Problems.
func (p *Parcel) File(name string) (*File, error) {
	var d disk
	if err := bounded.Unmarshal(p.Head, &d); err != nil {
		return nil, problem.Wrap(err, name, fileRemedy, "the landmarks cannot be read (%s)", jsonWords(err))
	}
	if d.Format != fileFormat || d.Version < 1 || d.Version > fileVersion {
		return nil, problem.New(name, "use a newer blossom", "the landmarks are of version %d, this program knows %d",
			d.Version, fileVersion)
	}
	if p.Edges.Cols != 2 && p.Edges.Rows > 0 {
		return nil, problem.New(name, fileRemedy, "an edge joins %d landmarks", p.Edges.Cols)
	}
	var edges [][2]int32
	for i := range p.Edges.Rows {
		a, b := p.Edges.Data[2*i], p.Edges.Data[2*i+1]
		if !(a >= 0 && a < MaxLandmarks && b >= 0 && b < MaxLandmarks) {
			return nil, problem.New(name, fileRemedy, "an edge joins landmarks %g and %g", a+1, b+1)
		}
		edges = append(edges, [2]int32{int32(a), int32(b)})
	}
	if len(d.Columns) > 0 {
		return d.file(name, p.Codebook, p.Positions, edges)
	}
	for j := range p.Codebook.Cols { // a file of landmarks alone says nothing of columns
		d.Columns = append(d.Columns, FileColumn{Name: strconv.Itoa(j + 1), Weight: 1})
	}
	f, err := d.file(name, p.Codebook, p.Positions, edges)
	if err == nil {
		f.Columns = nil
	}
	return f, err
}
