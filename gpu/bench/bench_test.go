package bench

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"blossom/gpu/cpu"
	_ "blossom/gpu/reference"
)

func TestEmbedMeasuresEveryStageOfEveryContender(t *testing.T) {
	o := Options{Shapes: []Shape{{300, 3, 20, 5}}, Repeats: 3, Seed: 1}
	o.Contenders = append(CPU(), Contender{Engine: "reference", Share: 4})
	steps := 0
	o.Progress = func(done, total int) {
		steps++
		if done != steps || total != 3*len(o.Contenders) {
			t.Errorf("progress %d of %d at step %d", done, total, steps)
		}
	}
	rows, err := Embed(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4*len(o.Contenders) {
		t.Fatalf("%d rows for %d contenders", len(rows), len(o.Contenders))
	}
	for i, r := range rows {
		if !(r.Median > 0 && r.P05 > 0 && r.P05 <= r.Median && r.Median <= r.P95 && r.Best <= r.P05) || r.Rate*r.Median < 0.999e9 {
			t.Errorf("row %d does not add up: %+v", i, r)
		}
		if first := i%len(o.Contenders) == 0; first != (r.Baseline == "") || !first && !(r.Ratio > 0) {
			t.Errorf("row %d has the baseline %q, ratio %g", i, r.Baseline, r.Ratio)
		}
	}
	text, err := json.Marshal(rows[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields("bench engine variant n d g k stage ns_per_point points_per_s p05 p95 baseline ratio") {
		if !strings.Contains(string(text), strconv.Quote(field)+":") {
			t.Errorf("the row has no field %q: %s", field, text)
		}
	}
	table := Table(rows)
	if n := strings.Count(table, "\n"); n != len(rows)+2 {
		t.Errorf("the table has %d lines for %d rows:\n%s", n, len(rows), table)
	}
}

func TestEmbedStopsAndRefuses(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Embed(ctx, Options{Shapes: Shapes(100)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Embed(context.Background(), Options{Shapes: []Shape{{0, 1, 1, 1}}}); err == nil {
		t.Error("no points are accepted")
	}
	if _, err := Embed(context.Background(), Options{Shapes: Shapes(100), Contenders: []Contender{{Engine: "abacus"}}}); err == nil {
		t.Error("an unknown engine is accepted")
	}
	if _, err := Embed(context.Background(), Options{Shapes: Shapes(100), Contenders: []Contender{{Engine: cpu.Name, Variant: "abacus"}}}); err == nil {
		t.Error("an unknown variant is accepted")
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
	t.Log("\n" + Table(rows))
}
