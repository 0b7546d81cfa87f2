package live

import (
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/fingerprint"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/scale"
	"blossom/model/work"
)

// AllRows is the finished folder that the points are a sample of, and whether all its rows are where they would be now.
type AllRows struct {
	*scale.Whole

	landmarks *landmark.Set   // landmarks that all rows were placed by
	params    embedsom.Params // and parameters
	kept      *parts.Snapshot // in the place of both: positions of the points, among which they were placed

	m     *Map
	of    placedBy
	phase Footing
	tally *tallied // nil: nobody has counted populations
}

// Footing is how all rows of a finished folder stand to the landmarks of the window.
type Footing int

const (
	Saved Footing = iota // all rows were placed by the landmarks as they are
	Moved                // these are others now: the sample alone has moved along
)

// placedBy is what the phase was found of.
type placedBy struct {
	pos, code revision.Revision
	params    embedsom.Params
}

// original is where the data of a map come from.
type original struct {
	hashing *work.Job // a file of the data is being hashed
	all     *AllRows  // nil: the data is no sample of a finished folder
}

// AllRowsOf is the finished folder that the points of a map are a sample of; nil: they are none.
func AllRowsOf(m *Map) *AllRows { return m.from.all }

// folderOf finds the folder of a sample. Where it is damaged that is said, and there is none.
func folderOf(m *Map) *AllRows {
	files := m.Doc.Files()
	if len(files) != 1 || m.Doc.Data.Subset != nil {
		return nil
	}
	w, err := scale.WholeOf(files[0])
	if err == nil && w != nil {
		saved, wrong := w.Saved(m.Doc.Data)
		if err = wrong; err == nil {
			return allRows(w, saved, m)
		}
	}
	if err != nil {
		m.alert("All rows of the folder are not shown: " + problem.As(err).Error())
	}
	return nil
}

// allRows is a folder whose rows were placed by what is saved.
func allRows(w *scale.Whole, saved state.State, m *Map) *AllRows {
	a := &AllRows{Whole: w, landmarks: parts.Landmarks.Of(saved), params: parts.Projection.Of(saved),
		kept: parts.Snapshots.Of(saved).Get(w.Recipe), m: m}
	a.countedBefore()
	return a
}

// ByLandmarks says whether they were placed by landmarks, as those of the window would place them.
func (a *AllRows) ByLandmarks() bool { return a.kept == nil }

// On says whether an embedding is the map that they lie on.
func (a *AllRows) On(e *Embedding) bool { return e != nil && e.recipe.Key() == a.Recipe.Key() }

// Footing says whether all rows of the folder are where the landmarks of this frame would place them.
func (a *AllRows) Footing() Footing {
	if a.kept != nil {
		return a.footingOfRun()
	}
	now := a.m.Landmarks()
	key := placedBy{now.PosRev, now.CodeRev, parts.Projection.Of(a.m.Doc.State())}
	if a.of == key {
		return a.phase
	}
	a.of, a.phase = key, Moved
	if (scale.Looks{Landmarks: now, Params: key.params}).Places(scale.Looks{Landmarks: a.landmarks, Params: a.params}) {
		a.phase = Saved
	}
	return a.phase
}

// footingOfRun is the footing of all rows on a map that runs: they are where they would be placed while its points are
// where they were.
func (a *AllRows) footingOfRun() Footing {
	e := a.m.Existing(a.Recipe)
	if e != nil && e.Busy() {
		return Moved
	}
	key := placedBy{pos: parts.Snapshots.Rev(a.m.Doc.State())}
	if a.of == key {
		return a.phase
	}
	a.of, a.phase = key, Moved
	if s := parts.Snapshots.Of(a.m.Doc.State()).Get(a.Recipe); s != nil && slices.EqualFunc(s.Pos, a.kept.Pos, equal) {
		a.phase = Saved
	}
	return a.phase
}

// equal says whether two numbers are the same, or both none.
func equal(a, b float32) bool { return a == b || a != a && b != b }

// Rehouse has the points be the sample of another folder, in which all rows were placed anew. Its sample has the same
// rows. print is what its file is known by.
func (a *AllRows) Rehouse(w *scale.Whole, print fingerprint.Print) error {
	m := a.m
	saved, err := w.Saved(m.Doc.Data)
	if err != nil {
		return err
	}
	m.from.all = allRows(w, saved, m)
	data := *m.Doc.Data
	data.Path = w.Sample()
	m.Doc.Data, m.Doc.Prints = &data, m.Doc.Prints.With(data.Path, print)
	return nil
}
