package parts

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
)

func shownBlend(t testing.TB, before, after []float32, share float64) state.State {
	m := func(v []float32) matrix.Matrix32 { return matrix.Matrix32{Rows: len(v) / 2, Cols: 2, Data: v} }
	l, err := landmark.New(matrix.New(len(before)/2, 1), m(slices.Clone(before)))
	if err != nil {
		t.Fatal(err)
	}
	var s state.State
	Landmarks.Put(&s, l)
	Blend{Layout: "force", Before: m(before), After: m(after), Share: share}.Show(&s, revision.Next())
	return s
}

// A saved blend comes back bit for bit, and only where it still shows the landmarks that there are.
func TestABlendIsKept(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := 2 * rapid.IntRange(1, 40).Draw(r, "landmarks")
		number := rapid.SliceOfN(rapid.Float32Range(-1e6, 1e6), n, n)
		s := shownBlend(t, number.Draw(r, "before"), number.Draw(r, "after"),
			rapid.Float64Range(0, 1).Draw(r, "share"))
		c := state.Context{State: s}
		raw, err := encodeBlend(Blends.Of(s), c)
		if err != nil {
			r.Fatal(err)
		}
		back, err := decodeBlend(raw, 1, c)
		if err != nil || back == nil {
			r.Fatalf("it does not come back: %v", err)
		}
		b := Blends.Of(s)
		if !back.Fits(Landmarks.Of(s)) || back.Share != b.Share || !slices.Equal(back.Before.Data, b.Before.Data) ||
			!slices.Equal(back.After.Data, b.After.Data) {
			r.Fatalf("another comes back: %+v", back)
		}
		text := string(raw)
		for _, bad := range []string{strings.Replace(text, `"landmarks":`, `"landmarks":9`, 1),
			strings.Replace(text, `"share":`, `"share":-1`, 1),
			strings.Replace(text, `"before":"`, `"before":"AAAA`, 1)} {
			if got, err := decodeBlend(json.RawMessage(bad), 1, c); got != nil && err == nil && bad != text {
				r.Fatalf("%s is taken for a blend", bad)
			}
		}
		moved, err := Landmarks.Of(s).Move([]int{0}, []float32{1, 1})
		if err != nil {
			r.Fatal(err)
		}
		Landmarks.Put(&s, moved)
		if raw, err := encodeBlend(b, state.Context{State: s}); raw != nil || err != nil {
			r.Fatal("a blend is saved that does not hold")
		}
	})
}

func TestALayoutThatIsNotKnownIsAProblem(t *testing.T) {
	k := layoutKind
	for text, bad := range map[string]bool{`{"algorithm":"of another day"}`: true, `{"algorithm":7}`: true, `[`: true} {
		l, err := k.Decode(json.RawMessage(text), 1, state.Context{File: "x.blossom"})
		if (err != nil) != bad || l.Algorithm != firstLayout || !l.KeepPinned {
			t.Errorf("%s: %+v, %v", text, l, err)
		}
	}
	if raw, err := k.Encode(defaultLayout(), state.Context{}); raw != nil || err != nil {
		t.Errorf("the default is saved: %s, %v", raw, err)
	}
}
