package contest

import (
	"runtime"
	"slices"
	"strings"

	"blossom/gpu/cpu"
	"blossom/gpu/reference"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// Contender is something to measure.
type Contender struct {
	Engine  string // registered name
	Variant string // the engine's variant; "" for its own choice
	Threads int    // 0: all cores
	Share   int    // measure 1/Share of the points, for slow ones; 0 means 1
	// Options go to the engine: kernels of the stages, card, OpenGL. Threads is set from the above.
	Options engine.Options
}

// Published says whether the kernels of both stages are of published systems.
func (c Contender) Published() bool {
	r, _ := engine.Named(c.Engine)
	knn, projection := published(r)
	return place(knn, c.Options.Knn) >= 0 && place(projection, c.Options.Projection) >= 0
}

// published are the kernels that an engine has from publications beside its own, the best last.
func published(r engine.Registration) (knn, projection []string) {
	if r.Published == nil {
		return nil, nil
	}
	return r.Published()
}

// place is where a name stands in a list, -1 where it does not, whatever its parameters: "gridinsert:32x8".
func place(list []string, name string) int {
	name, _, _ = strings.Cut(name, ":")
	return slices.Index(list, name)
}

// baselineName is the plain variant that every other one of the processor is compared with.
const baselineName = "scalar"

// CPU returns the variants of the CPU engine to compare: the plain one first, then each instruction
// set on one core, then the fastest on all cores.
func CPU() []Contender {
	list := []Contender{{Engine: cpu.Name, Variant: baselineName, Threads: 1, Share: 16}}
	all := cpu.Variants()
	if !slices.Contains(all, baselineName) { // no C compiler: compare with the reference
		list = []Contender{{Engine: reference.Name, Threads: 1, Share: 64}}
	}
	for _, v := range all {
		if v == baselineName {
			continue
		}
		c := Contender{Engine: cpu.Name, Variant: v, Threads: 1}
		if v == "go" {
			c.Share = 16
		}
		list = append(list, c)
	}
	if runtime.GOMAXPROCS(0) > 1 {
		list = append(list, Contender{Engine: cpu.Name, Variant: all[0]})
	}
	return list
}

// Cards stands for all engines of graphics cards that work here.
const Cards = "gpu"

// Contenders returns what there is to compare here: of the named engine, of Cards, or with "" of all that
// work except the reference. Every kernel of an engine appears, the published ones beside each other.
func Contenders(name string, o engine.Options) ([]Contender, error) {
	var list []Contender
	names := append([]string{Cards}, engine.Names()[1:]...)
	var missing []string
	for _, r := range engine.Registered() {
		group := name == "" && r.Kind != engine.Yardstick || name == Cards && r.Kind == engine.Card
		if r.Name != name && !group {
			continue
		}
		ok, why, device := r.Probe(o)
		switch {
		case !ok && group:
			missing = append(missing, r.Name+": "+why)
			continue
		case !ok:
			return nil, problem.New("", "see 'blossom doctor'", "engine %s does not work here: %s", name, why)
		case name == Cards && software(device):
			missing = append(missing, r.Name+": "+device)
			continue
		case r.Name == cpu.Name:
			list = append(list, CPU()...)
			continue
		}
		share := 0
		switch {
		case r.Kind == engine.Yardstick:
			share = 64
		case software(device):
			share = 128 // a graphics card that is none
		}
		for _, v := range variants(r) {
			c := Contender{Engine: r.Name, Share: share, Options: o}
			c.Options.Knn, c.Options.Projection = v[0], v[1]
			list = append(list, c)
		}
	}
	if len(list) == 0 && name == Cards {
		return nil, problem.New("", "see 'blossom doctor'", "no engine of a graphics card works here (%s)",
			strings.Join(missing, "; "))
	}
	if len(list) == 0 {
		return nil, problem.New("", "engines here are "+strings.Join(names, ", "), "there is no engine %q", name)
	}
	// The processor's rows first, among them the plain baseline; then the cards', the fastest last.
	slices.SortStableFunc(list, func(a, b Contender) int {
		return rank(a) - rank(b)
	})
	return list, nil
}

// software says whether what an engine runs on is no card but the processor.
func software(device string) bool {
	return strings.Contains(device, "software") || strings.Contains(device, "llvmpipe")
}

func rank(c Contender) int {
	switch r, _ := engine.Named(c.Engine); {
	case r.Kind != engine.Card:
		return 0
	case r.Kernels == nil:
		return 1
	}
	return 2
}

// variants pairs the kernels of an engine so that each appears at least once: published ones with
// published ones, each of the engine's own with its first partner, and last what the engine chooses.
func variants(r engine.Registration) [][2]string {
	if r.Kernels == nil {
		return [][2]string{{}}
	}
	knn, projection := r.Kernels()
	papersKnn, papersProjection := published(r)
	oldKnn, newKnn := split(knn, papersKnn)
	oldProjection, newProjection := split(projection, papersProjection)
	list := zip(oldKnn, oldProjection)
	if len(list) == 0 {
		newKnn, newProjection = append(newKnn, oldKnn...), append(newProjection, oldProjection...)
	}
	if len(newKnn)+len(newProjection) > 0 {
		list = append(list, zip(or(newKnn, oldKnn), or(newProjection, oldProjection))...)
	}
	return append(list, [2]string{})
}

func or(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return b[:min(1, len(b))]
}

// split parts names into the published ones, the best first, and the rest in their own order.
func split(names, papers []string) (old, own []string) {
	for _, n := range names {
		if place(papers, n) >= 0 {
			old = append(old, n)
		} else {
			own = append(own, n)
		}
	}
	slices.SortStableFunc(old, func(a, b string) int { return place(papers, b) - place(papers, a) })
	return old, own
}

// zip pairs two lists; the shorter one is filled up with its last.
func zip(a, b []string) (list [][2]string) {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	for i := range max(len(a), len(b)) {
		list = append(list, [2]string{a[min(i, len(a)-1)], b[min(i, len(b)-1)]})
	}
	return list
}
