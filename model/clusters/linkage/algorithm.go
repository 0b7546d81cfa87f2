package linkage

import (
	"context"
	"sort"

	"blossom/model/base/problem"
)

// Algorithm is a way to find the tree: a member of the family, in a file of its own.
type Algorithm struct {
	ID, Title, Help string
	// Exact: the hierarchy is that of all pairs, proven; else it is what the published system finds.
	Exact bool
	// Neighbours: Options.K counts the neighbours of its graph.
	Neighbours bool
	// Alone: it looks at pairs itself, in float64, and asks no Device.
	Alone bool

	start func(ctx context.Context, p *points, o Options) (growing, error)
}

// growing is a run of an algorithm: a tree that grows or gets better.
type growing interface {
	total() int64
	// step does units more and returns how many are done of total; it returns early only with ctx's error.
	step(ctx context.Context, units int) (done int64, err error)
	// tree is a spanning tree of the points, sorted; its weights are, rank by rank, at least those of the last. What it
	// returns may be its own: it is not to be changed, and after another step may have. The error is ctx's.
	tree(ctx context.Context) ([]Edge, error)
	work() Work
	close()
}

var algorithms []Algorithm

func register(a Algorithm) {
	algorithms = append(algorithms, a)
	sort.Slice(algorithms, func(i, j int) bool { return algorithms[i].ID < algorithms[j].ID })
}

// Default is the ID of the algorithm that is used where none is asked for.
const Default = "light"

// Algorithms are all, by ID.
func Algorithms() []Algorithm { return algorithms }

// IDs are the names of all algorithms, the default first.
func IDs() []string {
	ids := []string{Default}
	for _, a := range algorithms {
		if a.ID != Default {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// Named finds an algorithm; "" is the default. The error is a Problem.
func Named(id string) (Algorithm, error) {
	if id == "" {
		id = Default
	}
	for _, a := range algorithms {
		if a.ID == id {
			return a, nil
		}
	}
	return Algorithm{}, problem.New("", "use "+problem.OneOf(IDs()...), "there is no algorithm %q", id)
}
