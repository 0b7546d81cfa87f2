package naming

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/clusters/order"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// Suggestions are populations as a start: groups of landmarks that are alike, called by the columns in which they are
// high.
type Suggestions struct {
	// By is how groups are joined: it may be changed at any time.
	By order.Linkage

	desk *desk.Desk
	tree *work.Value[likeness, *order.Tree]

	was    population.Tree // before anything was suggested
	groups []int32         // numbers that landmarks carried then
	made   population.Tree // by the last suggestion
}

// likeness is what a tree of landmarks is of.
type likeness struct {
	codebook revision.Revision
	by       order.Linkage
}

// Number is the range of how many there are.
var Number = widget.Param{Min: 1, Max: 60, Default: 12, Integer: true}

// NewSuggestions returns those of a desk.
func NewSuggestions(d *desk.Desk) *Suggestions {
	return &Suggestions{desk: d, tree: work.Keep[likeness, *order.Tree](&d.Values, work.Policy{
		Title: "Likeness of the landmarks", Quiet: true, Finish: true, Remedy: "suggest again"})}
}

// mostSuggested is of how many landmarks populations are suggested: their likeness takes seconds.
const mostSuggested = 8192

// Suggestable says whether there are landmarks, and not more than are compared with each other.
func Suggestable(d *desk.Desk) bool {
	n := d.Map.Landmarks().Len()
	return n > 0 && n <= mostSuggested
}

// Ready says whether there is something to suggest: landmarks whose likeness is known, which it has found out.
func (s *Suggestions) Ready() bool {
	set := s.desk.Map.Landmarks()
	if !Suggestable(s.desk) {
		return false
	}
	by := s.By
	if s.tree.Want(likeness{set.CodeRev, by}) {
		cost := 4 * work.Ops(set.Len()*set.Len()*set.Codebook.Cols)
		s.tree.Make(cost, func(ctx context.Context, _ func(done, total int64)) (*order.Tree, error) {
			return order.By(ctx, set.Codebook, by)
		})
	}
	return s.tree.Fresh()
}

// Stand says whether the populations are those that were suggested last.
func (s *Suggestions) Stand() bool {
	return s.desk.Doc.Open() || population.Equal(tree(s.desk), s.made)
}

// Change carries what a control did to the number into the document: one entry from press to release, in which the
// populations of before are never touched, nor the landmarks that they have.
func (s *Suggestions) Change(e widget.Edit, number int) {
	d := s.desk
	if !s.Ready() || !e.Changed && !e.Committed {
		return
	}
	now := parts.Landmarks.Of(d.Doc.State())
	if e.Changed && !d.Doc.Open() && (!population.Equal(tree(d), s.made) || len(s.groups) > 0 &&
		len(s.groups) != now.Len()) {
		s.was, s.groups = tree(d), now.Groups
	}
	d.Change("Suggest populations", e, func(at *state.State) {
		t, set := s.suggested(number, parts.Landmarks.Of(*at))
		s.made = t
		parts.Populations.Put(at, t)
		parts.Landmarks.Put(at, set)
		d.EditLook(at, func(l *parts.Look) { l.Column = d.Populations().Column() })
	})
}

// suggested are so many populations of the landmarks that carry none, beside those that there were.
func (s *Suggestions) suggested(number int, now *landmark.Set) (population.Tree, *landmark.Set) {
	alike, _ := s.tree.Now()
	t, set, groups := s.was, now.Grouped(s.groups), alike.Cut(number)
	free := 0
	for i := range groups {
		if i < len(set.Groups) && set.Groups[i] != 0 && t.Place(population.ID(set.Groups[i])) >= 0 {
			groups[i] = -1
		} else {
			free++
		}
	}
	if free == 0 {
		return t, set
	}
	var names []string
	for _, c := range s.desk.Spec().MapColumns() {
		names = append(names, s.desk.Doc.Data.Columns[c].Short())
	}
	for g, name := range population.Signs(set.Codebook, groups, min(number, len(groups)), names) {
		var ids []int
		for i, x := range groups {
			if x == g {
				ids = append(ids, i)
			}
		}
		if len(ids) == 0 {
			continue
		}
		more, id, err := t.Add(population.Population{Name: name, Parent: s.desk.Stage.Active().Of()})
		if err != nil {
			return t, set
		}
		t, set = more.Redefine(id, &population.Landmarks{Groups: []population.ID{id}}), set.Carry(ids, int32(id))
	}
	return t, set
}
