package linkage

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"strconv"

	"blossom/model/base/par"
)

// Skyline is a hierarchy as the heights between neighbours in an order of the leaves in which every cluster is a run of
// them, the larger child left, of equal ones that of the smaller id. Clusters at a height are the runs between gaps
// above it: one scan. It is immutable.
type Skyline struct {
	Order []int32   // the leaf at each place
	Gap   []float64 // between places i and i+1; one less than leaves

	z     Z
	joins []joining   // the clusters that each row of z joins
	first []int32     // place of the cluster of each row
	tops  [][]float64 // the largest of each group of Gap, then of each group of those
}

// joining is how many leaves two clusters have that become one: the smaller of them, and both.
type joining struct{ small, all int32 }

// group is how many gaps one number of a skyline's summary is of.
const group = 32

// NewSkyline lays out the hierarchy of so many leaves.
func NewSkyline(leaves int, z Z) *Skyline {
	s, _ := LaySkyline(context.Background(), leaves, z)
	return s
}

// LaySkyline is NewSkyline that can be cancelled; the error is ctx's.
func LaySkyline(ctx context.Context, leaves int, z Z) (*Skyline, error) {
	s := &Skyline{Order: make([]int32, leaves), z: z}
	rows := len(z) / 4
	if leaves < 2 || rows != leaves-1 {
		for i := range s.Order {
			s.Order[i] = int32(i)
		}
		s.Gap, s.z = nil, Z{}
		return s, ctx.Err()
	}
	s.Gap, s.joins = make([]float64, rows), make([]joining, rows)
	s.first = make([]int32, rows)
	for i := range s.joins {
		s.joins[i].all = int32(z[4*i+3])
	}
	size := func(id int32) int32 {
		if int(id) < leaves {
			return 1
		}
		return s.joins[int(id)-leaves].all
	}
	for i := rows - 1; i >= 0; i-- {
		if i%glance == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a, b := z.ids(i)
		na, nb := size(a), size(b)
		if nb > na {
			a, b, na, nb = b, a, nb, na
		}
		s.joins[i].small = nb
		at := s.first[i]
		for _, child := range [...]struct{ id, at int32 }{{a, at}, {b, at + na}} {
			if int(child.id) < leaves {
				s.Order[child.at] = child.id
			} else {
				s.first[int(child.id)-leaves] = child.at
			}
		}
		s.Gap[at+na-1] = z.Height(i)
	}
	for below := s.Gap; len(below) > group; {
		above := make([]float64, (len(below)+group-1)/group)
		for i := range above {
			above[i] = slices.Max(below[i*group : min((i+1)*group, len(below))])
		}
		s.tops = append(s.tops, above)
		below = above
	}
	return s, nil
}

// Len is the number of leaves.
func (s *Skyline) Len() int { return len(s.Order) }

// Top is the largest height; 0 where there are fewer than two leaves.
func (s *Skyline) Top() float64 {
	if rows := len(s.z) / 4; rows > 0 {
		return s.z.Height(rows - 1)
	}
	return 0
}

// Low is the height that a share of all heights is below, of those that are not 0; 0 where all are.
func (s *Skyline) Low(share float64) float64 {
	rows := len(s.z) / 4
	first := sort.Search(rows, func(i int) bool { return s.z.Height(i) > 0 })
	if first == rows {
		return 0
	}
	return s.z.Height(min(first+int(share*float64(rows-first)), rows-1))
}

// most is the largest gap of [from, to), which is not empty.
func (s *Skyline) most(from, to int) float64 {
	top, level := s.Gap[from], s.Gap
	for k := 0; ; k++ {
		if k == len(s.tops) || to-from < 2*group {
			return max(top, slices.Max(level[from:to]))
		}
		for ; from%group != 0; from++ {
			top = max(top, level[from])
		}
		for ; to%group != 0; to-- {
			top = max(top, level[to-1])
		}
		if from, to = from/group, to/group; from == to {
			return top
		}
		level = s.tops[k]
	}
}

// Joined is the height at which the places [from, to) are together.
func (s *Skyline) Joined(from, to int) float64 {
	if to-from < 2 {
		return 0
	}
	return s.most(from, to-1)
}

// Columns writes the largest gap of each of as many equal parts of the places from, to (as numbers between 0 and Len):
// what a picture of so many pixels shows. A part has the gaps after its places; one without a place that of the place
// it lies in. The last gap is none: -1.
func (s *Skyline) Columns(from, to float64, out []float64) {
	n := len(s.Gap)
	for i := range out {
		a := int(from + (to-from)*float64(i)/float64(len(out)))
		b := int(from + (to-from)*float64(i+1)/float64(len(out)))
		a, b = max(a, 0), min(max(b, a+1), n)
		if out[i] = -1; a < b {
			out[i] = s.most(a, b)
		}
	}
}

// Branch returns the places [from, to) of the cluster at a height that has a place.
func (s *Skyline) Branch(place int, height float64) (from, to int) {
	from, to = place, place+1
	for from > 0 && s.Gap[from-1] <= height {
		from--
	}
	for to < len(s.Order) && s.Gap[to-1] <= height {
		to++
	}
	return from, to
}

// Stretch is a cluster in a skyline: the places [From, To).
type Stretch struct{ From, To int32 }

// Size is the number of leaves.
func (r Stretch) Size() int { return int(r.To - r.From) }

// Flat is clusters of a skyline: as a Cut numbers them, of those only that are large enough.
type Flat struct {
	Clusters []Stretch
	Small    int // clusters that are too small
	Left     int // leaves in those, or in none
	Height   float64
}

// Cut finds the clusters at a height of at least so many leaves.
func (s *Skyline) Cut(height float64, least int) *Flat {
	f := &Flat{Height: height}
	from, n := 0, len(s.Gap)
	for i := 0; i < n; i++ {
		if i%group == 0 && len(s.tops) > 0 && s.tops[0][i/group] <= height {
			i += group - 1
		} else if s.Gap[i] > height {
			f.add(from, i+1, least)
			from = i + 1
		}
	}
	if len(s.Order) > 0 {
		f.add(from, len(s.Order), least)
	}
	f.sort(s)
	return f
}

// add adds a cluster if it is large enough.
func (f *Flat) add(from, to, least int) {
	if to-from < least {
		f.Small++
		f.Left += to - from
		return
	}
	f.Clusters = append(f.Clusters, Stretch{int32(from), int32(to)})
}

// sort numbers the clusters: the largest first, of equal ones that with the smallest leaf.
func (f *Flat) sort(s *Skyline) {
	if len(f.Clusters) > len(s.Order)/64 {
		f.count(s)
		return
	}
	f.compare(s)
}

// count is sort in a pass over the leaves: for many clusters.
func (f *Flat) count(s *Skyline) {
	of := make([]int32, len(s.Order)) // the cluster whose smallest leaf it is, from 1
	at := make([]int32, len(s.Order)+1)
	for i, c := range f.Clusters {
		of[slices.Min(s.Order[c.From:c.To])] = int32(i + 1)
		at[c.Size()]++
	}
	sum := int32(0)
	for size := len(at) - 1; size >= 0; size-- {
		at[size], sum = sum, sum+at[size]
	}
	sorted := make([]Stretch, len(f.Clusters))
	for _, i := range of {
		if i > 0 {
			c := f.Clusters[i-1]
			sorted[at[c.Size()]] = c
			at[c.Size()]++
		}
	}
	f.Clusters = sorted
}

// compare is sort of few clusters.
func (f *Flat) compare(s *Skyline) {
	slices.SortFunc(f.Clusters, func(a, b Stretch) int { return cmp.Compare(b.Size(), a.Size()) })
	type tied struct {
		Stretch
		first int32
	}
	var same []tied // large clusters seldom are
	for from := 0; from < len(f.Clusters); {
		to := from + 1
		for to < len(f.Clusters) && f.Clusters[to].Size() == f.Clusters[from].Size() {
			to++
		}
		if to > from+1 {
			same = same[:0]
			for _, c := range f.Clusters[from:to] {
				same = append(same, tied{c, slices.Min(s.Order[c.From:c.To])})
			}
			slices.SortFunc(same, func(a, b tied) int { return cmp.Compare(a.first, b.first) })
			for i := range same {
				f.Clusters[from+i] = same[i].Stretch
			}
		}
		from = to
	}
}

// Stretches are the clusters of a cut whose clusters are branches each, as Z.CutSize finds them.
func (s *Skyline) Stretches(c *Cut) *Flat {
	f := &Flat{Height: math.NaN()}
	for from := 0; from < len(s.Order); {
		label, to := c.Labels[s.Order[from]], from+1
		for to < len(s.Order) && c.Labels[s.Order[to]] == label {
			to++
		}
		if label == Noise {
			f.Left += to - from
		} else {
			f.add(from, to, 1)
		}
		from = to
	}
	f.sort(s)
	return f
}

// Persistent are the clusters of at least so many leaves, 2 or more, that persist the most: those of Z.CutSize.
func (s *Skyline) Persistent(least int) *Flat {
	c, err := s.z.CutSize(len(s.Order), max(least, 2))
	if err != nil {
		return &Flat{Left: len(s.Order), Height: math.NaN()}
	}
	return s.Stretches(c)
}

// Level is a range of heights, Low to below High, at which there are as many clusters of a least size.
type Level struct {
	Number    int
	Low, High float64 // High is infinite above the top
}

// Middle is a height well within the level: the line there is not moved across a merge by rounding.
func (l Level) Middle() float64 {
	switch mid := l.Low + (l.High-l.Low)/2; {
	case math.IsInf(l.High, 1):
		return l.Low * 1.02
	case mid > l.Low && mid < l.High:
		return mid
	}
	return l.Low
}

// levels calls see with each level from the top down, neighbours with the same number as one, until it says to stop.
// Most rows change no number unless single leaves count: it reads on through the sizes.
func (s *Skyline) levels(least int, see func(Level) (more bool)) {
	size, count := int32(min(max(least, 1), math.MaxInt32)), 0
	if len(s.Order) >= int(size) && len(s.Order) > 0 {
		count = 1
	}
	now, open := Level{Number: count, High: math.Inf(1)}, math.NaN() // the height of the rows under way
	end := func() (more bool) {
		if open != open || count == now.Number {
			return true
		}
		now.Low = open
		more = see(now)
		now = Level{Number: count, High: open}
		return more
	}
	for i := len(s.joins) - 1; i >= 0; i-- {
		change := 0
		switch j := s.joins[i]; {
		case j.small >= size:
			change = 1
		case j.all >= size && j.all-j.small < size:
			change = -1
		default:
			continue
		}
		if h := s.z.Height(i); h != open {
			if !end() {
				return
			}
			open = h
		}
		count += change
	}
	if end() && now.High > 0 { // below a height of 0 there is no line
		see(now)
	}
}

// level is the one of single leaves at which so many rows, with all of their heights, are joined.
func (s *Skyline) level(rows int) Level {
	l := Level{Number: len(s.Order) - rows, High: math.Inf(1)}
	if rows > 0 {
		l.Low = s.z.Height(rows - 1)
	}
	if rows < len(s.joins) {
		l.High = s.z.Height(rows)
	}
	return l
}

// upTo is how many rows there are up to a height.
func (s *Skyline) upTo(height float64) int {
	return sort.Search(len(s.joins), func(i int) bool { return s.z.Height(i) > height })
}

// Number finds the highest level with k clusters of a least size or, where there is none, with the most of those that
// are fewer.
func (s *Skyline) Number(k, least int) Level {
	if least <= 1 && k >= 1 && len(s.Order) > 0 {
		rows := max(len(s.Order)-k, 0)
		if rows > 0 {
			rows = s.upTo(s.z.Height(rows - 1))
		}
		if l := s.level(rows); l.High > 0 {
			return l
		}
		return s.level(s.upTo(0))
	}
	best := Level{Number: -1}
	s.levels(least, func(l Level) bool {
		if l.Number <= k && l.Number > best.Number {
			best = l
		}
		return best.Number < k
	})
	return best
}

// Long-lived levels are looked for among those of so many clusters.
const (
	leastLong = 2
	mostLong  = 64
)

// Long finds the level of two clusters or more, of a least size, that lasts over the most of the heights' logarithm; of
// a part of them where about is above 0: among those that are within a factor of two of it. ok is false where there is
// none.
func (s *Skyline) Long(least int, about float64) (best Level, ok bool) {
	low := s.Low(0)
	life := 0.0
	s.levels(least, func(l Level) bool {
		if l.Number < leastLong || l.Number > mostLong || math.IsInf(l.High, 1) ||
			about > 0 && (l.Low > 2*about || l.High < about/2) {
			return least > 1 || l.Number <= mostLong // clusters of single leaves only become more below
		}
		if x := math.Log(l.High / max(l.Low, low)); x > life {
			best, life, ok = l, x, true
		}
		return true
	})
	return best, ok
}

// Step finds the height at which the next merge (up 1) or the one below (up -1) of clusters of a least size is done or
// undone: a line there has another number of them. It is the same height where there is none.
func (s *Skyline) Step(height float64, least, up int) float64 {
	above, at, below := Level{Number: -1}, Level{Number: -1}, Level{Number: -1}
	if least <= 1 {
		rows := s.upTo(height)
		if rows < len(s.joins) {
			above = s.level(s.upTo(s.z.Height(rows)))
		}
		if rows > 0 && s.z.Height(rows-1) > 0 {
			h := s.z.Height(rows - 1)
			below = s.level(sort.Search(len(s.joins), func(i int) bool { return s.z.Height(i) >= h }))
		}
	} else {
		s.levels(least, func(l Level) bool {
			switch {
			case at.Number >= 0:
				below = l
				return false
			case height < l.Low:
				above = l
			default:
				at = l
			}
			return true
		})
	}
	next := above
	if up < 0 {
		next = below
	}
	if next.Number < 0 {
		return height
	}
	return next.Middle()
}

// Digits is how many significant digits of a height, at least so many, a line needs to cut as it does there.
func (s *Skyline) Digits(height float64, atLeast int) int {
	rows := len(s.z) / 4
	above := sort.Search(rows, func(i int) bool { return s.z.Height(i) > height })
	digits := atLeast
	for ; digits < 17; digits++ {
		v, err := strconv.ParseFloat(strconv.FormatFloat(height, 'g', digits, 64), 64)
		if err == nil && (above == 0 || v >= s.z.Height(above-1)) && (above == rows || v < s.z.Height(above)) {
			break
		}
	}
	return digits
}

// stretchPiece is how many leaves a core takes at a time.
const stretchPiece = 1 << 16

// Put writes the number of the cluster of each leaf of the first so many clusters to the leaf's row, on all cores; rows
// are the rows of leaves, nil for the same. What is in none of them is left as it is.
func (s *Skyline) Put(f *Flat, clusters int, rows []int32, out []float32) {
	type piece struct{ cluster, from, to int32 }
	var pieces []piece
	for i, c := range f.Clusters[:clusters] {
		for at := c.From; at < c.To; at += stretchPiece {
			pieces = append(pieces, piece{int32(i), at, min(at+stretchPiece, c.To)})
		}
	}
	// The large ones come first, and of small ones many are taken at a time.
	_ = par.Blocks(context.Background(), len(pieces), 1+len(pieces)/256, func(_, from, to int) {
		for _, p := range pieces[from:to] {
			v := float32(p.cluster)
			if rows == nil {
				for _, leaf := range s.Order[p.from:p.to] {
					out[leaf] = v
				}
				continue
			}
			for _, leaf := range s.Order[p.from:p.to] {
				out[rows[leaf]] = v
			}
		}
	})
}

// Labels writes the cluster of each leaf, Noise for one in none.
func (s *Skyline) Labels(f *Flat, out []int32) {
	for i := range out {
		out[i] = Noise
	}
	for i, c := range f.Clusters {
		for _, leaf := range s.Order[c.From:c.To] {
			out[leaf] = int32(i)
		}
	}
}
