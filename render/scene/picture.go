package scene

import (
	"context"
	"image"

	"blossom/assets"
	"blossom/model/dataset"
	"blossom/model/derived"
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/transform"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/egl"
	"blossom/render/text"
)

// Options say how a map is drawn.
type Options struct {
	Width, Height int     // pixels
	Scale         float64 // pixels per point of length
	Colour        Colour
	Size, Opacity float64 // of points, in points of length; 0 adapts to their density
	Dark          bool
	Transparent   bool
	Legend        bool
	Landmarks     bool // shown, with the edges of their grid
	Names         bool // of landmarks, shown
	Title         string
	All           bool // show the farthest outliers too, however small they make the rest
	Threads       int
}

// Scene is what is drawn.
type Scene struct {
	Data      *dataset.Dataset
	Cols      []int          // dimensions of the map
	Spec      transform.Spec // for all columns of Data
	Positions *embedsom.HostTarget
	Landmarks *landmark.Set // nil: none
}

// drawn is how many points are drawn between two looks at the context.
const drawn = 1 << 18

// Draw makes the picture. It needs OpenGL but no display; the error is a Problem that says what to
// install, or ctx's. progress may be nil.
func Draw(ctx context.Context, s Scene, o Options, progress func(done, total int64)) (*image.RGBA, error) {
	theme := render.Light()
	if o.Dark {
		theme = render.Dark()
		o.Colour.Dark = true
	}
	col, err := o.Colour.choose(s.Data, s.Cols)
	if err != nil {
		return nil, err
	}
	values, colouring, err := o.Colour.paint(ctx, s, col, theme.Accent, theme.Missing)
	if err != nil {
		return nil, err
	}
	fonts, err := text.Parse(assets.InterRegular, assets.InterSemiBold)
	if err != nil {
		return nil, err
	}
	gl, err := egl.New(egl.Options{})
	if err != nil {
		return nil, err
	}
	defer gl.Close()
	r, err := render.New(render.Options{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	defer r.Close()

	points, painted := r.NewPointBuffer(s.Positions.N, s.Positions.M), r.NewValueBuffer(s.Positions.N)
	defer points.Free()
	defer painted.Free()
	var numbers []float32
	if values != nil {
		numbers = values.Numbers
		m := s.Positions.M
		values.Count(func(i int) bool { x := s.Positions.Data[i*m]; return x == x })
	}
	fill(points, painted, s.Positions, numbers)
	po := render.PictureOptions{
		Width: o.Width, Height: o.Height, Scale: o.Scale, Points: points, Values: painted, Theme: theme,
		Transparent: o.Transparent, Title: o.Title, Fonts: fonts,
		Style: render.Style{Size: float32(o.Size * o.Scale), Opacity: float32(o.Opacity), Colouring: colouring},
	}
	if box, ok := core(s); ok && !o.All {
		po.Box = &box
	}
	if o.Legend {
		po.Legend = values.Legend(colouring)
	}
	if o.Landmarks && s.Landmarks.Len() > 0 {
		po.Landmarks, po.Edges = s.Landmarks.Pos, s.Landmarks.Edges
		if o.Names {
			po.Names = s.Landmarks.Names
		}
	}
	job, err := r.NewPicture(po)
	if err != nil {
		return nil, err
	}
	defer job.Close()
	for f := 0.0; f < 1; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f = job.Step(drawn)
		if progress != nil {
			progress(int64(f*float64(s.Positions.N)), int64(s.Positions.N))
		}
	}
	return job.Image(), nil
}

// positions are those of the scene as columns are derived from them: landmarks belong to the map.
func positions(s Scene) derived.Positions {
	p := derived.Positions{Dims: s.Positions.M, Pos: s.Positions.Data}
	if s.Landmarks.Len() > 0 {
		p.Marks = s.Landmarks.Pos
	}
	return p
}

// core is the part of the map that a picture shows, see derived.Core.
func core(s Scene) (camera.Bounds, bool) {
	low, high, ok := derived.Core(positions(s))
	return camera.Bounds{Min: camera.Vec{X: low[0], Y: low[1], Z: low[2]},
		Max: camera.Vec{X: high[0], Y: high[1], Z: high[2]}}, ok
}

// Outside counts the points that a picture of the core leaves out.
func Outside(s Scene) int {
	box, ok := core(s)
	if !ok {
		return 0
	}
	e, n := s.Positions, 0
	low := [3]float64{box.Min.X, box.Min.Y, box.Min.Z}
	high := [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
	for i := range e.N {
		for axis := range e.M {
			if v := float64(e.Data[i*e.M+axis]); v < low[axis] || v > high[axis] {
				n++
				break
			}
		}
	}
	return n
}

// fill puts the points into the buffers in a random order that is always the same: the first ones lie
// on top, and none of the groups of the file should.
func fill(to *render.PointBuffer, painted *render.ValueBuffer, from *embedsom.HostTarget, values []float32) {
	n, dims := from.N, from.M
	pos, val := to.Host(), painted.Host()
	for i, row := range transform.Shuffle(n, 1) {
		copy(pos[i*dims:(i+1)*dims], from.Data[int(row)*dims:(int(row)+1)*dims])
		if values != nil {
			val[i] = values[row]
		}
	}
	to.Upload(0, n)
	painted.Upload(0, n)
}
