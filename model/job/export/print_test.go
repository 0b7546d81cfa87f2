package export_test

import (
	"math"
	"strings"
	"testing"

	"blossom/model/job/export"
)

// Lengths are read in the units of rulers, of printers and of screens.
func TestLengthsHaveUnits(t *testing.T) {
	for s, want := range map[string]float64{"85mm": 85, "8.5 cm": 85, " 3.35IN": 85.09, "72pt": 25.4, "300px": 25.4} {
		if got, err := export.ParseLength(s, 300); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("%q is %g mm, want %g: %v", s, got, want, err)
		}
	}
	for _, s := range []string{"", "85", "mm", "-3mm", "0in", "1e400mm", "NaNcm", "two columns", "85 furlongs"} {
		if got, err := export.ParseLength(s, 300); err == nil {
			t.Errorf("%q is %g mm", s, got)
		}
	}
}

// A figure of a size has the pixels of its resolution, and text as large as was asked for.
func TestFiguresHaveTheirSizeInPixels(t *testing.T) {
	p := export.Print{Width: 85, Height: 60, DPI: 300, Font: 7}
	w, h, scale := p.Pixels()
	if w != 1004 || h != 709 || math.Abs(scale*13/300*72-7) > 1e-9 || p.Check() != nil {
		t.Errorf("%d x %d, %g pixels a point: %v", w, h, scale, p.Check())
	}
	p = export.Print{Width: 2000, Height: 2000, DPI: 300, Font: 7}
	err := p.Check()
	if err == nil || !strings.Contains(err.Error(), "at most 208 dpi") {
		t.Errorf("%v", err)
	}
	if p.DPI = 208; p.Check() != nil {
		t.Errorf("what was named is refused: %v", p.Check())
	}
	for _, p := range []export.Print{{Height: 60, DPI: 300, Font: 7},
		{Width: 85, Height: math.NaN(), DPI: 300, Font: 7},
		{Width: 85, Height: 60, Font: 7}, {Width: 85, Height: 60, DPI: 300, Font: 0.1}} {
		if p.Check() == nil {
			t.Errorf("%+v is possible", p)
		}
	}
}
