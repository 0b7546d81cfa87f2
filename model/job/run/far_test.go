package run

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// Landmarks and points near 1e9 that differ by units are apart on the map as they are near 0, though float32 has one
// number for all of them; some of the rows fall where they fall among all.
func TestLandmarksFarFromZero(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	write := func(name string, rows [][]float64, add float64) string {
		var text strings.Builder
		for _, row := range rows {
			fmt.Fprintf(&text, "%.10g,%.14g\n", row[0], row[1]+add)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var points, places [][]float64
	for i := range 60 { // quarters, which float64 has exactly near 1e9 too
		points = append(points, []float64{float64(r.IntN(40)) / 4, float64(r.IntN(40)) / 4})
		if i < 16 {
			places = append(places, []float64{float64(i % 4), float64(i / 4)})
		}
	}
	s := Defaults()
	s.Params.K = 6
	s.Origin.LandmarksLD = write("ld.csv", places, 0)
	at := func(name string, rows [][]float64, add float64) []float32 {
		s.Origin.LandmarksHD = write("hd.csv", points[:16], add)
		return embed(t, s, write(name, rows, add)).InRows()
	}
	near, far := at("near.csv", points, 0), at("far.csv", points, 1e9)
	for i := range near {
		if d := near[i] - far[i]; !(d < 1e-3 && d > -1e-3) {
			t.Fatalf("point %d: %g near 0, %g near 1e9", i/2, near[i], far[i])
		}
	}
	if some := at("some.csv", points[7:31], 1e9); !slices.Equal(some, far[14:62]) {
		t.Error("some rows fall elsewhere than among all")
	}
}

// A mix is worked out once for all columns that are written, not once for each of them.
func TestManyDetectorsAreCompensatedAtOnce(t *testing.T) {
	const detectors = 250
	columns := make([]dataset.Column, detectors)
	spill := dataset.Spillover{Keyword: "$SPILLOVER"}
	for i := range columns {
		columns[i] = dataset.Column{Name: fmt.Sprint("D", i), Values: []float32{float32(i), 2, 3}}
		row := make([]float64, detectors)
		row[i], row[(i+1)%detectors] = 1, 0.1
		spill.Names, spill.M = append(spill.Names, columns[i].Name), append(spill.M, row)
	}
	ds, err := dataset.FromColumns(t.Context(), "d", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &spill
	s := Defaults()
	s.Space.Compensation = CompensationFile
	mix, _ := transform.Compensation(ds, &spill)
	// bytes are those that doing something takes: a matrix of these detectors is most of them.
	bytes := func(do func()) (n uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	var want *dataset.Column
	var got *dataset.Dataset
	one := bytes(func() {
		want = transform.Mixed(ds, transform.Spec{Columns: make([]transform.Column, detectors),
			Mixes: []transform.Mix{mix}}, 7)
	})
	all := bytes(func() { got, err = s.Space.Table(t.Context(), ds) })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Columns[7].Values, want.Values) {
		t.Fatal("the values are others")
	}
	if all > 60*one { // once for each column it would be 250
		t.Errorf("one column takes %d bytes, all of them %d", one, all)
	}
}
