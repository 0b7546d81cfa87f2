package session

import (
	"bytes"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

func init() {
	transform.RegisterMatrix(transform.MatrixOp{ID: "difference", Title: "Difference",
		Help: "Takes the second column from the first.",
		New: func(int, []float64) (forward, inverse func(transform.Block)) {
			by := func(share float64) func(transform.Block) {
				return func(b transform.Block) {
					for i := range b[0] {
						b[0][i] += share * b[1][i]
					}
				}
			}
			return by(-1), by(1)
		}})
}

// A matrix op of another file comes through a session, is a change that undo takes back, and a session with one
// that is not known any more says so.
func TestMixesSurvive(t *testing.T) {
	d := document(t, "demo:x")
	l := *parts.Landmarks.Of(d.State())
	d.Do("Difference", func(s *state.State) {
		parts.Transform.Edit(s, func(spec *transform.Spec) {
			*spec = spec.Clone()
			spec.Mixes = []transform.Mix{{Op: "difference", Cols: []int{1, 0}}}
		})
		l.Space = parts.Transform.Rev(*s)
		parts.Landmarks.Put(s, &l)
	})
	want := parts.Transform.Of(d.State())
	text := write(t, d, "s.blossom")
	open := func(text []byte) (transform.Spec, error) {
		s, err := Read(bytes.NewReader(text), "s.blossom")
		if err != nil {
			return transform.Spec{}, err
		}
		e, _, err := s.Document(data(t, "demo:x"), "s.blossom")
		if err != nil {
			return transform.Spec{}, err
		}
		return parts.Transform.Of(e.State()), nil
	}
	got, err := open(text)
	if err != nil || !got.Equal(want) || len(got.Mixes) != 1 {
		t.Fatalf("%+v, want %+v, %v", got, want, err)
	}
	if _, err := open(replaced(t, text, `"difference"`, `"of another day"`, -1)); err == nil {
		t.Error("a session with an unknown op was opened")
	}
	if d.Undo(); len(parts.Transform.Of(d.State()).Mixes) != 0 {
		t.Error("undo has left the mix")
	}
}
