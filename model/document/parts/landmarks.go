package parts

import (
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"cmp"
)

// Landmarks carry the map. Their codebook, places, pins, names and edges change by themselves.
var Landmarks state.Key[*landmark.Set]

func init() {
	Landmarks = state.Register(state.Kind[*landmark.Set]{
		ID: "landmarks", Title: "Landmarks", Version: 2, Required: true, Follows: []string{"transform", "training"},
		Default: func() *landmark.Set { return &landmark.Set{} },
		Equal: func(a, b *landmark.Set) bool {
			return a == b || sameCode(a, b) && samePlaces(a, b) && samePins(a, b) && sameNames(a, b) && sameEdges(a,
				b) &&
				sameGroups(a, b)
		},
		Encode: encodeLandmarks,
		Decode: decodeLandmarks,
		Bytes: func(l *landmark.Set) int {
			return 4*(len(l.Codebook.Data)+len(l.Pos.Data)) + len(l.Pinned) + 16*len(l.Names) +
				8*len(l.Edges) + 12*len(l.Edits) + 4*len(l.Groups)
		},
		Aspects: []state.Aspect[*landmark.Set]{
			{ID: "codebook", Same: sameCode, Take: (*landmark.Set).WithCodeOf,
				Bytes: func(l *landmark.Set) int { return 4 * len(l.Codebook.Data) }},
			{ID: "positions", Same: samePlaces, Take: func(dst, src *landmark.Set) *landmark.Set {
				return mix(dst, src, func(m *landmark.Set) {
					m.Pos, m.PosRev, m.ByHand = src.Pos, src.PosRev, src.ByHand
				})
			}, Bytes: func(l *landmark.Set) int { return 4 * len(l.Pos.Data) }},
			{ID: "pins", Same: samePins, Take: func(dst, src *landmark.Set) *landmark.Set {
				return mix(dst, src, func(m *landmark.Set) { m.Pinned, m.PinRev = src.Pinned, src.PinRev })
			}, Bytes: func(l *landmark.Set) int { return len(l.Pinned) }},
			{ID: "names", Same: sameNames, Take: func(dst, src *landmark.Set) *landmark.Set {
				return mix(dst, src, func(m *landmark.Set) { m.Names, m.NameRev = src.Names, src.NameRev })
			}, Bytes: func(l *landmark.Set) int { return 16 * len(l.Names) }},
			{ID: "edges", Same: sameEdges, Take: func(dst, src *landmark.Set) *landmark.Set {
				return mix(dst, src, func(m *landmark.Set) {
					m.Edges, m.Edits, m.EdgeRev = src.Edges, src.Edits, src.EdgeRev
				})
			}, Bytes: func(l *landmark.Set) int { return 8*len(l.Edges) + 12*len(l.Edits) }},
			{ID: "populations", Same: sameGroups, Take: func(dst, src *landmark.Set) *landmark.Set {
				return mix(dst, src, func(m *landmark.Set) { m.Groups, m.GroupRev = src.Groups, src.GroupRev })
			}, Bytes: func(l *landmark.Set) int { return 4 * len(l.Groups) }},
		},
	})
}

// mix returns dst changed; of sets of different length dst, which has the codebook, wins whole.
func mix(dst, src *landmark.Set, change func(*landmark.Set)) *landmark.Set {
	if dst.Len() != src.Len() {
		return dst
	}
	m := *dst
	change(&m)
	return &m
}

func sameCode(a, b *landmark.Set) bool {
	return a.CodeRev == b.CodeRev && a.Len() == b.Len() && a.Space == b.Space
}
func samePlaces(a, b *landmark.Set) bool { return a.PosRev == b.PosRev && a.ByHand == b.ByHand }
func samePins(a, b *landmark.Set) bool   { return a.PinRev == b.PinRev }
func sameNames(a, b *landmark.Set) bool  { return a.NameRev == b.NameRev }
func sameGroups(a, b *landmark.Set) bool { return a.GroupRev == b.GroupRev }
func sameEdges(a, b *landmark.Set) bool  { return a.EdgeRev == b.EdgeRev }

// Replace puts landmarks that were made anew, in the space of those that they replace.
func Replace(s *state.State, l *landmark.Set) {
	fresh := *l
	fresh.Space = Landmarks.Of(*s).Space
	Landmarks.Put(s, &fresh)
}

// StartTraining records that the codebook is about to change by training. What Trained brings from here
// on belongs to this entry, until another StartTraining: a run is one entry however long.
func StartTraining(d *state.Document, name string) { d.Mark(name, Landmarks.Only(code)) }

// Trained replaces the codebook by a newer one of the same shape. It may be called while the user is in
// the middle of an interaction, which then does not count the new codebook as its own.
func Trained(d *state.Document, l *landmark.Set) {
	d.Drift(func(s *state.State, inBefore bool) {
		if now := Landmarks.Of(*s); !inBefore || now.Len() == l.Len() {
			Landmarks.Put(s, now.WithCodeOf(l))
		}
	})
}

// Retransformed replaces the codebook by the same one in the space of the present transform. It is a
// consequence of the entry that changed the transform, so undoing that one takes both back.
func Retransformed(d *state.Document, l *landmark.Set) {
	d.Follow(Transform.Whole(), Landmarks.Only(code), func(s state.State) bool {
		return Landmarks.Of(s).Len() == l.Len()
	})
	space := Transform.Rev(d.State())
	carried := *l
	carried.Space = space
	d.Drift(func(s *state.State, inBefore bool) {
		if now := Landmarks.Of(*s); !inBefore || now.Len() == l.Len() && Transform.Rev(*s) == space {
			Landmarks.Put(s, now.WithCodeOf(&carried))
		}
	})
}

// Settled says whether the codebook lives in the space of the present transform.
func Settled(s state.State) bool { return Landmarks.Of(s).Space == Transform.Rev(s) }

// LandmarkFile describes the landmarks of a state as files of landmarks do.
func LandmarkFile(c state.Context) *landmark.File {
	spec, t, l := Transform.Of(c.State), Training.Of(c.State), Landmarks.Of(c.State)
	f := &landmark.File{Set: l, Scaled: spec.Scale, Method: t.Algorithm, Values: t.Values, Seed: c.Seed,
		Source: c.Data.Name, Points: c.Data.Points, Program: c.Program}
	units := Measured.Of(c.State)
	if units.For != Transform.Rev(c.State) {
		units = MeasuredTable{}
	}
	for i, col := range spec.Columns {
		if col.Use == transform.InMap {
			f.Columns = append(f.Columns, landmark.FileColumn{Name: c.Data.Columns[i].Name,
				Label: c.Data.Columns[i].Label, Transform: col.File(), Weight: col.Weight,
				SD: cmp.Or(col.SD, ofColumn(units.Columns, &c.Data.Columns[i]).SD)})
		}
	}
	return f
}

// inTheMap returns the landmarks with the dimensions of the codebook as the columns of the map stand in the data
// now. Where the data has changed, dimensions may be those of columns that are gone.
func inTheMap(f *landmark.File, c state.Context) (*landmark.Set, error) {
	at := map[string]int{}
	for i, col := range f.Columns {
		at[col.Name] = i
	}
	cols := Transform.Of(c.State).MapColumns()
	if len(cols) == 0 || len(cols) != f.Set.Codebook.Cols && !c.Changed {
		return nil, problem.New(c.File, remedy, "its landmarks have %d dimensions and its map %d",
			f.Set.Codebook.Cols, len(cols))
	}
	from, same := make([]int, len(cols)), len(cols) == f.Set.Codebook.Cols
	for j, col := range cols {
		i, ok := at[c.Data.Columns[col].Name]
		if !ok { // as it was called before headings were taken apart
			i, ok = at[c.Data.Columns[col].Heading()]
		}
		if !ok {
			return nil, problem.New(c.File, remedy, "its landmarks know no column %q", c.Data.Columns[col].Name)
		}
		from[j], same = i, same && i == j
	}
	if same {
		return f.Set, nil
	}
	set, old := *f.Set, f.Set.Codebook
	set.Codebook, set.CodeRev = matrix.New(old.Rows, len(cols)), revision.Next()
	for row := range old.Rows {
		for j, i := range from {
			set.Codebook.Row(row)[j] = old.Row(row)[i]
		}
	}
	return &set, nil
}
