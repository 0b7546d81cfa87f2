package render

import (
	"cmp"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/render/pen"
)

// Levels are closed lines of a flat map that say at themselves what they enclose.
type Levels struct {
	Places matrix.Matrix32 // n x 2
	Lines  []Level
}

// Level is a line: rows of the places, of which the last is joined to the first, and what is written at it.
type Level struct {
	Text string
	Rows []int32
}

// Lengths of labels of lines in points.
const (
	labelHeight = 13.0
	labelPad    = 3.0
	labelStep   = 5.0 // between places on a line that are looked at
)

// mostOfLevel is how many lines with the same text have it written at them, the longest. labelsShare is how much of a
// map labels may cover together: where they would hide more, lines between others have none.
const (
	mostOfLevel = 2
	labelsShare = 0.02
)

// levelLabel is a label where it stands: around a place on its line.
type levelLabel struct {
	text string
	at   pen.Spot
	box  pen.Rect
}

// paintLevels writes at lines what they enclose, each on a ground that leaves a gap in its line.
func (o *Overlay) paintLevels(p pen.Pen) {
	for _, l := range o.levelLabels(p) {
		x, k := l.box.X0+labelPad*p.Scale(), p.Scale()
		if o.Transparent {
			p.Haloed(pen.Caption, x, l.at.Y, o.Theme.Text, faded(o.Theme.Background, haloAlpha), l.text)
			continue
		}
		p.Fill(l.box, 3*k, faded(o.Theme.Background, groundAlpha))
		p.Text(pen.Caption, x, l.at.Y, o.Theme.Text, l.text)
	}
}

// levelLine is a line as it is seen.
type levelLine struct {
	text   string
	path   []pen.Spot
	length []float64 // up to each place
}

// levelLabels lays out the labels of lines, of the longest first: each where its line is most level and straight, none
// over another or over the edge of the picture. A line that is too short for one has none; where labels would cover too
// much of the map, those of every second level or fewer are left, from the outermost on.
func (o *Overlay) levelLabels(p pen.Pen) (out []levelLabel) {
	lines := o.levelLines()
	w, h := o.Cam.Viewport()
	levels := map[string]int{}
	for _, l := range lines {
		if _, there := levels[l.text]; !there {
			levels[l.text] = len(levels)
		}
	}
	for every := 1; every <= max(1, len(levels)); every++ {
		of := slices.DeleteFunc(slices.Clone(lines), func(l levelLine) bool { return levels[l.text]%every > 0 })
		out = placed(p, of, float64(w), float64(h))
		covered := 0.0
		for _, l := range out {
			covered += l.box.W() * l.box.H()
		}
		if covered <= labelsShare*float64(w)*float64(h) {
			break
		}
	}
	return out
}

// levelLines are the lines that are seen, the longest first.
func (o *Overlay) levelLines() (lines []levelLine) {
	proj := o.Cam.Projection()
	for _, l := range o.Levels.Lines {
		one := levelLine{text: l.Text}
		for i := range len(l.Rows) + 1 {
			x, y, ok := pixelOf(&proj, o.Levels.Places.Row(int(l.Rows[i%len(l.Rows)])))
			if !ok {
				one.path = nil
				break
			}
			at := pen.Spot{X: x, Y: y}
			if i == 0 {
				one.length = append(one.length, 0)
			} else {
				last := one.path[i-1]
				one.length = append(one.length, one.length[i-1]+math.Hypot(x-last.X, y-last.Y))
			}
			one.path = append(one.path, at)
		}
		if len(one.path) > 3 {
			lines = append(lines, one)
		}
	}
	slices.SortStableFunc(lines, func(a, b levelLine) int {
		return cmp.Compare(b.length[len(b.length)-1], a.length[len(a.length)-1])
	})
	return lines
}

// placed are labels at lines of a picture of w x h pixels.
func placed(p pen.Pen, lines []levelLine, w, h float64) (out []levelLabel) {
	k := p.Scale()
	had := map[string]int{}
	var taken []pen.Rect
	room := pen.Rect{X0: 2 * k, Y0: 2 * k, X1: w - 2*k, Y1: h - 2*k}
	for _, l := range lines {
		wide := p.Width(pen.Caption, l.text) + 2*labelPad*k
		if had[l.text] >= mostOfLevel || l.length[len(l.length)-1] < 3*wide {
			continue
		}
		if found, ok := labelOn(l.path, l.length, wide, labelHeight*k, labelStep*k, room, taken); ok {
			found.text = l.text
			out, taken = append(out, found), append(taken, found.box)
			had[l.text]++
		}
	}
	return out
}

// labelOn finds the place for a label of a size on a closed line.
func labelOn(path []pen.Spot, length []float64, wide, high, step float64, room pen.Rect, taken []pen.Rect) (
	best levelLabel, ok bool) {
	total := length[len(length)-1]
	on := func(s float64) pen.Spot { // the place so far along the line
		s = math.Mod(s+total, total)
		i := min(max(1, sortedAt(length, s)), len(length)-1)
		a, b, share := path[i-1], path[i], 0.0
		if d := length[i] - length[i-1]; d > 0 {
			share = (s - length[i-1]) / d
		}
		return pen.Spot{X: a.X + share*(b.X-a.X), Y: a.Y + share*(b.Y-a.Y)}
	}
	most := -1.0
	for s := 0.0; s < total; s += step {
		at := on(s)
		box := pen.Rect{X0: at.X - wide/2, Y0: at.Y - high/2, X1: at.X + wide/2, Y1: at.Y + high/2}
		if box.X0 < room.X0 || box.X1 > room.X1 || box.Y0 < room.Y0 || box.Y1 > room.Y1 || overlapsAny(box, taken) {
			continue
		}
		a, b := on(s-wide/2), on(s+wide/2)
		// The way across in place of the one along: 1 where the line is level and straight.
		if level := math.Abs(b.X-a.X)/wide - math.Abs(b.Y-a.Y)/wide/2; level > most+1e-9 {
			most, best, ok = level, levelLabel{at: at, box: box}, true
		}
	}
	return best, ok
}

// sortedAt is the index of the first of ascending numbers that is not below x.
func sortedAt(v []float64, x float64) int {
	i, _ := slices.BinarySearch(v, x)
	return i
}
