package train

import (
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"sync"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// Strays are points that landmarks without points may go to: of all points that are not on their landmarks, mostStrays,
// drawn with chances proportional to their squared distances from these. Each point has a time of its own, which is
// exponentially distributed with that rate and follows from its values (P. S. Efraimidis and P. G. Spirakis, "Weighted
// random sampling with a reservoir", 2006), and those of the earliest times are drawn: so what is drawn does not depend
// on the order of the points, and of parts of them the strays merge to those of all. Points of equal values are one.
type Strays struct {
	list []stray
	cut  stray // later ones are none
	full bool  // there is a cut
}

// mostStrays are enough that a few landmarks find places among them as among all points.
const mostStrays = 1024

// stray is a point that is far from its landmark.
type stray struct {
	pinned bool // its landmark stays: it is drawn where others have no points
	time   float64
	d2     float64 // squared distance from its landmark
	x      []float32
}

func (s *stray) compare(o *stray) int {
	if s.pinned != o.pinned {
		if o.pinned {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(s.time, o.time), slices.Compare(s.x, o.x))
}

// chance is a number above 0 and below 1 that follows from the values of a point.
func chance(x []float32, salt uint64) float64 {
	h := salt
	for _, v := range x {
		h = (h ^ uint64(math.Float32bits(v+0))) * 0x9e3779b97f4a7c15 // -0 + 0 is 0
		h ^= h >> 29
	}
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return (float64((h^h>>32)>>11) + 0.5) / (1 << 53)
}

// look adds points to those that may be drawn. bmu are their landmarks, -1 for invalid ones. The error is ctx's.
func (s *Strays) look(ctx context.Context, x matrix.Matrix32, bmu []int32, l *landmarks, salt uint64) error {
	const size = 4096
	var lock sync.Mutex
	return par.Blocks(ctx, len(bmu), size, func(_, from, to int) {
		lock.Lock()
		some := Strays{cut: s.cut, full: s.full}
		lock.Unlock()
		for i := from; i < to; i++ {
			if c := bmu[i]; c >= 0 {
				some.consider(x.Row(i), l.code.Row(int(c)), l.pin(int(c)), salt)
			}
		}
		lock.Lock()
		defer lock.Unlock()
		s.merge(&some)
	})
}

// consider adds a point, if it may be drawn.
func (s *Strays) consider(x, landmark []float32, pinned bool, salt uint64) {
	d2 := distance64(x, landmark)
	if d2 == 0 {
		return
	}
	u := chance(x, salt)
	if s.full && pinned == s.cut.pinned && (1-u)/d2 > s.cut.time { // -log u is no less than 1-u
		return
	}
	p := stray{pinned, -math.Log(u) / d2, d2, x}
	if s.full && p.compare(&s.cut) >= 0 {
		return
	}
	p.x = make([]float32, len(x))
	for j, v := range x {
		p.x[j] = v + 0 // 0 for -0, so that it is one of both
	}
	s.list = append(s.list, p)
	s.prune(2 * mostStrays)
}

func (s *Strays) merge(o *Strays) {
	s.list = append(s.list, o.list...)
	s.prune(2 * mostStrays)
}

// prune leaves the earliest, if there are more than so many.
func (s *Strays) prune(most int) {
	if len(s.list) <= most {
		return
	}
	s.settle()
}

// settle leaves the earliest, in their order.
func (s *Strays) settle() {
	slices.SortFunc(s.list, func(a, b stray) int { return a.compare(&b) })
	s.list = slices.CompactFunc(s.list, func(a, b stray) bool { return a.compare(&b) == 0 })
	if len(s.list) >= mostStrays {
		s.list = s.list[:mostStrays]
		s.cut, s.full = s.list[mostStrays-1], true
	}
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
