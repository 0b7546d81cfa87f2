package palette

import (
	"image/color"
	"math"
)

// Entries is the number of colours of a Table; the entry after them is for missing values.
const (
	Entries      = 1024
	MissingEntry = Entries
	TableLen     = Entries + 1
)

// Colouring says how the one float32 of a point becomes a colour. The zero value paints all points
// with Flat. It is comparable: the same value gives the same Table.
type Colouring struct {
	Palette  *Palette    // nil: every point has the colour Flat
	Flat     color.NRGBA // used without a palette
	Lo, Hi   float32     // the range of numbers; values outside get the colours of the ends
	Reversed bool        // turn the palette of numbers round
	Labels   int         // > 0: values are label indexes 0 to Labels-1, anything else is missing
	Inks     string      // the number of the colour of each of the first labels, a byte each; the others have their own
	Own      string      // colours of the first labels that no palette gives, as dataset.Column.Own has them
	Only     int         // > 0: of the labels, only number Only-1 has its colour; the others look missing
	Missing  color.NRGBA // NaN, points without a label, and points that are dimmed
	// Mid is where between Lo and Hi the middle of a palette of numbers lies, above 0 and below 1: both halves are
	// stretched to their ends. 0: halfway.
	Mid     float32
	Centred bool // somebody has chosen the number at which the middle lies
}

// Centre puts the middle of a palette of numbers at a number. Ends that are to stay do so, and it has to lie between
// them; else they become equally far from it.
func (c *Colouring) Centre(at float32, ends bool) {
	if ends {
		if at > c.Lo && at < c.Hi {
			share := (float64(at) - float64(c.Lo)) / (float64(c.Hi) - float64(c.Lo))
			c.Mid, c.Centred = float32(min(max(share, 1e-6), 1-1e-6)), true
		}
		return
	}
	far := max(float64(c.Hi)-float64(at), float64(at)-float64(c.Lo))
	lo, hi := float32(float64(at)-far), float32(float64(at)+far)
	if far > 0 && hi-lo <= math.MaxFloat32 {
		c.Lo, c.Hi, c.Centred = lo, hi, true
	}
}

// Table is the colours that a Colouring can produce.
type Table [TableLen]color.NRGBA

// Fill writes the table of c.
func (c *Colouring) Fill(t *Table) {
	t[MissingEntry] = c.Missing
	for i := range t[:Entries] {
		switch {
		case c.Palette == nil:
			t[i] = c.Flat
		case c.Labels > 0 && c.Only > 0 && i != (c.Only-1)%Entries:
			t[i] = c.Missing
		case c.Labels > 0:
			t[i] = c.label(i)
		default:
			t[i] = c.At(float64(i) / (Entries - 1))
		}
	}
}

// At returns the colour of numbers at a share of the way from Lo to Hi.
func (c *Colouring) At(t float64) color.NRGBA {
	if c.Palette == nil {
		return c.Flat
	}
	if m := float64(c.Mid); m > 0 && m < 1 {
		if t < m {
			t = 0.5 * t / m
		} else {
			t = 0.5 + 0.5*(t-m)/(1-m)
		}
	}
	if c.Reversed {
		t = 1 - t
	}
	return c.Palette.At(t)
}

// LabelColour returns the colour that points of label i have, for legends.
func (c *Colouring) LabelColour(i int) color.NRGBA {
	switch {
	case c.Palette == nil:
		return c.Flat
	case i < 0 || i >= c.Labels:
		return c.Missing
	}
	return c.label(i % Entries)
}

func (c *Colouring) label(i int) color.NRGBA {
	if at := 4 * i; at+3 < len(c.Own) && c.Own[at+3] != 0 {
		return color.NRGBA{c.Own[at], c.Own[at+1], c.Own[at+2], 255}
	}
	if i < len(c.Inks) && c.Palette.Kind == Categorical {
		i = int(c.Inks[i])
	}
	return c.Palette.Label(i, c.Labels)
}

// OfLabels returns how so many labels are coloured by the palette of a name, or, where that is "" or one of numbers, by
// what they get: of labels that have inks the long one, whose colours are the same whatever their number.
func OfLabels(name string, labels int, inks string) Colouring {
	c := Colouring{Palette: ByName(name), Labels: labels, Inks: inks}
	switch {
	case c.Palette != nil && c.Palette.Kind == Categorical:
	case inks != "":
		c.Palette = ByName("many")
	default:
		c.Palette = ForLabels(labels)
	}
	return c
}

// Ink is the colour of a number that labels keep, where nobody has chosen a palette: see OfLabels.
func Ink(number uint8) color.NRGBA { return ByName("many").Label(int(number), 1) }

// Mode tells the two drawing paths how to find the entry of a value.
type Mode int32

const (
	ModeFlat Mode = iota
	ModeNumbers
	ModeLabels
)

// Lookup is a Colouring reduced to what is needed per point. The shader computes the same.
type Lookup struct {
	Mode            Mode
	Pre, Lo, Factor float32 // entry = clamp((value*Pre-Lo)*Factor, 0, 1) * (Entries-1), rounded
	Labels          float32
}

// Lookup returns the lookup of c. Where Hi is not above Lo, values above Lo have the last colour and
// all others the first.
func (c *Colouring) Lookup() Lookup {
	switch {
	case c.Palette == nil:
		return Lookup{Mode: ModeFlat}
	case c.Labels > 0:
		return Lookup{Mode: ModeLabels, Labels: float32(c.Labels)}
	}
	l := Lookup{Mode: ModeNumbers, Pre: 1, Lo: c.Lo, Factor: math.MaxFloat32}
	d := float64(c.Hi) - float64(c.Lo)
	if d > 1e36 { // the difference could overflow, and its inverse be flushed to zero by a GPU
		l.Pre, l.Lo, d = 0x1p-20, c.Lo*0x1p-20, d*0x1p-20
	}
	if d > 0 {
		l.Factor = float32(math.Min(1/d, math.MaxFloat32))
	}
	return l
}

// Entry returns the entry of the table for value v.
func (l *Lookup) Entry(v float32) uint16 {
	switch l.Mode {
	case ModeFlat:
		return 0
	case ModeLabels:
		if !(v >= 0 && v < l.Labels) {
			return MissingEntry
		}
		return uint16(uint32(v) % Entries)
	}
	if v != v {
		return MissingEntry
	}
	t := (v*l.Pre - l.Lo) * l.Factor
	if !(t > 0) {
		return 0
	}
	if t >= 1 {
		return Entries - 1
	}
	return uint16(t*(Entries-1) + 0.5)
}
