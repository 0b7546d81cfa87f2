package cuda

import (
	"fmt"
	"slices"
	"strings"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
)

// Published are the kernels of a published system for one stage of EmbedSOM: yardsticks, whose packages register them.
// They find neighbours or positions from the same arguments as each other (papersKnnParams, papersProjectParams).
type Published struct {
	Names []string // for Options.Knn or Options.Projection, the best last
	// Plan reads a name, with its sizes behind a colon if it has any ("gridinsert:32x8"), and says how it is launched.
	Plan func(name string) (Planner, error)
}

// Planner plans the launch of a kernel on a card.
type Planner func(driver.Device, Task) (Launch, error)

// Task is what a published kernel computes: Count points of D columns, with Find of G landmarks near each. Positions
// have Dims coordinates, of which the K nearest decide; for neighbours both are 0.
type Task struct {
	D, G, Find, K, Dims int
	Count               int64
}

// Launch is one launch of a published kernel: Extra is the argument after those that all kernels of its stage have; 0
// where there is none.
type Launch struct {
	Kernel      string
	Grid, Block driver.Dim
	Shared      int // bytes of dynamic shared memory
	Extra       int32
}

// MaxFind is the most neighbours that kernels find: k up to 64, and one for the cut-off.
const MaxFind = 65

const (
	maxG = 4096
	maxD = 4096
)

// Check refuses what the kernels do not take.
func (t Task) Check() error {
	if t.Count < 1 {
		return fmt.Errorf("cuda: a launch for %d points", t.Count)
	}
	if t.D < 1 || t.D > maxD || t.G < 1 || t.G > maxG || t.Find < 1 || t.Find > min(t.G, MaxFind) {
		return problem.New("", fmt.Sprintf("use up to %d columns, %d landmarks and k %d", maxD, maxG, MaxFind-1),
			"the kernels do not take %d columns, %d landmarks and %d neighbours", t.D, t.G, t.Find)
	}
	if t.Dims != 0 && (t.K < 1 || t.K > t.Find || t.K < t.Find-1 || t.K > MaxFind-1 || t.Dims < 2 || t.Dims > 3) {
		return fmt.Errorf("cuda: no projection to %d dimensions by %d of %d neighbours", t.Dims, t.K, t.Find)
	}
	return nil
}

// stage is what Options choose the kernel of, by a name: one of the engine's own, or a published one.
type stage struct {
	what      string
	own       []string
	published Published
}

var (
	neighbours = stage{what: "neighbour", own: []string{tensor, tiles}}
	positions  = stage{what: "projection", own: []string{triangle, table}}
)

// RegisterNeighbours adds the published kernels for neighbours.
func RegisterNeighbours(p Published) { neighbours.published = p }

// RegisterPositions adds the published kernels for positions.
func RegisterPositions(p Published) { positions.published = p }

// names are those that Options may have, the engine's own first.
func (s stage) names() []string { return slices.Concat(s.own, s.published.Names) }

// planner is that of a published kernel; nil: the name is of the engine's own, or empty.
func (s stage) planner(name string) (Planner, error) {
	first, _, _ := strings.Cut(name, ":")
	switch {
	case name == "" || slices.Contains(s.own, name):
		return nil, nil
	case slices.Contains(s.published.Names, first):
		return s.published.Plan(name)
	}
	return nil, problem.New("", "use one of "+strings.Join(s.names(), ", "), "there is no %s kernel %q", s.what, name)
}
