package live

import (
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/embedsom"
	"blossom/model/scale"
)

// tallied is how many of all rows of a folder populations have, as far as it was counted of what they are now.
type tallied struct {
	*scale.Counted

	asked scale.Looks

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
	a.tally = &tallied{Counted: c, asked: scale.LooksOf(asked)}
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
		now := scale.Looks{Landmarks: l, Params: key.params, Mixes: parts.Transform.Of(s).Mixes}
		c.rows = c.Known(parts.Populations.Of(s), c.asked, now)
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
