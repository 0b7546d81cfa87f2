package gpuembedsom

import (
	"fmt"
	"strconv"
	"strings"

	"blossom/gpu/cuda"
	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
)

// paperProjection is a published kernel for the projection.
type paperProjection struct {
	name          string
	group, points int // threads that share a point, and points of a block; 0 for the best of the paper
}

// paperProjections are the names that parsePaperProjection knows.
var paperProjections = []string{"base", "shared", "aligned", "registers"}

// parsePaperProjection reads a name, such as "aligned" or "registers:64x2" (threads of a point x points
// of a block); ok is false for a name that is none of the papers'.
func parsePaperProjection(name string) (v paperProjection, ok bool, err error) {
	v.name, name, _ = strings.Cut(name, ":")
	for _, n := range paperProjections {
		ok = ok || n == v.name
	}
	if !ok || name == "" {
		return v, ok, nil
	}
	v.group, v.points, err = parseSizes(name)
	if v.name == "base" {
		return v, true, problem.New("", "leave "+strconv.Quote(":"+name)+" out", "the kernel base has no sizes")
	}
	if err != nil || v.group%32 != 0 || v.group*v.points > 256 {
		return v, true, problem.New("",
			"write it as "+v.name+":TxP, T threads for a point, a multiple of 32, and T*P at most 256, such as "+
				v.name+":64x2",
			"%q is no size of a block", name)
	}
	return v, true, nil
}

// plan says how the kernel projects points. Where the k landmarks of a point do not fit into shared memory they are
// read from global memory; as single floats where d is no multiple of 4.
func (v paperProjection) plan(dev driver.Device, t cuda.Task) (cuda.Launch, error) {
	var l cuda.Launch
	err := t.Check()
	if err != nil {
		return l, err
	}
	d, k, dims, count := t.D, t.K, t.Dims, t.Count
	if v.name == "base" {
		l.Kernel, l.Block = "papersProjectBase"+strconv.Itoa(dims), driver.Dim{X: 256, Y: 1, Z: 1}
		l.Grid, err = grids(ceilDiv(count, 256))
		return l, err
	}
	scheme := map[string]string{"shared": "Shared", "aligned": "Aligned", "registers": "Registers"}[v.name]
	if scheme == "" {
		return l, fmt.Errorf("cuda: no published projection kernel is called %q", v.name)
	}
	stride := d | 1 // odd, against bank conflicts: in floats, or in groups of 4
	if v.name != "shared" {
		stride = 4 * ((d+3)/4 | 1)
	}
	group, points := v.sizes(d, k)
	bytes := func(stride int) int {
		even := (k + 1) &^ 1
		system := dims*(dims+1)/2 + dims
		rest := even*(dims+2) + 1 + group/32*system
		return 4 * ((even+1)*stride + (rest+3)&^3)
	}
	for points > 1 && points*bytes(stride) > dev.SharedBlock {
		points--
	}
	if points*bytes(stride) > dev.SharedBlock {
		stride, points = 0, 1
		if d%4 != 0 {
			scheme = "Shared"
		}
		scheme += "Far"
	}
	l.Kernel, l.Block = "papersProject"+scheme+strconv.Itoa(dims), driver.Dim{X: group, Y: points, Z: 1}
	l.Shared, l.Extra = points*bytes(stride), int32(stride)
	l.Grid, err = grids(ceilDiv(count, int64(points)))
	return l, err
}

// sizes are those that the paper reports: more threads for a point the more there is to do, twice as many
// with vector loads, and several points in a block only where they are small.
func (v paperProjection) sizes(d, k int) (group, points int) {
	if v.group != 0 {
		return v.group, v.points
	}
	work := k * (k - 1) / 2 * d
	if v.name == "shared" {
		work /= 4
	}
	switch {
	case work < 2048:
		return 32, 4
	case work < 8192:
		return 32, 2
	case work < 65536:
		return 64, 1
	}
	return 128, 1
}
