package parts

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
)

// Blend is where the landmarks were before a layout and where it brought them; what is shown lies between the two. It
// is immutable.
type Blend struct {
	Layout string            // a layout.Algorithm ID
	Run    revision.Revision // the run that made it: its blends differ in what they hold, not in this
	Before matrix.Matrix32   // g x 2|3
	After  matrix.Matrix32   // positions after the run, of the same shape
	Share  float64           // 0 shows Before, 1 After
	ByHand bool              // landmarks were moved by hand, before the layout or while it ran
	PosRev revision.Revision // revision of the positions that it shows; with others it does not hold any more
}

// Blends holds the blend of the last layout, or nil.
var Blends state.Key[*Blend]

func init() {
	Blends = state.Register(state.Kind[*Blend]{
		ID: "blend", Title: "Before and after a layout", Version: 1, Follows: []string{"landmarks"},
		Default: func() *Blend { return nil },
		Equal:   func(a, b *Blend) bool { return a == b },
		Encode:  encodeBlend,
		Decode:  decodeBlend,
		Bytes: func(b *Blend) int {
			if b == nil {
				return 0
			}
			return 4 * (len(b.Before.Data) + len(b.After.Data))
		},
	})
}

// Fits says whether the landmarks are as the blend shows them: nobody has moved them since.
func (b *Blend) Fits(l *landmark.Set) bool {
	return b != nil && b.PosRev == l.PosRev && b.Before.Rows == l.Len() && b.Before.Cols == l.Pos.Cols
}

// Pos returns the positions that it shows. Those of the ends are Before and After themselves.
func (b *Blend) Pos() matrix.Matrix32 {
	switch {
	case b.Share <= 0:
		return b.Before
	case b.Share >= 1:
		return b.After
	}
	out := matrix.New(b.Before.Rows, b.Before.Cols)
	for i, x := range b.Before.Data {
		// The conversion keeps machines that fuse products and sums from giving other bits.
		out.Data[i] = float32(float64(x) + float64(b.Share*(float64(b.After.Data[i])-float64(x))))
	}
	return out
}

// Show puts the landmarks where the blend shows them, as rev, and the blend with them.
func (b Blend) Show(s *state.State, rev revision.Revision) {
	l := *Landmarks.Of(*s)
	l.Pos, l.PosRev, l.ByHand = b.Pos(), rev, b.ByHand
	b.PosRev = rev
	Landmarks.Put(s, &l)
	Blends.Put(s, &b)
}

// StartLayout records that the landmarks are about to be moved by a layout. What it brings from here on belongs to this
// entry, until another StartLayout: a run is one entry however long.
func StartLayout(d *state.Document, name string) {
	d.Mark(name, Landmarks.Only(places), Blends.Whole())
}

// SetBlend shows another share of the blend, inside an interaction. It changes nothing where the blend does not hold.
func SetBlend(s *state.State, share float64) {
	if b := Blends.Of(*s); b.Fits(Landmarks.Of(*s)) && share != b.Share {
		other := *b
		other.Share = min(1, max(0, share))
		other.Show(s, revision.Next())
	}
}

// encodedBlend is a blend in a file: little-endian float32 in base64.
type encodedBlend struct {
	Layout    string  `json:"layout"`
	Landmarks int     `json:"landmarks"`
	Dims      int     `json:"dims"`
	Share     float64 `json:"share"`
	ByHand    bool    `json:"by_hand,omitempty"`
	Before    string  `json:"before"`
	After     string  `json:"after"`
}

func encodeBlend(b *Blend, c state.Context) (json.RawMessage, error) {
	if !b.Fits(Landmarks.Of(c.State)) {
		return nil, nil
	}
	return encode(encodedBlend{b.Layout, b.Before.Rows, b.Before.Cols, b.Share, b.ByHand, packFloats(b.Before.Data),
		packFloats(b.After.Data)}, c)
}

// decodeBlend reads a blend, nil where it does not show the landmarks that there are.
func decodeBlend(raw json.RawMessage, _ int, c state.Context) (*Blend, error) {
	var in encodedBlend
	const what = "the positions before and after the layout"
	if err := decode(raw, what, &in); err != nil {
		return nil, err
	}
	l := Landmarks.Of(c.State)
	if in.Landmarks != l.Len() || in.Dims != l.Pos.Cols || !(in.Share >= 0 && in.Share <= 1) {
		return nil, nil
	}
	b := &Blend{Layout: in.Layout, Run: revision.Next(), Share: in.Share, ByHand: in.ByHand, PosRev: l.PosRev}
	for _, x := range []struct {
		text string
		to   *matrix.Matrix32
	}{{in.Before, &b.Before}, {in.After, &b.After}} {
		data, ok := unpackFloats(x.text, in.Landmarks*in.Dims)
		if !ok {
			return nil, problem.New(c.File, remedy, "%s cannot be read", what)
		}
		*x.to = matrix.Matrix32{Rows: in.Landmarks, Cols: in.Dims, Data: data}
	}
	if !slices.Equal(b.Pos().Data, l.Pos.Data) {
		return nil, nil
	}
	return b, nil
}

func packFloats(v []float32) string {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(out)
}

// unpackFloats returns n finite numbers; ok is false for anything else.
func unpackFloats(text string, n int) (v []float32, ok bool) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != 4*n {
		return nil, false
	}
	v = make([]float32, n)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		if v[i]-v[i] != 0 {
			return nil, false
		}
	}
	return v, true
}
