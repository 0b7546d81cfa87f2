//go:build cgo && !static

package main

import (
	"slices"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/scale"
	"blossom/model/work/embedding"
	"blossom/render/scene"
)

// wholes is the finished folder that the points of pictures are a sample of, read once for all of them. The zero value
// has read none.
type wholes struct {
	path  string
	whole *scale.Whole
	saved state.State // by which all rows were placed
}

// of is all rows behind a picture; nil: there are none, they lie on another map, or they are not wanted. A folder that
// is damaged costs the picture no more than them, which is noted, as is where they lie if they were asked for.
func (x *wholes) of(d *job.Drawn, p *job.Picture) *scene.Whole {
	if p.AllRows == parts.NoAllRows || d.Places.Dims != 2 || d.Among != nil || d.Data.Subset != nil {
		return nil
	}
	x.read(d)
	if x.whole == nil || x.whole.Density == nil {
		return nil
	}
	on := p.Embedding
	if d.Map != nil {
		on = embedding.EmbedSOM()
	}
	own := x.whole.Recipe
	if d.Map == nil && (on.Kind == "" || p.At != "" || p.Coordinates != "" || p.Placed != "") || on.Key() != own.Key() {
		if k := embedding.ByID(own.Kind); k != nil && p.AllRows == parts.AllRowsBeneath {
			d.Notes = append(d.Notes, "all rows of the folder are not shown: they lie on its map by "+k.Title+
				", which --embedding "+k.ID+" draws")
		}
		return nil
	}
	out := &scene.Whole{Rows: x.whole.Rows, Density: x.whole.Density, Beneath: p.AllRows == parts.AllRowsBeneath,
		Faded: !x.stand(d, own)}
	if out.Faded {
		if out.Of = scene.SavedMap; d.Map != nil {
			out.Of = scene.SavedLandmarks
		}
	}
	return out
}

// read reads the folder that the data of a picture are a sample of.
func (x *wholes) read(d *job.Drawn) {
	if x.path == d.Data.Path {
		return
	}
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

// stand says whether points are where all rows were placed with them.
func (x *wholes) stand(d *job.Drawn, on embedding.Recipe) bool {
	if d.Map == nil {
		kept := parts.Snapshots.Of(x.saved).Get(on)
		return kept != nil && slices.EqualFunc(d.Places.Pos, kept.Pos, func(a, b float32) bool {
			return a == b || a != a && b != b
		})
	}
	return scale.LooksOf(x.saved).Places(scale.Looks{Landmarks: d.Landmarks, Params: d.Params})
}
