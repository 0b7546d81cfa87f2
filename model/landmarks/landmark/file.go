package landmark

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"blossom/model/base/matrix"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// File is what is kept of a trained map on disk: the landmarks, and how to bring new points into
// their space. It is one JSON object, one landmark a line, that people and other programs can read.
type File struct {
	Set      *Set
	Columns  []FileColumn       // one per dimension of the codebook, in order
	Mixes    []FileMix          // mixes change several columns at once, before transforms
	Scaled   bool               // columns were divided by their deviation
	Shape    string             // the size of a grid, "20x20", or ""
	Topology string             // the topology of a grid, or ""
	Method   string             // "som", "kmeans", ...
	Values   map[string]float64 // parameters of the training
	Seed     uint64
	Source   string // base name of the data
	Points   int    // points of the data
	Program  string // name and version of the program
	Engine   string // the engine that trained, with its variant, "cpu/avx2"; "" where none did
}

// FileColumn says how a dimension of the codebook comes from a column of the data.
type FileColumn struct {
	Name      string  `json:"name"`
	Label     string  `json:"label,omitempty"`
	Transform string  `json:"transform"`    // as transform.Column.File writes it
	SD        float64 `json:"sd,omitempty"` // the transformed column was divided by this; 0: by nothing
	Weight    float64 `json:"weight"`       // and multiplied with this
}

// FileMix says how columns of the data were changed together, as package transform encodes it.
type FileMix struct {
	Op      string    `json:"op"`
	Columns []string  `json:"columns"`
	Values  []float64 `json:"values,omitempty"`
	Units   []float64 `json:"units,omitempty"`
}

const (
	fileFormat  = "blossom landmarks"
	fileVersion = 1
	fileRemedy  = "give a file that blossom train has written"
)

// disk is the object as it is stored.
type disk struct {
	Format    string             `json:"format"`
	Version   int                `json:"version"`
	Program   string             `json:"program,omitempty"`
	Engine    string             `json:"engine,omitempty"`
	Source    string             `json:"source,omitempty"`
	Points    int                `json:"points,omitempty"`
	Method    string             `json:"method,omitempty"`
	Values    map[string]float64 `json:"values,omitempty"`
	Seed      uint64             `json:"seed"`
	Shape     string             `json:"shape,omitempty"`
	Topology  string             `json:"topology,omitempty"`
	Scaled    bool               `json:"scaled"`
	Arranged  bool               `json:"hand_arranged,omitempty"`
	Columns   []FileColumn       `json:"columns"`
	Mixes     []FileMix          `json:"mixes,omitempty"`
	Pinned    []int              `json:"pinned,omitempty"` // indices
	Names     []string           `json:"names,omitempty"`
	Groups    []int32            `json:"populations,omitempty"` // numbers of those that landmarks carry, 0 for none
	Edges     [][]int32          `json:"edges,omitempty"`       // pairs
	Cut       [][]int32          `json:"edges_cut,omitempty"`
	Joined    [][]int32          `json:"edges_joined,omitempty"`
	Locked    [][]int32          `json:"edges_locked,omitempty"`
	Positions [][]float32        `json:"positions,omitempty"`
	Codebook  [][]float32        `json:"codebook,omitempty"`
}

// Write writes the file. Numbers are the shortest that read back to the same float32.
func (f *File) Write(w io.Writer) error {
	if err := f.Set.Validate(); err != nil {
		return err
	}
	if len(f.Columns) != f.Set.Codebook.Cols {
		return problem.New("", "report this", "%d columns are named for %d dimensions", len(f.Columns),
			f.Set.Codebook.Cols)
	}
	d := f.head()
	for _, e := range f.Set.Edges {
		d.Edges = append(d.Edges, e[:])
	}
	head, err := json.Marshal(d) // without the matrices, which follow a row a line
	if err != nil {
		return problem.Wrap(err, "", "report this", "the landmarks cannot be written: %v", err)
	}
	b := bufio.NewWriter(w)
	b.Write(head[:len(head)-1])
	for _, part := range []struct {
		name string
		m    matrix.Matrix32
	}{{"positions", f.Set.Pos}, {"codebook", f.Set.Codebook}} {
		fmt.Fprintf(b, ",\n%q: [", part.name)
		for i := range part.m.Rows {
			if i > 0 {
				b.WriteByte(',')
			}
			row, err := json.Marshal(part.m.Row(i))
			if err != nil {
				return err
			}
			b.WriteString("\n")
			b.Write(row)
		}
		b.WriteString("]")
	}
	b.WriteString("\n}\n")
	return b.Flush()
}

// head is all but the matrices and the edges.
func (f *File) head() disk {
	d := disk{Format: fileFormat, Version: fileVersion, Program: f.Program, Engine: f.Engine, Source: f.Source,
		Points: f.Points, Method: f.Method, Values: f.Values, Seed: f.Seed, Shape: f.Shape, Topology: f.Topology,
		Scaled: f.Scaled, Arranged: f.Set.ByHand, Columns: f.Columns, Mixes: f.Mixes,
		Names: f.Set.Names, Groups: f.Set.Groups}
	d.putEdits(f.Set.Edits)
	for i, on := range f.Set.Pinned {
		if on {
			d.Pinned = append(d.Pinned, i)
		}
	}
	return d
}

// Read reads what Write has written; name is used in errors, which are Problems.
func Read(r io.Reader, name string) (*File, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, plain.Problem(err, name)
	}
	d, err := parseDisk(text, name)
	if err != nil {
		return nil, err
	}
	if d.Version > fileVersion {
		return nil, problem.New(name, "use a newer blossom", "a landmarks file of version %d, this program knows %d",
			d.Version, fileVersion)
	}
	code, err := rows(d.Codebook, name, "codebook row")
	if err != nil {
		return nil, err
	}
	pos, err := rows(d.Positions, name, "position")
	if err != nil {
		return nil, err
	}
	edges, err := pairs(d.Edges, name)
	if err != nil {
		return nil, err
	}
	return d.file(name, code, pos, edges)
}

// file makes the file of what was read of it.
func (d *disk) file(name string, code, pos matrix.Matrix32, edges [][2]int32) (*File, error) {
	if code.Rows == 0 {
		return nil, problem.New(name, fileRemedy, "it has no landmarks")
	}
	if len(d.Columns) != code.Cols {
		return nil, problem.New(name, fileRemedy, "it names %d columns for %d dimensions", len(d.Columns), code.Cols)
	}
	if err := wrongColumns(d.Columns, name); err != nil {
		return nil, err
	}
	edits, err := d.edits(name)
	if err != nil {
		return nil, err
	}
	set, err := New(code, pos)
	if err != nil {
		p := problem.As(err)
		return nil, problem.Wrap(err, name, p.Remedy, "%s", p.What)
	}
	for _, i := range d.Pinned {
		if i < 0 || i >= set.Len() {
			return nil, problem.New(name, fileRemedy, "it pins landmark %d of %d", i+1, set.Len())
		}
		set.Pinned[i] = true
	}
	if len(d.Names) > 0 {
		set.Names = d.Names
	}
	if len(d.Groups) > 0 {
		set.Groups, set.GroupRev = d.Groups, revision.Next()
	}
	set.Edges, set.Edits, set.ByHand = edges, edits, d.Arranged
	if err := set.Validate(); err != nil {
		p := problem.As(err)
		return nil, problem.Wrap(err, name, p.Remedy, "%s", p.What)
	}
	return &File{Set: set, Columns: d.Columns, Mixes: d.Mixes, Scaled: d.Scaled, Shape: d.Shape, Topology: d.Topology,
		Method: d.Method, Values: d.Values, Seed: d.Seed, Source: d.Source, Points: d.Points, Program: d.Program,
		Engine: d.Engine}, nil
}

// rows makes a matrix of rows that must be equally long.
func rows(v [][]float32, name, what string) (matrix.Matrix32, error) {
	var m matrix.Matrix32
	if len(v) == 0 {
		return m, nil
	}
	m = matrix.New(len(v), len(v[0]))
	for i, r := range v {
		if len(r) != m.Cols {
			return m, problem.New(name, fileRemedy, "%s %d has %d numbers, the first has %d", what, i+1, len(r), m.Cols)
		}
		copy(m.Row(i), r)
	}
	return m, nil
}
