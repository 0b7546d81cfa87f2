package tally

import (
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/maps/density"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/splat"
)

// cloud is points of random groups, some without a place, hidden or selected, with values and labels.
type cloud struct {
	splat.Points
	n int
}

func randomCloud(rng *rand.Rand, n, dims int) cloud {
	c := cloud{n: n}
	c.Dims, c.Pos = dims, make([]float32, n*dims)
	c.Values, c.States = make([]float32, n), make([]uint8, n)
	for i := range n {
		group := float64(rng.IntN(4))
		for k := range dims {
			c.Pos[i*dims+k] = float32(group*1.5 + rng.NormFloat64())
		}
		if rng.IntN(50) == 0 {
			c.Pos[i*dims] = float32(math.NaN())
		}
		c.Values[i] = float32(rng.NormFloat64()*100 + group)
		if rng.IntN(20) == 0 {
			c.Values[i] = float32(math.NaN())
		}
		if rng.IntN(10) == 0 {
			c.States[i] |= splat.Hidden
		}
		if rng.IntN(3) == 0 {
			c.States[i] |= splat.Selected
		}
	}
	return c
}

func (c cloud) labelled(rng *rand.Rand, labels int) cloud {
	c.Values = slices.Clone(c.Values)
	for i := range c.Values {
		if c.Values[i] == c.Values[i] {
			c.Values[i] = float32(rng.IntN(labels))
		}
	}
	return c
}

// eye is a camera that shows the middle of a cloud, so that some points lie outside.
func eye(rng *rand.Rand, dims, w, h int) camera.Projection {
	b := camera.Bounds{Min: camera.Vec{X: -1.5, Y: -2, Z: -2}, Max: camera.Vec{X: 5.5, Y: 6, Z: 6}}
	if dims == 3 {
		cam := camera.NewOrbit(w, h)
		cam.SetTurnTilt(rng.Float64()*3, rng.Float64())
		cam.Fit(b, camera.Margins{})
		return cam.Projection()
	}
	b.Min.Z, b.Max.Z = 0, 0
	cam := camera.NewFlat(w, h)
	cam.Fit(b, camera.Margins{})
	cam.Pan(rng.Float64()*30, rng.Float64()*30)
	return cam.Projection()
}

// pixelOf is the reference of where a point lies: the whole product, in float64.
func pixelOf(p *camera.Projection, pos []float32) (x, y float64, ok bool) {
	v := [4]float64{float64(pos[0]) - float64(p.Origin[0]), float64(pos[1]) - float64(p.Origin[1]),
		-float64(p.Origin[2]), 1}
	if len(pos) > 2 {
		v[2] += float64(pos[2])
	}
	var clip [4]float64
	for r := range clip {
		for c := range v {
			clip[r] += float64(p.M[4*c+r]) * v[c]
		}
	}
	if p.Reference > 0 && !(clip[3] > 0) {
		return 0, 0, false
	}
	x, y = (clip[0]/clip[3]+1)/2*float64(p.W), (clip[1]/clip[3]+1)/2*float64(p.H)
	return x, y, x-x == 0 && y-y == 0
}

func tableOf(c palette.Colouring) *palette.Table {
	t := new(palette.Table)
	c.Fill(t)
	return t
}

func plain() palette.Colouring {
	return palette.Colouring{Palette: palette.Default(), Lo: 0, Hi: 1, Missing: color.NRGBA{128, 128, 128, 255}}
}

// All points that can be seen are counted, each in the cell where a reference has it: a square that holds it, or the
// hexagon whose middle is nearest. Neither the number of threads nor parts of the points change a count.
func TestEveryPointCountsInItsCell(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for round := range 24 {
		dims := 2 + round%2
		c, proj := randomCloud(rng, 1+rng.IntN(30_000), dims), eye(rng, dims, 40+rng.IntN(300), 40+rng.IntN(200))
		how := Settings{Mode: []string{"density", "hexagons"}[round/2%2], Size: 1 + rng.Float64()*12}
		one, many := New(1), New(5)
		style := Style{Table: tableOf(plain())}
		one.Begin(proj, how)
		one.Draw(c.Points, style, 0, c.n)
		many.Begin(proj, how)
		cut := rng.IntN(c.n + 1)
		many.Draw(c.Points, style, 0, cut)
		many.Draw(c.Points, style, cut, c.n)
		if !slices.Equal(one.count, many.count) {
			t.Fatal("five threads and two parts count otherwise")
		}
		want := make([]int32, one.grid.Cells())
		seen := 0
		for i := range c.n {
			x, y, ok := pixelOf(&proj, c.Pos[i*dims:(i+1)*dims])
			if !ok || c.States[i]&splat.Hidden != 0 {
				continue
			}
			cell := referenceCell(t, one.grid, x, y)
			if cell >= 0 {
				want[cell]++
			}
			if x >= 0 && y >= 0 && x < float64(proj.W) && y < float64(proj.H) {
				seen++
			}
		}
		total, differ := 0, 0
		for i, n := range one.count {
			total += int(n)
			differ += int(max(n-want[i], want[i]-n))
		}
		if total < seen {
			t.Fatalf("%d of %d points in sight are counted", total, seen)
		}
		// A point on a border may be rounded to either side of it: none is in random places.
		if differ > 0 {
			t.Fatalf("%+v: %d points lie in other cells than the reference has", how, differ)
		}
	}
}

// referenceCell finds the cell of a place by looking at all middles or squares.
func referenceCell(t *testing.T, g Grid, x, y float64) int {
	t.Helper()
	switch g := g.(type) {
	case *squares:
		col, row := math.Floor((x-float64(g.left))/float64(g.side)), math.Floor((y-float64(g.top))/float64(g.side))
		if col < 0 || row < 0 || int(col) >= g.cols || int(row) >= g.rows {
			return -1
		}
		return int(row)*g.cols + int(col)
	case *hexagons:
		best, at := math.Inf(1), -1
		guess := int(math.Round((y - g.top) / g.step))
		for row := guess - 2; row <= guess+2; row++ {
			near := int(math.Round((x - g.left) / g.wide))
			for col := near - 2; col <= near+2; col++ {
				mx, my := g.middle(col, row)
				if row&1 != 0 && row < 0 {
					mx = g.left + (float64(col)+0.5)*g.wide
				}
				if d := math.Hypot(x-mx, y-my); d < best {
					best, at = d, -1
					inX := mx > -g.wide/2 && mx < g.w+g.wide/2
					if side := g.wide / math.Sqrt(3); inX && my > -side && my < g.h+side {
						at = row*g.cols + col
					}
				}
			}
		}
		return at
	}
	t.Fatal("an unknown grid")
	return -1
}

// The mean of a cell is that of the values of its points, summed in their order: the same bits on any number of
// threads. The commonest label is the one that a count finds.
func TestCellsSayWhatTheirPointsAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	for round := range 12 {
		c := randomCloud(rng, 1+rng.IntN(20_000), 2)
		proj := eye(rng, 2, 150, 120)
		how := Settings{Mode: []string{"density", "hexagons"}[round%2], Size: 3 + rng.Float64()*9, Shown: Means}
		style := Style{Table: tableOf(plain()), DimUnselected: round%3 == 0}
		second := randomCloud(rng, c.n, 2).Values
		named := c.labelled(rng, 7)
		of := func(p cloud, s Shown, threads int) *Canvas {
			style := style
			look := palette.OfLabels("", 7, "")
			style.Lookup, style.Pair = look.Lookup(), &Pair{Of: [2][]float32{c.Values, second}}
			out, how := New(threads), how
			how.Shown = s
			out.Begin(proj, how)
			out.Draw(p.Points, style, 0, p.n/3)
			out.Draw(p.Points, style, p.n/3, p.n)
			out.finish()
			return out
		}
		mean, again, both, labels := of(c, Means, 1), of(c, Means, 4), of(c, PairMeans, 3), of(named, Commonest, 4)
		sums, ns := map[int]float64{}, map[int]int32{}
		votes, have := map[int]map[int]int{}, map[int]int32{}
		for i := range c.n {
			x, y, ok := pixelOf(&proj, c.Pos[2*i:2*i+2])
			if !ok || c.States[i]&splat.Hidden != 0 || style.DimUnselected && c.States[i]&splat.Selected == 0 {
				continue
			}
			cell := referenceCell(t, mean.grid, x, y)
			if cell < 0 {
				continue
			}
			have[cell]++
			if v := c.Values[i]; v == v {
				sums[cell] += float64(v)
				ns[cell]++
			}
			label := 7
			if v := named.Values[i]; v == v {
				label = int(v)
			}
			if votes[cell] == nil {
				votes[cell] = map[int]int{}
			}
			votes[cell][label]++
		}
		for cell := range mean.grid.Cells() {
			got, ok := mean.shown.(*means).of.mean(cell)
			if ok != (ns[cell] > 0) || ok && got != sums[cell]/float64(ns[cell]) {
				t.Fatalf("the mean of a cell is %g, want %g of %d", got, sums[cell]/float64(ns[cell]), ns[cell])
			}
			if same, _ := again.shown.(*means).of.mean(cell); same != got {
				t.Fatal("four threads have another mean")
			}
			if first, _ := both.shown.(*pairs).of[0].mean(cell); first != got {
				t.Fatal("two columns at once have another mean of the first")
			}
			if mean.count[cell] != have[cell] {
				t.Fatalf("%d points stand out in a cell, want %d", mean.count[cell], have[cell])
			}
			best := -1
			for label := range 8 {
				if n := votes[cell][label]; n > 0 && (best < 0 || n > votes[cell][best]) {
					best = label
				}
			}
			if best == 7 {
				best = -1
			}
			if got := int(labels.shown.(*commonest).labels[cell]); got != best {
				t.Fatalf("the commonest label of a cell is %d, want %d of %v", got, best, votes[cell])
			}
		}
	}
}

// The colour of a cell with more points lies further along the palette; a cell without points shows the ground; what
// stands back is seen where nothing stands out.
func TestInksFollowCounts(t *testing.T) {
	proj := eye(rand.New(rand.NewPCG(1, 1)), 2, 60, 40)
	grey := palette.Colouring{Palette: palette.ByName("greys"), Lo: 0, Hi: 1, Missing: color.NRGBA{255, 0, 0, 255}}
	rng := rand.New(rand.NewPCG(rand.Uint64(), 3))
	c := randomCloud(rng, 30_000, 2)
	for _, scale := range density.Scales {
		for _, mode := range []string{"density", "hexagons"} {
			canvas := New(2)
			canvas.Begin(proj, Settings{Mode: mode, Size: 6, Scale: scale})
			canvas.Draw(c.Points, Style{Table: tableOf(grey)}, 0, c.n)
			dst := make([]uint8, 4*60*40)
			ground := color.NRGBA{1, 2, 3, 255}
			canvas.Resolve(dst, ground)
			type cell struct{ n, light int }
			var cells []cell
			for i := range canvas.count {
				ink, n := canvas.inks[i], canvas.Count(i)
				if n == 0 {
					if ink != (Ink{1, 2, 3, 255}) {
						t.Fatalf("a cell without points is %v", ink)
					}
					continue
				}
				cells = append(cells, cell{n, int(ink[0])})
			}
			slices.SortFunc(cells, func(a, b cell) int { return a.n - b.n })
			up := cells[len(cells)-1].light - cells[0].light
			for i := 1; i < len(cells); i++ {
				if d := cells[i].light - cells[i-1].light; d != 0 && (d > 0) != (up > 0) ||
					cells[i].n == cells[i-1].n && d != 0 {
					t.Fatalf("%v %v: %+v after %+v", scale, mode, cells[i], cells[i-1])
				}
			}
		}
	}
	canvas := New(2)
	canvas.Begin(proj, Settings{Mode: "density", Size: 1})
	canvas.Draw(splat.Points{Pos: proj.Origin[:2], Dims: 2}, Style{Table: tableOf(grey), DimUnselected: true}, 0, 1)
	dst := make([]uint8, 4*60*40)
	canvas.Resolve(dst, color.NRGBA{})
	red := 0
	for i := 0; i < len(dst); i += 4 {
		if dst[i] == 255 && dst[i+3] == 255 && dst[i+1] == 0 {
			red++
		}
	}
	if red != 1 {
		t.Fatalf("a point that is not selected has %d pixels in the colour of what stands back", red)
	}
}

// A pixel well within a hexagon has its colour alone, and each hexagon contains its middle.
func TestHexagonsArePaintedWhereTheyLie(t *testing.T) {
	proj := eye(rand.New(rand.NewPCG(4, 4)), 2, 90, 70)
	g := newHexagons(proj, 13)
	inks := make([]Ink, g.Cells())
	for i := range inks {
		inks[i] = Ink{uint8(i), uint8(i >> 8), uint8(i * 37), 255}
	}
	dst := make([]uint8, 4*90*70)
	g.Paint(dst, 90, 0, 70, inks)
	for range 2 {
		g.Again()
		again := make([]uint8, 4*90*70)
		if g.Paint(again, 90, 0, 70, inks); !slices.Equal(again, dst) {
			t.Fatal("painted again, it is another picture")
		}
	}
	for y := range 70 {
		for x := range 90 {
			px, py := float64(x)+0.5, float64(y)+0.5
			cell := referenceCell(t, g, px, py)
			cx, cy := g.middle(cell%g.cols, cell/g.cols)
			if math.Hypot(px-cx, py-cy) < 13.0/2-0.6 && Ink(dst[4*(90*y+x):4*(90*y+x)+4]) != inks[cell] {
				t.Fatalf("pixel (%d, %d) is not of its hexagon", x, y)
			}
		}
	}
	for cell := range inks {
		area, corners := 0.0, g.Outline(cell)
		for i, p := range corners {
			q := corners[(i+1)%6]
			area += (p.X*q.Y - q.X*p.Y) / 2
		}
		if want := 13 * 13 * math.Sqrt(3) / 2; math.Abs(area-want) > 1e-9*want+1e-7 {
			t.Fatalf("an outline has an area of %g, want %g", area, want)
		}
	}
}

// Cells move with a flat map, whatever is shown of it.
func TestCellsMoveWithAFlatMap(t *testing.T) {
	cam := camera.NewFlat(200, 150)
	cam.Fit(camera.Bounds{Min: camera.Vec{X: -3, Y: -3}, Max: camera.Vec{X: 3, Y: 3}}, camera.Margins{})
	rng := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		g := newHexagons(cam.Projection(), 14)
		x, y, _ := cam.ScreenFromWorld(camera.Vec{})
		if x > 0 && x < 200 && y > 0 && y < 150 {
			_, row, dx, dy := g.nearest(x, y)
			if math.Abs(dx) > 1e-3 || math.Abs(dy) > 1e-3 || row&1 != 0 {
				t.Fatalf("the origin lies (%g, %g) beside the middle of a hexagon", dx, dy)
			}
		}
		cam.Pan(rng.Float64()*40-20, rng.Float64()*40-20)
	}
}

func BenchmarkCount(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 6))
	c := randomCloud(rng, 1_000_000, 2)
	proj := eye(rng, 2, 1600, 900)
	for name, how := range map[string]Settings{"pixels": {Mode: "density", Size: 1}, "hexagons": {Mode: "hexagons",
		Size: 12}, "means": {Mode: "density", Size: 1, Shown: Means}, "commonest": {Mode: "density", Size: 1,
		Shown: Commonest}, "medians": {Mode: "density", Size: 1, Shown: Medians}, "shares": {Mode: "density", Size: 1,
		Shown: Shares}, "smoothed": {Mode: "density", Size: 2, Smooth: 4}, "smoothed pixels": {Mode: "density", Size: 1,
		Smooth: 4}, "smoothed means": {Mode: "density", Size: 2, Smooth: 4, Shown: Means}} {
		b.Run(name, func(b *testing.B) {
			canvas, dst := New(0), make([]uint8, 4*1600*900)
			look := palette.OfLabels("", 1000, "")
			style := Style{Table: tableOf(plain()), Lookup: look.Lookup()}
			for b.Loop() {
				canvas.Begin(proj, how)
				canvas.Draw(c.Points, style, 0, c.n)
				canvas.Resolve(dst, color.NRGBA{A: 255})
			}
		})
	}
}
