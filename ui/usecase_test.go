package ui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/render/camera"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// placedPoints is the points of the map in the active view that have a place, with their rows of the data.
func placedPoints(a *App) (pos [][2]float64, rows []int) {
	uitest.Do(func() {
		b := a.active().Points()
		host, dims, order := b.Host(), b.Dims(), a.desk.Table().Order
		for i := range b.Len() {
			x, y := float64(host[i*dims]), float64(host[i*dims+1])
			if x-x != 0 || y-y != 0 {
				continue
			}
			row := i
			if order != nil {
				row = int(order[i])
			}
			pos, rows = append(pos, [2]float64{x, y}), append(rows, row)
		}
	})
	return pos, rows
}

func values(a *App, column int, rows []int) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = float64(a.desk.Doc.Data.Columns[column].Values[r])
	}
	return out
}

// ranks are the places of values in their order.
func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	out := make([]float64, len(v))
	for r, i := range order {
		out[i] = float64(r)
	}
	return out
}

func correlation(x, y []float64) float64 {
	var mx, my, xx, yy, xy float64
	for i := range x {
		mx, my = mx+x[i]/float64(len(x)), my+y[i]/float64(len(x))
	}
	for i := range x {
		xx, yy, xy = xx+(x[i]-mx)*(x[i]-mx), yy+(y[i]-my)*(y[i]-my), xy+(x[i]-mx)*(y[i]-my)
	}
	return xy / math.Sqrt(xx*yy)
}

// explained is the share of the variance of v that x and y explain linearly.
func explained(x, y, v []float64) float64 {
	a, b, c := correlation(x, v), correlation(y, v), correlation(x, y)
	return (a*a + b*b - 2*a*b*c) / (1 - c*c)
}

// letterS is the side view of the S sheet: where it is at t from -1.5 pi to 1.5 pi, from -1 to 1 and from -2 to 2.
func letterS(t float64) [2]float64 {
	return [2]float64{math.Sin(t), math.Copysign(1, t) * (math.Cos(t) - 1)}
}

// The S sheet, on a map that is drawn as the letter S: the map follows the letter, and the larger sigma stays, the
// stiffer it is.
func TestUseCaseSheet(t *testing.T) {
	a, d := begin(t, 1600, 1000, 1, Options{Paths: []string{"demo:s-sheet:6000"}, Still: true})
	opened(t, a, d)
	d.Shoot("usecase-sheet-before")
	d.Keys("3")
	d.ClickOn("options/Shape/Outline")
	const n, thick = 40, 0.42
	at := func(t, off float64) [2]float64 {
		p, q := letterS(t), letterS(t+1e-4)
		l := math.Hypot(q[0]-p[0], q[1]-p[1])
		p[0], p[1] = p[0]-off*(q[1]-p[1])/l, p[1]+off*(q[0]-p[0])/l
		return [2]float64{0.5 + p[0]*0.13, 0.5 - p[1]*0.17}
	}
	var path [][2]float64
	for _, side := range []float64{1, -1} {
		for i := range n + 1 {
			path = append(path, at(side*3*math.Pi*(float64(i)/n-0.5), side*thick))
		}
	}
	stand.Strokes(a.desk, d, append(path, path[0])...)
	d.Enter("options/Spacing", "1.2")
	if c := stand.Drawing(a.desk).Count(); c < 60 || c > 600 {
		t.Fatalf("%d landmarks in the letter", c)
	}
	d.Shoot("usecase-sheet-drawn")
	frame := stand.Drawing(a.desk).Shape.Frame
	d.ClickOn("options/Place as/replace")
	uitest.Do(func() { a.desk.Stage.Hand().Draw.Train = true })
	d.Keys("Enter")
	rest(t, a, d)

	// along is how far along the letter a place of the map is.
	along := func(p [2]float64) (best float64) {
		x := (p[0] - frame.Centre[0]) / frame.Size[0] * 2 * (1 + thick)
		y := (p[1] - frame.Centre[1]) / frame.Size[1] * 2 * (2 + thick)
		near := math.Inf(1)
		for i := range 301 {
			t := 3 * math.Pi * (float64(i)/300 - 0.5)
			q := letterS(t)
			if d := math.Hypot(x-q[0], y-q[1]); d < near {
				near, best = d, t
			}
		}
		return best
	}
	var errors []float64
	for _, sigma := range []float64{0.5, 2, 8} {
		uitest.Do(func() {
			a.desk.Doc.Do("Sigma at end", func(s *state.State) {
				parts.Training.Edit(s, func(c *parts.TrainingChoice) {
					next := map[string]float64{}
					for k, v := range c.Values {
						next[k] = v
					}
					unit := a.desk.Stage.Hand().Draw.Shape.Spacing
					next["sigma_from"], next["sigma_to"] = 10*unit, sigma*unit
					c.Values = next
				})
			})
			commandByID("again").Run(a)
		})
		rest(t, a, d)
		d.Shoot(fmt.Sprintf("usecase-sheet-sigma-%g", sigma))
		l := mapOf(a)
		var q float64
		uitest.Do(func() { q = quantization(a) })
		errors = append(errors, q)
		pos, rows := placedPoints(a)
		way := make([]float64, len(pos))
		for i, p := range pos {
			way[i] = along(p)
		}
		r := correlation(ranks(way), ranks(values(a, 3, rows)))
		t.Logf("sigma %g: %d landmarks, quantization error %.4f, rank correlation along the letter %.3f", sigma,
			l.Len(), q, r)
		if sigma == 2 && math.Abs(r) < 0.9 {
			t.Errorf("the map does not follow the letter: a rank correlation of %.3f", r)
		}
	}
	if !slices.IsSorted(errors) {
		t.Errorf("quantization errors %v do not rise with sigma", errors)
	}
}

// quantization is the mean distance of the points from their nearest landmarks.
func quantization(a *App) float64 {
	x, code := a.desk.Table().X, parts.Landmarks.Of(a.desk.Doc.State()).Codebook
	sum := 0.0
	for i := range x.Rows {
		best := math.Inf(1)
		for j := range code.Rows {
			d := 0.0
			for c, v := range code.Row(j) {
				e := float64(v - x.Row(i)[c])
				d += e * e
			}
			best = min(best, d)
		}
		sum += math.Sqrt(best)
	}
	return sum / float64(x.Rows)
}

// A map of 4 x 4 landmarks of a mammoth, which shows it from its side, is rearranged by hand into a flat one that
// neglects its height, as of a hide on the floor: the head is at one end, and the legs lie left and right of the body.
// Landmarks are added where one stands for both sides, put to their sides, and organized by the graph.
func TestUseCaseMammoth(t *testing.T) {
	a, d := begin(t, 1600, 1000, 1, Options{Paths: []string{"demo:mammoth:12000"}})
	opened(t, a, d)
	forPictures(a, d)
	uitest.Do(func() {
		a.desk.Start.Cols, a.desk.Start.Rows = 4, 4
		commandByID("new-map").Run(a)
	})
	rest(t, a, d)
	uitest.Do(func() { a.desk.ColourBy("z") })
	rest(t, a, d)
	if n := mapOf(a).Len(); n != 16 {
		t.Fatalf("%d landmarks", n)
	}
	shares := func() (s [3]float64) { // shares of width, length and height that the places explain
		pos, rows := placedPoints(a)
		x, y := make([]float64, len(pos)), make([]float64, len(pos))
		for i, p := range pos {
			x[i], y[i] = p[0], p[1]
		}
		x, y = ranks(x), ranks(y) // outliers of the map count no more than others
		for i, c := range []int{1, 0, 2} {
			s[i] = explained(x, y, ranks(values(a, c, rows)))
		}
		return s
	}
	before := shares()
	d.Shoot("usecase-mammoth-before")

	// The hand puts each landmark where its part of the hide is, length across, and legs the farther out the lower they
	// are.
	d.Keys("2")
	const chest, belly, unit = 0.3, 1.3, 1.2 // heights of the body in the data; a unit of the map in units of the data
	target := func(code []float32) camera.Vec {
		length, width, height := float64(code[0]), float64(code[1]), float64(code[2])
		out := math.Copysign(max(0, belly-height), width)
		if math.Abs(width) < 0.08 { // the middle line belongs to both sides
			out = 0
		}
		return camera.Vec{X: unit * (length - chest), Y: unit * (1.3*width + 0.8*out)}
	}
	screen := func(w camera.Vec) (x, y float32) {
		uitest.Do(func() {
			sx, sy, _ := a.active().Eye.Screen(w)
			x, y = float32(sx), float32(sy)
		})
		return x, y
	}
	arrange := func() {
		l := mapOf(a)
		for i := range l.Len() {
			chooseIDs(a)
			row := mapOf(a).Pos.Row(i)
			x0, y0 := screen(camera.Vec{X: float64(row[0]), Y: float64(row[1])})
			x1, y1 := screen(target(l.Codebook.Row(i)))
			d.Drag(x0, y0, x1, y1, 2)
		}
		chooseIDs(a)
		d.Keys("F")
		rest(t, a, d)
	}
	arrange()
	moved := shares()
	d.Move(5, 500)
	d.Frames(2)
	d.Shoot("usecase-mammoth-moved")

	// Detail: every landmark becomes four, which are trained on the points, and put to their sides.
	for range 2 {
		chooseIDs(a, upTo(mapOf(a).Len())...)
		d.Frames(1)
		run(d, "split landmarks")
		rest(t, a, d)
	}
	if n := mapOf(a).Len(); n != 64 {
		t.Fatalf("%d landmarks", n)
	}
	uitest.Do(func() {
		a.desk.Doc.Do("Train", func(s *state.State) {
			parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Algorithm, c.Values = "lloyd", nil })
		})
	})
	chooseIDs(a)
	d.Keys("Space")
	rest(t, a, d)
	arrange()
	detailed := shares()
	d.Move(5, 500)
	d.Frames(2)
	d.Shoot("usecase-mammoth-detailed")

	// Right landmarks are pinned; more beside them are organized by the graph.
	chooseIDs(a, upTo(64)...)
	d.Keys("P")
	run(d, "split landmarks")
	rest(t, a, d)
	chooseIDs(a)
	d.Keys("Space")
	rest(t, a, d)
	uitest.Do(func() { open(a, "layout") })
	d.Frames(3)
	layTo(t, a, d, "Force-directed")
	d.Keys("1")
	rest(t, a, d)
	after := shares()
	d.Move(5, 500)
	d.Frames(2)
	d.Shoot("usecase-mammoth-after")
	t.Logf("width, length and height that places explain: %.2f before, %.2f moved by hand, %.2f with %d landmarks, "+
		"%.2f by the graph", before, moved, detailed, mapOf(a).Len(), after)
	if after[0] < 0.6 || after[1] < 0.8 || after[2] > before[2]-0.3 {
		t.Errorf("places explain %.2f of width, length and height, before they were rearranged %.2f", after, before)
	}
	if !mapOf(a).ByHand {
		t.Error("the map is not said to be arranged")
	}
	if steps := a.desk.Doc.History().Len(); steps < 16+64 {
		t.Errorf("%d entries", steps)
	}
}

// upTo is 0 to n-1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
