package job

import (
	"context"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// Sight is which points a picture, or the active view of a window, shows. Populations are named by their paths, or
// their names.
type Sight struct {
	Of   string   `json:"population,omitempty"` // the points of this population alone; "": all
	Hide []string `json:"hide,omitempty"`       // the points of these are left out

	populations *Named // evaluated; nil: not yet
}

// inSight is which points a view shows.
func inSight(tree population.Tree, views parts.ViewList, id string) (s Sight) {
	if place := tree.Place(views.Get(id).Of); place >= 0 {
		s.Of = tree.Path(place)
	}
	for _, id := range views.Hidden {
		if place := tree.Place(id); place >= 0 {
			s.Hide = append(s.Hide, tree.Path(place))
		}
	}
	return s
}

// seenPoints has a picture show the points that a view of the session shows, with its contours and all rows.
func (j Sights) seenPoints(p *Picture, view string, given func(name string) bool) {
	if !given("contours") {
		p.Contours = j.had.views.Get(view).Contours
	}
	if !given("contour-labels") {
		p.ContourLabels = j.had.views.Get(view).ContourLabels
	}
	if !given("all-rows") {
		p.AllRows = j.had.views.Get(view).AllRows
	}
	if !given("population") {
		p.Sight = inSight(j.had.named, j.had.views, view)
	}
}

// place is the place of the population that a path or a name means; a problem names some where there is none.
func place(tree population.Tree, file, name string) (int, error) {
	var some []string
	byName := -1
	for i, p := range tree.All() {
		if tree.Path(i) == name {
			return i, nil
		}
		if p.Name == name && byName < 0 {
			byName = i
		}
		if len(some) < 6 {
			some = append(some, population.Brief(p.Name))
		}
	}
	switch {
	case byName >= 0:
		return byName, nil
	case len(some) == 0:
		return 0, problem.New(file, "name some in the window, and save the session",
			"there is no population %q: there are none", population.Brief(name))
	case len(some) < tree.Len():
		some = append(some, "…")
	}
	return 0, problem.New(file, "there are "+strings.Join(some, ", "), "there is no population %q",
		population.Brief(name))
}

// among has a picture show the points that are wanted: those of a population, without those of hidden ones.
func (s *Sight) among(ctx context.Context, d *Drawn, w *Work) error {
	if s.Of == "" && len(s.Hide) == 0 {
		return nil
	}
	tree := parts.Populations.Of(w.Parts)
	at := -1
	var hide []int
	var err error
	if s.Of != "" {
		if at, err = place(tree, w.table.Path, s.Of); err != nil {
			return err
		}
		d.Of = tree.Path(at)
	}
	for _, name := range s.Hide {
		x, err := place(tree, w.table.Path, name)
		if err != nil {
			return err
		}
		hide = append(hide, x)
	}
	n, err := s.named(ctx, w)
	if err != nil {
		return err
	}
	set := selection.All(w.table.Points)
	if at >= 0 {
		if why := n.Made.Why[at]; why != nil {
			return problem.Wrap(why, w.table.Path, problem.As(why).Remedy+", or draw all points (--population none)",
				"the population %s cannot be evaluated: %s", population.Brief(tree.All()[at].Name),
				problem.As(why).What)
		}
		set = n.Made.Sets[at]
	}
	for _, x := range hide {
		set = selection.Subtract(set, n.Made.Sets[x])
	}
	if set.Empty() {
		return problem.New(w.table.Path, "draw others (--population), or all points (--population none)",
			"there are no points to draw: those of the populations that are wanted are none, or hidden")
	}
	d.Among = set
	return nil
}

// named is the populations of the state with their rows, evaluated once.
func (s *Sight) named(ctx context.Context, w *Work) (*Named, error) {
	if s.populations == nil {
		n := &Named{Partial: true}
		if err := n.evaluate(ctx, w); err != nil {
			return nil, err
		}
		s.populations = n
	}
	return s.populations, nil
}

// called puts what points are called beside the columns of the data, where points are coloured by that.
func (p *Picture) called(ctx context.Context, d *Drawn, w *Work) error {
	if !p.byPopulations(w) {
		return nil
	}
	n, err := p.Sight.named(ctx, w)
	if err != nil {
		return err
	}
	columns, err := export.Populations(ctx, n.Tree, n.Made, false)
	if err != nil {
		return err
	}
	columns[0].Name = p.Colour
	d.Data = dataset.Beside(d.Data, columns[0])
	d.Spec = d.Spec.Clone()
	d.Spec.Columns = append(d.Spec.Columns, transform.Column{Op: transform.None, Weight: 1, Use: transform.ColourOnly})
	return nil
}

// byPopulations says whether points are coloured by what they are called: there are populations, and no column of the
// data has that name.
func (p *Picture) byPopulations(w *Work) bool {
	_, err := w.table.Find(p.Colour)
	return p.Colour == byPopulations && err != nil && parts.Populations.Of(w.Parts).Len() > 0
}

// evaluated finds the populations that a picture needs on the map as it is now, which their regions were drawn on:
// other moments of that map have the same points in them.
func (p *Picture) evaluated(ctx context.Context, w *Work) error {
	needed := p.byPopulations(w) || p.Sight.Of != "" || len(p.Sight.Hide) > 0
	if !needed || parts.Populations.Of(w.Parts).Len() == 0 {
		return nil
	}
	_, err := p.Sight.named(ctx, w)
	return err
}
