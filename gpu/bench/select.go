package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/render/camera"
)

// The screen that points are selected on, and how near the mouse must be to one.
const (
	selectSide   = 1000
	selectRadius = 8
)

// selectBytes is the memory that a point takes while selecting is measured: positions, order, an index and
// what making it takes.
const selectBytes = 64

// naive is the row that ratios of selecting compare with: one point after the other, each against all of
// the path, on one core, over as many points as take naiveTests tests.
const (
	naive      = "naive"
	naiveTests = 30_000_000
)

// Selected is a row of the measure select, with the time for all points as a user waits for it.
type Selected struct {
	table.Row
	Total float64 `json:"ms"`
}

func init() {
	Register(Measure{Name: "select", Title: "points in a lasso, and under the mouse",
		Help: `Times selecting points, of a million and, where there is memory for them, of ten million.
pick: the points in a rectangle, an ellipse, under a brush, in a lasso of 200 vertices and of 100,000, in a live region
of a flat map and, in 3D, those in front. hover: the point under the mouse
among all points, and with an index; build: making that index, once for a map. d is the dimensions of the map.
Ratios compare with testing one point after the other against all of the lasso, on one core, over fewer points.`,
		Flags: []Flag{pointsFlag(1, most, "one number of points (default: one million and ten)"),
			quickFlag("one million points only")},
		Columns: []table.Column{
			table.Word("select", func(r Selected) string { return r.Variant }),
			table.Word("stage", func(r Selected) string { return r.Stage }),
			table.Size("points", func(r Selected) int { return r.N }),
			table.Size("d", func(r Selected) int { return r.D }),
			table.Value("ms", func(r Selected) float64 { return r.Total }),
			table.Value("ns/point", func(r Selected) float64 { return r.Median }),
			table.Value("p05", func(r Selected) float64 { return r.P05 }),
			table.Value("p95", func(r Selected) float64 { return r.P95 }),
			table.Text("ratio", func(r Selected) string { return r.Times() }),
		},
		Note: func([]any) string { return "ratio: to one point after the other on one core" },
		Run: func(ctx context.Context, r *Run) error {
			return selects(ctx, r, r.points(selectSizes(r.Bool("quick"))...))
		}})
}

// selectSizes are the numbers of points that selecting is measured with: a million, and ten where there is memory for
// them and time.
func selectSizes(quick bool) []int {
	sizes := []int{1_000_000}
	if !quick && freeMemory() > 10_000_000*selectBytes*5/4 {
		sizes = append(sizes, 10_000_000)
	}
	return sizes
}

// selects times selecting points by a rectangle and by lassos, and finding the one under the mouse, in flat maps and in
// space.
func selects(ctx context.Context, r *Run, sizes []int) error {
	for _, n := range sizes {
		if err := fits(int64(n)*selectBytes, "%d points", n); err != nil {
			return err
		}
		order := transform.Shuffle(n, 1)
		for dims := 2; dims <= 3; dims++ {
			s := selecting{Run: r, ctx: ctx, all: selection.Points{Pos: blobs(n, dims), Dims: dims, Order: order}}
			s.view = selectView(s.all)
			if err := s.picks(); err != nil {
				return err
			}
			if err := s.hovers(); err != nil {
				return err
			}
		}
	}
	return nil
}

// selecting is one map that is selected in.
type selecting struct {
	*Run
	ctx  context.Context
	all  selection.Points
	view selection.View
}

// blobs are the positions of points in several populations, within -1..1.
func blobs(n, dims int) []float32 {
	r := rand.New(rand.NewPCG(1, uint64(dims)))
	centres := make([]float32, 24*dims)
	for i := range centres {
		centres[i] = 1.4*r.Float32() - 0.7
	}
	pos := make([]float32, n*dims)
	for i := range n {
		at := r.IntN(24) * dims
		for c := range dims {
			pos[i*dims+c] = centres[at+c] + 0.15*(r.Float32()+r.Float32()-r.Float32()-r.Float32())
		}
	}
	return pos
}

// selectView shows all points on the screen.
func selectView(p selection.Points) selection.View {
	var cam camera.Camera = camera.NewFlat(selectSide, selectSide)
	if p.Dims == 3 {
		cam = camera.NewOrbit(selectSide, selectSide)
	}
	if b, ok := camera.BoundsOf(p.Pos, p.Dims); ok {
		cam.Fit(b, camera.Even(20))
	}
	q := cam.Projection()
	return selection.View{Origin: q.Origin, M: q.M, W: q.W, H: q.H, Reference: q.Reference}
}

// lasso is a path of m vertices around the middle of the screen, drawn by a hand that trembles.
func lasso(m int) []selection.Point {
	path := make([]selection.Point, m)
	for i := range path {
		a := 2 * math.Pi * float64(i) / float64(m)
		r := selectSide * (0.3 + 0.05*math.Sin(5*a) + 0.004*math.Sin(400*a))
		path[i] = selection.Point{X: selectSide/2 + r*math.Cos(a), Y: selectSide/2 + r*math.Sin(a)}
	}
	return path
}

// picks measures regions.
func (s *selecting) picks() error {
	for _, c := range []struct {
		name     string
		vertices int
		region   selection.Region
	}{
		{"rectangle", 0, selection.Rect(selection.Point{X: 200, Y: 200}, selection.Point{X: 800, Y: 700})},
		{"ellipse", 0, selection.Ellipse(selection.Point{X: 200, Y: 200}, selection.Point{X: 800, Y: 700})},
		{"brush of 200", 200, selection.Brush(lasso(200), selectSide/50)},
		{"lasso of 200", 200, selection.Lasso(lasso(200))},
		{"lasso of 100,000", 100_000, selection.Lasso(lasso(100_000))},
	} {
		var picked *selection.Set
		err := s.compare(c.name, "pick", 1, func() (err error) {
			picked, err = selection.Pick(s.ctx, c.region, s.view, s.all)
			return err
		}, naiveTests/max(c.vertices, 30), func(i int, x, y float64) error {
			if in := c.region.Contains(selection.Point{X: x, Y: y}); in != picked.Contains(s.all.Row(i)) {
				return fmt.Errorf("%s: point %d is inside: %v, and was not found so", c.name, i, in)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if s.all.Dims == 3 {
		return s.front()
	}
	return s.live()
}

// front measures a lasso that takes points in front alone.
func (s *selecting) front() error {
	region := selection.Lasso(lasso(200))
	picker := selection.OnScreen{Region: region, View: s.view, Points: s.all,
		Front: selection.Front{Cell: 6, Behind: 0.04 * float64(s.view.Reference)}}
	var picked *selection.Set
	return s.compare("lasso, in front", "pick", 1, func() (err error) {
		picked, err = picker.Pick(s.ctx)
		return err
	}, naiveTests/200, func(i int, x, y float64) error {
		if in := region.Contains(selection.Point{X: x, Y: y}); !in && picked.Contains(s.all.Row(i)) {
			return fmt.Errorf("in front: point %d was found, and is not under the lasso", i)
		}
		return nil
	})
}

// live measures a live region of as many corners, as it is evaluated whenever its map moves.
func (s *selecting) live() error {
	region := selection.Lasso(lasso(200)).Moved(func(p selection.Point) selection.Point {
		return selection.Point{X: 2*p.X/selectSide - 1, Y: 1 - 2*p.Y/selectSide}
	})
	picker := selection.OnMap{Region: region, Points: s.all, Factor: 1}
	var picked *selection.Set
	return s.compare("live region", "pick", 1, func() (err error) {
		picked, err = picker.Pick(s.ctx)
		return err
	}, naiveTests/200, func(i int, _, _ float64) error {
		at := selection.Point{X: float64(s.all.Pos[2*i]), Y: float64(s.all.Pos[2*i+1])}
		if in := region.Contains(at); in != picked.Contains(s.all.Row(i)) {
			return fmt.Errorf("live region: point %d is inside: %v, and was not found so", i, in)
		}
		return nil
	})
}

// hovers measures finding the point under the mouse: among all points, and with an index, and making that.
func (s *selecting) hovers() error {
	r := rand.New(rand.NewPCG(2, 2))
	next := func() selection.Point {
		return selection.Point{X: selectSide * r.Float64(), Y: selectSide * r.Float64()}
	}
	at := next()
	best := math.Inf(1)
	look := func(_ int, x, y float64) error {
		if d := (x-at.X)*(x-at.X) + (y-at.Y)*(y-at.Y); d <= selectRadius*selectRadius {
			best = min(best, d)
		}
		return nil
	}
	every := naiveTests / 30
	err := s.compare("all points", "hover", 1, func() error {
		_, _, err := selection.Nearest(s.ctx, s.view, s.all, next(), selectRadius)
		return err
	}, every, look)
	if err != nil {
		return err
	}
	var index *selection.Index
	seconds, err := sample(func() (err error) {
		index, err = selection.BuildIndex(s.ctx, s.view, s.all)
		return err
	})
	if err != nil {
		return err
	}
	s.row("index", "build", seconds, 0)
	const moves = 100 // movements of the mouse in one measurement: a single one takes too little time for a clock
	return s.compare("index", "hover", moves, func() error {
		for range moves {
			index.Nearest(s.view, next(), selectRadius)
		}
		return s.ctx.Err()
	}, every, look)
}

// compare adds the row of f, which does the work so many times over, with the ratio to test called for each of
// the first few points.
func (s *selecting) compare(variant, stage string, times int, f func() error, few int,
	test func(i int, x, y float64) error) error {
	s.Say(fmt.Sprintf("select %s, %d points in %d dimensions", variant, s.all.Len(), s.all.Dims))
	seconds, err := sample(f)
	if err != nil {
		return err
	}
	for i := range seconds {
		seconds[i] /= float64(times)
	}
	few = min(few, s.all.Len())
	x, y, depth := make([]float64, few), make([]float64, few), make([]float64, few)
	start := time.Now()
	s.view.Project(s.all.Pos[:few*s.all.Dims], s.all.Dims, x, y, depth)
	for i := range few {
		if i%1000 == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err := test(i, x[i], y[i]); err != nil {
			return err
		}
	}
	s.row(variant, stage, seconds, float64(time.Since(start).Nanoseconds())/float64(few))
	return nil
}

// row adds a row; base is the naive time for a point in nanoseconds, or 0.
func (s *selecting) row(variant, stage string, seconds []float64, base float64) {
	r := rowOf("select", variant, stage, s.all.Len(), s.all.Dims, 0, seconds)
	r.Engine = "cpu"
	if base > 0 {
		r.Compare(naive, base)
	}
	s.Add(Selected{r, r.All(r.Median)})
}
