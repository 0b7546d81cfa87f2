package parts

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

func snapshotContext(t testing.TB, points int, notes *[]string) state.Context {
	t.Helper()
	data, err := dataset.FromMatrix(nil, matrix.New(points, 2))
	if err != nil {
		t.Fatal(err)
	}
	return state.Context{Data: data, File: "s.blossom", Arrays: state.InMemory{},
		Note: func(text string) { *notes = append(*notes, text) }}
}

// Whatever the order of the map, and if it leaves rows out, positions come back where they were, through a file too.
func TestSnapshotsComeBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.IntRange(1, 3000).Draw(rt, "rows")
		dims := rapid.IntRange(2, 3).Draw(rt, "dims")
		order := transform.Shuffle(rows, rapid.Uint64().Draw(rt, "seed"))[:rapid.IntRange(1, rows).Draw(rt, "points")]
		if rapid.Bool().Draw(rt, "whole") {
			order = nil
		}
		n := rows
		if order != nil {
			n = len(order)
		}
		pos := make([]float32, n*dims)
		for i := range pos {
			pos[i] = float32(math.Sin(float64(i)))
		}
		pos[0] = float32(math.NaN())
		pinned := []int{n - 1, 0}
		r := embedding.Recipe{Kind: "one", Dims: dims}
		var notes []string
		c := snapshotContext(t, rows, &notes)
		raw, err := encodeSnapshots(SnapshotTable{}.With(NewSnapshot(r, pos, pinned, order, rows)), c)
		if err != nil {
			rt.Fatal(err)
		}
		back, err := decodeSnapshots(raw, 2, c)
		if err != nil || len(notes) > 0 {
			rt.Fatal(err, notes)
		}
		s := back.Get(r)
		if s == nil || s != back.Kind("one") || back.Kind("two") != nil {
			rt.Fatal("it is not found")
		}
		same := func(a, b float32) bool { return a == b || a != a && b != b }
		if !slices.EqualFunc(s.InOrder(order), pos, same) {
			rt.Fatal("other positions")
		}
		if in := s.PinnedIn(order); !in[0] || !in[n-1] || len(in) != min(n, 2) {
			rt.Fatalf("pins %v", in)
		}
		again, err := encodeSnapshots(back, c)
		if err != nil || string(again) != string(raw) {
			rt.Fatal("the same positions are other bytes", err)
		}
	})
}

// A damaged snapshot is left out and said; the rest of the session is read.
func TestDamagedSnapshots(t *testing.T) {
	r := embedding.Recipe{Kind: "one", Dims: 2}
	whole := NewSnapshot(r, make([]float32, 20), []int{3}, nil, 10)
	for name, change := range map[string]func(e *encodedSnapshot){
		"other points":      func(e *encodedSnapshot) { e.Points = 11 },
		"no points":         func(e *encodedSnapshot) { e.Points = -1 },
		"many":              func(e *encodedSnapshot) { e.Points = math.MaxInt / 2 },
		"dimensions":        func(e *encodedSnapshot) { e.Recipe.Dims = 3 },
		"no dimensions":     func(e *encodedSnapshot) { e.Recipe.Dims = 0 },
		"no base64":         func(e *encodedSnapshot) { e.Positions = "%" },
		"no gzip":           func(e *encodedSnapshot) { e.Positions = "aGVsbG8=" },
		"cut":               func(e *encodedSnapshot) { e.Positions = e.Positions[:len(e.Positions)/8*4] },
		"longer":            func(e *encodedSnapshot) { e.Positions = packed(NewSnapshot(r, nil, nil, nil, 11)) },
		"no such row":       func(e *encodedSnapshot) { e.Pinned = []int32{10} },
		"rows not in order": func(e *encodedSnapshot) { e.Pinned = []int32{2, 1} },
	} {
		var notes []string
		c := snapshotContext(t, 10, &notes)
		e := encodedSnapshot{Recipe: r, Points: 10, Positions: packed(whole), Pinned: slices.Clone(whole.Pinned)}
		change(&e)
		raw, err := json.Marshal([]encodedSnapshot{e})
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeSnapshots(raw, 1, c)
		if err != nil || len(got) != 0 || len(notes) != 1 || !strings.Contains(notes[0], "left out") {
			t.Errorf("%s: %v, %d snapshots, notes %q", name, err, len(got), notes)
		}
	}
	var notes []string
	if _, err := decodeSnapshots(json.RawMessage(`{"a": 1}`), 1, snapshotContext(t, 1, &notes)); err == nil {
		t.Error("what is no list was read")
	}
}

// packed is the text of positions in the first version.
func packed(s *Snapshot) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_ = binary.Write(z, binary.LittleEndian, s.Pos) // to memory: it does not fail
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
