package linkage

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// mostBranches is how many branches have a colour by this: those that part first, from the top down. So many take some
// milliseconds; those below have the colour of their place.
const mostBranches = 1 << 13

// Inks are the colours of the clusters of a least size of a skyline, as numbers below how many there are. A cluster has
// that of the largest part it parts into, all the way down: while a cut moves over a merge the parts change alone. They
// are a function of the hierarchy and the least size.
//
// From the top down, what parts from the largest takes the colour whose clusters at that height are of the fewest
// leaves, of equal ones the first. So no two clusters of a line have the same as long as there are enough at every
// height above, and where there are not, large ones seldom have.
type Inks struct {
	number   int
	branches []branch // by place, then by leaves
}

// branch is a cluster with all that it is the largest part of: its first place, its leaves below the height at which it
// parts from another, and its colour.
type branch struct {
	place, leaves int32
	ink           uint8
}

// Inks gives colours, at most 256, to the clusters of at least so many leaves.
func (s *Skyline) Inks(least, number int) *Inks {
	number = min(max(number, 1), 256)
	d := dyeing{Skyline: s, least: int32(min(max(least, 1), math.MaxInt32)), held: make([]int64, number),
		now: map[int32]branch{}, at: map[int32]int{}}
	if len(s.Order) >= int(d.least) {
		d.dye(0, int32(len(s.Order)))
	}
	for i := len(s.joins) - 1; i >= 0 && len(d.all) < mostBranches; i-- {
		if j := s.joins[i]; j.small >= d.least || j.all >= d.least && j.all-j.small < d.least {
			i = d.level(i)
		}
	}
	slices.SortFunc(d.all, func(a, b branch) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.leaves, b.leaves))
	})
	return &Inks{number, d.all}
}

// dyeing gives colours from the top down.
type dyeing struct {
	*Skyline
	least int32
	all   []branch
	held  []int64          // leaves of the clusters of each colour, at the height that it is at
	now   map[int32]branch // these clusters, by place
	parts []portion
	at    map[int32]int // indices of parts, by place
}

// portion is one of the parts of a cluster, which is that of the first of them.
type portion struct {
	place, leaves int32
	first         int // the first part of the same cluster
	heir          int // the part of the first with the most leaves
}

// dye gives a new branch a colour.
func (d *dyeing) dye(place, leaves int32) {
	ink := 0
	for k := range d.held {
		if d.held[k] < d.held[ink] {
			ink = k
		}
	}
	d.add(branch{place, leaves, uint8(ink)})
}

func (d *dyeing) add(b branch) {
	d.all, d.now[b.place] = append(d.all, b), b
	d.held[b.ink] += int64(b.leaves)
}

// level parts what becomes one at the height of a row, all rows of that height at once, and returns the last of them.
func (d *dyeing) level(i int) (last int) {
	d.parts = d.parts[:0]
	clear(d.at)
	height, k := d.z.Height(i), -1
	for last = i; i >= 0 && d.z.Height(i) == height; i-- {
		j := d.joins[i]
		if last = i; j.all < d.least {
			continue
		}
		if k < 0 || d.parts[k].place != d.first[i] {
			known := false
			if k, known = d.at[d.first[i]]; !known {
				k = d.put(d.first[i], len(d.parts))
			}
		}
		if d.parts[k].leaves = j.all - j.small; j.small >= d.least {
			d.parts[d.put(d.first[i]+j.all-j.small, d.parts[k].first)].leaves = j.small
		}
	}
	for k, p := range d.parts {
		if f := &d.parts[p.first]; p.leaves > d.parts[f.heir].leaves {
			f.heir = k
		}
	}
	for k, p := range d.parts { // colours are free before others take them
		if heir := d.parts[p.heir]; p.first == k && (heir.leaves < d.least || p.heir != k) {
			b := d.now[p.place]
			d.held[b.ink] -= int64(b.leaves)
			delete(d.now, p.place)
			if heir.leaves >= d.least {
				d.add(branch{heir.place, heir.leaves, b.ink})
			}
		}
	}
	for k, p := range d.parts {
		if p.leaves >= d.least && d.parts[p.first].heir != k {
			d.dye(p.place, p.leaves)
		}
	}
	return last
}

func (d *dyeing) put(place int32, first int) (at int) {
	at = len(d.parts)
	d.at[place] = at
	d.parts = append(d.parts, portion{place: place, first: first, heir: at})
	return at
}

// Of returns the colours of the first so many clusters of a cut, a byte each. Clusters that begin at heights of their
// own are not all there at any one: where two of them had the same, the smaller takes one that is free.
func (x *Inks) Of(f *Flat, clusters int) string {
	out := make([]byte, min(clusters, len(f.Clusters)))
	for i := range out {
		c := f.Clusters[i]
		k := sort.Search(len(x.branches), func(k int) bool {
			b := x.branches[k]
			return b.place > c.From || b.place == c.From && b.leaves >= c.To-c.From
		})
		if k < len(x.branches) && x.branches[k].place == c.From {
			out[i] = x.branches[k].ink
		} else {
			out[i] = byte(int(c.From) % x.number)
		}
	}
	if f.Height != f.Height {
		x.part(out)
	}
	return string(out)
}

// part gives colours that are free to those that have one that is before them.
func (x *Inks) part(inks []byte) {
	used, again := make([]bool, x.number), []int(nil)
	for i, k := range inks {
		if used[k] {
			again = append(again, i)
		}
		used[k] = true
	}
	free := 0
	for _, i := range again {
		for free < len(used) && used[free] {
			free++
		}
		if free == len(used) {
			return
		}
		inks[i], used[free] = byte(free), true
	}
}
