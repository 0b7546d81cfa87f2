package tally

import (
	"fmt"
	"math"

	"blossom/render/camera"
	"blossom/render/pen"
)

func init() {
	Register(Mode{ID: "density", Title: "Density", Order: 20,
		Help: "Pixels, or squares of them, have the colour of how many points lie in them: all count",
		New:  func(p camera.Projection, size float64) Grid { return newSquares(p, size) },
		Size: func(apart, scale float64) float64 { return whole(min(1.5*apart, 8*scale)) },
		Cell: "square", Smooths: true,
		Unit: func(size float64) string {
			if side := whole(size); side > 1 {
				return fmt.Sprintf("square of %.0f pixels", side)
			}
			return "pixel"
		}})
}

// whole is a size as whole pixels.
func whole(size float64) float64 { return max(1, math.Round(size)) }

// squares are squares of whole pixels.
type squares struct {
	side       int
	left, top  int // corner of the first, 0 or less
	cols, rows int
}

func newSquares(p camera.Projection, size float64) *squares {
	s := &squares{side: int(whole(size))}
	x, y := anchor(&p)
	s.left, s.top = int(math.Round(below(x, float64(s.side)))), int(math.Round(below(y, float64(s.side))))
	s.cols, s.rows = (p.W-s.left+s.side-1)/s.side, (p.H-s.top+s.side-1)/s.side
	return s
}

func (s *squares) Cells() int { return s.cols * s.rows }

// Rows implements Grid.
func (s *squares) Rows() (cols int, side float64) { return s.cols, float64(s.side) }

func (s *squares) Place(cells []int32, places []float64) {
	left, top, side := float64(s.left), float64(s.top), float64(s.side)
	wide, high := float64(s.cols*s.side), float64(s.rows*s.side)
	for i := range cells {
		x, y := places[2*i]-left, places[2*i+1]-top
		if !(x >= 0 && x < wide && y >= 0 && y < high) {
			cells[i] = -1
			continue
		}
		if s.side == 1 {
			cells[i] = int32(int(y)*s.cols + int(x))
			continue
		}
		cells[i] = int32(int(y/side)*s.cols + int(x/side))
	}
}

func (s *squares) Paint(dst []uint8, w, from, to int, inks []Ink) {
	for y := from; y < to; y++ {
		row := inks[(y-s.top)/s.side*s.cols:][:s.cols]
		out := dst[4*w*y : 4*w*(y+1)]
		if s.side == 1 {
			for x := range w {
				copy(out[4*x:4*x+4], row[x][:])
			}
			continue
		}
		for i, ink := range row {
			x := i*s.side + s.left
			for k := max(x, 0); k < min(x+s.side, w); k++ {
				copy(out[4*k:4*k+4], ink[:])
			}
		}
	}
}

// Again implements Grid.
func (s *squares) Again() {}

// Outline implements Grid: squares are pixels.
func (s *squares) Outline(int) []pen.Spot { return nil }
