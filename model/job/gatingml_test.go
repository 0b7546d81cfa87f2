package job

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"gonum.org/v1/gonum/mat"
)

// element is any element of a file of gates.
type element struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Inner   []element  `xml:",any"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e *element) all(name string) (out []*element) {
	for i := range e.Inner {
		if e.Inner[i].XMLName.Local == name {
			out = append(out, &e.Inner[i])
		}
	}
	return out
}

func float(text string, none float64) float64 {
	x := none
	_, _ = fmt.Sscan(text, &x)
	return x
}

// logicle halves an interval until it has the root of the biexponential, as Gating-ML 2.0 defines both.
func logicle(x, T, W, M, A float64) float64 {
	w, x2, b := W/(M+A), A/(M+A), (M+A)*math.Ln10
	x1, x0 := x2+w, x2+2*w
	d, far := 0.0, b
	for range 100 {
		if at := (d + far) / 2; 2*(math.Log(at)-math.Log(b))+w*(at+b) < 0 {
			d = at
		} else {
			far = at
		}
	}
	c := math.Exp(x0 * (b + d))
	f := math.Exp(b*x1) - c*math.Exp(-d*x1)
	a := T / (math.Exp(b) - f - c*math.Exp(-d))
	low, high := x1, x1+10
	for range 100 {
		if y := (low + high) / 2; a*(math.Exp(b*y)-c*math.Exp(-d*y)-f) < math.Abs(x) {
			low = y
		} else {
			high = y
		}
	}
	return x1 + math.Copysign(low-x1, x)
}

// gates evaluates Gating-ML as its paper says, on the raw values of a file, and knows nothing of populations.
type gates struct {
	t      *testing.T
	file   element
	raw    *dataset.Dataset
	values map[string][]float64
	in     map[string][]bool
}

// column is the values of a dimension: compensated by the matrix that it names, on the scale that it names.
func (g *gates) column(d *element) []float64 {
	name := d.all("fcs-dimension")[0].attr("name")
	matrix, scale := d.attr("compensation-ref"), d.attr("transformation-ref")
	key := name + "|" + matrix + "|" + scale
	if v := g.values[key]; v != nil {
		return v
	}
	out := make([]float64, g.raw.Points)
	at := g.raw.Places()
	if matrix == "uncompensated" {
		for row := range out {
			out[row] = g.raw.Columns[at[name]].At(row)
		}
	} else {
		for _, m := range g.file.all("spectrumMatrix") {
			detectors := m.all("detectors")[0].all("fcs-dimension")
			dyes, n := m.all("fluorochromes")[0].all("fcs-dimension"), len(detectors)
			s := mat.NewDense(n, n, nil)
			for i, row := range m.all("spectrum") {
				for j, c := range row.all("coefficient") {
					s.Set(i, j, float(c.attr("value"), math.NaN()))
				}
			}
			var inverse mat.Dense
			if err := inverse.Inverse(s); err != nil || m.attr("id") != matrix {
				g.t.Fatal(err, matrix)
			}
			for k, dye := range dyes {
				for row := range out {
					for j, detector := range detectors {
						if dye.attr("name") == name {
							out[row] += g.raw.Columns[at[detector.attr("name")]].At(row) * inverse.At(j, k)
						}
					}
				}
			}
		}
	}
	for _, s := range g.file.all("transformation") {
		if scale != s.attr("id") {
			continue
		}
		f := s.Inner[0]
		T, M, A := float(f.attr("T"), 0), float(f.attr("M"), 0), float(f.attr("A"), 0)
		for row, x := range out {
			switch f.XMLName.Local {
			case "fasinh":
				out[row] = (math.Asinh(x*math.Sinh(M*math.Ln10)/T) + A*math.Ln10) / ((M + A) * math.Ln10)
			case "flog":
				out[row] = math.Log10(x/T)/M + 1
			case "logicle":
				out[row] = logicle(x, T, float(f.attr("W"), 0), M, A)
			default:
				g.t.Fatal(f.XMLName)
			}
		}
	}
	g.values[key] = out
	return out
}

func (g *gates) evaluate() {
	for i := range g.file.Inner {
		e := &g.file.Inner[i]
		if !strings.HasSuffix(e.XMLName.Local, "Gate") {
			continue
		}
		in := make([]bool, g.raw.Points)
		var axes [][]float64
		for _, d := range e.all("dimension") {
			axes = append(axes, g.column(d))
		}
		for row := range in {
			switch e.XMLName.Local {
			case "RectangleGate":
				in[row] = true
				for k, d := range e.all("dimension") {
					x := axes[k][row]
					low, high := float(d.attr("min"), math.Inf(-1)), float(d.attr("max"), math.Inf(1))
					in[row] = in[row] && x >= low && x < high
				}
			case "PolygonGate":
				u, v, corners := axes[0][row], axes[1][row], e.all("vertex")
				at := func(i int) (x, y float64) {
					c := corners[i%len(corners)].all("coordinate")
					return float(c[0].attr("value"), 0), float(c[1].attr("value"), 0)
				}
				for i := range corners {
					px, py := at(i)
					qx, qy := at(i + 1)
					if (py > v) != (qy > v) && u < (qx-px)*(v-py)/(qy-py)+px {
						in[row] = !in[row]
					}
				}
			case "BooleanGate":
				for _, ref := range e.all("or")[0].all("gateReference") {
					in[row] = in[row] || g.in[ref.attr("ref")][row]
				}
			}
			if up := e.attr("parent_id"); up != "" {
				in[row] = in[row] && g.in[up][row]
			}
		}
		g.in[e.attr("id")] = in
	}
}

// sameGates labels a file by populations, and compares their points with those of the gates that were written, gate by
// gate. It returns how many points each has.
func sameGates(t *testing.T, path string, tree population.Tree, leeway int) (counts []int) {
	t.Helper()
	o, err := opening.Load(t.Context(), []string{path}, format.Options{Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	j, err := OfDocument(t.Context(), o.Doc)
	if err != nil {
		t.Fatal(err)
	}
	named := &Named{Gates: filepath.Join(t.TempDir(), "gates.xml")}
	j.Want(named)
	if _, err := Execute(t.Context(), j, Options{}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(named.Gates)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := format.Open(t.Context(), path, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := gates{t: t, raw: raw, values: map[string][]float64{}, in: map[string][]bool{}}
	if err := xml.Unmarshal(text, &g.file); err != nil {
		t.Fatal(err)
	}
	g.evaluate()
	for i, p := range tree.All() {
		in, differ := g.in[fmt.Sprintf("gate%d", p.ID)], 0
		for row := range in {
			if in[row] != named.Made.Sets[i].Contains(row) {
				differ++
			}
		}
		if counts = append(counts, named.Made.Sets[i].Count()); in == nil || differ > leeway {
			t.Errorf("%s: %d of %d points differ", p.Name, differ, counts[i])
		}
	}
	return counts
}

// Populations of all kinds of regions, nested at random, have the same points as Gating-ML: but for some that lie on a
// side, as values are rounded to float32 on one way and not on the other.
func TestGatesAreTheSameInGatingML(t *testing.T) {
	const n = 4000
	r := rand.New(rand.NewPCG(5, 7))
	columns := []dataset.Column{{Name: "FITC-A"}, {Name: "PE-A"}, {Name: "APC-A"}, {Name: "FSC-A"}}
	for range n {
		for c := range columns {
			columns[c].Values = append(columns[c].Values, float32(math.Exp(9*r.Float64())-50))
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &dataset.Spillover{Names: []string{"PE-A", "FITC-A", "APC-A"},
		M: [][]float64{{1, 0.3, 0.01}, {0.12, 1, 0.2}, {0, 0.05, 1}}}
	path := filepath.Join(t.TempDir(), "x.fcs")
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	axis := func() population.Axis {
		return population.Axis{Column: columns[r.IntN(4)].Name,
			Transform: []string{"asinh:150", "", "asinh:5", "linear:-2:10", "log:1", "logicle:8000:0.6:4.2:0.3",
				"logicle"}[r.IntN(7)]}
	}
	point := func(x, y population.Axis) (at [2]float64) {
		for i, a := range []population.Axis{x, y} {
			switch {
			case strings.HasPrefix(a.Transform, "asinh"):
				at[i] = 8*r.Float64() - 1
			case strings.HasPrefix(a.Transform, "logicle"):
				at[i] = 5 * r.Float64()
			case strings.HasPrefix(a.Transform, "log"):
				at[i] = 0.1 + 4*r.Float64() // not on the floor, which Gating-ML has none of
			default:
				at[i] = 9000 * (r.Float64() - 0.4)
			}
		}
		return at
	}
	for range 6 {
		var tree population.Tree
		for tree.Len() < 9 {
			p := population.Population{Name: "<gate> & \"name\" 😀"}
			if k := tree.Len(); k > 0 && r.IntN(2) == 0 {
				p.Parent = tree.All()[r.IntN(k)].ID
			}
			x, y := axis(), axis()
			polygon := &population.Gate{X: x, Y: y, Shape: population.Polygon,
				Path: [][2]float64{point(x, y), point(x, y), point(x, y), point(x, y)}}
			limits := &population.Limits{Of: []population.Limit{
				{Column: x.Column, Low: math.Inf(-1), High: 4000 * r.Float64()},
				{Column: y.Column, Low: -20, High: math.Inf(1)}}}
			switch r.IntN(5) {
			case 0:
				p.Rule = &population.Gate{X: x, Y: y, Shape: population.Rectangle,
					Path: [][2]float64{point(x, y), point(x, y)}}
			case 1:
				p.Rule = population.Quarters(x, y, point(x, y))[r.IntN(4)]
			case 2:
				p.Rule = limits
			case 3:
				p.Rule = &population.Any{Of: []population.Rule{polygon, limits}}
			default:
				p.Rule = polygon
			}
			if tree, _, err = tree.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		sameGates(t, path, tree, 2)
	}
}

// The way of a cytometrist through a real file, lymphocytes by scatter, singlets, live ones, then a marker, has the
// same counts in Gating-ML.
func TestGatesOfARealFileAreTheSameInGatingML(t *testing.T) {
	dir := os.Getenv("BLOSSOM_TESTDATA")
	if dir == "" {
		t.Skip("the real files are not there")
	}
	path := filepath.Join(dir, "fcs", "68983.fcs")
	var tree population.Tree
	var up population.ID
	add := func(name string, r population.Rule) {
		var err error
		if tree, up, err = tree.Add(population.Population{Name: name, Parent: up, Rule: r}); err != nil {
			t.Fatal(err)
		}
	}
	raw := func(c string) population.Axis { return population.Axis{Column: c} }
	dye := func(c string) population.Axis { return population.Axis{Column: c, Transform: "asinh:150"} }
	add("lymphocytes", &population.Gate{X: raw("FSC-A"), Y: raw("SSC-A"), Shape: population.Polygon, Path: [][2]float64{
		{30123.4, 1000.3}, {120456.7, 5000.1}, {130789.2, 60321.5}, {70654.8, 90210.6}, {32987.1, 40567.9}}})
	add("singlets", &population.Gate{X: raw("FSC-A"), Y: raw("FSC-H"), Shape: population.Polygon, Path: [][2]float64{
		{20000.2, 15000.3}, {140000.1, 90000.7}, {140000.9, 135000.4}, {20000.6, 24000.8}}})
	add("live", &population.Limits{Of: []population.Limit{{Column: "Pacific Blue-A", Low: math.Inf(-1), High: 2000.5}}})
	add("marker", &population.Gate{X: dye("FITC-A"), Y: dye("PE-A"), Shape: population.Polygon, Path: [][2]float64{
		{0.31, -1.2}, {6.5, -1.3}, {6.7, 3.1}, {2.2, 5.9}, {0.4, 4.2}}})
	counts := sameGates(t, path, tree, 0)
	t.Log(counts)
	for i, n := range counts {
		if n < 50 || i > 0 && n >= counts[i-1] {
			t.Errorf("%v points", counts)
		}
	}
}
