package bench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/demo"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/quality"
	"blossom/model/maps/umap"
	"blossom/model/space/knn"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// Unfolded is a row of the measure umap: maps of some seeds, and those of umap-learn beside them. Times of the row are
// by point, of a whole map from points to positions.
type Unfolded struct {
	table.Row
	Epochs int                `json:"epochs"`
	Steps  map[string]float64 `json:"ms_by_step"`
	Maps   Maps               `json:"maps"`
	Learn  Maps               `json:"umap_learn"` // umap-learn on the same points; zero where it is not here
	Sum    string             `json:"sha256"`     // Sum is of the positions of the first seed
	Same   bool               `json:"same"`       // Same: a second map of that seed has these bytes
}

// Maps is what maps of some seeds are like: seconds of one, and means of what they keep of neighbours.
type Maps struct {
	Whole           float64 `json:"s"`
	Trustworthiness float64 `json:"trustworthiness"`
	RNX             float64 `json:"r_nx"`

	why string // there are none
}

var unfoldedColumns = []table.Column{
	table.Word("points", func(r Unfolded) string { return r.Data }),
	table.Size("n", func(r Unfolded) int { return r.N }),
	table.Size("d", func(r Unfolded) int { return r.D }),
	table.Size("epochs", func(r Unfolded) int { return r.Epochs }),
	table.Failure(func(r Unfolded) string { return r.Failed }),
	table.Text("T(12)", func(r Unfolded) string { return fourDigits(r.Maps.Trustworthiness) }),
	table.Text("umap-learn", func(r Unfolded) string { return fourDigits(r.Learn.Trustworthiness) }),
	table.Text("R_NX(32)", func(r Unfolded) string { return fourDigits(r.Maps.RNX) }),
	table.Text("umap-learn", func(r Unfolded) string { return fourDigits(r.Learn.RNX) }),
	table.Value("s", func(r Unfolded) float64 { return r.Maps.Whole }),
	table.Value("umap-learn s", func(r Unfolded) float64 { return r.Learn.Whole }),
	table.Text("ratio", func(r Unfolded) string { return r.Times() }),
	table.Text("sha256", func(r Unfolded) string { return r.Sum[:min(16, len(r.Sum))] }),
	table.Text("again", func(r Unfolded) string {
		if r.Same {
			return "the same"
		}
		return "DIFFERENT"
	}),
	table.Remark("steps, ms", func(r Unfolded) string { return stepsOf(r.Steps) }),
}

func fourDigits(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.4f", v)
}

const (
	unfoldSeeds = 5
	learnTimes  = 2 // repetitions of umap-learn; the least counts
)

func init() {
	Register(Measure{Name: "umap", Title: "maps by UMAP",
		Help: `Makes maps by UMAP of scikit-learn's digits, a simulated blood sample, a sphere in 8 dimensions, two
clusters, and of 20,000 x 30 points in clusters in 200 epochs. It tells trustworthiness (12) and R_NX (32), means of
5 seeds, and the time of a whole map, median of the seeds; beside each those of umap-learn, where there is a Python
with it: the least of two whole fits without a seed, on all cores, compiled before. The first map is made twice, and
it says whether the two have the same bytes. Of many points what is kept is measured at a sample of them.`,
		Flags: []Flag{deviceFlag, engineFlag(" (default: the best that works here)"),
			pointsFlag(100, most, "one size of 30 columns in clusters, in 200 epochs"),
			quickFlag("digits and the two clusters only"),
			{Name: "repeats", Default: 0, Help: "seeds (default: 5)"}},
		Columns: unfoldedColumns,
		Note: func(rows []any) string {
			for _, u := range rowsOf[Unfolded](rows) {
				if u.Learn.why != "" {
					return "not compared with umap-learn: " + u.Learn.why
				}
			}
			return ""
		},
		Run: unfold})
}

// unfoldable is points that maps are made of.
type unfoldable struct {
	name   string
	epochs int // 0: as many as suit them
	make   func(ctx context.Context) (matrix.Matrix32, error)
}

func unfold(ctx context.Context, r *Run) error {
	clusters := func(n int) unfoldable {
		return unfoldable{"clusters", 200, func(context.Context) (matrix.Matrix32, error) {
			return aboutPlaces(n, 30), nil
		}}
	}
	all := []unfoldable{{"digits", 0, digits}, {"two clusters", 0, twoClusters}, {"sphere", 0, sphere},
		{"blood", 0, blood}, clusters(20_000)}
	if r.Bool("quick") {
		all = all[:2]
	}
	if n := r.Int("points"); n > 0 {
		all = []unfoldable{clusters(n)}
	}
	c, err := engine.Open(cmp.Or(r.Text("engine"), engine.Auto), r.Compute())
	if err != nil {
		return err
	}
	defer c.Close()
	for asked := r.Text("engine"); asked == "" || asked == engine.Auto; {
		if unfolds(ctx, c.Engine()) || !c.Next() {
			break
		}
	}
	for _, u := range all {
		x, err := u.make(ctx)
		if err != nil {
			r.Note(fmt.Sprintf("%s: %v", u.name, err))
			continue
		}
		row, err := unfoldRow(ctx, r, c.Engine(), u, x)
		if err != nil {
			return err
		}
		r.Add(row)
		r.Tell()
	}
	return nil
}

// unfolds says whether an engine makes maps by UMAP.
func unfolds(ctx context.Context, e engine.Engine) bool {
	r, err := e.Load(ctx, matrix.New(1, 1))
	if err != nil {
		return false
	}
	defer r.Free()
	return r.Caps().UMAP != nil
}

// unfoldRow makes the maps of all seeds, and has umap-learn make them.
func unfoldRow(ctx context.Context, r *Run, e engine.Engine, u unfoldable, x matrix.Matrix32) (Unfolded, error) {
	seeds := cmp.Or(r.Int("repeats"), unfoldSeeds)
	row := Unfolded{Row: table.Row{Bench: "umap", Engine: e.Name(), Device: e.Device(), Variant: "umap", Data: u.name,
		N: x.Rows, D: x.Cols, Repeats: seeds}}
	o := umap.Defaults()
	o.Epochs = u.epochs
	row.Epochs, row.K = o.Total(x.Rows), o.Neighbours
	var times []float64
	var first []float32
	steps := map[string][]float64{}
	for seed := range seeds {
		r.Say(fmt.Sprintf("UMAP of %s, seed %d", u.name, seed+1))
		o.Seed = uint64(seed + 1)
		began := time.Now()
		y, err := unfolded(ctx, e, x, o, steps)
		if err != nil {
			return row, err
		}
		times = append(times, float64(time.Since(began).Nanoseconds())/float64(x.Rows))
		t, rnx, err := keeps(ctx, x, y)
		if err != nil {
			return row, err
		}
		row.Maps.Trustworthiness += t / float64(seeds)
		row.Maps.RNX += rnx / float64(seeds)
		if seed == 0 {
			first = y
		}
	}
	o.Seed = 1
	if err := row.again(ctx, e, x, o, first); err != nil {
		return row, err
	}
	slices.Sort(times)
	row.Spread(times)
	row.Maps.Whole = row.All(row.Median) / 1000
	row.Steps = map[string]float64{}
	for name, all := range steps {
		slices.Sort(all)
		row.Steps[name] = all[len(all)/2]
	}
	return row, row.learn(ctx, r, x, seeds)
}

// again makes a map once more, and notes whether it has the same bytes.
func (u *Unfolded) again(ctx context.Context, e engine.Engine, x matrix.Matrix32, o umap.Options, y []float32) error {
	once, err := unfolded(ctx, e, x, o, map[string][]float64{})
	u.Sum = sumOf(y)
	u.Same = err == nil && u.Sum == sumOf(once)
	return err
}

// sumOf is the hash of positions.
func sumOf(y []float32) string {
	h := sha256.New()
	_ = binary.Write(h, binary.LittleEndian, y) // a hash takes all
	return hex.EncodeToString(h.Sum(nil))
}

// unfolded makes a map, and notes what its steps took.
func unfolded(ctx context.Context, e engine.Engine, x matrix.Matrix32, o umap.Options,
	steps map[string][]float64) ([]float32, error) {
	since := time.Now()
	lap := func(name string) {
		steps[name] = append(steps[name], float64(time.Since(since).Nanoseconds())/1e6)
		since = time.Now()
	}
	res, err := e.Load(ctx, x)
	if err != nil {
		return nil, err
	}
	defer res.Free()
	d := res.Caps().UMAP
	if d == nil {
		return nil, problem.New("", "use another engine", "engine %s makes no maps by UMAP", e.Name())
	}
	_, k := umap.Allowed(x.Rows, o.Neighbours)
	near, err := nearOf(ctx, x, res.Caps(), knn.Query{K: k})
	if err != nil {
		return nil, err
	}
	lap("neighbours")
	g, err := umap.GraphOf(ctx, near, o.Neighbours, res.Caps().Joiner)
	if err != nil {
		return nil, err
	}
	lap("graph")
	y, err := umap.PCAStart(ctx, x, o.Dims, o.Seed)
	if err != nil {
		return nil, err
	}
	lap("start")
	l, err := umap.Start(ctx, d, g, y, o)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	if _, err := l.Step(ctx, o.Total(x.Rows)); err != nil {
		return nil, err
	}
	out := embedsom.NewHostTarget(x.Rows, o.Dims)
	err = l.Positions(ctx, out)
	lap("epochs")
	return out.Data, err
}

// keeps is what a map keeps of neighbours.
func keeps(ctx context.Context, x matrix.Matrix32, y []float32) (trustworthiness, rnx float64, err error) {
	work := quality.Work{}
	if x.Rows > quality.Ranked {
		work.Sample = transform.Shuffle(x.Rows, 1)[:quality.Ranked]
	}
	w, err := quality.Among(ctx, x, y, len(y)/x.Rows, work)
	if err != nil {
		return 0, 0, err
	}
	return w.Trustworthiness, w.RNX, nil
}

// learn has umap-learn make maps of the same points.
func (u *Unfolded) learn(ctx context.Context, r *Run, x matrix.Matrix32, seeds int) error {
	r.Say("umap-learn's maps of " + u.Data)
	var found struct {
		Seconds float64
		Maps    [][]float32
	}
	fits := seeds
	if u.Data == "clusters" {
		fits = 1 // it is there for its time
	}
	if err := python(ctx, "umap-learn", learnScript, []any{x.Data[:x.Rows*x.Cols]}, &found, fmt.Sprint(x.Cols),
		fmt.Sprint(u.Epochs), fmt.Sprint(fits), fmt.Sprint(learnTimes)); err != nil {
		u.Learn.why = err.Error()
		return ctx.Err()
	}
	for _, y := range found.Maps {
		t, rnx, err := keeps(ctx, x, y)
		if err != nil {
			return err
		}
		u.Learn.Trustworthiness += t / float64(len(found.Maps))
		u.Learn.RNX += rnx / float64(len(found.Maps))
	}
	u.Learn.Whole = found.Seconds
	u.Compare("umap-learn", found.Seconds*1e9/float64(u.N))
	return nil
}

// learnScript fits once so that all is compiled, then times fits without a seed, and makes the maps of seeds.
const learnScript = `
import sys, json, time, warnings
warnings.filterwarnings("ignore")
import numpy as np, umap
cols, epochs, seeds, times = map(int, sys.argv[1:])
x = np.frombuffer(sys.stdin.buffer.read(), dtype="<f4").reshape(-1, cols)
umap.UMAP(n_epochs=5).fit_transform(x)
seconds = []
for _ in range(times):
    began = time.perf_counter()
    umap.UMAP(n_epochs=epochs).fit_transform(x)
    seconds.append(time.perf_counter() - began)
maps = [umap.UMAP(n_epochs=epochs, random_state=s + 1).fit_transform(x).ravel().tolist() for s in range(seeds)]
print(json.dumps({"Seconds": min(seconds), "Maps": maps}))`

// digits are those of scikit-learn, 1797 x 64.
func digits(ctx context.Context) (matrix.Matrix32, error) {
	var all []float32
	err := python(ctx, "scikit-learn", `
import json
from sklearn.datasets import load_digits
print(json.dumps(load_digits().data.ravel().tolist()))`, nil, &all)
	return matrix.Matrix32{Rows: len(all) / 64, Cols: 64, Data: all}, err
}

func twoClusters(context.Context) (matrix.Matrix32, error) {
	r, x := rand.New(rand.NewPCG(2, 2)), matrix.New(2000, 10)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64())
	}
	for i := range x.Rows / 2 {
		x.Row(i)[0] += 20
	}
	return x, nil
}

// sphere is points on that in 8 dimensions.
func sphere(context.Context) (matrix.Matrix32, error) {
	r, x := rand.New(rand.NewPCG(8, 8)), matrix.New(3000, 8)
	for i := range x.Rows {
		var v [8]float64
		sum := 0.0
		for c := range v {
			v[c] = r.NormFloat64()
			sum += v[c] * v[c]
		}
		for c := range v {
			x.Row(i)[c] = float32(v[c] / math.Sqrt(sum))
		}
	}
	return x, nil
}

// blood is the demo of 10,000 cells as a map has them.
func blood(ctx context.Context) (matrix.Matrix32, error) {
	ds, err := demo.Generate(ctx, "cytometry", 10_000, 1)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	t, err := transform.Build(ctx, ds, transform.Default(ds), nil, nil)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	return t.X, nil
}
