package job

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/work/embedding"
)

// Sights are what the session of a job has to be looked at: its views, and maps beside that of the landmarks.
type Sights struct{ *Job }

// placeFlags are the flags that say which map is drawn, in the place of that of a view.
var placeFlags = []string{"at", "positions", "coordinates", "embedding"}

// View has a picture show what a view of the session shows: its map or columns, its colours and points, the part that
// it is zoomed to, and what lies over that. word is its number in the window or what it shows, "tsne"; given says what
// the user has asked for otherwise. The error is a Problem.
func (j Sights) View(p *Picture, word string, given func(name string) bool) error {
	v, err := j.viewOf(word)
	j.had.shown = "" // nothing to note: the view was chosen
	switch {
	case err != nil:
		return err
	case v.Kind != "" && Views != nil:
		return j.byThemselves(p, []parts.View{v}, given)
	}
	if err := j.viewed(p, v, given); err != nil {
		return err
	}
	w, h := p.sides()
	p.zoom(v, w, h, given)
	return nil
}

// Page has a picture be a page of views, each as its view shows it: those of words, or "all". With one of another kind
// than points, and on paper where nothing else is said of their looks, views draw themselves as on a page of the
// window; a program without views leaves those of other kinds out, with a note, unless there are no others.
// The error is a Problem.
func (j Sights) Page(p *Picture, words []string, given func(name string) bool) error {
	views := j.had.views.Views
	if !slices.Equal(words, []string{"all"}) {
		views = nil
		for _, word := range words {
			v, err := j.viewOf(word)
			if err != nil {
				return err
			}
			views = append(views, v)
		}
	}
	of := slices.ContainsFunc(views, func(v parts.View) bool { return v.Kind != "" }) ||
		p.Print != nil && !slices.ContainsFunc(lookFlags, given)
	if Views != nil && of {
		p.Window = &Window{Page: true, Across: p.Wall.Across, Letters: p.Wall.Letters}
		return j.byThemselves(p, views, given)
	}
	var left error
	var shown []parts.View
	for _, v := range views {
		panel := *p
		panel.Output, panel.Wall, panel.Title = "", Wall{}, j.viewTitle(v)
		if err := j.viewed(&panel, v, given); err != nil {
			j.Note(problem.As(err).What + ": it is left out")
			left = err
			continue
		}
		p.Wall.Panels, shown = append(p.Wall.Panels, &panel), append(shown, v)
	}
	w, h := p.panelSides(len(shown))
	for i, v := range shown {
		p.Wall.Panels[i].zoom(v, w, h, given)
	}
	if len(p.Wall.Panels) == 0 {
		return left
	}
	return nil
}

// All is a page of the views of the session as they draw themselves, in a width of so many pixels, of which there are
// zoom to a point; nil: there is the map alone, which pictures of it show, or this program has no views.
func (j Sights) All(width int, zoom float64) (*Picture, error) {
	views := j.had.views.Views
	if Views == nil || len(views) == 0 || len(views) == 1 && views[0].Kind == "" {
		return nil, nil
	}
	p := NewPicture()
	across := min(2, len(views))
	rows := (len(views) + across - 1) / across
	p.Size, p.Zoom, p.Background = [2]int{width, width * 3 * rows / (4 * across)}, zoom, "white"
	p.Window = &Window{Page: true, Across: across}
	return p, j.byThemselves(p, views, func(string) bool { return false })
}

// Embedding has a picture show another map of the session, by its kind: "tsne". The error is a Problem.
func (j Sights) Embedding(p *Picture, word string) error {
	p.Embedding = embedding.Recipe{}
	j.had.shown = "" // nothing to note: the map was chosen
	var some []string
	for _, k := range embedding.Kinds() {
		if k.Columns || k.Way == embedding.Stepwise && j.had.maps.Kind(k.ID) == nil {
			continue
		}
		some = append(some, k.ID)
		if k.ID != strings.ToLower(word) && !strings.EqualFold(k.Title, word) {
			continue
		}
		switch k.Way {
		case embedding.ByRange:
		case embedding.Stepwise:
			p.Embedding = j.had.maps.Kind(k.ID).Recipe
		default:
			p.Embedding = embedding.Recipe{Kind: k.ID, Dims: 2}
		}
		return nil
	}
	return run.Usage{Err: problem.New("", "use "+problem.OneOf(some...), "the session has no map %.40q", word)}
}

// Needed wants first what a picture is drawn on.
func (j Sights) Needed(p *Picture) {
	all := p.Wall.Panels
	if len(all) == 0 {
		all = []*Picture{p}
	}
	if p.Window != nil || !slices.ContainsFunc(all, func(x *Picture) bool { return x.Mapped() || x.computed() }) {
		return
	}
	shown := j.had.shown
	if len(p.Wall.Panels) > 0 || !p.Mapped() {
		j.had.shown = "" // nothing to note: it is drawn
	}
	j.Want(&Embedding{})
	j.had.shown = shown
}

// computed says whether the map is computed at once, for which an engine may be wanted.
func (p *Picture) computed() bool {
	k := embedding.ByID(p.Embedding.Kind)
	return k != nil && k.Way == embedding.AtOnce
}

// viewOf is the view that a word means.
func (j Sights) viewOf(word string) (parts.View, error) {
	if !j.had.session {
		return parts.View{}, run.Usage{Err: problem.New("", "give one with --session", "views are those of a session")}
	}
	views := j.had.views.Views
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(views) {
		return views[n-1], nil
	}
	var some []string
	for i, v := range views {
		names := []string{v.Kind}
		if v.Kind == "" {
			names = []string{v.Recipe.Kind, j.viewTitle(v)}
		}
		if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, word) }) {
			return v, nil
		}
		some = append(some, strconv.Itoa(i+1)+" ("+j.viewTitle(v)+")")
	}
	return parts.View{}, run.Usage{Err: problem.New("", "use "+problem.OneOf(some...),
		"the session has no view %.40q", word)}
}

// viewTitle is what a view is called.
func (j Sights) viewTitle(v parts.View) string {
	if v.Kind != "" {
		return v.Kind
	}
	title, _ := embedding.Label(embedding.Inputs{Data: j.table}, v.Recipe)
	if k := embedding.ByID(v.Recipe.Kind); k != nil && k.Columns {
		title = strings.Join(v.Recipe.Columns, " × ")
	}
	if look := lookOf(j.had.views, j.had.looks, v.ID); look != nil && look.Column != "" {
		title += ", " + look.Column
	}
	return title
}

// viewed has a picture show what a view shows.
func (j Sights) viewed(p *Picture, v parts.View, given func(name string) bool) error {
	if v.Kind != "" {
		return problem.New("", "choose a view of points, or export it from the window",
			"the view %s is drawn by a blossom with a window alone", v.Kind)
	}
	if err := j.placedAs(p, v, given); err != nil {
		return err
	}
	j.seenAs(p, v.ID, given)
	if !given("no-legend") {
		p.NoLegend = !v.Legend
	}
	if !given("show-landmarks") {
		p.Landmarks = v.Landmarks && p.Mapped()
	}
	if !given("show-names") {
		p.Names = v.Landmarks && v.Names && p.Mapped()
	}
	return nil
}

// placedAs has the points of a picture lie where a view has them.
func (j Sights) placedAs(p *Picture, v parts.View, given func(name string) bool) error {
	k := embedding.ByID(v.Recipe.Kind)
	switch {
	case slices.ContainsFunc(placeFlags, given):
	case k == nil:
		return problem.New("", "use a newer program", "the view shows a map of the kind %.40q", v.Recipe.Kind)
	case k.Columns:
		var at []string
		for _, name := range v.Recipe.Columns {
			i, err := j.table.Find(name)
			if err != nil {
				return problem.New("", "choose another view", "the view shows %s, which is made in the window", name)
			}
			at = append(at, strconv.Itoa(i+1))
		}
		p.At = strings.Join(at, ",")
	case k.Way != embedding.ByRange:
		p.Embedding = v.Recipe
	}
	return nil
}

// Lengths of a page of panels in points, as sheets are drawn: the rule between panels, the title above each, and
// that of the page.
const (
	panelRule = 1
	panelHead = 28
	pageHead  = 40
)

// sides are the width and height of a picture, in points.
func (p *Picture) sides() (w, h float64) {
	if p.Print != nil {
		pw, ph, zoom := p.Print.Pixels()
		return float64(pw) / zoom, float64(ph) / zoom
	}
	return float64(p.Size[0]) / p.Zoom, float64(p.Size[1]) / p.Zoom
}

// panelSides are those of each of some panels with titles, of which the picture is a page.
func (p *Picture) panelSides(panels int) (w, h float64) {
	across := p.Wall.Across
	if across == 0 {
		across = int(math.Ceil(math.Sqrt(float64(panels))))
	}
	across = max(1, min(across, panels))
	rows := (panels + across - 1) / across
	w, h = p.sides()
	if p.Title != "" {
		h -= pageHead
	}
	return (w+panelRule)/float64(across) - panelRule, (h+panelRule)/float64(rows) - panelRule - panelHead
}

// zoom has a picture of w x h points show the part of the map that a view shows.
func (p *Picture) zoom(v parts.View, w, h float64, given func(name string) bool) {
	if !given("box") {
		p.Box = zoomed(v, w, h)
	}
}

// zoomed is the part of a map that a view shows where the user has zoomed: as a view of w x h points would. In 3D it is
// as much as that, all around.
func zoomed(v parts.View, w, h float64) [][2]float64 {
	c := v.Camera
	around := func(centre, span float64) [2]float64 { return [2]float64{centre - span/2, centre + span/2} }
	switch {
	case c.Span > 0:
		return [][2]float64{around(c.X, c.Span), around(c.Y, c.Span), around(c.Z, c.Span)}
	case c.Scale > 0:
		return [][2]float64{around(c.X, w/c.Scale), around(c.Y, h/c.Scale)}
	}
	return nil
}

// boxText is a box as --box takes it.
func boxText(box [][2]float64) string {
	var axes []string
	for _, b := range box {
		axes = append(axes, fmt.Sprintf("%g:%g", b[0], b[1]))
	}
	return strings.Join(axes, ",")
}

// boxed says whether Box can be.
func (p *Picture) boxed() bool {
	for _, b := range p.Box {
		if !(b[1]-b[0] > 0 && b[1]-b[0] <= math.MaxFloat32) {
			return false
		}
	}
	return len(p.Box) == 0 || len(p.Box) == 2 || len(p.Box) == 3
}
