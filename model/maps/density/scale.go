package density

import (
	"math"
	"slices"
	"sort"
)

// Scale says how counts of points are spread over a palette.
type Scale string

// Scales of counts.
const (
	Log    Scale = ""       // by powers, from one point on
	Linear Scale = "linear" // evenly, from nothing on
	Equal  Scale = "equal"  // by rank among the cells: each colour has as many of them (histogram equalisation)
)

// Scales are those that there can be.
var Scales = []Scale{Log, Linear, Equal}

// Word is how a scale is called.
func (s Scale) Word() string {
	if s == Log {
		return "log"
	}
	return string(s)
}

// ScaleNamed is the scale of a word; ok is false where there is none.
func ScaleNamed(word string) (s Scale, ok bool) {
	i := slices.IndexFunc(Scales, func(s Scale) bool { return s.Word() == word })
	if i < 0 {
		return Log, false
	}
	return Scales[i], true
}

// Levels are the places of counts on a scale, 0 to 1.
type Levels struct {
	scale       Scale
	least, most int64
	counts      []int64   // counts that occur, ascending, of an equalised scale
	shares      []float64 // one for each, ascending from 0 to 1
	near        []float32 // places of small counts
}

// tabled is how many counts have their places in a table.
const tabled = 1 << 12

// Levels returns the places of the counts of cells on the scale. Cells without points are none.
func (s Scale) Levels(counts []int32) *Levels {
	l := &Levels{scale: s}
	if s != Equal {
		l.ends(counts)
		l.table()
		return l
	}
	var often [tabled]int64
	var large []int32
	for _, n := range counts {
		switch {
		case n <= 0:
		case n < tabled:
			often[n]++
		default:
			large = append(large, n)
		}
	}
	slices.Sort(large)
	var cells []int64 // how many have each count
	add := func(n, times int64) {
		l.counts, cells = append(l.counts, n), append(cells, times)
	}
	for n, times := range often {
		if times > 0 {
			add(int64(n), times)
		}
	}
	for from := 0; from < len(large); {
		to := from
		for to < len(large) && large[to] == large[from] {
			to++
		}
		add(int64(large[from]), int64(to-from))
		from = to
	}
	if len(l.counts) == 0 {
		return l
	}
	l.least, l.most = l.counts[0], l.counts[len(l.counts)-1]
	l.rank(cells)
	l.table()
	return l
}

// ends finds the least and the largest count.
func (l *Levels) ends(counts []int32) {
	least, most := int32(math.MaxInt32), int32(0)
	for _, n := range counts {
		if n > 0 {
			least, most = min(least, n), max(most, n)
		}
	}
	if most > 0 {
		l.least, l.most = int64(least), int64(most)
	}
}

// table puts the places of small counts into a table.
func (l *Levels) table() {
	if l.most == 0 {
		return
	}
	l.near = make([]float32, min(l.most+1, tabled))
	for n := range l.near {
		l.near[n] = float32(l.place(int64(n)))
	}
}

// rank gives each count the share of cells that have fewer points than the most, as an equalised histogram has it: the
// cells up to it without those of the least count, of all without those.
func (l *Levels) rank(cells []int64) {
	total, first := int64(0), cells[0]
	for _, n := range cells {
		total += n
	}
	sum := int64(0)
	for _, n := range cells {
		sum += n
		if total == first {
			l.shares = append(l.shares, 1)
			continue
		}
		l.shares = append(l.shares, float64(sum-first)/float64(total-first))
	}
}

// Ends are the least and the largest count of a cell that has points; 0 and 0: none has.
func (l *Levels) Ends() (least, most int) { return int(l.least), int(l.most) }

// First is the count at the low end of the scale.
func (l *Levels) First() int {
	switch {
	case l.scale == Linear:
		return 0
	case l.scale == Log:
		return 1
	}
	return int(l.least)
}

// At is the place of a count, which rises with it from 0 to 1.
func (l *Levels) At(n int32) float64 {
	if n >= 0 && int(n) < len(l.near) {
		return float64(l.near[n])
	}
	return l.place(int64(n))
}

// Place is the place of an amount that need not be whole: between those of the counts around it.
func (l *Levels) Place(x float64) float64 {
	switch {
	case !(x > 0) || l.most == 0:
		return 0
	case x >= float64(l.most):
		return 1
	case l.scale == Linear:
		return x / float64(l.most)
	case l.scale == Log:
		return max(0, math.Log(x)/math.Log(float64(l.most)))
	}
	n := math.Floor(x)
	low, high := l.At(int32(n)), l.At(int32(n)+1)
	return low + (high-low)*(x-n)
}

func (l *Levels) place(n int64) float64 {
	switch {
	case n <= 0 || l.most == 0:
		return 0
	case n >= l.most:
		return 1
	case l.scale == Linear:
		return float64(n) / float64(l.most)
	case l.scale == Log:
		return math.Log(float64(n)) / math.Log(float64(l.most))
	}
	i := sort.Search(len(l.counts), func(i int) bool { return l.counts[i] > n })
	if i == 0 {
		return 0
	}
	return l.shares[i-1]
}

// Between are round counts between the ends of the scale, or those at its quarters where it is equalised.
func (l *Levels) Between() (out []int) {
	first, most := l.First(), int(l.most)
	add := func(n int) {
		if n > first && n < most && (len(out) == 0 || n > out[len(out)-1]) {
			out = append(out, n)
		}
	}
	switch l.scale {
	case Equal:
		for i := range 3 {
			add(l.Count(float64(i+1) / 4))
		}
	case Linear:
		power := math.Pow(10, math.Floor(math.Log10(float64(max(most, 1))/4)))
		step := power
		for _, times := range []float64{1, 2, 2.5, 5, 10} {
			if step = times * power; step*4 >= float64(most) {
				break
			}
		}
		for x := step; x < float64(most) && step >= 1; x += step {
			add(int(x))
		}
	default:
		for n := 10; n < most; n *= 10 {
			add(n)
		}
		if len(out) == 0 {
			add(int(math.Sqrt(float64(most)) + 0.5))
		}
	}
	return out
}

// Count is the largest count that lies no further along the scale than a place.
func (l *Levels) Count(at float64) int {
	switch {
	case l.most == 0:
		return 0
	case at >= 1:
		return int(l.most)
	case l.scale == Linear:
		return int(at*float64(l.most) + 1e-9)
	case l.scale == Log:
		return int(math.Exp(at*math.Log(float64(l.most))) + 1e-9)
	}
	i := sort.Search(len(l.shares), func(i int) bool { return l.shares[i] > at+1e-12 })
	return int(l.counts[max(i-1, 0)])
}
