package scale

import (
	"bytes"
	"encoding/json"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
)

// Looks is what rules of populations look at beside the rows: the same rule finds other rows where it is another.
type Looks struct {
	Landmarks *landmark.Set
	Params    embedsom.Params
	Mixes     []transform.Mix
}

// LooksOf is that of a state.
func LooksOf(s state.State) Looks {
	return Looks{parts.Landmarks.Of(s), parts.Projection.Of(s), parts.Transform.Of(s).Mixes}
}

// Places says whether landmarks place rows where they do in the other.
func (l Looks) Places(o Looks) bool {
	same := func(a, b matrix.Matrix32) bool {
		return a.Rows == b.Rows && a.Cols == b.Cols && slices.Equal(a.Data, b.Data)
	}
	return l.Params == o.Params && same(l.Landmarks.Pos, o.Landmarks.Pos) &&
		same(l.Landmarks.Codebook, o.Landmarks.Codebook)
}

// Known are the numbers of those populations of a tree whose rules, with those of all above them, were counted, of what
// these look at now. asked is what they looked at when they were.
func (c *Counted) Known(t population.Tree, asked, now Looks) map[population.ID]int64 {
	out := map[population.ID]int64{}
	places := now.Places(asked)
	groups := places && slices.Equal(now.Landmarks.Groups, asked.Landmarks.Groups)
	columns := alike(now.Mixes, asked.Mixes)
	for _, p := range t.All() {
		at := c.Tree.Place(p.ID)
		if at < 0 || c.Points[at] == Unknown {
			continue
		}
		was := c.Tree.All()[at]
		needs := p.Rule.Needs()
		_, up := out[p.Parent]
		if was.Parent == p.Parent && (up || p.Parent == 0) && alike(p.Rule, was.Rule) &&
			(len(needs.Columns) == 0 || columns) && (len(needs.Maps) == 0 || places) && (!needs.Landmarks || groups) {
			out[p.ID] = c.Points[at]
		}
	}
	return out
}

// alike says whether two values are the same in files.
func alike(a, b any) bool {
	x, err := json.Marshal(a)
	y, wrong := json.Marshal(b)
	return err == nil && wrong == nil && bytes.Equal(x, y)
}
