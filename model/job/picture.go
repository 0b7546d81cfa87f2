package job

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/carried"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

// Picture wants a picture of the points: on the map that the job makes, else where columns or a file say.
type Picture struct {
	Output      string  `json:"output,omitempty"`
	At          string  `json:"at,omitempty"`          // two or three columns that are the axes
	Coordinates string  `json:"coordinates,omitempty"` // a table of places, a row for each point
	Placed      Placing `json:"placed,omitempty"`      // a map whose coordinates the data themselves bring
	// Embedding is another map than EmbedSOM: one that the session keeps, or that is computed at once.
	Embedding embedding.Recipe `json:"embedding,omitzero"`

	Colour      string     `json:"colour,omitempty"`     // a column, density, or none; "": as suits
	And         string     `json:"colour_and,omitempty"` // a second column, that colours points beside the first
	Palette     string     `json:"palette,omitempty"`
	Reverse     bool       `json:"reverse,omitempty"`
	Percentiles [2]float64 `json:"percentiles"`   // percentiles of the values at the ends of the palette
	Ends        [2]float64 `json:"ends,omitzero"` // the values there, transformed, in the place of percentiles
	// Inks are colours that were chosen for labels.
	Inks dataset.LabelInks `json:"inks,omitempty"`
	// Scale says how values are spread over the palette. Where that is not as in the map, Ends are raw values.
	Scale transform.Spread `json:"colour_scale,omitempty"`
	// Centre is the raw value at which the middle of a diverging palette lies; nil: it lies halfway.
	Centre *float64 `json:"centre,omitempty"`
	Size   [2]int   `json:"size"` // pixels
	Zoom   float64  `json:"zoom"` // pixels per point of length
	// Print is its size on paper, in place of Size and Zoom; nil: those.
	Print *export.Print `json:"print,omitempty"`
	// Wall is small maps on one page.
	Wall Wall `json:"wall,omitzero"`
	// Shapes has files of lines show points as shapes, not as one picture of pixels.
	Shapes    bool    `json:"points_as_shapes,omitempty"`
	PointSize float64 `json:"point_size,omitempty"`
	Opacity   float64 `json:"opacity,omitempty"`
	// Drawing is how points are drawn. Who draws knows the ways.
	parts.Drawing
	Background string `json:"background"` // one of Backgrounds
	NoLegend   bool   `json:"no_legend,omitempty"`
	Landmarks  bool   `json:"show_landmarks,omitempty"`
	Names      bool   `json:"show_names,omitempty"` // names are written beside landmarks
	// Graph is the graph over the landmarks and what of it is drawn, as the window of a session shows it while nobody
	// works on them; nil: the edges of their net, with them.
	Graph *parts.GraphChoice `json:"graph,omitempty"`

	Title     string `json:"title,omitempty"`
	AllPoints bool   `json:"all_points,omitempty"` // it is fitted to the farthest outliers too
	// Box is what is shown, from and to for each axis of the map; empty: what the points fill.
	Box  [][2]float64 `json:"box,omitempty"`
	Turn float64      `json:"turn,omitempty"` // degrees about the upright axis of a map in 3D
	// Contours are lines of equal density, of a flat map.
	Contours parts.Contours `json:"contours,omitempty"`
	// ContourLabels says which share of the points each of them encloses.
	ContourLabels bool `json:"contour_labels,omitempty"`
	// AllRows is how densely all rows of a finished folder lie, of which the points are a sample.
	AllRows  parts.AllRows `json:"all_rows,omitempty"`
	NoRecipe bool          `json:"no_recipe,omitempty"` // it does not carry the job that makes it again

	Sight Sight `json:"sight,omitzero"` // which points are drawn
	// Window has views draw themselves, in the place of all that is said here of what is drawn and how it looks.
	Window *Window `json:"window,omitempty"`

	Made *Drawn `json:"-"`
}

// Backgrounds are what stands behind the points.
var Backgrounds = []string{"light", "white", "dark", "transparent", "dark-transparent"}

// Drawn is what a picture shows.
type Drawn struct {
	Data      *dataset.Dataset
	Spec      transform.Spec   // as which columns are coloured
	Columns   []int            // to colour by where none is named
	Axes      []int            // columns that are the axes; nil: they are in Places
	Places    embedding.Result // in the order of the rows
	Names     []string         // names of Axes, or of the columns that Places were read from
	Invalid   int              // points without a place
	Landmarks *landmark.Set    // nil: none
	Map       *run.Map         // the map, if it was made here; nil: the places were there
	Params    embedsom.Params  // parameters that Map was made with
	Notes     []string         // remarks on how it was drawn
	Text      [][2]string      // keys and values that the picture says of itself
	Outside   int              // points that lie outside of it
	Among     *selection.Set   // rows whose points are drawn; nil: all
	Of        string           // the path of the population that these are of; "": of all
	Panels    []Shot           // the small maps of a wall of moments or views; nil: it is one picture
}

// Painter draws a picture and says how it is written. A program that makes pictures sets it, as drawing knows OpenGL;
// in others it is nil.
var Painter func(ctx context.Context, p *Picture, d *Drawn, threads int,
	progress func(done, total int64)) (func(io.Writer) error, error)

func init() {
	Register(Kind{ID: "picture", New: func() Want { return NewPicture() }, Plain: true, Lacks: unpainted,
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Picture).ranges() }})
}

// unpainted says that the program draws nothing.
func unpainted() error {
	if Painter != nil {
		return nil
	}
	return problem.New("", "the blossom with a window draws them", "this blossom has no OpenGL and makes no pictures")
}

// NewPicture is a picture of which nothing is said.
func NewPicture() *Picture {
	return &Picture{Percentiles: [2]float64{1, 99}, Size: [2]int{1600, 1200}, Zoom: 1, Background: Backgrounds[0]}
}

// What returns the ID of the kind.
func (p *Picture) What() string { return "picture" }

// Paths are the files that it names.
func (p *Picture) Paths() (written, read []*string) {
	return []*string{&p.Output}, []*string{&p.Coordinates}
}

// pixels is how large it is.
func (p *Picture) pixels() [2]int {
	if p.Print == nil || p.Print.Check() != nil {
		return p.Size
	}
	w, h, _ := p.Print.Pixels()
	return [2]int{w, h}
}

// mostPixels are those of a picture of one gigabyte.
const mostPixels = 1 << 28

// Check says what is wrong with the wish.
func (p *Picture) Check() error {
	if err := p.checkLook(); err != nil || p.Output == "" || p.Output == "-" {
		return err
	}
	return run.Wrong(context.Background(), export.PictureName(p.Output))
}

// checkLook says what is wrong with how it looks.
func (p *Picture) checkLook() error {
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	ways := 0
	for _, way := range []bool{p.At != "", p.Coordinates != "", p.Placed != "", p.Embedding.Kind != ""} {
		if way {
			ways++
		}
	}
	switch l := p.Percentiles; {
	case ways > 1:
		return wrong("leave one of them out", "--at draws columns as they are, --positions a map that the data "+
			"bring, --coordinates one of a file, and --embedding one of the session")
	case p.Print != nil && p.Print.Check() != nil:
		return run.Usage{Err: p.Print.Check()}
	case p.Window != nil && p.Window.wrong(p.pixels()) != nil:
		return run.Usage{Err: p.Window.wrong(p.pixels())}
	case p.Wall.wrong(p) != nil:
		return run.Usage{Err: p.Wall.wrong(p)}
	case p.Shapes && !export.OfLines(p.Output):
		return wrong("write an SVG or a PDF, or leave the points pixels", "points as shapes are for files of lines")
	case p.Size[0] < 1 || p.Size[1] < 1 || p.Size[0] > mostPixels/p.Size[1]:
		return wrong("choose a size between 1 x 1 and about 16,000 x 16,000 pixels",
			"a picture of %d x %d pixels is not possible", p.Size[0], p.Size[1])
	case p.Ends != [2]float64{} && !(p.Ends[1]-p.Ends[0] > 0 && p.Ends[1]-p.Ends[0] <= math.MaxFloat32):
		return wrong("use two numbers, the lower first", "ends of a palette at %g and %g are not possible", p.Ends[0],
			p.Ends[1])
	case !(l[0] >= 0 && l[0] < l[1] && l[1] <= 100):
		return wrong("use 0 to 100, rising", "percentiles from %g to %g are not possible", l[0], l[1])
	case !p.Scale.Known():
		return wrong("use linear, log, asinh or quantile, or leave it out", "a scale of colour %q is not known",
			string(p.Scale))
	case p.Centre != nil && *p.Centre-*p.Centre != 0:
		return wrong("use a number", "the centre of a palette cannot be %g", *p.Centre)
	case !(p.Zoom >= 0.1 && p.Zoom <= 20):
		return wrong("use 0.1 to 20", "--zoom %g is not possible", p.Zoom)
	case !(p.PointSize >= 0 && p.PointSize <= 1000):
		return wrong("use a number above 0 and up to 1000", "--point-size %g is not possible", p.PointSize)
	case !(p.Opacity >= 0 && p.Opacity <= 1):
		return wrong("use a number above 0 and up to 1", "--opacity %g is not possible", p.Opacity)
	case !slices.Contains(Backgrounds, p.Background):
		return wrong("use "+problem.OneOf(Backgrounds...), "--background %q is not known", p.Background)
	case !p.boxed():
		return wrong("write from and to of two or three axes, from below to", "--box %s is not possible",
			boxText(p.Box))
	case !(p.Turn >= -360 && p.Turn <= 360):
		return wrong("use -360 to 360 degrees", "--turn %g is not possible", p.Turn)
	case p.Drawing != p.Drawing.Sane():
		return wrong("use log, linear or equal, cells and a width of 0 to 500 points, and median or share:LABEL",
			"a density scale %q with cells of %g, smoothed by %g, that show %.40q, is not possible", string(p.Counts),
			p.Cell, p.Smooth, p.Show)
	case !slices.Contains(parts.WaysOfAllRows, p.AllRows):
		return wrong("use auto, beneath or none, or leave it out", "--all-rows %q is not known", string(p.AllRows))
	case !slices.Contains(parts.AllContours, p.Contours):
		return wrong("use over or alone, or leave it out", "contours %q are not known", string(p.Contours))
	}
	return nil
}

// ForPicture gives an opened job the state that the flags mean for a picture. Where places are not known, the map that
// gives them is wanted first.
func (j *Job) ForPicture(ctx context.Context, s *run.Flags, p *Picture) error {
	if p.Mapped() && coordinateColumns(j.table) != nil {
		p.Placed = PlacedByUs
	}
	if p.Mapped() {
		if err := j.whole(ctx, s); err != nil {
			return err
		}
		if err := j.ForMap(ctx, s); err != nil {
			return err
		}
		j.Want(&Embedding{})
		return nil
	}
	spec, err := s.Space.ColourSpec(ctx, j.table)
	if err != nil {
		return err
	}
	if p.At != "" {
		j.Note(s.Space.ColourNotes(j.table, spec)...)
	}
	if len(spec.MapColumns()) == 0 { // constant columns, or labels alone: a new document has them so, too
		return nil
	}
	var now state.State
	parts.Transform.Put(&now, spec)
	return j.PutState(now, "transform")
}

// Mapped says whether points are drawn on a map that the job makes.
func (p *Picture) Mapped() bool {
	return p.At == "" && p.Coordinates == "" && p.Placed == "" && p.Embedding.Kind == ""
}

// Make draws the picture.
func (p *Picture) Make(ctx context.Context, w *Work) error {
	write, err := p.paint(ctx, w)
	if err != nil {
		return err
	}
	return p.save(ctx, w, write)
}

// save says what there is to know of the picture, and writes it.
func (p *Picture) save(ctx context.Context, w *Work, write func(io.Writer) error) error {
	d := p.Made
	if d.Map == nil {
		w.Notes = append(slices.Concat(w.Notes, d.Data.Warnings), w.notes...)
	}
	if p.Contours != parts.NoContours && d.Places.Dims == 3 {
		w.Notes = append(w.Notes, "contours are lines of flat maps: this one is drawn without")
	}
	w.Notes = append(w.Notes, d.Notes...)
	if d.Outside > 0 && !p.AllPoints && len(p.Box) == 0 {
		w.Notes = append(w.Notes, problem.Count(d.Outside, "point")+" far from all others: outside of the picture; "+
			"--all-points fits it to all")
	}
	if p.Output == "" {
		return nil
	}
	return w.Files.Write(p.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return write(to)
	})
}

// paint draws the picture, and returns what writes it.
func (p *Picture) paint(ctx context.Context, w *Work) (write func(io.Writer) error, err error) {
	if p.Window != nil {
		return p.byViews(ctx, w)
	}
	if err := unpainted(); err != nil {
		return nil, err
	}
	if p.Made, err = p.drawn(ctx, w); err != nil {
		return nil, err
	}
	return p.painted(ctx, w)
}

// painted draws what there is to draw.
func (p *Picture) painted(ctx context.Context, w *Work) (write func(io.Writer) error, err error) {
	return Painter(ctx, p, p.Made, w.Options.Engine.Threads, w.Options.Report.Stage("drawing"))
}

// drawn is what there is to draw.
func (p *Picture) drawn(ctx context.Context, w *Work) (*Drawn, error) {
	if p.Wall.paged() {
		return p.page(ctx, w)
	}
	d := &Drawn{Data: w.table, Spec: parts.Transform.Of(w.Parts)}
	p.Sight.populations = nil
	p.Colour, p.And = plainName(w.table, p.Colour), plainName(w.table, p.And)
	for i, name := range p.Wall.Columns {
		p.Wall.Columns[i] = plainName(w.table, name)
	}
	var err error
	switch {
	case p.At != "":
		err = p.columns(d)
	case p.Coordinates != "":
		var places *dataset.Dataset
		if places, err = source.Read(ctx, p.Coordinates, format.Options{}); err == nil {
			err = d.placed(places, coordinateColumns(places), w.table.Path)
		}
	case p.Placed == PlacedByUs:
		err = d.placed(w.table, coordinateColumns(w.table), w.table.Path)
	case p.Placed != "":
		var at []int
		if at, err = brought(w.table, string(p.Placed)); err == nil {
			err = d.placed(w.table, at, w.table.Path)
		}
	case p.Embedding.Kind != "":
		err = d.kept(ctx, w, p.Embedding)
	default:
		err = d.mapped(w)
	}
	if err == nil {
		err = p.known(ctx, d, w)
	}
	if err == nil && !p.NoRecipe {
		err = d.carry(ctx, w)
	}
	return d, err
}

// known adds what is known of the points: what they are called, which of them are drawn, and what the picture says of
// itself.
func (p *Picture) known(ctx context.Context, d *Drawn, w *Work) error {
	if n := len(p.Box); n > 0 && n != d.Places.Dims {
		return run.Usage{Err: problem.New("", "give from and to of each axis", "--box has %d axes, and the map %d", n,
			d.Places.Dims)}
	}
	if err := p.called(ctx, d, w); err != nil {
		return err
	}
	if err := p.Sight.among(ctx, d, w); err != nil {
		return err
	}
	d.say(w)
	return nil
}

// columns takes columns of the data as axes.
func (p *Picture) columns(d *Drawn) (err error) {
	if d.Axes, err = d.Data.Select(p.At); err != nil {
		return err
	}
	if n := len(d.Axes); n != 2 && n != 3 {
		what := fmt.Sprintf("%d columns", n)
		if n == 1 {
			what = "one column"
		}
		return run.Usage{Err: problem.New("", "name two columns, or three for a picture in 3D", "--at %s names %s",
			p.At, what)}
	}
	d.named(d.Data, d.Axes)
	return nil
}

// named says which columns the places are from.
func (d *Drawn) named(of *dataset.Dataset, at []int) {
	d.Places.Dims, d.Invalid = len(at), of.Invalid(at)
	for _, c := range at {
		d.Names = append(d.Names, of.Columns[c].Name)
	}
}

// brought are the columns of a map that the data bring.
func brought(ds *dataset.Dataset, name string) ([]int, error) {
	if p, there := ds.MapNamed(name); there {
		return p.Columns, nil
	}
	var names []string
	for _, p := range ds.Maps() {
		names = append(names, p.Name)
	}
	remedy := "draw columns with --at, or let a map be made"
	if len(names) > 0 {
		remedy = "use " + problem.OneOf(names...)
	}
	return nil, problem.New(ds.Path, remedy, "it brings no coordinates called %q", name)
}

// placed takes coordinates that a table has in some columns; nil: in all, where it has no more.
func (d *Drawn) placed(places *dataset.Dataset, at []int, data string) error {
	if places.Points != d.Data.Points {
		return problem.New(places.Path, "give the coordinates of the same points, in the same order",
			"it has %d rows, and %s has %d", places.Points, data, d.Data.Points)
	}
	if n := len(places.Columns); at == nil && (n == 2 || n == 3) {
		at = []int{0, 1, 2}[:n]
	}
	if at == nil {
		return problem.New(places.Path, "give a file that blossom embed has written, or a table of 2 or 3 columns",
			"it has %d columns and none is called %s", len(places.Columns), export.CoordinateName(export.EmbedSOM, 0))
	}
	if err := places.Numbers(at); err != nil {
		return err
	}
	for _, c := range d.Spec.MapColumns() {
		if places != d.Data || !slices.Contains(at, c) {
			d.Columns = append(d.Columns, c)
		}
	}
	x := places.Matrix(at)
	d.Places = embedding.Result{Dims: x.Cols, Pos: x.Data}
	d.named(places, at)
	return nil
}

// mapped takes the map that the job has made.
func (d *Drawn) mapped(w *Work) error {
	for _, want := range w.Wanted {
		if e, ok := want.(*Embedding); ok && e.Map != nil {
			d.Map = e.Map
		}
	}
	if d.Map == nil {
		return problem.New(w.table.Path, "want an embedding before the picture, or say at or coordinates",
			"there is no map to draw")
	}
	d.ofMap(d.Map, w)
	return nil
}

// ofMap takes the points of a map.
func (d *Drawn) ofMap(m *run.Map, w *Work) {
	d.Params = parts.Projection.Of(w.Parts)
	d.Columns, d.Spec, d.Landmarks = m.Points.Cols, m.Points.Spec, m.File.Set
	d.Places = embedding.Result{Dims: m.Embedding.M, Pos: m.InRows()}
}

// say makes what the picture says of itself: enough to make it again.
func (d *Drawn) say(w *Work) {
	how := fmt.Sprintf("%d points at %s", d.Data.Points, strings.Join(d.Names, ", "))
	if len(d.Panels) > 0 {
		how = fmt.Sprintf("%d maps of %d points", len(d.Panels), d.Data.Points)
	}
	if d.Map != nil {
		params := parts.Projection.Of(w.Parts)
		how = fmt.Sprintf("%d points, k %d, boost %g, adjust %g, seed %d, engine %s", d.Data.Points, params.K,
			params.Boost, params.Adjust, w.Seed, w.engineName())
		if d.Landmarks.ByHand {
			how += ", landmarks arranged by hand"
		}
	}
	if d.Of != "" {
		how += ", those of " + d.Of + " drawn alone"
	}
	d.Text = [][2]string{{"Software", w.Options.Program}, {"Source", filepath.Base(w.Data[0].Path)}, {"Comment", how}}
	d.Text = append(d.Text, disclaimer(d.Data)...)
}

// disclaimer is what a file says of itself where it shows a sample of the points.
func disclaimer(ds *dataset.Dataset) [][2]string {
	if ds.Total <= ds.Points {
		return nil
	}
	return [][2]string{{"Disclaimer", dataset.SampleOf(int64(ds.Points), int64(ds.Total), "points")}}
}

// carry has the picture say by which job it is made again, where that can be told. The error is ctx's.
func (d *Drawn) carry(ctx context.Context, w *Work) error {
	text, err := carriedBy(ctx, w)
	if text != "" {
		d.Text = append(d.Text, [2]string{RecipeKey, text})
	}
	return err
}

// RecipeKey is what the text of a picture is called by which it is made again.
const RecipeKey = carried.Key
