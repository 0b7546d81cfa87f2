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
	"strconv"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// Snapshot is the positions of an embedding that runs, as they were when it was last at rest. It is immutable.
type Snapshot struct {
	Recipe embedding.Recipe
	Pos    []float32 // rows of the data x Recipe.Dims, row-major; NaN for a row that is not in the map
	Pinned []int32   // rows that are to stay where they are, rising
	Memory *Memory   // the knowledge of the run that left them; nil: none
}

// Memory is what a run knew beside positions, by rows of the data, and how well it fitted over its units.
type Memory struct {
	Facts  json.RawMessage
	Points map[string][]float32 // rows x dims, NaN for a row that is not in the map
	Orders map[string][]int32
	Print  uint64 // print of the points that it ran on: on others it does not go on with the same bits
	Units  int64  // units done
	Outcome
	Curve []CurvePoint
}

// Outcome is what else is told of a run while nobody goes on with it.
type Outcome struct {
	Total   int64  `json:"total,omitempty"`   // after how many units it would have ended; 0: when it rests, or unknown
	Rest    bool   `json:"rest,omitempty"`    // nothing more would have changed
	Stirred bool   `json:"stirred,omitempty"` // the hand has moved points since it last rested
	Early   int64  `json:"early,omitempty"`   // the first units were another phase
	Placed  int    `json:"placed,omitempty"`  // points that have a place; 0: all, or unknown
	Warning string `json:"warning,omitempty"` // the parameters that could not be followed
	// Values are those that it ran with last, of every parameter; nil: unknown.
	Values step.Values `json:"values,omitempty"`
}

// CurvePoint is how well a run fitted after so many units.
type CurvePoint struct {
	Unit  int64   `json:"unit"`
	Value float64 `json:"value"`
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
	toRows(s.Pos, pos, r.Dims, order)
	return s
}

// toRows brings dims numbers for each point of a map to the rows of the data; NaN for a row that is not in the map.
func toRows(out, in []float32, dims int, order []int32) {
	if order == nil {
		copy(out, in)
		return
	}
	if len(order)*dims < len(out) {
		for i := range out {
			out[i] = float32(math.NaN())
		}
	}
	for i, row := range order {
		copy(out[int(row)*dims:][:dims], in[i*dims:])
	}
}

// inOrder is the other way.
func inOrder(in []float32, dims int, order []int32) []float32 {
	if order == nil {
		return slices.Clone(in)
	}
	out := make([]float32, len(order)*dims)
	for i, row := range order {
		copy(out[i*dims:(i+1)*dims], in[int(row)*dims:])
	}
	return out
}

// InOrder returns the positions in the order of a map.
func (s *Snapshot) InOrder(order []int32) []float32 { return inOrder(s.Pos, s.Recipe.Dims, order) }

// Remember returns the snapshot with what a run knew, whose points are in the order of a map.
func (s *Snapshot) Remember(m *embedding.Memory, order []int32, print uint64, units int64,
	standing Outcome, curve []CurvePoint) *Snapshot {
	out := *s
	out.Memory = &Memory{Print: print, Units: units, Outcome: standing, Curve: slices.Clone(curve)}
	if m == nil {
		return &out
	}
	out.Memory.Facts, out.Memory.Orders = m.Facts, m.Orders
	out.Memory.Points = map[string][]float32{}
	for name, values := range m.Points {
		rows := make([]float32, len(s.Pos))
		toRows(rows, values, s.Recipe.Dims, order)
		out.Memory.Points[name] = rows
	}
	return &out
}

// Recall returns what a run knew, in the order of a map; nil where nothing is known.
func (s *Snapshot) Recall(order []int32) *embedding.Memory {
	if s == nil || s.Memory == nil || s.Memory.Facts == nil {
		return nil
	}
	m := &embedding.Memory{Facts: s.Memory.Facts, Orders: s.Memory.Orders, Points: map[string][]float32{}}
	for name, values := range s.Memory.Points {
		m.Points[name] = inOrder(values, s.Recipe.Dims, order)
	}
	return m
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
			if s.Memory == nil {
				continue
			}
			for _, values := range s.Memory.Points {
				n += 4 * len(values)
			}
			for _, ids := range s.Memory.Orders {
				n += 4 * len(ids)
			}
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
	Memory    *encodedMemory   `json:"memory,omitempty"`
}

// encodedMemory is what a run knew, in a file. Orders are arrays of two columns: what of a number is below 65,536, and
// how often that is in the rest; float32 holds both.
type encodedMemory struct {
	Facts  json.RawMessage   `json:"facts,omitempty"`
	Points map[string]string `json:"points,omitempty"`
	Orders map[string]string `json:"orders,omitempty"`
	Print  string            `json:"print,omitempty"` // hexadecimal: JSON has no numbers of 64 bits
	Units  int64             `json:"units,omitempty"`
	Outcome
	Curve []CurvePoint `json:"curve,omitempty"`
}

func (m *Memory) pack(rows, dims int, c state.Context) *encodedMemory {
	if m == nil {
		return nil
	}
	out := &encodedMemory{Facts: m.Facts, Print: strconv.FormatUint(m.Print, 16), Units: m.Units, Outcome: m.Outcome,
		Curve: m.Curve, Points: map[string]string{}, Orders: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(m.Points)) {
		out.Points[name] = c.Array(matrix.Matrix32{Rows: rows, Cols: dims, Data: m.Points[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Orders)) {
		ids := matrix.New(len(m.Orders[name]), 2)
		for i, id := range m.Orders[name] {
			ids.Row(i)[0], ids.Row(i)[1] = float32(id%limb), float32(id/limb)
		}
		out.Orders[name] = c.Array(ids)
	}
	return out
}

const limb = 1 << 16

// unpack reads what a run knew. What is damaged costs no more than that it begins anew from its positions.
func (m *encodedMemory) unpack(rows, dims int, c state.Context) *Memory {
	if m == nil {
		return nil
	}
	out := &Memory{Facts: m.Facts, Units: m.Units, Outcome: m.Outcome, Points: map[string][]float32{},
		Orders: map[string][]int32{}}
	out.Print, _ = strconv.ParseUint(m.Print, 16, 64)
	for _, p := range m.Curve {
		if p.Value-p.Value == 0 {
			out.Curve = append(out.Curve, p)
		}
	}
	for name, array := range m.Points {
		a, err := c.Stored(array)
		if err != nil || a.Rows != rows || a.Cols != dims {
			out.Facts = nil
			return out
		}
		out.Points[name] = a.Data
	}
	for name, array := range m.Orders {
		a, err := c.Stored(array)
		if err != nil || a.Cols != 2 {
			out.Facts = nil
			return out
		}
		ids := make([]int32, a.Rows)
		for i := range ids {
			lo, hi := a.Row(i)[0], a.Row(i)[1]
			if !(lo >= 0 && lo < limb && hi >= 0 && hi < limb/2) {
				out.Facts = nil
				return out
			}
			ids[i] = int32(hi)*limb + int32(lo)
		}
		out.Orders[name] = ids
	}
	return out
}

// Inline is the snapshot alone as a document has it that has no arrays beside it: a job. Of its run there is how far it
// has come.
func (s *Snapshot) Inline() (e state.Encoded, err error) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if err = binary.Write(z, binary.LittleEndian, s.Pos); err == nil {
		err = z.Close()
	}
	if err != nil {
		return e, err
	}
	e.Version = 2
	e.Value, err = encode([]encodedSnapshot{{Recipe: s.Recipe, Points: len(s.Pos) / s.Recipe.Dims,
		Positions: base64.StdEncoding.EncodeToString(packed.Bytes()),
		Memory:    s.Memory.pack(0, 0, state.Context{})}}, state.Context{})
	return e, err
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
		out = append(out, encodedSnapshot{Recipe: s.Recipe, Points: rows, Array: name, Pinned: s.Pinned,
			Memory: s.Memory.pack(rows, s.Recipe.Dims, c)})
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
		out[e.Recipe.Key()] = &Snapshot{Recipe: e.Recipe, Pos: pos, Pinned: e.Pinned,
			Memory: e.Memory.unpack(e.Points, e.Recipe.Dims, c)}
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
