//go:build cgo && !static

package main

import (
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/scale"
	"blossom/render/scene"
)

// wholes is the finished folder that the points of pictures are a sample of, read once for all of them. The zero value
// has read none.
type wholes struct {
	path  string
	whole *scale.Whole
	saved state.State // by which all rows were placed
}

// of is all rows behind a picture; nil: there are none, or they are not wanted. A folder that is damaged costs the
// picture no more than them, which is noted.
func (x *wholes) of(d *job.Drawn, p *job.Picture) *scene.Whole {
	if p.AllRows == parts.NoAllRows || d.Map == nil || d.Places.Dims != 2 || d.Among != nil || d.Data.Subset != nil {
		return nil
	}
	if x.path != d.Data.Path {
		var err error
		*x = wholes{path: d.Data.Path}
		if x.whole, err = scale.WholeOf(x.path); err == nil && x.whole != nil {
			x.saved, err = x.whole.Saved(d.Data)
		}
		if err != nil {
			x.whole = nil
			d.Notes = append(d.Notes, "all rows of the folder are not shown: "+problem.As(err).Error())
		}
	}
	if x.whole == nil || x.whole.Density == nil {
		return nil
	}
	set, same := parts.Landmarks.Of(x.saved), func(a, b matrix.Matrix32) bool {
		return a.Rows == b.Rows && a.Cols == b.Cols && slices.Equal(a.Data, b.Data)
	}
	stand := d.Params == parts.Projection.Of(x.saved) && same(d.Landmarks.Pos, set.Pos) &&
		same(d.Landmarks.Codebook, set.Codebook)
	out := &scene.Whole{Rows: x.whole.Rows, Density: x.whole.Density, Beneath: p.AllRows == parts.AllRowsBeneath,
		Faded: !stand}
	if out.Faded {
		out.Of = scene.SavedLandmarks
	}
	return out
}
