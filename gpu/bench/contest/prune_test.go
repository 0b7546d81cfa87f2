package contest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/work/engine"
)

// cards are contenders of the card that is none, by their kernels.
func cards(kernels ...string) (list []Contender) {
	for _, k := range kernels {
		knn, projection, _ := strings.Cut(k, "+")
		list = append(list, Contender{Engine: "card", Options: engine.Options{Knn: knn, Projection: projection}})
	}
	return list
}

// A published kernel that is far from the best of its stage is measured once: where its points were there
// before, and its first run is long enough, by that run.
func TestPublishedKernelsFarFromTheBestAreMeasuredOnce(t *testing.T) {
	const n, repeats = 3000, 5
	list := cards("bitonic+base", "base+registers", "tiles+table")
	clear(asked)
	rows := measure(t, Options{Shapes: []Shape{{n, 2, 9, 4}, {n, 2, 12, 4}}, Contenders: list, Repeats: repeats,
		Prune: true, Seed: 1})
	want := map[string][]int{ // repetitions by stage; 0: no row
		"bitonic + base":               {repeats, 1, 0, 0, 1},
		"base + registers":             {1, repeats, repeats, repeats, 1},
		"tiles + table":                {repeats, repeats, repeats, repeats, repeats},
		Papers + "bitonic + registers": {0, 0, 0, 0, repeats},
	}
	for _, size := range Sizes(rows) {
		for variant, repeats := range want {
			for i, stage := range Stages {
				got := 0
				for _, r := range size {
					if r.Variant == variant && r.Stage == stage {
						got = r.Repeats
					}
				}
				if got != repeats[i] {
					t.Errorf("g %d: %s of %s was measured %d times, want %d", size[0].G, stage, variant, got,
						repeats[i])
				}
			}
		}
		for _, r := range size {
			if r.Variant == "base + registers" && r.Stage == total && math.Abs(r.Median-9050) > 1e-6 {
				t.Errorf("both stages of the slow kernel take %g ns", r.Median)
			}
			if r.Variant == "tiles + table" && r.Stage == total &&
				(r.Baseline != Papers+"bitonic + registers" || math.Abs(r.Ratio-12.5) > 1e-9) {
				t.Errorf("%+v", r)
			}
		}
	}
	// The slow kernel: when points are new every set that is used once, and a measurement; then one run.
	if got := asked["base"]; got != 3*n {
		t.Errorf("the slow kernel was asked for %d points, want %d", got, 3*n)
	}
	// The best: a first run of each set, of the second size with few points for all but one of them; and what is
	// measured.
	if got, least := asked["bitonic"], (rotated+1+2*repeats)*n; got < least || got >= least+2*(rotated-1)*warmPoints {
		t.Errorf("the best kernel was asked for %d points, want %d and few more", got, least)
	}
}

func TestAFirstRunThatIsSlowDecidesNothing(t *testing.T) {
	rows := measure(t, Options{Shapes: []Shape{{1000, 2, 9, 4}, {1000, 2, 12, 4}},
		Contenders: cards("bitonic+registers", "shared+registers"),
		Repeats:    5, Prune: true, Seed: 1})
	found := 0
	for _, r := range rows {
		if r.Stage == near && r.Variant == "shared + registers" {
			found++
			if r.Repeats != 5 || math.Abs(r.Median-110) > 1e-6 {
				t.Errorf("g %d: %+v", r.G, r)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d rows", found)
	}
}

func TestPointsAreLoadedOncePerDimension(t *testing.T) {
	loads.Store(0)
	shapes := []Shape{{200, 3, 9, 4}, {200, 3, 12, 4}, {200, 3, 9, 5}, {200, 5, 9, 4}, {200, 5, 12, 4}}
	measure(t, Options{Shapes: shapes, Contenders: cards("bitonic+registers", "tiles+table"), Repeats: 3, Seed: 1})
	if n := loads.Load(); n != 2*2*rotated {
		t.Errorf("%d loads for 2 contenders and 2 dimensions", n)
	}
	for i, sh := range Grid(100)[1:] {
		if sh.D < Grid(100)[i].D {
			t.Fatal("the grid comes back to points that it has left")
		}
	}
}

// The rows of a size are there as soon as it is done, and stay when the next one is cancelled.
func TestSizesAreToldAsTheyAreDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var told []Row
	sizes := 0
	o := Options{Shapes: []Shape{{200, 3, 9, 4}, {200, 3, 12, 4}, {200, 3, 16, 4}},
		Contenders: cards("bitonic+registers", "tiles+table", "tensor+table"),
		Repeats:    3, Seed: 1}
	o.Each = func(rows []Row) {
		if sizes++; sizes == 2 {
			cancel()
		}
		if len(Sizes(rows)) != 1 || rows[0].G != o.Shapes[sizes-1].G || len(Means(rows)) != 3 {
			t.Errorf("size %d: %+v", sizes, rows)
		}
		told = append(told, rows...)
	}
	rows, err := Embed(ctx, o)
	if !errors.Is(err, context.Canceled) || sizes != 2 || !slices.Equal(rows, told) {
		t.Errorf("%d sizes of %d rows, %d told: %v", sizes, len(rows), len(told), err)
	}
}

// An engine that leaves positions as they are is not judged by those of the one before it.
func TestAnEngineThatWritesNothingFails(t *testing.T) {
	rows, err := Embed(context.Background(), Options{Shapes: []Shape{{200, 3, 9, 4}},
		Contenders: cards("tiles+table", "mute+table"), Repeats: 3, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "mute + table gives positions that are no numbers") {
		t.Errorf("%v", err)
	}
	for _, r := range rows {
		if (r.Failed != "") != (r.Variant == "mute + table") {
			t.Errorf("%+v", r)
		}
	}
}

func TestCompact(t *testing.T) {
	shapes := []Shape{{400, 4, 20, 5}, {400, 4, 40, 5}}
	list := append(CPU()[:1], cards("bitonic+registers", "base+base", "tensor+table", "+")...)
	rows, _ := Embed(context.Background(), Options{Shapes: shapes, Contenders: list, Repeats: 3, Prune: true,
		Seed: 1}) // tensor fails with 40
	want := `| d, g, k | papers' best, ms | card, ms | ratio |
| --- | --- | --- | --- |
| 4, 20, 5 | 0.0600 (bitonic + registers) | 0.0032 | 18.8 x |
| 4, 40, 5 | 0.0600 (bitonic + registers) | 0.0032 | 18.8 x |
`
	if text := Compact(rows).Markdown(); text != want {
		t.Errorf("of a card:\n%s", text)
	}
	// without the papers every variant has its columns; those that failed or were not there have no time
	rows, _ = Embed(context.Background(), Options{Shapes: shapes, Contenders: cards("tiles+table", "tensor+table"),
		Repeats: 3, Seed: 1})
	rows = slices.DeleteFunc(rows, func(r Row) bool { return r.G == 20 && r.Variant == "tiles + table" })
	lines := strings.Split(Compact(rows).Markdown(), "\n")
	for i, l := range []string{"d, g, k | card: tensor + table, ms | card: tiles + table, ms |", "",
		"4, 20, 5 | 0.0028 |  |", "4, 40, 5 | failed | 0.0048"} {
		if !strings.HasPrefix(lines[i], "| "+l) {
			t.Errorf("without the papers, line %d: %s", i, lines[i])
		}
	}
}

func TestSizesOfMeans(t *testing.T) {
	means := []Mean{{Engine: "card", Variant: "a", Baseline: "b", Shapes: 2, Ratio: 3, Least: 2, Most: 4}}
	for _, c := range []struct {
		sizes, of int
		want      string
	}{{50, 80, "over 50 of 80 sizes,"}, {80, 80, "over 80 sizes,"}, {3, 0, "over 3 sizes,"}} {
		if head, _ := MeansTable(means, c.sizes, c.of); !strings.Contains(head, c.want) {
			t.Errorf("%d of %d: %s", c.sizes, c.of, head)
		}
	}
}
