// Package gpuembedsom has the kernels of the papers on EmbedSOM on graphics cards (Šmelko et al.) beside those of
// engine cuda, as yardsticks: it registers them, and nothing else knows it.
package gpuembedsom

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"blossom/gpu/cuda"
	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
)

// The kernels (gpu/cuda/kernels/papers_*.cu) by name, and how they are launched: block sizes are those that the papers
// found best.

func init() {
	cuda.RegisterNeighbours(cuda.Published{Names: paperKnns, Plan: func(name string) (cuda.Planner, error) {
		v, _, err := parsePaperKnn(name)
		return v.plan, err
	}})
	cuda.RegisterPositions(cuda.Published{Names: paperProjections, Plan: func(name string) (cuda.Planner, error) {
		v, _, err := parsePaperProjection(name)
		return v.plan, err
	}})
}

// grids returns the grid of so many blocks in a row.
func grids(blocks int64) (driver.Dim, error) {
	if blocks > math.MaxInt32 {
		return driver.Dim{}, problem.New("", "ask for fewer points at a time", "a launch of %d blocks is too large",
			blocks)
	}
	return driver.Dim{X: int(max(1, blocks)), Y: 1, Z: 1}, nil
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// paperKnn is a published kernel for the nearest landmarks.
type paperKnn struct {
	name string
	w, h int // landmarks and points that a block of gridinsert caches; 0 for the best of the paper
}

// paperKnns are the names that parsePaperKnn knows.
var paperKnns = []string{"base", "shared", "gridinsert", "radix", "bitonic"}

// parsePaperKnn reads a name, such as "bitonic" or "gridinsert:32x8" (w x h); ok is false for a name that
// is none of the papers'.
func parsePaperKnn(name string) (v paperKnn, ok bool, err error) {
	v.name, name, _ = strings.Cut(name, ":")
	for _, n := range paperKnns {
		ok = ok || n == v.name
	}
	if !ok || name == "" {
		return v, ok, nil
	}
	v.w, v.h, err = parseSizes(name)
	if v.name != "gridinsert" {
		return v, true, problem.New("", "leave "+strconv.Quote(":"+name)+" out", "the kernel %s has no sizes", v.name)
	}
	if err != nil || v.w%32 != 0 || v.w*v.h > 1024 {
		return v, true, problem.New("",
			"write it as gridinsert:WxH, W a multiple of 32 and W*H at most 1024, such as gridinsert:32x8",
			"%q is no size of a block", name)
	}
	return v, true, nil
}

// parseSizes reads "AxB" with A and B at least 1.
func parseSizes(s string) (a, b int, err error) {
	left, right, _ := strings.Cut(s, "x")
	if a, err = strconv.Atoi(left); err == nil {
		b, err = strconv.Atoi(right)
	}
	if err == nil && (a < 1 || b < 1 || a > 1024 || b > 1024) {
		err = strconv.ErrRange
	}
	return a, b, err
}

// plan says how the kernel finds neighbours.
func (v paperKnn) plan(dev driver.Device, t cuda.Task) (cuda.Launch, error) {
	var l cuda.Launch
	if err := t.Check(); err != nil {
		return l, err
	}
	d, g, find, count := t.D, t.G, t.Find, t.Count
	var blocks int64
	switch v.name {
	case "base":
		l.Kernel, l.Block.X = "papersKnnBase", 256
		blocks = ceilDiv(count, 256)
	case "shared":
		blocks = v.planShared(&l, dev, d, g, count)
	case "gridinsert":
		blocks = v.planGridInsert(&l, dev, d, g, find, count)
	case "radix":
		items := powerOfTwo((g + 127) / 128)
		l.Kernel, l.Block.X = "papersKnnRadix"+strconv.Itoa(items), 128
		blocks = count
	case "bitonic":
		k := max(8, powerOfTwo(find))
		l.Kernel, l.Block.X = "papersKnnBitonic"+strconv.Itoa(k), 256
		blocks = ceilDiv(count, int64(256/k))
	default:
		return l, fmt.Errorf("cuda: no published k-NN kernel is called %q", v.name)
	}
	l.Block.Y, l.Block.Z = max(1, l.Block.Y), 1
	var err error
	l.Grid, err = grids(blocks)
	return l, err
}

// planShared keeps all landmarks in shared memory where they fit, in blocks that stay for many points so
// that they are loaded once; else 48 KB of them at a time.
func (v paperKnn) planShared(l *cuda.Launch, dev driver.Device, d, g int, count int64) (blocks int64) {
	const small = 48 << 10
	l.Kernel, l.Block.X = "papersKnnShared", 256
	tile, row := g, 4*d
	if all := g * row; all <= dev.SharedBlock {
		fit := max(1, min(dev.SharedSM/(all+1024), dev.ThreadsSM/256)) // blocks of a multiprocessor
		for fit < 4 && l.Block.X < 1024 && l.Block.X*fit*2 <= dev.ThreadsSM {
			l.Block.X *= 2 // few blocks share the memory: let them have more threads
		}
		blocks = min(ceilDiv(count, int64(l.Block.X)), int64(fit)*int64(dev.SMs))
	} else {
		tile = max(1, min(g, small/row))
		blocks = ceilDiv(count, 256)
	}
	l.Shared, l.Extra = tile*row, int32(tile)
	return blocks
}

// planGridInsert takes the papers' sizes: 256 threads with w = 128, and 64 threads for small problems.
// Columns are cached in parts where all of them do not fit.
func (v paperKnn) planGridInsert(l *cuda.Launch, dev driver.Device, d, g, find int, count int64) (blocks int64) {
	w, h := v.w, v.h
	if w == 0 {
		w, h = 128, 2
		if g*d <= 4096 {
			w, h = 32, 2
		}
	}
	bytes := func(chunk int) int { return 8*h*find + 4*h*w + 4*(h+w)*(chunk|1) }
	chunk := d
	if limit := min(dev.SharedBlock, 96<<10); bytes(d) > limit {
		chunk = min(d, 64)
		for chunk > 1 && bytes(chunk) > dev.SharedBlock {
			chunk /= 2
		}
	}
	l.Kernel, l.Block = "papersKnnGridInsert", driver.Dim{X: w, Y: h, Z: 1}
	l.Shared, l.Extra = bytes(chunk), int32(chunk)
	return ceilDiv(count, int64(h))
}

// powerOfTwo returns the smallest one that is at least n.
func powerOfTwo(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}
