package rendertest

import (
	"fmt"
	"image"
)

// Threshold is how far a picture may be from its golden one, in steps of 255.
type Threshold struct {
	Mean float64 // mean difference of all channels
	Far  float64 // share of pixels that differ by more than FarStep in some channel
}

// FarStep is the difference that a person would see in a pixel.
const FarStep = 24

// All thresholds of the project are here.
var (
	// Same is for pictures by the same path on another version of the rasteriser.
	Same = Threshold{Mean: 0.25, Far: 0.0015}
	// OtherPath is for the OpenGL and the CPU path against each other: the CPU knows a disc's centre to
	// 1/8 of a pixel at worst, which shows at edges of discs.
	OtherPath = Threshold{Mean: 0.8, Far: 0.01}
	// Samples is for OpenGL in 3D against sorted points: a pixel is the mean of a few samples, four of Mesa's
	// rasteriser, which is noise without a bias.
	Samples = Threshold{Mean: 2.5, Far: 0.05}
	// Text is for pictures with letters.
	Text = Threshold{Mean: 0.5, Far: 0.005}
)

// Difference is how far two pictures are from each other.
type Difference struct {
	Threshold
	Most int  // largest difference of a channel
	Size bool // they are not of one size
}

func (d Difference) String() string {
	if d.Size {
		return "the sizes differ"
	}
	return fmt.Sprintf("mean difference %.4f, %.4f %% of pixels far off, at most %d", d.Mean, 100*d.Far, d.Most)
}

// Within says whether the difference is allowed.
func (d Difference) Within(t Threshold) bool { return !d.Size && d.Mean <= t.Mean && d.Far <= t.Far }

// Compare measures the difference of two pictures. Colours count by their opacity.
func Compare(a, b *image.NRGBA) (d Difference) {
	if a.Rect != b.Rect {
		return Difference{Size: true}
	}
	if len(a.Pix) == 0 {
		return d
	}
	far := 0
	for i := 0; i < len(a.Pix); i += 4 {
		most := abs(int(a.Pix[i+3]) - int(b.Pix[i+3]))
		sum := most
		for k := range 3 {
			x := abs(int(a.Pix[i+k])*int(a.Pix[i+3])-int(b.Pix[i+k])*int(b.Pix[i+3])) / 255
			most = max(most, x)
			sum += x
		}
		d.Mean += float64(sum)
		d.Most = max(d.Most, most)
		if most > FarStep {
			far++
		}
	}
	d.Mean /= float64(len(a.Pix))
	d.Far = float64(far) / float64(len(a.Pix)/4)
	return d
}
