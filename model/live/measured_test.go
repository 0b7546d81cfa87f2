package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/base/revision"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// spreadFile writes a table of three columns whose deviations are about factor times 1, 10 and 100.
func spreadFile(t *testing.T, path string, factor float64) {
	t.Helper()
	text := "a,b,c\n"
	for i := range 200 {
		v := math.Sin(float64(i*i)) * factor
		text += fmt.Sprintf("%g,%g,%g\n", v, 10*v+math.Cos(float64(i)), 100*math.Cos(float64(3*i))*factor)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// inRaw is landmark values in the units of the data.
func inRaw(o *opening.Opened) (out []float64) {
	l := parts.Landmarks.Of(o.Doc.State())
	for i := range l.Len() {
		for j, v := range l.Codebook.Row(i) {
			out = append(out, o.Table.Funcs[j].Inverse(float64(v)/o.Table.Factor[j]))
		}
	}
	return out
}

func sameRaw(t *testing.T, what string, was, is []float64) {
	t.Helper()
	if len(was) != len(is) || len(was) == 0 {
		t.Fatalf("%s: %d numbers, %d before", what, len(is), len(was))
	}
	for i := range was {
		if math.Abs(was[i]-is[i]) > 1e-5*(1+math.Abs(was[i])) {
			t.Fatalf("%s: number %d of the landmarks is %g, and was %g", what, i, is[i], was[i])
		}
	}
}

// Landmarks of a map scaled to unit deviation stay where they are in the data when the data gets another deviation:
// since the session was saved, or by a file that is added.
func TestLandmarksStayWhereTheDeviationIsAnotherOne(t *testing.T) {
	dir := t.TempDir()
	data, other := filepath.Join(dir, "d.csv"), filepath.Join(dir, "e.csv")
	spreadFile(t, data, 1)
	spreadFile(t, other, 5)
	o, err := opening.Load(t.Context(), []string{data}, format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec := parts.Transform.Of(o.Doc.State()).Clone()
	spec.Scale = true
	spec.Columns[1] = spec.Columns[1].With(transform.Asinh, transform.Params{2})
	old := o.Table
	if o.Table, err = transform.Update(t.Context(), old, o.Doc.Data, spec, nil); err != nil {
		t.Fatal(err)
	}
	o.Doc.Always(func(s *state.State) {
		l := *parts.Landmarks.Of(*s)
		l.Codebook, l.CodeRev = transform.Carry(old, o.Table, l.Codebook, l.Codebook), revision.Next()
		parts.Transform.Put(s, spec)
		l.Space = parts.Transform.Rev(*s)
		parts.Landmarks.Put(s, &l)
	})
	parts.Measure(o.Doc, o.Table)
	raw := inRaw(o)
	if o.Table.SD[2] < 10 {
		t.Fatal("the deviations are all alike")
	}

	u, err := opening.Compare(context.Background(), []string{data, other}, match.How{}, o.Doc, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	both, err := u.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if both.Table.SD[2] < 2*o.Table.SD[2] {
		t.Fatal("the file that is added changes nothing")
	}
	sameRaw(t, "a file added", raw, inRaw(both))

	path := filepath.Join(dir, "s.blossom")
	s, err := session.Full(o.Doc, path, "test", time.Unix(1e9, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := s.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := opening.Load(t.Context(), []string{path}, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range parts.Landmarks.Of(again.Doc.State()).Codebook.Data {
		if v != parts.Landmarks.Of(o.Doc.State()).Codebook.Data[i] {
			t.Fatal("of the same data the codebook is another one")
		}
	}
	// Saved while another transform is being applied, it says nothing of units rather than wrong ones.
	stale := o.Doc.Copy()
	stale.Always(func(s *state.State) {
		other := spec.Clone()
		other.Scale = false
		parts.Transform.Put(s, other)
		l := *parts.Landmarks.Of(*s)
		l.Space = parts.Transform.Rev(*s)
		parts.Landmarks.Put(s, &l)
	})
	if encoded, err := stale.Encode(state.Context{}); err != nil || encoded["measured"].Value != nil {
		t.Fatalf("saved as measured: %s, %v", encoded["measured"].Value, err)
	}
	spreadFile(t, data, 7)
	_, err = opening.Load(t.Context(), []string{path}, format.Options{}, nil)
	var changed *opening.Changed
	if !errors.As(err, &changed) {
		t.Fatal(err)
	}
	now, err := changed.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if now.Table.SD[2] < 2*o.Table.SD[2] {
		t.Fatal("the data has not changed")
	}
	sameRaw(t, "other data", raw, inRaw(now))
	f := parts.LandmarkFile(state.Context{Data: now.Doc.Data, State: now.Doc.State()})
	for j, c := range f.Columns {
		if c.SD != now.Table.SD[j] {
			t.Fatalf("the landmark file says that column %d was divided by %g, not %g", j, c.SD, now.Table.SD[j])
		}
	}
}
