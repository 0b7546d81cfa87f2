package train

import (
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"sort"
)

// Strays are points that landmarks without points may go to: of all points that are not on their landmarks, mostStrays,
// drawn with chances proportional to their squared distances from these. Each point has a time of its own, which is
// exponentially distributed with that rate and follows from its values (P. S. Efraimidis and P. G. Spirakis, "Weighted
// random sampling with a reservoir", 2006), and those of the earliest times are drawn: so what is drawn does not depend
// on the order of the points, and of parts of them the strays merge to those of all. Points of equal values are one.
type Strays struct {
	list    []stray
	settled int   // so many of the list are in their order, and no two of these are equal
	cut     stray // later ones are none
	full    bool  // there is a cut
}

// mostStrays are enough that a few landmarks find places among them as among all points.
const mostStrays = 1024

// stray is a point that is far from its landmark.
type stray struct {
	pinned bool // its landmark stays: it is drawn where others have no points
	lent   bool // x is the point in its matrix, while that is looked at, and may have -0
	time   float64
	d2     float64 // squared distance from its landmark
	x      []float32
}

// rank orders as pinned and then time do: bits of numbers that are not negative order as these.
func (s *stray) rank() uint64 {
	bits := math.Float64bits(s.time + 0) // 0 for -0
	if s.pinned {
		bits |= 1 << 63
	}
	return bits
}

func (s *stray) compare(o *stray) int {
	if a, b := s.rank(), o.rank(); a != b {
		return cmp.Compare(a, b)
	}
	return slices.Compare(s.x, o.x)
}

func (s *Strays) merge(o *Strays) {
	s.list = append(s.list, o.list...)
	s.prune(2 * mostStrays)
}

// prune leaves the earliest, if there are more than so many.
func (s *Strays) prune(most int) {
	if len(s.list) > most {
		s.settle()
	}
}

// settle leaves the earliest, in their order. It makes a new list: who has the old one may read it.
func (s *Strays) settle() {
	if s.settled == len(s.list) {
		return
	}
	type key struct { // as sorting moves them often, and strays are long
		rank uint64
		at   int
	}
	keys := make([]key, len(s.list))
	for i := range s.list {
		keys[i] = key{s.list[i].rank(), i}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.rank != b.rank {
			return cmp.Compare(a.rank, b.rank)
		}
		return slices.Compare(s.list[a.at].x, s.list[b.at].x)
	})
	list := make([]stray, 0, min(len(keys), 2*mostStrays))
	for _, k := range keys {
		p := &s.list[k.at]
		if n := len(list); n > 0 && list[n-1].compare(p) == 0 {
			continue
		}
		if list = append(list, *p); len(list) == mostStrays {
			s.cut, s.full = *p, true
			break
		}
	}
	s.list, s.settled = list, len(list)
}

// late says whether a point cannot be one of the earliest any more, or is known to be one.
func (s *Strays) late(p *stray) bool {
	if s.full && p.compare(&s.cut) >= 0 {
		return true
	}
	at := sort.Search(s.settled, func(i int) bool { return s.list[i].compare(p) >= 0 })
	return at < s.settled && s.list[at].compare(p) == 0
}

// own copies the points that are lent.
func (s *Strays) own() {
	for i := range s.list {
		p := &s.list[i]
		if p.lent {
			p.x, p.lent = positive(p.x), false
		}
	}
	if s.cut.lent {
		s.cut.x, s.cut.lent = positive(s.cut.x), false
	}
}

// positive is a copy of x with 0 for -0, so that both are one.
func positive(x []float32) []float32 {
	out := make([]float32, len(x))
	for j, v := range x {
		out[j] = v + 0
	}
	return out
}

// drawn are those that may be drawn in the end, of landmarks that move if any of these has points, and the chance of
// each to be one: to have a time before the last of them.
func (s *Strays) drawn(moving bool) (some []stray, chances []float64) {
	s.settle()
	some, last := s.list, math.Inf(1)
	if at := slices.IndexFunc(s.list, func(p stray) bool { return p.pinned }); at >= 0 && moving {
		some = s.list[:at]
	} else if s.full {
		last = s.cut.time
	}
	for _, p := range some {
		if p.pinned != s.cut.pinned && s.full { // all of these are there
			chances = append(chances, 1)
			continue
		}
		chances = append(chances, -math.Expm1(-p.d2*last))
	}
	return some, chances
}

// write writes strays of points of d columns.
func (s *Strays) write(w io.Writer) error {
	s.settle()
	line := binary.LittleEndian.AppendUint32(nil, uint32(len(s.list)))
	for _, p := range s.list {
		pinned := byte(0)
		if p.pinned {
			pinned = 1
		}
		line = append(line, pinned)
		line = binary.LittleEndian.AppendUint64(line, math.Float64bits(p.time))
		line = binary.LittleEndian.AppendUint64(line, math.Float64bits(p.d2))
		for _, v := range p.x {
			line = binary.LittleEndian.AppendUint32(line, math.Float32bits(v))
		}
	}
	_, err := w.Write(line)
	return err
}

// readStrays reads what write has written.
func readStrays(r io.Reader, d int) (Strays, error) {
	var s Strays
	head := make([]byte, 17+4*d)
	if _, err := io.ReadFull(r, head[:4]); err != nil {
		return s, errSums
	}
	n := binary.LittleEndian.Uint32(head)
	if n > mostStrays {
		return s, errSums
	}
	for range n {
		if _, err := io.ReadFull(r, head); err != nil {
			return s, errSums
		}
		p := stray{pinned: head[0] == 1, time: math.Float64frombits(binary.LittleEndian.Uint64(head[1:])),
			d2: math.Float64frombits(binary.LittleEndian.Uint64(head[9:])), x: make([]float32, d)}
		for j := range p.x {
			p.x[j] = math.Float32frombits(binary.LittleEndian.Uint32(head[17+4*j:]))
		}
		if head[0] > 1 || !(p.time >= 0) || !(p.d2 > 0) || !finite(p.x) {
			return s, errSums
		}
		s.list = append(s.list, p)
	}
	s.settle()
	return s, nil
}
