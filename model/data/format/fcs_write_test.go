package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"

	"pgregory.net/rapid"
)

func TestFCSRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		d := rapid.IntRange(1, 5).Draw(t, "d")
		cols := make([]dataset.Column, d)
		name := rapid.StringMatching(`[A-Za-z0-9/\\|,\-. é]{0,8}[a-z]`)
		for j := range cols {
			cols[j].Name = fmt.Sprintf("%s%d", name.Draw(t, "name"), j)
			cols[j].Label = name.Draw(t, "label")
			cols[j].Values = rapid.SliceOfN(rapid.Float32(), n, n).Draw(t, "v")
			if rapid.Bool().Draw(t, "log") {
				cols[j].Log = &dataset.LogScale{Decades: 4, Offset: 1, Range: 1024}
				cols[j].Range = 1024
			}
		}
		cols[d-1].Gain = 3
		ds, err := dataset.FromColumns(ctx, "x", cols)
		if err != nil {
			t.Fatal(err)
		}
		ds.Metadata = map[string]string{"$DATE": "01-JAN-2020", "note": name.Draw(t, "note"), "$TOT": "wrong",
			"$P1N": "wrong", "empty": ""}
		ds.Spillover = &dataset.Spillover{Names: []string{cols[0].Name}, M: [][]float64{{1}}}
		var b bytes.Buffer
		if err := writeFCS(ctx, &b, ds, func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		back, err := readBytes(b.Bytes(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for j := range cols {
			got := &back.Columns[j]
			if got.Name != strings.TrimSpace(strings.ReplaceAll(cols[j].Name, ",", "_")) ||
				got.Label != strings.TrimSpace(cols[j].Label) || !same(got.Values, cols[j].Values) {
				t.Fatalf("%q %q, want %q %q", got.Name, got.Label, cols[j].Name, cols[j].Label)
			}
			if (got.Log == nil) != (cols[j].Log == nil) || got.Log != nil && *got.Log != *cols[j].Log {
				t.Fatalf("%+v, want %+v", got.Log, cols[j].Log)
			}
		}
		if back.Points != n || back.Columns[d-1].Gain != 3 || back.Metadata["$DATE"] != "01-JAN-2020" ||
			back.Metadata["note"] != strings.TrimSpace(ds.Metadata["note"]) ||
			back.Spillover == nil || back.Spillover.Names[0] != back.Columns[0].Name {
			t.Fatalf("%q %+v", back.Metadata, back.Spillover)
		}
		if want := "their gain ($PnG) is not divided out"; n > 0 &&
			(len(back.Warnings) != 1 || !strings.Contains(back.Warnings[0], want)) {
			t.Fatalf("%q", back.Warnings)
		}
	})
}

// Voltage and display of a column go with it to its new place; what has another scale or antigen now, or is gone, has
// none of them.
func TestKeywordsOfColumnsGoWithThem(t *testing.T) {
	ds, err := dataset.FromColumns(ctx, "x", []dataset.Column{
		{Name: "new", Values: []float32{1, 2}}, {Name: "PE-A", Label: "CD3", Range: 1024, Values: []float32{3, 4}},
		{Name: "FITC-A", Values: []float32{5, 6}}, {Name: "APC-A", Label: "CD8", Range: 1024, Values: []float32{7, 8}}})
	if err != nil {
		t.Fatal(err)
	}
	ds.Metadata = map[string]string{"$P1N": "FITC-A", "$P1V": "100", "$P2N": "gone", "$P2V": "200", "$P3N": "PE-A",
		"$p3s": "CD3", "$P3V": "300", "P3DISPLAY": "LOG", "$P3G": "9", "$P3R": "7", "$P3DATATYPE": "D", "$P4N": "APC-A",
		"$P4S": "CD4", "$P4V": "400"}
	var b bytes.Buffer
	if err := writeFCS(ctx, &b, ds, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	back, err := readBytes(b.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := back.Metadata
	if m["$P2V"] != "300" || m["P2DISPLAY"] != "LOG" || m["$P2R"] != "1024" || m["$P2G"] != "" {
		t.Errorf("%q", m)
	}
	for k := range m {
		if strings.HasSuffix(k, "V") && strings.HasPrefix(k, "$P") && k != "$P2V" || strings.HasSuffix(k, "DATATYPE") &&
			k != "$DATATYPE" {
			t.Errorf("%s is carried", k)
		}
	}
}

func TestFCSLabelsSurvive(t *testing.T) {
	ds, err := dataset.FromColumns(ctx, "x", []dataset.Column{
		{Name: "population", Categories: []string{"T, naive", `B "1"`, "N|K/"}, Values: []float32{2, 0, nan32, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := writeFCS(ctx, &b, ds, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	back, err := readBytes(b.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := back.Columns[0]
	if !slices.Equal(c.Categories, ds.Columns[0].Categories) || !same(c.Values, ds.Columns[0].Values) ||
		c.Role != dataset.Label {
		t.Errorf("%+v", c)
	}
}

// Beyond 99,999,999 bytes the header cannot say where the data end.
func TestFCSHeaderOfLargeFile(t *testing.T) {
	if testing.Short() {
		t.Skip("long: 100 MB on one goroutine")
	}
	n := 26_000_000
	ds := &dataset.Dataset{Points: n, Columns: []dataset.Column{{Name: "x", Values: make([]float32, n)}}}
	ds.Columns[0].Values[n-1] = 7
	f, err := newTemp(t)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeFCS(ctx, f, ds, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	head, _ := readHead(f.Name())
	if strings.TrimSpace(string(head[26:34])) != "0" || strings.TrimSpace(string(head[34:42])) != "0" {
		t.Errorf("header %q", head[:58])
	}
	back, err := Open(ctx, f.Name(), Options{MaxPoints: n, Sample: "random"})
	if err != nil {
		t.Fatal(err)
	}
	if back.Points != n || back.Columns[0].Values[n-1] != 7 || len(back.Warnings) > 0 {
		t.Errorf("%d points, last %v, %q", back.Points, back.Columns[0].Values[n-1], back.Warnings)
	}
}
