package heat

import (
	"image"
	"image/color"
	"math"
	"testing"

	"blossom/render/pen"
	"blossom/render/text"
)

func paper(w, h int) *pen.Image {
	return &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, w, h)), Fonts: text.Builtin(), Points: 1}
}

// grey is a map whose colours tell the share.
func grey(rows, cols int) *Map {
	return &Map{Rows: rows, Cols: cols, Columns: make([]string, cols), Hover: -1,
		Share:  func(row, col int) float64 { return float64(row*cols+col) / float64(rows*cols-1) },
		Colour: func(t float64) color.NRGBA { return color.NRGBA{uint8(255 * t), 0, 0, 255} },
		Name:   func(int) string { return "" }, Marked: func(int) bool { return false }}
}

func TestEachCellHasItsColourWhereItIsFound(t *testing.T) {
	m, p := grey(4, 3), paper(400, 300)
	l, ok := m.Lay(p, 400, 300)
	if !ok {
		t.Fatal("no room")
	}
	m.Paint(p, l, Ink{})
	c := l.Cells
	for row := range 4 {
		for col := range 3 {
			x := c.X0 + (float64(col)+0.5)*c.W()/3
			y := c.Y0 + (float64(row)+0.5)*c.H()/4
			if r, k, ok := l.At(x, y); !ok || r != row || k != col {
				t.Errorf("at cell %d, %d: %d, %d, %v", row, col, r, k, ok)
			}
			if got, want := p.Dst.RGBAAt(int(x), int(y)).R, m.Colour(m.Share(row, col)).R; got != want {
				t.Errorf("cell %d, %d has red %d, not %d", row, col, got, want)
			}
		}
	}
	if _, _, ok := l.At(c.X0-1, c.Y0+1); ok {
		t.Error("a cell beside the cells")
	}
}

// A line is the mean of its rows where there are more rows than pixels.
func TestManyRowsShareALine(t *testing.T) {
	m, p := grey(100_000, 2), paper(300, 260)
	l, _ := m.Lay(p, 300, 260)
	m.Paint(p, l, Ink{})
	c := l.Cells
	for _, share := range []float64{0.1, 0.5, 0.9} {
		got := float64(p.Dst.RGBAAt(int(c.X0+c.W()/4), int(c.Y0+share*c.H())).R) / 255
		if math.Abs(got-share) > 0.02 {
			t.Errorf("at %g of the height: %g", share, got)
		}
	}
}

func TestNoRowsNoColumnsAndNoRoomAreNothingToDraw(t *testing.T) {
	for _, m := range []*Map{grey(0, 3), grey(3, 0)} {
		if _, ok := m.Lay(paper(1, 1), 400, 300); ok {
			t.Errorf("%d x %d has a layout", m.Rows, m.Cols)
		}
	}
	if _, ok := grey(3, 3).Lay(paper(1, 1), 30, 30); ok {
		t.Error("a layout without room")
	}
}

func TestZoomHoldsTheRowUnderTheMouse(t *testing.T) {
	w := Window{}.Zoom(4, 0.25, 1000)
	if w.Span != 250 || math.Abs(w.Top+0.25*w.Span-250) > 1e-9 {
		t.Errorf("%+v", w)
	}
	if w = w.Zoom(1e9, 0.5, 1000); w.Span != 3 {
		t.Errorf("the least is %+v", w)
	}
	if w = w.Zoom(1e-9, 0.5, 1000); w != (Window{0, 1000}) {
		t.Errorf("all is %+v", w)
	}
	for _, w := range []Window{{-5, 10}, {1e9, 10}, {math.NaN(), math.NaN()}, {0, math.Inf(1)}} {
		if in := w.In(7); !(in.Top >= 0 && in.Top+in.Span <= 7 && in.Span >= 3) {
			t.Errorf("%+v becomes %+v", w, in)
		}
	}
}
