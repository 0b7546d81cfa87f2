package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tableOf makes a table of n points, a column for each function of the row.
func tableOf(t *testing.T, n int, columns map[string]func(i int) float64) *Dataset {
	t.Helper()
	var cols []Column
	for name, f := range columns {
		name, label, _ := strings.Cut(name, "|")
		c := Column{Name: name, Label: label}
		for i := range n {
			c.Values = append(c.Values, float32(f(i)))
		}
		cols = append(cols, c)
	}
	slices.SortFunc(cols, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	ds, err := FromColumns(t.Context(), "table", cols)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// Counters, identifiers and dates are known by their values, under any name or none, and measurements are not
// taken for them.
func TestCountersAndIdentifiers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 2000
	some, up, umi := rng.Perm(10 * n)[:n], rng.Perm(n), make([]float64, n)
	slices.Sort(some)
	for i := range umi {
		umi[i] = math.Round(500 * math.Exp(4.6*rng.Float64()*rng.Float64()))
	}
	sorted := slices.Sorted(slices.Values(umi))
	far := make([]float64, n) // without ties, sorted: as a table of areas by size
	for i := range far {
		far[i] = math.Round(1000 * math.Exp(float64(i)*0.005))
	}
	roles := map[string]Role{}
	columns := map[string]func(i int) float64{}
	add := func(name string, want Role, f func(i int) float64) { roles[name], columns[name] = want, f }
	add("c1", Index, func(i int) float64 { return float64(i) }) // names of a matrix without any
	add("n", Index, func(i int) float64 { return float64(i + 1) })
	add("kept", Index, func(i int) float64 { return float64(some[i]) })
	add("shuffled", Index, func(i int) float64 { return float64(up[i] + 1) })
	add("when", Index, func(i int) float64 { return 1.7e9 + float64(i/7*256) })
	add("stamp", Index, func(i int) float64 { return math.Round(1.0e9 + 1e7*rng.Float64()) })
	add("same", Ignored, func(int) float64 { return 7 })
	// Measured:
	add("UMI", Marker, func(i int) float64 { return umi[i] })
	add("by size", Marker, func(i int) float64 { return far[i] })
	add("sorted", Marker, func(i int) float64 { return sorted[i] })
	add("CD3", Marker, func(i int) float64 { return float64(i) }) // it says what it is
	add("curve", Marker, func(i int) float64 { return float64(i) / 10 })
	add("level", Marker, func(i int) float64 { return float64(i / 2) })
	add("c2", Marker, func(int) float64 { return 3 })
	add("intensity", Marker, func(int) float64 { return math.Round(1e9 * rng.Float64()) })
	ds := tableOf(t, n, columns)
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Role != roles[c.Name] || (c.Why == "") != (c.Role == Marker) {
			t.Errorf("%s is %s (%s), want %s", c.Name, c.Role, c.Why, roles[c.Name])
		}
	}
	cols, err := ds.MapColumns("", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"n (counts up from 1 to 2000)", "shuffled (has each number from 1 to 2000 once)",
		"same (constant)", "stamp (whole numbers about 1e+09, as identifiers"} {
		if got := ds.LeftOut(cols, false); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

// Dyes of dead cells and detectors without an antigen stay out of a map of cells, where others have one.
func TestViabilityAndUnlabelledDetectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	random := func(int) float64 { return 100 * rng.NormFloat64() }
	check := func(n int, roles map[string]Role) {
		t.Helper()
		columns := map[string]func(int) float64{}
		for name := range roles {
			columns[name] = random
		}
		ds := tableOf(t, n, columns)
		for name, want := range roles {
			name, label, _ := strings.Cut(name, "|")
			for i := range ds.Columns {
				if c := &ds.Columns[i]; c.Name == name && c.Role != want {
					t.Errorf("%s %s is %s (%s), want %s", name, label, c.Role, c.Why, want)
				}
			}
		}
	}
	check(100, map[string]Role{"FSC-A": Scatter, "Time": Time, "FITC-A|CD3": Marker, "PE-A|CD19": Marker,
		"AmCyan-A|l/d": Viability, "Qdot 605-A": Unlabelled, "APC-A|APC-A": Unlabelled, "GFP-A": Marker,
		"V450-A|VIVID / CD14": Viability, "V500-A|Aqua": Viability, "DAPI-A|CD8": Marker, "UV-A|DAPI": Viability,
		"BV510-A|LIVE/DEAD Aqua": Viability, "APC-Cy7-A|Zombie NIR": Viability,
		"BV421-A|IgD": Marker, "PE-Cy5-A|CD4": Marker, "7-AAD-A": Viability, "Width": Scatter})
	check(100, map[string]Role{"Event_length": Scatter, "Nd143Di|143Nd_CD4": Marker, "Yb176Di|176Yb_CD56": Marker,
		"Pt195Di|195Pt_Cisplatin": Viability, "Rh103Di|103Rh": Unlabelled, "Xe131Di": Unlabelled, "Center": Scatter,
		"Offset": Scatter, "Residual": Scatter})
	// Where nobody has a name, nobody lacks one; and a table of no cells has no dyes.
	check(100, map[string]Role{"FSC-A": Scatter, "FL1": Marker, "FL2": Marker, "B1-A|B1-A": Marker})
	check(100, map[string]Role{"viability": Marker, "dead": Marker, "width": Marker, "offset": Marker})
}

// A column computed from the others stays out of a map of them, where enough of those are left.
func TestRolesOfComputedColumns(t *testing.T) {
	values := func(int) float64 { return rand.NormFloat64() }
	roles := func(names ...string) map[string]Role {
		columns := map[string]func(int) float64{}
		for _, name := range names {
			columns[name] = values
		}
		ds, out := tableOf(t, 50, columns), map[string]Role{}
		for _, c := range ds.Columns {
			out[c.Name] = c.Role
		}
		return out
	}
	found := map[Role][]string{
		Placed: {"UMAP_1", "umap2", "X_umap-2", "tSNE 1", "t-SNE_2", "embedsom1", "viSNE1", "UMAP.x"},
		Quality: {"nCount_RNA", "nFeature_RNA", "percent.mt", "n_genes_by_counts", "total_counts_mt", "pct_counts_ribo",
			"log1p_total_counts", "doublet_score", "nUMI", "n_counts"},
		Marker: {"CD3", "CD4", "CD8", "PC_1", "x", "y", "UMI", "MTOR", "percentage", "count", "SNE", "umapped"},
	}
	all := roles(slices.Concat(found[Placed], found[Quality], found[Marker])...)
	for role, names := range found {
		for _, name := range names {
			if all[name] != role {
				t.Errorf("%s is %s, want %s", name, all[name], role)
			}
		}
	}
	for name, role := range roles("UMAP_1", "UMAP_2", "CD3", "CD4") {
		if role != Marker {
			t.Errorf("with nothing much beside it %s is %s", name, role)
		}
	}
}

// Real files: which columns make the map.
func TestRolesSayWhy(t *testing.T) {
	for r := Marker; r <= Quality; r++ {
		c := Column{Name: "x"}
		c.SetRole(r)
		if c.Role != r || r != Marker && c.Why == "" || fmt.Sprint(r) == "" {
			t.Errorf("role %d: %+v", r, c)
		}
	}
}
