package live

import (
	"bytes"
	"encoding/json"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/scale"
	"blossom/model/space/transform"
)

// tallied is how many of all rows of a folder populations have, as far as it was counted of what they are now.
type tallied struct {
	*scale.Counted

	landmarks *landmark.Set
	params    embedsom.Params
	mixes     []transform.Mix

	of   talliedOf
	rev  revision.Revision
	rows map[population.ID]int64 // numbers that are known
}

// talliedOf is what the numbers that are known were found of.
type talliedOf struct {
	tree, pos, code, groups, space revision.Revision
	params                         embedsom.Params
}

// Counts has numbers of populations in all rows be those that were counted of what a state asked.
func (a *AllRows) Counts(c *scale.Counted, asked state.State) {
	a.tally = &tallied{Counted: c, landmarks: parts.Landmarks.Of(asked), params: parts.Projection.Of(asked),
		mixes: parts.Transform.Of(asked).Mixes}
}

// Counted is what was counted last; nil: nothing was.
func (a *AllRows) Counted() *scale.Counted {
	if a.tally == nil {
		return nil
	}
	return a.tally.Counted
}

// Count is how many of all rows a population has; known is false where that was not counted, or not of what it is now.
func (a *AllRows) Count(id population.ID) (rows int64, known bool) {
	if a.tally == nil {
		return 0, false
	}
	c, s := a.tally, a.m.Doc.State()
	l := a.m.Landmarks()
	key := talliedOf{parts.Populations.Rev(s), l.PosRev, l.CodeRev, l.GroupRev, parts.Transform.Rev(s),
		parts.Projection.Of(s)}
	if c.rows == nil || c.of != key {
		c.rev, c.of = revision.Next(), key
		c.rows = c.known(parts.Populations.Of(s), l, key.params, parts.Transform.Of(s).Mixes)
	}
	rows, known = c.rows[id]
	return rows, known
}

// CountRev changes with what Count says; 0: nothing was counted.
func (a *AllRows) CountRev() revision.Revision {
	if a.tally == nil {
		return 0
	}
	a.Count(0)
	return a.tally.rev
}

// known are the numbers of those populations of a tree whose rules, with those of all above them, were counted, of what
// these look at now.
func (c *tallied) known(t population.Tree, l *landmark.Set, params embedsom.Params,
	mixes []transform.Mix) map[population.ID]int64 {
	out := map[population.ID]int64{}
	places := params == c.params && same(l.Pos, c.landmarks.Pos) && same(l.Codebook, c.landmarks.Codebook)
	groups := places && slices.Equal(l.Groups, c.landmarks.Groups)
	columns := alike(mixes, c.mixes)
	for _, p := range t.All() {
		at := c.Tree.Place(p.ID)
		if at < 0 || c.Points[at] == scale.Unknown {
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

// countedBefore finds what was counted before. Where that is damaged it is said, and there is nothing.
func (a *AllRows) countedBefore() {
	c, err := a.Whole.Counted()
	if err == nil && c != nil {
		asked, wrong := c.Asked(a.m.Doc.Data)
		if err = wrong; err == nil {
			a.Counts(c, asked)
		}
	}
	if err != nil {
		a.m.alert("Counts of all rows are not shown: " + problem.As(err).Error())
	}
}
