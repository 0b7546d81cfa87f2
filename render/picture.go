package render

import (
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/pen"
	"blossom/render/text"
)

// PictureOptions say what a picture for a file shows.
type PictureOptions struct {
	Width, Height int     // pixels
	Scale         float64 // pixels per point of length: sizes of text and landmarks; 0: 1

	Points *PointBuffer // must not change while the picture is made
	Bare   bool         // points are not drawn: they only say what there is to be seen
	// Shapes has points painted as discs, one by one, where they are no more than MostShapes.
	Shapes bool
	Values *ValueBuffer  // nil: none
	States *StateBuffer  // nil: none
	Style  Style         // Size or Opacity 0: as AutoStyle says; in pixels of this picture
	View   camera.Camera // the camera of a window; nil: Box, clear of title and legend
	// Fitted says what View shows all of: a picture of another shape than the view is fitted anew, beside the legend.
	// Nil: View is where the user has put it.
	Fitted *Fitted
	// Box is what is shown where View is nil; nil: all points and landmarks. A few far outliers would
	// make the rest tiny, so callers may leave them out.
	Box *camera.Bounds
	// Filled is what points are taken to fill, where their size and opacity follow it; nil: the box around them.
	// Pictures of one film have one, or points would flicker.
	Filled *camera.Bounds
	// Turn turns a picture in 3D about its upright axis where View is nil, in radians.
	Turn float64

	Theme       Theme
	Transparent bool // no background

	Title string
	Note  string // small in the lower right corner: what should not be overlooked; "": nothing
	// Axes are one for each coordinate; nil: none are drawn. In 3D a box lies behind the points; their titles are at
	// the ends of its axes where View is given, else at its outline, with numbers.
	Axes     []axes.Axis
	Cube     *camera.Bounds // the box; nil: the one around what is shown
	Legend   *legend.Legend // nil: none
	LegendAt legend.Place   // where View is given
	// LegendApart has the legend beside the map where View is given too, not over it, if there is room for both.
	LegendApart bool
	// AxesApart has the names of two axes above and below the map where View is given too, not over it.
	AxesApart bool
	Fonts     *text.Fonts // nil: the Go fonts

	Landmarks     matrix.Matrix32 // g x 2 or 3; empty: none
	Marks         []Mark
	Names         []string // names of landmarks; drawn where there is room
	Words         []Word   // names of what points are
	LandmarkStyle LandmarkStyle
	Edges         []Edge
	Cells         []Cell       // behind the points of a flat map
	Backdrop      Backdrop     // behind these, as one picture; nil: nothing is
	Keys          []legend.Key // keys of edges and cells, where View is given
	Lines         Lines        // below the landmarks
	Levels        Levels       // labels of lines
	// Tiles are pictures within this one, over all else; scale, theme, fonts, transparency and shapes are its own.
	Tiles []SheetCell
	// Over is painted over all of it, in order: by who shows something else than points, or more than they.
	Over []Paint
}

// Paint paints with a pen on a picture of w x h pixels.
type Paint func(p pen.Pen, w, h float64)

const (
	maxPicturePixels = 1 << 28 // one gigabyte
	tileSide         = 4096
	padding          = 20.0 // points
)

// PictureJob makes a picture in steps, so that a window can go on while a large one is made. OpenGL, or the CPU in its
// place, draws the points; a canvas paints all else.
type PictureJob struct {
	r      *Renderer
	o      PictureOptions
	frame  frame
	cam    camera.Camera
	box    camera.Bounds // bounds of what is shown
	proj   camera.Projection
	layer  *Layer
	counts counted // points in cells; they are not drawn one by one
	cube   []Segment
	ends   [3]AxisEnd
	canvas pen.Canvas  // canvas of the whole picture
	img    *image.RGBA // the picture that it paints into; nil: somebody else's canvas
	mapped mapped
	side   int
	tile   int       // under way
	next   int       // first point not drawn in it
	sheet  *SheetJob // job of the pictures within it; nil: it has not begun
}

// mapped is the canvas of the map while what lies on it is painted.
type mapped struct {
	canvas pen.Canvas
	ends   []func()
	points *image.RGBA // the points while they are drawn in tiles, where those are to be one picture
}

// Picture makes a picture at once. The error is a problem.Problem.
func (r *Renderer) Picture(o PictureOptions) (*image.RGBA, error) {
	j, err := r.NewPicture(o)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	for done := 0.0; done < 1; {
		if done, err = j.Step(math.MaxInt); err != nil {
			return nil, err
		}
	}
	return j.Image(), nil
}

// CheckSize says whether a picture of so many pixels can be made. The error is a problem.Problem.
func CheckSize(width, height int) error {
	if width < 1 || height < 1 || width > maxPicturePixels/height {
		return problem.New("", "choose a size between 1 x 1 and about 16,000 x 16,000 pixels",
			"a picture of %d x %d pixels cannot be made", width, height)
	}
	return nil
}

// NewPicture prepares a picture; call Step until it returns 1, then Image. Close it in any case.
func (r *Renderer) NewPicture(o PictureOptions) (*PictureJob, error) {
	if err := CheckSize(o.Width, o.Height); err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rect(0, 0, o.Width, o.Height))
	j, err := r.NewDrawing(o, nil)
	if err == nil {
		j.img, j.canvas = img, &pen.Image{Dst: img, Fonts: j.o.Fonts, Points: j.o.Scale}
	}
	return j, err
}

// NewDrawing prepares a picture that is painted on a canvas, its points as one picture; call Step until it returns 1,
// and Close it in any case. The error is a problem.Problem.
func (r *Renderer) NewDrawing(o PictureOptions, canvas pen.Canvas) (*PictureJob, error) {
	if err := CheckSize(o.Width, o.Height); err != nil {
		return nil, err
	}
	if !(o.Scale > 0) || math.IsInf(o.Scale, 0) {
		o.Scale = 1
	}
	if o.Fonts == nil {
		o.Fonts = text.Builtin()
	}
	if o.LandmarkStyle.Scale == 0 {
		o.LandmarkStyle = QuietLandmarks(o.Theme, float32(o.Scale))
	}
	if o.Style.Ground.A == 0 {
		o.Style.Ground = Haze(o.Style.Colouring, o.Theme)
	}
	j := &PictureJob{r: r, o: o, canvas: canvas, side: min(tileSide, r.info.MaxTexture)}
	j.frame = o.arrange()
	j.cam, j.box = j.camera()
	filled := j.box
	if o.Filled != nil {
		filled = *o.Filled
	}
	cover := Cover(j.cam, filled)
	j.turn()
	j.proj = j.cam.Projection()
	if orbit, deep := j.cam.(*camera.Orbit); deep && len(o.Axes) == 3 {
		if o.Cube != nil {
			j.box = *o.Cube
		}
		theme := o.Theme
		if o.View == nil { // the axes are at the outline
			theme.TextDim = theme.Line
		}
		j.cube, j.ends = Axes3D(nil, j.box, orbit, theme)
	}
	seen := o.seen()
	if err := j.inCells(cover, seen); err != nil {
		return nil, err
	}
	if o.Points != nil && !j.counts.on {
		size, opacity := AutoStyle(seen, j.proj.W, j.proj.H, o.Scale, cover)
		if !(o.Style.Size > 0) {
			j.o.Style.Size = size
		}
		if !(o.Style.Opacity > 0) {
			j.o.Style.Opacity = opacity
		}
	}
	if o.Shapes && !j.counts.on {
		if err := j.checkShapes(seen); err != nil {
			return nil, err
		}
	}
	j.layer = r.NewLayer()
	return j, nil
}

// Cover returns the share of the camera's viewport that the box takes on screen, which may be more
// than 1: the last argument of AutoStyle. It is 0 where the box cannot be seen whole.
func Cover(cam camera.Camera, b camera.Bounds) float64 {
	w, h := cam.Viewport()
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range 8 {
		p := b.Min
		if i&1 != 0 {
			p.X = b.Max.X
		}
		if i&2 != 0 {
			p.Y = b.Max.Y
		}
		if i&4 != 0 {
			p.Z = b.Max.Z
		}
		x, y, ok := cam.ScreenFromWorld(p)
		if !ok {
			return 0
		}
		x0, y0, x1, y1 = math.Min(x0, x), math.Min(y0, y), math.Max(x1, x), math.Max(y1, y)
	}
	return (x1 - x0) * (y1 - y0) / (float64(w) * float64(h))
}

// camera returns the camera of the picture and the box around what it shows.
func (j *PictureJob) camera() (camera.Camera, camera.Bounds) {
	o := &j.o
	var box camera.Bounds
	found := false
	dims := 2
	if o.Points != nil {
		dims = o.Points.Dims()
		o.Points.Sync()
		box, found = camera.BoundsOf(o.Points.Host(), dims)
	} else if o.Landmarks.Cols == 3 {
		dims = 3
	}
	if !o.Landmarks.Empty() {
		if b, ok := camera.BoundsOf(o.Landmarks.Data, o.Landmarks.Cols); ok && found {
			box = box.Union(b)
		} else if ok {
			box, found = b, true
		}
	}
	if o.View != nil {
		cam := o.View.Framed(j.frame.area.Dx(), j.frame.area.Dy())
		o.refit(cam, j.frame.hasLegend)
		return cam, box
	}
	if o.Box != nil {
		box, found = *o.Box, true
	}
	var cam camera.Camera = camera.NewFlat(o.Width, o.Height)
	if dims == 3 {
		cam = camera.NewOrbit(o.Width, o.Height)
	}
	if found {
		cam.Fit(box, j.frame.margins)
	}
	return cam, box
}

// turn turns the camera of a picture that has chosen it itself.
func (j *PictureJob) turn() {
	orbit, deep := j.cam.(*camera.Orbit)
	if !deep || j.o.View != nil || j.o.Turn == 0 {
		return
	}
	turn, tilt := orbit.TurnTilt()
	orbit.SetTurnTilt(math.Remainder(turn+j.o.Turn, 2*math.Pi), tilt)
	shown := j.box
	if j.o.Box != nil {
		shown = *j.o.Box
	}
	orbit.Fit(shown, j.frame.margins)
}

// Step draws up to so many points and returns the share of the work that is done. The error is a problem.Problem: a
// picture within it cannot be drawn.
func (j *PictureJob) Step(points int) (float64, error) {
	area := j.frame.area
	columns, rows := (area.Dx()+j.side-1)/j.side, (area.Dy()+j.side-1)/j.side
	tiles, n := columns*rows, 0
	if j.o.Points != nil && !j.o.Bare && (!j.o.Shapes || j.counts.on) {
		n = j.o.Points.Len()
	}
	if j.tile >= tiles {
		return j.within(points)
	}
	if j.mapped.canvas == nil {
		j.below()
	}
	if j.counts.on && n > 0 {
		if done := j.count(max(points, 1)); done < 1 {
			return done * 0.99, nil
		}
		tiles = 0
	} else if n == 0 {
		tiles = 0
	} else if done := j.drawTile(max(points, 1), n, columns); done < 1 {
		return (float64(j.tile) + done) / float64(tiles) * 0.99, nil
	}
	if j.tile++; j.tile < tiles {
		return float64(j.tile) / float64(tiles) * 0.99, nil
	}
	j.tile = columns * rows
	j.above()
	j.finish()
	return j.within(points)
}

// drawTile draws points of a part of the map and returns which share of it is done.
func (j *PictureJob) drawTile(points, n, columns int) float64 {
	area := j.frame.area
	x, y := j.tile%columns*j.side, j.tile/columns*j.side
	w, h := min(j.side, area.Dx()-x), min(j.side, area.Dy()-y)
	if j.next == 0 {
		j.layer.Begin(j.proj.Tile(x, y, w, h), j.o.Style)
	}
	to := n
	if points < n-j.next {
		to = j.next + points
	}
	j.layer.DrawRange(j.o.Points, j.o.Values, j.o.States, j.next, to)
	if j.next = to; to < n {
		return float64(to) / float64(n)
	}
	j.next = 0
	j.layer.Resolve(j.groundOfPoints())
	j.pointsOf(x, y, j.layer.Read())
	return 1
}

// groundOfPoints is the ground that the picture of points has by itself: where nothing lies between, it is rounded
// once.
func (j *PictureJob) groundOfPoints() color.NRGBA {
	if !j.canvas.Seams() && !j.o.Transparent && len(j.o.Cells)+len(j.cube) == 0 && j.o.Backdrop == nil {
		return j.o.Theme.Background
	}
	return color.NRGBA{}
}

// within goes on with the pictures within it.
func (j *PictureJob) within(points int) (float64, error) {
	if len(j.o.Tiles) == 0 {
		return 1, nil
	}
	if j.sheet == nil {
		j.sheet = j.r.sheet(SheetOptions{Width: j.o.Width, Height: j.o.Height, Scale: j.o.Scale, Theme: j.o.Theme,
			Transparent: j.o.Transparent, Fonts: j.o.Fonts, Cells: j.tiles()}, j.canvas)
		j.sheet.img = j.img
	}
	return j.sheet.Step(points)
}

// tiles are the pictures within it, whose points are shapes where its own are to be.
func (j *PictureJob) tiles() []SheetCell {
	tiles := slices.Clone(j.o.Tiles)
	for i := range tiles {
		tiles[i].Picture.Shapes = tiles[i].Picture.Shapes || j.o.Shapes
	}
	return tiles
}

// Image returns the picture once Step has returned 1.
func (j *PictureJob) Image() *image.RGBA { return j.img }

// Close frees what the job holds of OpenGL. The image stays.
func (j *PictureJob) Close() {
	if j.layer != nil {
		j.layer.Free()
		j.layer = nil
	}
	if j.sheet != nil {
		j.sheet.Close()
	}
	gl.Flush()
}
