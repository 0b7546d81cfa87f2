package enginetest

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/work/engine"
)

// part is a test of a suite. It has an engine to itself.
type part struct {
	name string
	run  func(*suite)
}

// projection is the suite of embedsom.Device and engine.Resident, which every engine passes.
var projection = []part{
	{"Oracle", exactly}, {"Random", random}, {"Sizes", sizes}, {"Edges", edges}, {"Outlier", outlier},
	{"Properties", properties}, {"Bits", bits}, {"Contract", contract}, {"Positions", positions}, {"Target", target},
	{"Memory", memory}, {"Ranges", ranges},
}

// suites are those of the interfaces of engine.Caps, by field: a field without one fails every engine.
var suites = map[string][]part{
	"Async":    {{"Async", async}},
	"Searcher": {{"Search", search}},
	"Summer":   {{"Sum", sum}, {"Smooth", smooth}},
	"Linkage":  {{"Linkage", hierarchies}, {"LinkageAnswers", hierarchyAnswers}},
	"TSNE": {{"Forces", tsneForces}, {"TSNEBits", tsneBits}, {"Held", tsneHeld}, {"Odd", tsneOdd}, {"Far", tsneFar},
		{"Ends", tsneEnds}, {"Answers", tsneAnswers}, {"TSNERandom", tsneRandom}},
	"UMAP": {{"UMAPSteps", ofUMAP(umaps.steps)}, {"UMAPBits", ofUMAP(umaps.bits)}, {"UMAPHeld", ofUMAP(umaps.held)},
		{"UMAPHalted", ofUMAP(umaps.halted)},
		{"UMAPRandom", ofUMAP(umaps.random)}},

	"Neighbours": {{"Neighbours", nearestOthers}},
	"Joiner":     {{"Joins", ofJoints(joints.union)}, {"JoinsAffinities", ofJoints(joints.affinities)}},
}

// Run checks an engine: the projection, and each interface that it offers, but not the parts without which it is asked
// for. Random inputs are drawn from a seed that is logged.
func Run(t *testing.T, open Open, without ...string) {
	t.Logf("BLOSSOM_SEED=%d", seed())
	all := append([]part{}, projection...)
	t.Run("Caps", func(t *testing.T) { all = append(all, offered(t, open)...) })
	for _, p := range all {
		if slices.Contains(without, p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			e, err := open()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { // after points that a part holds until it ends
				if err := e.Close(); err != nil {
					t.Error("Close:", err)
				}
			})
			s := &suite{T: t, engine: e, rng: rand.New(rand.NewPCG(seed(), 1))}
			p.run(s)
			if why := s.few.fails(); why != "" {
				t.Error(why)
			}
		})
	}
}

// offered returns the tests of what the engine offers. What it could do must be said.
func offered(t *testing.T, open Open) (parts []part) {
	e, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	res, err := e.Load(t.Context(), matrix.New(3, 2))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Free()
	caps := res.Caps()
	if again := res.Caps(); again != caps {
		t.Errorf("it offers %+v, and then %+v", caps, again)
	}
	for _, f := range interfaces(caps) {
		name, field := f.name, f.value
		tests, known := suites[name]
		switch {
		case !known:
			t.Errorf("engine.Caps.%s has no suite", name)
		case !field.IsNil():
			parts = append(parts, tests...)
		case reflect.TypeOf(res).Implements(field.Type()):
			t.Errorf("it has the methods of engine.Caps.%s and does not offer it", name)
		}
	}
	return parts
}

// field is one of Caps.
type field struct {
	name  string
	value reflect.Value
}

// interfaces returns the fields of Caps that are interfaces.
func interfaces(c engine.Caps) (all []field) {
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Interface {
			all = append(all, field{v.Type().Field(i).Name, f})
		}
	}
	return all
}
