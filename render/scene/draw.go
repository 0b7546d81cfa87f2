package scene

import (
	"cmp"
	"context"

	"blossom/model/base/problem"
	"blossom/model/space/transform"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/colour"
	"blossom/render/egl"
	"blossom/render/pen"
	"blossom/render/pen/figure"
)

// Plan says which picture of a map is drawn.
type Plan struct {
	Options
	By       string // the column that colours points, one that can be derived, NoColour, or "" for what suits
	And      string // another one, that colours them beside it; "": none
	Spread   transform.Spread
	Look     Look
	Contours bool // lines of equal density, of a flat map
	All      bool // show the farthest outliers too, however small they make the rest
	On       Medium
}

// Medium is what a picture is drawn on.
type Medium struct {
	Format figure.Format
	Paper  pen.Paper // its sizes, and what it says; fonts are the scene's
	Shapes bool      // points are shapes, in files of lines
	Wall   Wall
}

// drawn is how many points are drawn between two looks at the context.
const drawn = 1 << 18

// Draw makes the picture. It needs OpenGL but no display; the error is a Problem that says what to
// install, or ctx's. threads are as Open has them; progress may be nil.
func Draw(ctx context.Context, m *Map, p Plan, threads int, progress func(done, total int64)) (figure.File, error) {
	studio, err := Open(threads)
	if err != nil {
		return nil, err
	}
	defer studio.Close()
	return studio.Draw(ctx, m, p, progress)
}

// BoxOf is the box from and to for each axis; nil: none.
func BoxOf(axes [][2]float64) *camera.Bounds {
	if len(axes) < 2 {
		return nil
	}
	b := camera.Bounds{Min: camera.Vec{X: axes[0][0], Y: axes[1][0]}, Max: camera.Vec{X: axes[0][1], Y: axes[1][1]}}
	if len(axes) > 2 {
		b.Min.Z, b.Max.Z = axes[2][0], axes[2][1]
	}
	return &b
}

// Studio is what pictures are made with where there is no window: an OpenGL context and a renderer, kept for as many as
// there are to be. It belongs to the goroutine that has opened it.
type Studio struct {
	gl *egl.Context
	r  *render.Renderer
}

// Open opens one, with as many threads as there are cores where threads is 0. The error is a Problem that says what to
// install.
func Open(threads int) (*Studio, error) {
	gl, err := egl.New(egl.Options{})
	if err != nil {
		return nil, err
	}
	r, err := render.New(render.Options{Threads: threads})
	if err != nil {
		gl.Close()
		return nil, err
	}
	if r.Software() { // which of the two is faster is measured, and a picture must not depend on that
		r.SetPath(render.CPU)
	}
	return &Studio{gl, r}, nil
}

// Renderer is what draws there.
func (studio *Studio) Renderer() *render.Renderer { return studio.r }

// Close frees it.
func (studio *Studio) Close() {
	studio.r.Close()
	studio.gl.Close()
}

// Draw makes a picture as the function Draw does.
func (studio *Studio) Draw(ctx context.Context, m *Map, p Plan,
	progress func(done, total int64)) (figure.File, error) {
	n := m.Data.Points
	s, order, free, err := studio.scene(ctx, m, p)
	if err != nil {
		return nil, err
	}
	defer free()
	report := func(share float64) {
		if progress != nil {
			progress(int64(share*float64(n)), int64(n))
		}
	}
	if len(p.On.Wall.Columns) > 0 {
		return s.wall(ctx, studio.r, m, p, order, report)
	}
	o, err := s.Picture(p.Options)
	if err == nil {
		err = m.Whole.put(ctx, &o, s, p.Options)
	}
	if err != nil {
		return nil, err
	}
	return p.On.draw(ctx, studio.r, o, report)
}

// scene is what there is to be seen of a map, with its points in buffers, which free gives back, in an order.
func (studio *Studio) scene(ctx context.Context, m *Map, p Plan) (s Scene, order []int32, free func(), err error) {
	n, dims, r := m.Data.Points, m.Embedding.Dims, studio.r
	if p.By == "" && m.Whole.alone(nil) { // all rows say more than what colours some
		p.By = NoColour
	}
	// In a random order that is always the same: the first points lie on top, and none of the groups of the file
	// should.
	order = transform.Shuffle(n, 1)
	values, err := m.coloured(ctx, p, order)
	if err == nil {
		err = p.Look.lacks(values)
	}
	if err != nil {
		return s, nil, nil, err
	}
	s = Scene{Points: r.NewPointBuffer(n, dims), Values: r.NewValueBuffer(n), Colours: values, Look: p.Look,
		Landmarks: m.Landmarks, Graph: m.Graph, Arranged: m.Landmarks.Len() > 0 && m.Landmarks.ByHand,
		Axes: m.Embedding.Axes, Factors: m.Factors}
	free = func() { s.Points.Free(); s.Values.Free() }
	for i, row := range order {
		copy(s.Points.Host()[i*dims:(i+1)*dims], m.row(int(row)))
	}
	if values != nil {
		values.Count(func(i int) bool { x := s.Points.Host()[i*dims]; return x == x })
		PutValues(s.Values, values)
	}
	if err := s.trace(ctx, p); err != nil {
		free()
		return s, nil, nil, err
	}
	s.Points.Upload(0, n)
	s.Values.Upload(0, n)
	switch box, ok := m.core(); {
	case p.Aim.Box != nil:
		s.Box, s.Filled = p.Aim.Box, p.Aim.Box
	case ok && !p.All:
		s.Box = &box
	}
	return s, order, free, nil
}

// draw draws a picture on a file of its own.
func (m Medium) draw(ctx context.Context, r *render.Renderer, o render.PictureOptions,
	progress func(share float64)) (figure.File, error) {
	if err := render.CheckSize(o.Width, o.Height); err != nil {
		return nil, err
	}
	m.Paper.Fonts, o.Shapes = o.Fonts, m.Shapes
	file := m.Format.New(m.Paper)
	job, err := r.NewDrawing(o, file)
	if err != nil {
		return nil, err
	}
	defer job.Close()
	return file, finish(ctx, func() (float64, error) { return job.Step(drawn) }, progress)
}

// finish takes steps until all is drawn. The error is that of a step, or ctx's.
func finish(ctx context.Context, step func() (share float64, err error), progress func(share float64)) error {
	for share := 0.0; share < 1; {
		err := ctx.Err()
		if err == nil {
			share, err = step()
		}
		if err != nil {
			return err
		}
		progress(share)
	}
	return nil
}

// coloured is what points are coloured by: one column, or two of numbers.
func (m *Map) coloured(ctx context.Context, p Plan, order []int32) (*colour.Values, error) {
	values, err := m.values(ctx, p.By, p.Spread, order)
	if err != nil || p.And == "" {
		return values, err
	}
	second, err := m.values(ctx, p.And, p.Spread, order)
	if err != nil {
		return nil, err
	}
	if values == nil || second == nil || values.Labels != nil || second.Labels != nil {
		return nil, problem.New("", "choose columns of numbers", "%s and %s cannot be coloured by at once",
			cmp.Or(p.By, "the first column"), p.And)
	}
	return colour.Pair(values, second, p.Look.Settings()), nil
}
