// Package cpu is the engine that works everywhere: SIMD kernels in C, chosen at run time, on all
// cores, with a pure Go kernel where there is no C compiler. Its kernels are described in
// neighbours.h and project.h.
//
// The result for a point depends on that point and the landmarks alone: not on the block it was
// computed in, the number of threads, or its neighbours in the table.
package cpu

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// Name is the registered name.
const Name = "cpu"

// Lesser, in the environment, names the fastest variant that this machine is taken to have, so that tests can be run as
// on another one.
const Lesser = "BLOSSOM_CPU"

func init() {
	lesser := func(v variant) bool { return v.name == os.Getenv(Lesser) }
	variants = variants[max(0, slices.IndexFunc(variants, lesser)):]
	engine.Register(engine.Registration{
		Name:     Name,
		Title:    "CPU",
		Limits:   limits,
		Priority: 10,
		Variants: Conforming,
		Probe:    func(engine.Options) (bool, string, string) { return true, "", device(best(), threads(0)) },
		New:      New,
	})
}

func threads(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

func device(v variant, cores int) string {
	if cores == 1 {
		return "1 core, " + v.title
	}
	return fmt.Sprintf("%d cores, %s", cores, v.title)
}

// best returns the first variant that runs here; the list is in order of speed and ends, for this
// purpose, with Go.
func best() variant {
	for _, v := range variants {
		if v.has() {
			return v
		}
	}
	return plainGo
}

// Variants returns the names of the variants that run on this machine, fastest first: of "avx512",
// "avx2", "baseline", "go", and "scalar", the published formula in plain C that benches compare
// with. The scalar variant knows no edge cases.
func Variants() []string {
	var names []string
	for _, v := range variants {
		if v.has() {
			names = append(names, v.name)
		}
	}
	return names
}

var limits = engine.Limits{Landmarks: maxLandmarks}

// Conforming returns those of them that are engines, which pass the suite: scalar is only a yardstick.
func Conforming() []string {
	return slices.DeleteFunc(Variants(), func(name string) bool { return name == "scalar" })
}

// New returns the engine, with the fastest variant unless the options name another.
func New(o engine.Options) (engine.Engine, error) {
	v, err := best(), error(nil)
	if o.Variant != "" {
		v, err = find(o.Variant)
	}
	if err != nil {
		return nil, err
	}
	return open(v, o), nil
}

// NewVariant returns the engine with a named variant.
func NewVariant(name string, o engine.Options) (engine.Engine, error) {
	o.Variant = name
	return New(o)
}

func find(name string) (variant, error) {
	for _, v := range variants {
		if v.name == name && v.has() {
			return v, nil
		}
	}
	return variant{}, problem.New("", fmt.Sprintf("use one of %v", Variants()), "this machine has no CPU variant %q",
		name)
}

// Peak measures the floating point operations that rounds x 64 multiply-adds of a variant's vectors
// make; divided by the time it takes, that is the peak of one core. 0: the variant cannot say.
func Peak(name string, rounds int) float64 {
	v, err := find(name)
	if err != nil || v.peak == nil {
		return 0
	}
	return v.peak(rounds)
}

type processor struct {
	v    variant
	pool *pool
	tsne *tsneDevice
	umap *umapDevice
}

func open(v variant, o engine.Options) *processor {
	n := threads(o.Threads)
	return &processor{v: v, pool: newPool(n), tsne: &tsneDevice{v, n}, umap: &umapDevice{v, n}}
}

func (e *processor) Name() string    { return Name }
func (e *processor) Variant() string { return e.v.name }
func (e *processor) Device() string  { return device(e.v, e.pool.threads) }

func (e *processor) Close() error {
	e.pool.close()
	return nil
}

func (e *processor) Load(ctx context.Context, points matrix.Source) (engine.Resident, error) {
	x, err := engine.Points(ctx, points)
	if err != nil {
		return nil, err
	}
	return newResident(e, x), nil
}
