package render

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
	"blossom/render/camera"
	"blossom/render/pen"
	"blossom/render/text"
)

// rings are closed lines around places, nested and beside each other.
func rings(rng *rand.Rand) (l Levels) {
	l.Places.Cols = 2
	for range 1 + rng.IntN(4) {
		cx, cy := rng.Float64()*20-10, rng.Float64()*20-10
		for level := range 5 {
			r := (1 + rng.Float64()) * float64(level+1)
			one := Level{Text: fmt.Sprintf("%d0 %%", level+1)}
			n := 8 + rng.IntN(200)
			for i := range n {
				a := 2 * math.Pi * float64(i) / float64(n)
				one.Rows = append(one.Rows, int32(l.Places.Rows))
				l.Places.Data = append(l.Places.Data, float32(cx+r*math.Cos(a)), float32(cy+0.6*r*math.Sin(a)))
				l.Places.Rows++
			}
			l.Lines = append(l.Lines, one)
		}
	}
	return l
}

// A label stands on its line, in the picture, and over no other label; lines that are too short for one have none.
func TestLabelsStandOnTheirLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 4))
	labels := 0
	for range 40 {
		scale := 1 + rng.Float64()
		cam := camera.NewFlat(200+rng.IntN(900), 200+rng.IntN(600))
		cam.Fit(camera.Bounds{Min: camera.Vec{X: -12, Y: -12}, Max: camera.Vec{X: 12, Y: 12}}, camera.Margins{})
		p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: text.Builtin(), Points: scale}
		o := Overlay{Cam: cam, Levels: rings(rng)}
		out := o.levelLabels(p)
		w, h := cam.Viewport()
		for i, l := range out {
			if l.box.X0 < 0 || l.box.Y0 < 0 || l.box.X1 > float64(w) || l.box.Y1 > float64(h) {
				t.Fatalf("a label at %+v of %d x %d", l.box, w, h)
			}
			for _, other := range out[:i] {
				if l.box.Overlaps(other.box) {
					t.Fatalf("%q lies over %q", l.text, other.text)
				}
			}
			if d := awayFrom(&o, cam, l); d > 1e-3 {
				t.Fatalf("%q is %g pixels from every line that says so", l.text, d)
			}
		}
		labels += len(out)
	}
	if labels < 100 {
		t.Errorf("%d labels in 40 pictures", labels)
	}
	o := Overlay{Cam: camera.NewFlat(300, 300), Levels: Levels{Places: matrix.New(4, 2), Lines: []Level{
		{Text: "50 %", Rows: []int32{0, 1, 2, 3}}}}}
	if out := o.levelLabels(&pen.Image{Fonts: text.Builtin(), Points: 1}); len(out) > 0 {
		t.Errorf("a line without length says %+v", out)
	}
}

// awayFrom is how far a label is from the nearest line with its text, in pixels.
func awayFrom(o *Overlay, cam camera.Camera, l levelLabel) float64 {
	best, proj := math.Inf(1), cam.Projection()
	for _, line := range o.Levels.Lines {
		if line.Text != l.text {
			continue
		}
		for i, row := range line.Rows {
			ax, ay, _ := pixelOf(&proj, o.Levels.Places.Row(int(row)))
			bx, by, _ := pixelOf(&proj, o.Levels.Places.Row(int(line.Rows[(i+1)%len(line.Rows)])))
			dx, dy := bx-ax, by-ay
			s := 0.0
			if d := dx*dx + dy*dy; d > 0 {
				s = min(max(((l.at.X-ax)*dx+(l.at.Y-ay)*dy)/d, 0), 1)
			}
			best = min(best, math.Hypot(l.at.X-ax-s*dx, l.at.Y-ay-s*dy))
		}
	}
	return best
}

// Labels of a small map leave most of it to be seen: lines between others have none, and where there is room all levels
// have one.
func TestLabelsLeaveTheMapToBeSeen(t *testing.T) {
	nested := Levels{Places: matrix.Matrix32{Cols: 2}}
	for level := range 9 {
		one, r := Level{Text: fmt.Sprintf("%d0 %%", level+1)}, float64(level+3)
		for i := range 100 {
			a := 2 * math.Pi * float64(i) / 100
			one.Rows = append(one.Rows, int32(nested.Places.Rows))
			nested.Places.Data = append(nested.Places.Data, float32(r*math.Cos(a)), float32(r*math.Sin(a)))
			nested.Places.Rows++
		}
		nested.Lines = append(nested.Lines, one)
	}
	seen := func(side int) (labels []string, share float64) {
		cam := camera.NewFlat(side, side)
		cam.Fit(camera.Bounds{Min: camera.Vec{X: -12, Y: -12}, Max: camera.Vec{X: 12, Y: 12}}, camera.Margins{})
		o := Overlay{Cam: cam, Levels: nested}
		for _, l := range o.levelLabels(&pen.Image{Fonts: text.Builtin(), Points: 1}) {
			labels, share = append(labels, l.text), share+l.box.W()*l.box.H()/float64(side*side)
		}
		return labels, share
	}
	if labels, share := seen(200); share > labelsShare || len(labels) == 0 || labels[0] != "90 %" {
		t.Errorf("%q cover %.3f of a small map", labels, share)
	}
	if labels, _ := seen(900); len(labels) != 9 {
		t.Errorf("a large map has %q", labels)
	}
}
