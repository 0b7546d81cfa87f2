package parts

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"

	"blossom/model/embedding"
	"blossom/model/matrix"
	"blossom/model/problem"
	"blossom/model/state"
)

// Snapshot is the positions of an embedding that runs, as they were when it was last at rest. It is immutable.
type Snapshot struct {
	Recipe embedding.Recipe
	Pos    []float32 // rows of the data x Recipe.Dims, row-major; NaN for a row that is not in the map
	Pinned []int32   // rows that are to stay where they are, rising
}

// NewSnapshot keeps positions and pinned points that are in the order of a map, of data with so many rows.
func NewSnapshot(r embedding.Recipe, pos []float32, pinned []int, order []int32, rows int) *Snapshot {
	s := &Snapshot{Recipe: r, Pos: make([]float32, rows*r.Dims)}
	for _, p := range pinned {
		if order != nil {
			p = int(order[p])
		}
		s.Pinned = append(s.Pinned, int32(p))
	}
	slices.Sort(s.Pinned)
	s.Pinned = slices.Compact(s.Pinned)
	if order == nil {
		copy(s.Pos, pos)
		return s
	}
	if len(order) < rows {
		for i := range s.Pos {
			s.Pos[i] = float32(math.NaN())
		}
	}
	for i, row := range order {
		copy(s.Pos[int(row)*r.Dims:][:r.Dims], pos[i*r.Dims:])
	}
	return s
}

// InOrder returns the positions in the order of a map.
func (s *Snapshot) InOrder(order []int32) []float32 {
	if order == nil {
		return slices.Clone(s.Pos)
	}
	d := s.Recipe.Dims
	out := make([]float32, len(order)*d)
	for i, row := range order {
		copy(out[i*d:(i+1)*d], s.Pos[int(row)*d:])
	}
	return out
}

// PinnedIn returns the pinned points by their places in the order of a map.
func (s *Snapshot) PinnedIn(order []int32) map[int]bool {
	rows, out := map[int32]bool{}, map[int]bool{}
	for _, row := range s.Pinned {
		rows[row] = true
		if order == nil {
			out[int(row)] = true
		}
	}
	if len(rows) > 0 {
		for i, row := range order {
			if rows[row] {
				out[i] = true
			}
		}
	}
	return out
}

// SnapshotTable is snapshots by the keys of their recipes. It is never changed in place.
type SnapshotTable map[string]*Snapshot

// Get returns the snapshot of an embedding, or nil.
func (t SnapshotTable) Get(r embedding.Recipe) *Snapshot { return t[r.Key()] }

// Kind returns a snapshot of a kind of embedding, that of the fewest dimensions, or nil.
func (t SnapshotTable) Kind(id string) (found *Snapshot) {
	for _, s := range t {
		if s.Recipe.Kind == id && (found == nil || s.Recipe.Key() < found.Recipe.Key()) {
			found = s
		}
	}
	return found
}

// With returns the table with another snapshot of an embedding.
func (t SnapshotTable) With(s *Snapshot) SnapshotTable {
	out := SnapshotTable{}
	maps.Copy(out, t)
	out[s.Recipe.Key()] = s
	return out
}

// MaxSnapshot is how many coordinates a snapshot may have to be kept in a file: 256 MiB of them.
const MaxSnapshot = 64 << 20

// Snapshots are the positions of embeddings that cannot be computed again from the document's other parts.
var Snapshots = state.Register(state.Kind[SnapshotTable]{
	ID: "snapshots", Title: "Embeddings kept", Version: 2,
	Default: func() SnapshotTable { return SnapshotTable{} },
	Equal:   func(a, b SnapshotTable) bool { return maps.Equal(a, b) },
	Encode:  encodeSnapshots,
	Decode:  decodeSnapshots,
	Bytes: func(t SnapshotTable) (n int) {
		for _, s := range t {
			n += 4 * len(s.Pos)
		}
		return n
	},
})

// encodedSnapshot is a snapshot in a file. Version 1 had the positions themselves: little-endian float32, compressed by
// gzip, in base64.
type encodedSnapshot struct {
	Recipe    embedding.Recipe `json:"embedding"`
	Points    int              `json:"points"`
	Positions string           `json:"positions,omitempty"`
	Array     string           `json:"array,omitempty"` // the name of the positions, an array of points x dims
	Pinned    []int32          `json:"pinned,omitempty"`
}

func encodeSnapshots(t SnapshotTable, c state.Context) (json.RawMessage, error) {
	if len(t) == 0 {
		return nil, nil
	}
	out := []encodedSnapshot{}
	for _, key := range slices.Sorted(maps.Keys(t)) {
		s := t[key]
		if len(s.Pos) > MaxSnapshot {
			if c.Note != nil {
				c.Note("the positions of " + s.Recipe.Kind + " are too many for a session; export them")
			}
			continue
		}
		rows := len(s.Pos) / s.Recipe.Dims
		name := c.Array(matrix.Matrix32{Rows: rows, Cols: s.Recipe.Dims, Data: s.Pos})
		out = append(out, encodedSnapshot{Recipe: s.Recipe, Points: rows, Array: name, Pinned: s.Pinned})
	}
	return encode(out, c)
}

// decodeSnapshots reads what there is. Positions that do not fit the data, or are damaged, are left out and
// noted: all else of a session is worth more than they are.
func decodeSnapshots(raw json.RawMessage, _ int, c state.Context) (SnapshotTable, error) {
	var in []encodedSnapshot
	if err := decode(raw, "the positions of embeddings", &in); err != nil {
		return nil, err
	}
	out := SnapshotTable{}
	for _, e := range in {
		pos, err := e.unpack(c)
		if err != nil {
			if c.Note != nil {
				c.Note("the positions of " + e.Recipe.Kind + " are left out: " + problem.As(err).What)
			}
			continue
		}
		out[e.Recipe.Key()] = &Snapshot{Recipe: e.Recipe, Pos: pos, Pinned: e.Pinned}
	}
	return out, nil
}

func (e *encodedSnapshot) unpack(c state.Context) ([]float32, error) {
	dims := e.Recipe.Dims
	switch {
	case dims != 2 && dims != 3:
		return nil, problem.New(c.File, remedy, "they have %d dimensions", dims)
	case e.Points != c.Data.Points:
		return nil, problem.New(c.File, remedy, "they are of %d points, and the data has %d", e.Points, c.Data.Points)
	case e.Points*dims > MaxSnapshot:
		return nil, problem.New(c.File, remedy, "they are too many")
	}
	for i, row := range e.Pinned {
		if row < 0 || int(row) >= e.Points || i > 0 && row <= e.Pinned[i-1] {
			return nil, problem.New(c.File, remedy, "row %d of them cannot be pinned", row+1)
		}
	}
	pos := make([]float32, e.Points*dims)
	if e.Array != "" {
		m, err := c.Stored(e.Array)
		if err != nil {
			return nil, err
		}
		if m.Rows != e.Points || m.Cols != dims {
			return nil, problem.New(c.File, remedy, "their array is of %d x %d numbers", m.Rows, m.Cols)
		}
		for i, v := range m.Data {
			pos[i] = placeOrNone(v)
		}
		return pos, nil
	}
	packed, err := base64.StdEncoding.DecodeString(e.Positions)
	if err != nil {
		return nil, problem.Wrap(err, c.File, remedy, "they cannot be read (%v)", err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, problem.Wrap(err, c.File, remedy, "they cannot be read (%v)", err)
	}
	size := 4 * e.Points * dims
	data, err := io.ReadAll(io.LimitReader(z, int64(size)+1))
	if err != nil || len(data) != size {
		return nil, problem.New(c.File, remedy, "they are damaged")
	}
	for i := range pos {
		pos[i] = placeOrNone(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return pos, nil
}

// placeOrNone is a coordinate, or the one NaN that says that there is none.
func placeOrNone(v float32) float32 {
	if v-v != 0 {
		return float32(math.NaN())
	}
	return v
}
