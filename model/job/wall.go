package job

import (
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/work/embedding"
)

// Wall is small maps on one page: each coloured by a column, or of a moment of the history, or as a view shows it.
type Wall struct {
	Columns  []string   `json:"columns,omitempty"`
	Moments  []Moment   `json:"moments,omitempty"`
	Panels   []*Picture `json:"panels,omitempty"`    // views, called by their titles
	Across   int        `json:"across,omitempty"`    // how many stand beside each other; 0: as suits
	Together bool       `json:"one_range,omitempty"` // all have one range of values, or moments one frame
	Letters  bool       `json:"letters,omitempty"`   // a, b, c before their names
}

// mostPanels is how many small maps of moments or views there are at most: all are in memory at once.
const mostPanels = 36

// paged says whether the maps are pictures of their own, not one map in several colours.
func (l Wall) paged() bool { return len(l.Moments) > 0 || len(l.Panels) > 0 }

// wrong says what is wrong with the wall of a picture.
func (l Wall) wrong(p *Picture) error {
	kinds := 0
	for _, n := range []int{len(l.Columns), len(l.Moments), len(l.Panels)} {
		if n > 0 {
			kinds++
		}
	}
	switch {
	case kinds > 1:
		return problem.New("", "choose one of them", "a wall is of columns, of moments or of views")
	case len(l.Columns) > 100 || l.Across < 0 || l.Across > 100:
		return problem.New("", "use fewer", "more than 100 small maps are not possible")
	case len(l.Moments) > mostPanels || len(l.Panels) > mostPanels:
		return problem.New("", "use fewer", "more than %d small maps of moments are not possible", mostPanels)
	case len(l.Columns) > 0 && p.And != "":
		return problem.New("", "leave one of them out", "--wall colours each map by one column, and --colour-and by "+
			"two")
	case len(l.Moments) > 0 && !p.Mapped():
		return problem.New("", "leave one of them out", "moments are of the map that landmarks make")
	}
	for _, x := range l.Panels {
		if x == nil || x.Wall.paged() || len(x.Wall.Columns) > 0 {
			return problem.New("", "give a picture for each", "a page of pages is not possible")
		}
		if err := x.checkLook(); err != nil {
			return err
		}
	}
	return nil
}

// page is what there is to draw on a page of moments or views.
func (p *Picture) page(ctx context.Context, w *Work) (*Drawn, error) {
	panels, err := p.views(ctx, w)
	if len(p.Wall.Moments) > 0 {
		panels, err = p.moments(ctx, w)
	}
	if err != nil {
		return nil, err
	}
	d := *panels[0].Drawn
	d.Panels = panels
	d.say(w)
	if !p.NoRecipe {
		err = d.carry(ctx, w)
	}
	return &d, err
}

// views are the maps of a page, each as a view shows it.
func (p *Picture) views(ctx context.Context, w *Work) (out []Shot, err error) {
	for _, panel := range p.Wall.Panels {
		x := *panel
		x.NoRecipe = true
		d, err := x.drawn(ctx, w)
		if err != nil {
			return nil, problem.Wrap(err, problem.As(err).File, problem.As(err).Remedy, "%s: %s", x.Title,
				problem.As(err).What)
		}
		out = append(out, Shot{x, d})
	}
	return out, nil
}

// moments are the maps of a page, each at a moment of the history. The state of the work is then as it was.
func (p *Picture) moments(ctx context.Context, w *Work) (out []Shot, err error) {
	stops, err := stopsOf(w, p.Wall.Moments)
	if err != nil {
		return nil, err
	}
	f := &Film{Picture: *p, NoCaption: true}
	f.Colour, f.And = plainName(w.table, f.Colour), plainName(w.table, f.And)
	if err := f.evaluated(ctx, w); err != nil {
		return nil, err
	}
	points, landmarks, now := w.Points, w.Landmarks, w.Parts
	defer func() {
		w.free()
		w.Points, w.Landmarks, w.Parts = points, landmarks, now
	}()
	x := &way{f: f, w: w, stops: stops, now: -1}
	box := p.Box
	for i, s := range stops {
		if report := w.Options.Report; report != nil {
			report("moments", int64(i), int64(len(stops)))
		}
		shown := f.Picture
		shown.Wall, shown.Title, shown.NoRecipe = Wall{}, s.name, true
		d, err := x.at(ctx, i, s.set, &shown)
		if err != nil {
			return nil, err
		}
		if len(p.Box) == 0 && p.Wall.Together {
			box = union(box, f.box(d.Places, d))
		}
		out = append(out, Shot{shown, d})
	}
	for i := range out {
		out[i].Picture.Box = box
	}
	return out, nil
}

// kept takes a map that the session has, or that is computed at once.
func (d *Drawn) kept(ctx context.Context, w *Work, r embedding.Recipe) error {
	const remedy = "draw the session itself: --session"
	k := embedding.ByID(r.Kind)
	switch {
	case k == nil || k.Way == embedding.ByRange || r.Dims != 2 && r.Dims != 3:
		return problem.New("", "use a newer program", "there is no map of the kind %.40q to draw here", r.Kind)
	case k.Way == embedding.Stepwise:
		s := w.Job.had.maps.Get(r)
		if s == nil {
			return problem.New(w.table.Path, remedy, "the map by %s is in the session alone", k.Title)
		}
		if len(s.Pos) != r.Dims*w.table.Points {
			return problem.New(w.table.Path, remedy, "the map by %s is of the session's own points", k.Title)
		}
		d.Places = embedding.Result{Dims: r.Dims, Pos: s.Pos}
	default:
		made, order, err := w.atOnce(ctx, k, r)
		if err != nil {
			return err
		}
		d.Places = embedding.Result{Dims: r.Dims, Pos: make([]float32, len(made.Pos)), Axes: made.Axes}
		for i, row := range order {
			copy(d.Places.Pos[int(row)*r.Dims:], made.Pos[i*r.Dims:(i+1)*r.Dims])
		}
	}
	for axis := range r.Dims {
		d.Names = append(d.Names, k.Title+" "+string(rune('1'+axis)))
	}
	for i := range w.table.Points {
		if slices.ContainsFunc(d.Places.Pos[i*r.Dims:(i+1)*r.Dims], func(x float32) bool { return x != x }) {
			d.Invalid++
		}
	}
	d.Columns = parts.Transform.Of(w.Parts).MapColumns()
	return nil
}
