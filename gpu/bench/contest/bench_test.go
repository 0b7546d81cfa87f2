package contest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/gpu/bench/table"
	"blossom/gpu/cpu"
	"blossom/model/work/engine"
)

// laid is the table of rows.
func laid(rows []Row) string {
	var all []any
	for _, r := range rows {
		all = append(all, r)
	}
	return table.Of(Columns, all).Text()
}

func measure(t *testing.T, o Options) []Row {
	t.Helper()
	rows, err := Embed(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestEmbedMeasuresEveryStageOfEveryContender(t *testing.T) {
	o := Options{Shapes: []Shape{{300, 3, 20, 5}}, Repeats: 3, Seed: 1}
	o.Contenders = append(CPU(), Contender{Engine: "reference", Share: 4})
	steps, most := 0, 0
	o.Progress = func(done, total int) {
		if done <= steps || total < done {
			t.Errorf("progress %d of %d after %d", done, total, steps)
		}
		steps, most = done, total
	}
	rows := measure(t, o)
	if steps != most || steps != 3*len(o.Contenders) {
		t.Errorf("progress ended with %d of %d for %d contenders", steps, most, len(o.Contenders))
	}
	if len(rows) != len(Stages)*len(o.Contenders) {
		t.Fatalf("%d rows for %d contenders", len(rows), len(o.Contenders))
	}
	for i, r := range rows {
		if !(r.Median > 0 && r.P05 > 0 && r.P05 <= r.Median && r.Median <= r.P95 && r.Best <= r.P05) ||
			r.Rate*r.Median < 0.999e9 {
			t.Errorf("row %d does not add up: %+v", i, r)
		}
		if first := i%len(o.Contenders) == 0; first != (r.Baseline == "") || !first && !(r.Ratio > 0) {
			t.Errorf("row %d has the baseline %q, ratio %g", i, r.Baseline, r.Ratio)
		}
		if r.Clock != "wall" || r.Repeats != 3 || r.Share != 0 {
			t.Errorf("row %d: %+v", i, r)
		}
		if r.Stage == total && (!(r.MaxErr < 1e-4) || r.RMSErr > r.MaxErr || r.Engine == cpu.Name && r.MaxErr == 0) {
			t.Errorf("row %d has the error %g, %g", i, r.MaxErr, r.RMSErr)
		}
	}
	text, err := json.Marshal(rows[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(
		"bench engine variant n d g k stage ns_per_point points_per_s p05 p95 baseline ratio") {
		if !strings.Contains(string(text), strconv.Quote(field)+":") {
			t.Errorf("the row has no field %q: %s", field, text)
		}
	}
	printed := laid(rows)
	if n := strings.Count(printed, "\n"); n != len(rows)+1 {
		t.Errorf("the table has %d lines for %d rows:\n%s", n, len(rows), printed)
	}
}

func TestACardIsComparedWithThePapersBest(t *testing.T) {
	list, err := Contenders("card", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	loads.Store(0)
	rows := measure(t, Options{Shapes: []Shape{{400, 4, 20, 5}, {400, 4, 25, 6}}, Contenders: list, Repeats: 4,
		Seed: 1})
	// points that a cache could hold take turns, and stay from one shape to the next
	if n := loads.Load(); n != int64(rotated*len(list)) {
		t.Errorf("%d sets of points were loaded for %d contenders", n, len(list))
	}
	find := func(stage, variant string) Row {
		for _, r := range rows {
			if r.Stage == stage && r.Variant == variant {
				return r
			}
		}
		t.Fatalf("no row %s of %s", stage, variant)
		return Row{}
	}
	for _, c := range []struct {
		stage, variant, baseline string
		ns, ratio                float64
	}{
		{near, "tiles + table", Papers + "bitonic", 10, 10},
		{near, "tensor + table", Papers + "bitonic", 5, 20},
		{near, "base + base", Papers + "bitonic", 9000, 1. / 90},
		{project, "tiles + table", Papers + "registers", 2, 25},
		{drag, "tiles + table", Papers + "registers", 2, 25},
		{one, "tiles + table", Papers + "registers", 2, 25},
		{total, "tiles + table", Papers + "bitonic + registers", 12, 150. / 12},
		{total, Papers + "bitonic + registers", "", 150, 0},
		{total, "NVIDIA H200 that is none", Papers + "bitonic + registers", 8, 150. / 8},
	} {
		r := find(c.stage, c.variant)
		if math.Abs(r.Median-c.ns) > 1e-6*c.ns || r.Baseline != c.baseline ||
			math.Abs(r.Ratio-c.ratio) > 1e-6*c.ratio || r.Clock != "device" {
			t.Errorf("%s of %s: %+v", c.stage, c.variant, r)
		}
	}
	if r := find(total, "tiles + table"); !(r.MaxErr < 1e-6) || r.Share == 0 ||
		r.Share != Roof("H200", total, Shape{400, 4, 20, 5})/12 {
		t.Errorf("share %g, error %g", r.Share, r.MaxErr)
	}
	if r := find(total, "gridinsert:32x8 + base"); !(r.MaxErr > 0.001 && r.MaxErr < 0.003 && r.RMSErr < r.MaxErr/10) {
		t.Errorf("a point that is 0.01 off on a map of 5: error %g, rms %g", r.MaxErr, r.RMSErr)
	}
	means := Means(rows)
	i := slices.IndexFunc(means, func(m Mean) bool { return m.Variant == "tiles + table" })
	if i < 0 || means[i].Shapes != 2 || math.Abs(means[i].Ratio-12.5) > 1e-9 || means[i].Baseline != "papers' best" ||
		!(means[i].Share > 0) {
		t.Errorf("means %+v", means)
	}
	if head, table := MeansTable(means, 2, 3); !strings.Contains(head, "over 2 of 3 sizes,") ||
		strings.Count(table.Text(), "\n") != 1+len(means) {
		t.Errorf("the table of means:\n%s\n%s", head, table.Text())
	}
	text := Wide(rows).Markdown()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 2+2*(len(list)+1) || !strings.Contains(text, "| 4, 20, 5 | card: bitonic + registers | 400 |") ||
		!strings.Contains(text, "|  | card: tiles + table | 400 | 100.00 M | 500.00 M | 83.33 M | 4.80 us | 0.800 "+
			"us | 12.5 x |") {
		t.Errorf("the table for a README has %d lines:\n%s", len(lines), text)
	}
	for _, l := range lines {
		if strings.Count(l, "|") != 12 {
			t.Errorf("%d cells in %s", strings.Count(l, "|")-1, l)
		}
	}
	if _, err := json.Marshal(map[string]any{"rows": rows, "means": means}); err != nil {
		t.Error(err)
	}
}

func TestABudgetEndsTheRepetitions(t *testing.T) {
	list := cards("bitonic+registers")
	rows := measure(t, Options{Shapes: []Shape{{100, 2, 9, 4}}, Contenders: list[:1], Budget: time.Nanosecond, Seed: 1})
	if rows[0].Repeats != 3 {
		t.Errorf("without time there were %d repetitions", rows[0].Repeats)
	}
	rows = measure(t, Options{Shapes: []Shape{{100, 2, 9, 4}}, Contenders: list[:1], Seed: 1})
	if rows[0].Repeats != cardRepeats {
		t.Errorf("there were %d repetitions", rows[0].Repeats)
	}
}

func TestAFailedContenderHasARow(t *testing.T) {
	list, err := Contenders("card", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Embed(context.Background(), Options{Shapes: []Shape{{100, 2, 40, 4}, {100, 2, 10, 4}},
		Contenders: list, Repeats: 3, Seed: 1})
	if !errors.Is(err, errBroken) {
		t.Errorf("the failure is not told: %v", err)
	}
	failed, measured := 0, 0
	for _, r := range rows {
		switch {
		case r.Variant == "tensor + table" && r.G == 40:
			failed++
			if r.Failed == "" || r.Median != 0 {
				t.Errorf("%+v", r)
			}
		case r.Variant == "tensor + table":
			measured++
		case r.Failed != "":
			t.Errorf("%+v", r)
		}
	}
	if failed != 1 || measured != len(Stages) {
		t.Errorf("%d rows failed, %d of the same kernel were measured", failed, measured)
	}
	if text := laid(rows); strings.Count(text, "failed: "+errBroken.Error()) != 1 {
		t.Errorf("the table does not say it:\n%s", text)
	}
}

func TestContenders(t *testing.T) {
	list, err := Contenders("", engine.Options{Device: 1})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, c := range list {
		if c.Engine == "card" {
			names = append(names, c.Options.Knn+"+"+c.Options.Projection)
			if c.Options.Device != 1 {
				t.Error("the card is not the chosen one")
			}
		} else if c.Engine != cpu.Name || len(names) > 0 {
			t.Errorf("contender %d is %+v", i, c)
		}
	}
	want := []string{"bitonic+registers", "gridinsert:32x8+base", "base+base", "tiles+table", "tensor+table", "+"}
	if !slices.Equal(names, want) {
		t.Errorf("kernels %q, want %q", names, want)
	}
	if cards, err := Contenders(Cards, engine.Options{}); err != nil || len(cards) != len(want) {
		t.Errorf("%d contenders of cards, %v", len(cards), err)
	}
	for _, name := range []string{"absent", "abacus"} {
		if _, err := Contenders(name, engine.Options{}); err == nil {
			t.Errorf("engine %s gives contenders", name)
		}
	}
	if got := variants(engine.Registration{Published: counted, Kernels: func() ([]string, []string) {
		return []string{"base"},
			[]string{"table"}
	}}); !slices.Equal(got, [][2]string{{"base", "table"}, {}}) {
		t.Errorf("one published kernel and one that is not: %q", got)
	}
}

// The numbers of the table that the roof was derived in, in us per 2^20 points.
func TestRoof(t *testing.T) {
	for i, want := range []float64{107, 208, 833} {
		if got := Roof("NVIDIA H200", total, Shapes(1 << 20)[i]) * (1 << 20) / 1e3; math.Abs(got-want) > 1 {
			t.Errorf("roof %d is %.1f us, want %.0f", i, got, want)
		}
	}
	if Roof("NVIDIA H200", one, Shapes(1)[0]) != 0 || Roof("llvmpipe", total, Shapes(1)[0]) != 0 {
		t.Error("there is a roof where none is known")
	}
}

func TestGridIsThePapers(t *testing.T) {
	g := Grid(1 << 20)
	if len(g) != 80 || g[0] != (Shape{1 << 20, 4, 128, 7}) || g[79] != (Shape{1 << 20, 64, 1024, 63}) {
		t.Errorf("%d sizes from %v to %v", len(g), g[0], g[len(g)-1])
	}
}

func TestDataIsTheSameOnEveryMachine(t *testing.T) {
	for _, data := range []string{Uniform, Clustered} {
		a, b := newSets(Options{Data: data, Seed: 5}), newSets(Options{Data: data, Seed: 5})
		a.shape(Shape{20_000, 7, 30, 5})
		b.shape(Shape{20_000, 7, 30, 5})
		if !slices.Equal(a.get(1).Data, b.get(1).Data) || slices.Equal(a.get(0).Data, a.get(1).Data) {
			t.Errorf("%s: sets should differ from each other, and not from run to run", data)
		}
		if !slices.Equal(a.base.Codebook.Data, b.base.Codebook.Data) || !(a.spread > 0.1 && a.spread < 10) {
			t.Errorf("%s: landmarks differ, or the spread is %g", data, a.spread)
		}
		l := a.trained(a.base)
		var most float64
		for i, v := range l.Codebook.Data {
			most = max(most, math.Abs(float64(v-a.base.Codebook.Data[i])))
		}
		if !(most > 0.005*a.spread && most < 0.06*a.spread) || l.CodeRev == a.base.CodeRev ||
			l.PosRev != a.base.PosRev {
			t.Errorf("%s: a step of training moves landmarks by up to %g of a spread of %g", data, most, a.spread)
		}
		if m := a.dragged(l, 3); m.Pos.Data[6] == l.Pos.Data[6] || m.Pos.Data[7] != l.Pos.Data[7] ||
			m.PosRev == l.PosRev || m.CodeRev != l.CodeRev {
			t.Errorf("%s: a drag is not one", data)
		}
	}
}

func TestEmbedStopsAndRefuses(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Embed(ctx, Options{Shapes: Shapes(100)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	bad := []Options{
		{Shapes: []Shape{{0, 1, 1, 1}}},
		{Shapes: Shapes(100), Contenders: []Contender{{Engine: "abacus"}}},
		{Shapes: Shapes(100), Contenders: []Contender{{Engine: cpu.Name, Variant: "abacus"}}},
		{Shapes: Shapes(100), Data: "made up"},
	}
	for i, o := range bad {
		if _, err := Embed(context.Background(), o); err == nil {
			t.Errorf("wrong options %d are accepted", i)
		}
	}
}

// BLOSSOM_BENCH=n prints the table of the published shapes at n points.
func TestPrintTable(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("BLOSSOM_BENCH"))
	if err != nil {
		t.Skip("BLOSSOM_BENCH is not set to a number of points")
	}
	rows, err := Embed(context.Background(), Options{Shapes: Shapes(n), Repeats: 7, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + laid(rows))
}
