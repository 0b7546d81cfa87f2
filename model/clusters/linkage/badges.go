package linkage

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// mostBranches is how many branches have a badge by this: those that part first, from the top down. So many take some
// milliseconds; those below have the colour of their place, and numbers that are free.
const mostBranches = 1 << 13

// Badges are what the clusters of a least size of a skyline are known by: a number from 1, and a colour as a number
// below how many colours there are. A cluster has the badge of the largest part it parts into, all the way down: while
// a cut moves over a merge the parts change alone. They are a function of the hierarchy and the least size.
//
// From the top down, what parts from the largest takes the smallest number that none of the clusters at that height
// has, and the colour whose clusters there are of the fewest leaves, of equal ones the first. So no two clusters of a
// line have the same number, and none the same colour as long as there are enough at every height above; where there
// are not, large ones seldom have. Numbers have gaps where a cluster of a line above has come apart into parts that
// are too small.
type Badges struct {
	colours  int
	branches []branch // by place, then by leaves
}

// branch is a cluster with all that it is the largest part of: its first place, its leaves below the height at which it
// parts from another, its number and its colour.
type branch struct {
	place, leaves int32
	number        int32
	ink           uint8
}

// Badges gives numbers, and at most 256 colours, to the clusters of at least so many leaves.
func (s *Skyline) Badges(least, colours int) *Badges {
	colours = min(max(colours, 1), 256)
	d := awarding{Skyline: s, least: int32(min(max(least, 1), math.MaxInt32)), held: make([]int64, colours),
		now: map[int32]branch{}, at: map[int32]int{}}
	if len(s.Order) >= int(d.least) {
		d.award(0, int32(len(s.Order)))
	}
	for i := len(s.joins) - 1; i >= 0 && len(d.all) < mostBranches; i-- {
		if j := s.joins[i]; j.small >= d.least || j.all >= d.least && j.all-j.small < d.least {
			i = d.level(i)
		}
	}
	slices.SortFunc(d.all, func(a, b branch) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.leaves, b.leaves))
	})
	return &Badges{colours, d.all}
}

// awarding gives badges from the top down.
type awarding struct {
	*Skyline
	least int32
	all   []branch
	held  []int64          // leaves of the clusters of each colour, at the height that it is at
	taken roster           // by these clusters
	now   map[int32]branch // them, by place
	parts []portion
	at    map[int32]int // indices of parts, by place
}

// portion is one of the parts of a cluster, which is that of the first of them.
type portion struct {
	place, leaves int32
	first         int // the first part of the same cluster
	heir          int // the part of the first with the most leaves
}

// roster says which numbers from 1 are taken.
type roster struct {
	taken []bool // number i + 1
	least int    // all below it are taken, by index
}

// take takes the smallest that is free.
func (n *roster) take() int32 {
	for n.least < len(n.taken) && n.taken[n.least] {
		n.least++
	}
	n.mark(int32(n.least + 1))
	return int32(n.least + 1)
}

// mark takes a number.
func (n *roster) mark(k int32) {
	for len(n.taken) < int(k) {
		n.taken = append(n.taken, false)
	}
	n.taken[k-1] = true
}

// free gives a number back.
func (n *roster) free(k int32) {
	n.taken[k-1] = false
	n.least = min(n.least, int(k-1))
}

// award gives a new branch a badge.
func (d *awarding) award(place, leaves int32) {
	ink := 0
	for k := range d.held {
		if d.held[k] < d.held[ink] {
			ink = k
		}
	}
	d.add(branch{place, leaves, d.taken.take(), uint8(ink)})
}

func (d *awarding) add(b branch) {
	d.all, d.now[b.place] = append(d.all, b), b
	d.held[b.ink] += int64(b.leaves)
	d.taken.mark(b.number)
}

// level parts what becomes one at the height of a row, all rows of that height at once, and returns the last of them.
func (d *awarding) level(i int) (last int) {
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
	for k, p := range d.parts { // badges are free before others take them
		if heir := d.parts[p.heir]; p.first == k && (heir.leaves < d.least || p.heir != k) {
			b := d.now[p.place]
			d.held[b.ink] -= int64(b.leaves)
			d.taken.free(b.number)
			delete(d.now, p.place)
			if heir.leaves >= d.least {
				d.add(branch{heir.place, heir.leaves, b.number, b.ink})
			}
		}
	}
	for k, p := range d.parts {
		if p.leaves >= d.least && d.parts[p.first].heir != k {
			d.award(p.place, p.leaves)
		}
	}
	return last
}

func (d *awarding) put(place int32, first int) (at int) {
	at = len(d.parts)
	d.at[place] = at
	d.parts = append(d.parts, portion{place: place, first: first, heir: at})
	return at
}

// of returns the branch of a cluster, nil where it parts too far down to have one.
func (x *Badges) of(c Stretch) *branch {
	k := sort.Search(len(x.branches), func(k int) bool {
		b := x.branches[k]
		return b.place > c.From || b.place == c.From && b.leaves >= c.To-c.From
	})
	if k < len(x.branches) && x.branches[k].place == c.From {
		return &x.branches[k]
	}
	return nil
}

// Numbers returns the numbers of the first so many clusters of a cut, no two of them the same. Clusters that begin at
// heights of their own are not all there at any one: where two of them had the same, the smaller takes one that is
// free.
func (x *Badges) Numbers(f *Flat, clusters int) []int {
	out := make([]int, min(clusters, len(f.Clusters)))
	var taken roster
	var without []int
	for i := range out {
		b := x.of(f.Clusters[i])
		if b == nil || int(b.number) <= len(taken.taken) && taken.taken[b.number-1] {
			without = append(without, i)
			continue
		}
		taken.mark(b.number)
		out[i] = int(b.number)
	}
	for _, i := range without {
		out[i] = int(taken.take())
	}
	return out
}

// Inks returns the colours of the first so many clusters of a cut, a byte each. Where two that begin at heights of
// their own had the same, the smaller takes one that is free.
func (x *Badges) Inks(f *Flat, clusters int) string {
	out := make([]byte, min(clusters, len(f.Clusters)))
	for i := range out {
		if b := x.of(f.Clusters[i]); b != nil {
			out[i] = b.ink
		} else {
			out[i] = byte(int(f.Clusters[i].From) % x.colours)
		}
	}
	if f.Height != f.Height {
		x.part(out)
	}
	return string(out)
}

// part gives colours that are free to those that have one that is before them.
func (x *Badges) part(inks []byte) {
	used, again := make([]bool, x.colours), []int(nil)
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
