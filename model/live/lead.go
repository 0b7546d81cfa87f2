package live

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

// LeadSample is how many of the points that are dragged are looked at, in every frame: they stand for the rest.
const LeadSample = 128

// Lead prepares moving some points of the map, by their numbers in the order of the table, with the landmarks that
// carry them. Of many the first are taken, which should be in a random order. The error is a problem.Problem.
func (m *Map) Lead(points []int32) (*landmark.Lead, error) {
	s := m.Doc.State()
	l := parts.Landmarks.Of(s)
	if !m.consistent() {
		return nil, problem.New("", "try again in a moment", "a change of the transform is still being applied")
	}
	ref, err := embedsom.NewReference(l.Codebook, l.Pos, parts.Projection.Of(s))
	if err != nil {
		return nil, err
	}
	x := matrix.Matrix32{Cols: m.table.X.Cols}
	for _, i := range points[:min(len(points), LeadSample)] {
		x.Data = append(x.Data, m.table.X.Row(int(i))...)
		x.Rows++
	}
	c, err := embedsom.NewCarriers(context.Background(), ref, x)
	if err != nil {
		return nil, err
	}
	return landmark.NewLead(l, landmark.Carried{N: c.Len(), K: c.K, IDs: c.IDs, Places: c.Places,
		Derivatives: c.Derivatives})
}
