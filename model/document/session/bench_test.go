package session

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// worked is a document of 400 landmarks x 30 columns that has been worked on: entries, every second one of them a
// training of a hundred steps, the others drags, pins and names.
func worked(t testing.TB, entries int) *state.Document {
	t.Helper()
	const g, cols = 400, 30
	r := rand.New(rand.NewPCG(1, 2))
	columns := make([]dataset.Column, cols)
	for j := range columns {
		v := make([]float32, 100)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		columns[j] = dataset.Column{Name: "marker " + string(rune('A'+j)), Values: v}
	}
	ds, err := dataset.FromColumns(t.Context(), "d.csv", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Path = "demo:x"
	var s state.State
	spec := transform.Default(ds)
	for j := range spec.Columns {
		spec.Columns[j].Use = transform.InMap
	}
	parts.Transform.Put(&s, spec)
	noise := func(rows, cols int) matrix.Matrix32 {
		m := matrix.New(rows, cols)
		for i := range m.Data {
			m.Data[i] = float32(r.NormFloat64())
		}
		return m
	}
	l, err := landmark.New(noise(g, cols), noise(g, 2))
	if err != nil {
		t.Fatal(err)
	}
	for i := range g {
		if (i+1)%20 != 0 {
			l.Edges = append(l.Edges, [2]int32{int32(i), int32(i + 1)})
		}
		if i+20 < g {
			l.Edges = append(l.Edges, [2]int32{int32(i), int32(i + 20)})
		}
	}
	l.Space = parts.Transform.Rev(s)
	parts.Landmarks.Put(&s, l)
	d := state.New(ds, "d.csv", 1, s)
	for i := range entries {
		switch now := *parts.Landmarks.Of(d.State()); {
		case i%2 == 0:
			parts.StartTraining(d, "Train")
			for range 100 {
				now.Codebook, now.CodeRev = noise(g, cols), revision.Next()
				parts.Trained(d, &now)
			}
		case i%3 == 0:
			l, err := now.Pin([]int{i % g}, true)
			if err != nil {
				t.Fatal(err)
			}
			d.Do("Pin landmark", func(s *state.State) { parts.Landmarks.Put(s, l) })
		default:
			now.Pos, now.PosRev, now.ByHand = noise(g, 2), revision.Next(), true
			d.Do("Move landmarks", func(s *state.State) { parts.Landmarks.Put(s, &now) })
		}
	}
	return d
}

func BenchmarkSession(b *testing.B) {
	d := worked(b, 500)
	b.Logf("%d entries", len(d.History().Entries()))
	file := func(recipe bool) []byte {
		of := func() (*Session, error) { return Full(d, "s.blossom", "test", time.Unix(1e9, 0), nil) }
		if recipe {
			of = func() (*Session, error) { return Of(d, "s.blossom", "test", time.Unix(1e9, 0)) }
		}
		s, err := of()
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if err := s.Write(&out); err != nil {
			b.Fatal(err)
		}
		return out.Bytes()
	}
	for _, recipe := range []bool{false, true} {
		name := map[bool]string{false: "full", true: "recipe"}[recipe]
		b.Run("save "+name, func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(math.Round(float64(len(file(recipe)))/1e4)/100, "MB")
			}
		})
		text := file(recipe)
		b.Run("open "+name, func(b *testing.B) {
			for b.Loop() {
				s, err := Read(bytes.NewReader(text), "s.blossom")
				if err != nil {
					b.Fatal(err)
				}
				if _, notes, err := s.Document(d.Data, "s.blossom"); err != nil || len(notes) > 0 {
					b.Fatal(err, notes)
				}
			}
		})
	}
	var memo state.Memo
	b.Run("snapshot", func(b *testing.B) {
		for b.Loop() {
			d.Snapshot(d.State())
		}
	})
	b.Run("save again", func(b *testing.B) {
		if _, err := Full(d, "s.blossom", "test", time.Unix(1e9, 0), &memo); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			s, err := Full(d, "s.blossom", "test", time.Unix(1e9, 0), &memo)
			if err != nil {
				b.Fatal(err)
			}
			var out bytes.Buffer
			if err := s.WriteLean(&out, 1<<20); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(math.Round(float64(out.Len())/1e4)/100, "MB")
		}
	})
}
