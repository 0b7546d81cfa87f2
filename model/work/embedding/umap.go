package embedding

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
	"blossom/model/maps/umap"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Parameters of UMAP.
var (
	umapUsual      = umap.Defaults()
	umapNeighbours = step.Param{ID: "n-neighbors", Title: "Neighbours", Min: 2, Max: umap.MostNeighbours,
		Default: float64(umapUsual.Neighbours), Log: true, Integer: true,
		Help: "How many points a neighbourhood has, the point itself among them: " +
			"more show the large shape, fewer the fine one. Neighbours are looked for anew; where points are " +
			"stays."}
	umapLeast = step.Param{ID: "min-dist", Title: "Least distance", Min: 0, Max: 5, Default: umapUsual.Least,
		Help: "How near points may come on the map, at most the spread: less packs groups tighter."}
	umapSpread = step.Param{ID: "spread", Title: "Spread", Min: 0.05, Max: 10, Default: umapUsual.Spread, Log: true,
		Help: "Over which length on the map points count as near: more makes the map wider."}
	umapEpochs = step.Param{ID: "epochs", Title: "Epochs", Min: 10, Max: 20_000, Default: 500, Log: true,
		Integer: true, Help: "Over how many units steps fall to 0, where the map is done: 500 suit up to 10,000 " +
			"points, 200 more."}
	umapNegatives = step.Param{ID: "negative-rate", Rare: true, Title: "Negatives", Min: 0, Max: umap.MostNegatives,
		Default: float64(umapUsual.Negatives), Integer: true,
		Help: "How many points drawn at random push one away for each that draws it near: " +
			"more spread the map, and take longer."}
	umapStart = step.Param{ID: "start", Rare: true, Title: "Start", Min: 0, Max: 2, Default: 0, Integer: true,
		Choices: []string{"pca", "spectral", "random"},
		Help: "Where points begin that do not begin from another map: on principal components, where the slowest " +
			"vibrations of the graph of neighbours have them, or anywhere."}
	umapPoints = step.Param{ID: "points", Title: "Points", Min: 100, Max: 10e6, Default: 0, Log: true, Integer: true,
		Zero: "all", Help: "Of how many points the map is made: a sample, or all of them. The rest are not shown."}
)

// More points than umapMost are laid out as a sample, unless all are asked for: of as many as the engine lays out while
// somebody waits, of umapSample where nobody knows how fast that is.
const (
	umapMost   = 200_000
	umapSample = 50_000
)

func init() {
	Register(Kind{ID: "umap", Title: "UMAP", Way: Stepwise, Label: labelUMAP,
		Help: "The graph of nearest points unfolds on the map, as you watch",
		Run: Stages{
			Needs: engine.MapsByUMAP,
			Params: []step.Param{umapNeighbours, umapLeast, umapSpread, umapEpochs, umapNegatives, umapStart,
				umapPoints},
			Title: "Finding neighbours", Total: umapEpochs.ID, Eager: true, Settles: true, Letter: "V",
			Origin:  "no other map",
			Suggest: suggestUMAP, Size: sizeUMAP,
			Key: func(_ Inputs, _ Recipe, v step.Values) string {
				return fmt.Sprint(v.Get(umapNeighbours), " ", v.Get(umapPoints))
			},
			Check: checkUMAP, Basis: umapBase, Start: startUMAP, Into: intoUMAP,
			Tables: []BasisTable{{ID: "graph-out", Make: umapEdges,
				Help: "write the fuzzy graph to `G`: row, column, weight, by rows and columns"}}}})
}

// UMAP is the recipe of UMAP of the points.
func UMAP(dims int) Recipe { return Recipe{Kind: "umap", Dims: dims} }

func labelUMAP(_ Inputs, r Recipe) (title, note string) {
	if r.Dims == 3 {
		return "UMAP 3D", ""
	}
	return "UMAP", ""
}

// suggestUMAP are the epochs that suit the points, and how many of those are taken.
func suggestUMAP(in Inputs, r Recipe) step.Values {
	n, v := in.Table.X.Rows-in.Table.Invalid, step.Values{}
	if n > umapMost {
		n = umapSample
		v[umapPoints.ID] = umapSample
	}
	v[umapEpochs.ID] = float64(umap.DefaultsIn(r.Dims).Total(n))
	return v
}

// sizeUMAP is of how many points a map is made on the engine that holds them.
func sizeUMAP(in Inputs, r Recipe) step.Values {
	n := in.Table.X.Rows - in.Table.Invalid
	if n <= umapMost || in.Caps.UMAP == nil {
		return nil
	}
	points := func(size int) step.Values { return step.Values{umapPoints.ID: float64(size)} }
	epochs := umap.DefaultsIn(r.Dims).Total(n)
	size, ok := sizeOf(n, in.Caps.UMAP.Pace(r.Dims), float64(epochs),
		func(size int) bool { return checkUMAP(in, r, points(size)) == nil })
	if !ok {
		return nil
	}
	return points(size)
}

// umapBasis is what a map is made from.
type umapBasis struct {
	crowd
	graph *umap.Graph
	asked int // neighbours
}

// umapBase finds the graph of the valid points, or of the first of them.
func umapBase(ctx context.Context, in Inputs, _ Recipe, v step.Values, former any,
	progress func(done, total int64)) (any, error) {
	b := &umapBasis{crowd: crowdOf(in, int(v.Get(umapPoints))), asked: int(v.Get(umapNeighbours))}
	_, k := umap.Allowed(len(b.ids), b.asked)
	var known *crowd
	if was, ok := former.(*umapBasis); ok {
		known = &was.crowd
	}
	if err := b.meet(ctx, in, k, known, progress, func(by tsne.Joiner) (err error) {
		b.graph, err = umap.GraphOf(ctx, b.near.Lists, b.asked, by)
		return err
	}); err != nil {
		return nil, err
	}
	return b, nil
}

// umapEdges are row, column and weight of each edge. Rows are those of the table.
func umapEdges(basis any) []dataset.Column {
	b := basis.(*umapBasis)
	g := b.graph
	columns := []dataset.Column{{Name: "row"}, {Name: "column"}, {Name: "weight", Values: g.Weight}}
	for c := range 2 {
		columns[c].Values, columns[c].Exact = make([]float32, g.Edges()), make([]float64, g.Edges())
	}
	for i := range g.N {
		for e := g.Start[i]; e < g.Start[i+1]; e++ {
			for c, id := range []int32{b.ids[i], b.ids[g.Column[e]]} {
				columns[c].Values[e], columns[c].Exact[e] = float32(id), float64(id)
			}
		}
	}
	return columns
}

// intoUMAP places new points.
func intoUMAP(ctx context.Context, in Inputs, r Recipe, v step.Values, pos []float32, fresh matrix.Matrix32,
	progress func(done, total int64)) ([]float32, error) {
	f, err := umap.Freeze(pos, umapOptions(r, v, 0))
	if err != nil || fresh.Rows == 0 {
		return nil, err
	}
	near, err := in.among(ctx, knn.Query{K: f.Near(), New: fresh, Progress: progress})
	if err != nil {
		return nil, err
	}
	return f.Place(ctx, near, 0, progress)
}

// checkUMAP says what does not fit into memory, with what would.
func checkUMAP(in Inputs, _ Recipe, v step.Values) error {
	n := in.Table.X.Rows - in.Table.Invalid
	if most := int(v.Get(umapPoints)); most > 0 {
		n = min(n, most)
	}
	return umap.Fits(n, in.Table.X.Cols, int(v.Get(umapNeighbours)), n < in.Table.X.Rows, in.Memory,
		func(n int) string { return fmt.Sprintf("take a sample of %d points", n) })
}

// umapOptions are those of a run. A least distance that the spread does not allow is taken as the spread.
func umapOptions(r Recipe, v step.Values, seed uint64) umap.Options {
	o := umap.DefaultsIn(r.Dims)
	o.Neighbours, o.Spread, o.Epochs = int(v.Get(umapNeighbours)), v.Get(umapSpread), int(v.Get(umapEpochs))
	o.Least, o.Negatives, o.Seed = min(v.Get(umapLeast), o.Spread), int(v.Get(umapNegatives)), seed
	return o
}

// umapRunner is a map that forms.
type umapRunner struct {
	own
	l       *umap.Forming
	recipe  Recipe
	basis   *umapBasis
	values  step.Values
	seed    uint64
	gripped bool
	beside  bool
	pace    float64              // points that epochs move in a second, about
	at      *embedsom.HostTarget // positions of the points in the map, where it leaves points of the table out
}

// umapFacts is what a run remembers beside positions.
type umapFacts struct {
	Epoch  int `json:"epoch"`
	Warm   int `json:"warm,omitempty"`
	Points int `json:"points"`
}

func startUMAP(ctx context.Context, in Inputs, r Recipe, b Beginning) (Runner, error) {
	u := &umapRunner{recipe: r, basis: b.Basis.(*umapBasis), values: b.Values, seed: b.Seed}
	device, err := u.device(ctx, in)
	if err != nil {
		return nil, err
	}
	if err = u.begin(ctx, device, b); err != nil {
		u.Close()
		return nil, err
	}
	return u, nil
}

// device is where the map is computed: with the engine of the window where that works on while frames are drawn, else
// with one of the run's own, beside the window.
func (u *umapRunner) device(ctx context.Context, in Inputs) (umap.Device, error) {
	device := in.Caps.UMAP
	if u.beside = device == nil || in.Caps.Async == nil; u.beside {
		caps, err := u.open(ctx, in, engine.MapsByUMAP)
		if err != nil {
			return nil, err
		}
		if device = caps.UMAP; device == nil {
			device = umap.Plain{}
		}
	}
	u.pace = device.Pace(u.recipe.Dims)
	return device, nil
}

// begin makes the map, or takes one up.
func (u *umapRunner) begin(ctx context.Context, device umap.Device, b Beginning) (err error) {
	dims := u.recipe.Dims
	if len(u.basis.ids) < u.basis.all {
		u.at = embedsom.NewHostTarget(len(u.basis.ids), dims)
	}
	pins, _ := u.basis.among(b.Pinned, nil, dims)
	slices.Sort(pins)
	s := &umap.State{Dims: dims, Held: pins}
	if s.Y, err = u.start(ctx, b); err != nil {
		return err
	}
	if known := u.recall(b, *s); known != nil {
		if u.l, err = umap.Continue(ctx, device, u.basis.graph, known, u.options()); err == nil {
			return nil
		}
	}
	u.l, err = umap.Continue(ctx, device, u.basis.graph, s, u.options()) // a file may have damaged it
	return err
}

func (u *umapRunner) options() umap.Options {
	o := umapOptions(u.recipe, u.values, u.seed)
	o.Beyond = u.gripped // whoever drags at its end sees what comes of it
	return o
}

// start is where a map begins.
func (u *umapRunner) start(ctx context.Context, b Beginning) (y []float32, err error) {
	dims := u.recipe.Dims
	switch {
	case b.From == nil && u.choice() == "spectral":
		y, err = umap.SpectralStart(ctx, u.basis.graph, u.basis.x, dims, u.seed)
	case b.From == nil && u.choice() == "random":
		y = umap.RandomStart(len(u.basis.ids), dims, u.seed)
	case b.From == nil:
		y, err = umap.PCAStart(ctx, u.basis.x, dims, u.seed)
	case b.Fresh:
		y = umap.MapStart(u.basis.places(b.From, dims, u.seed), dims, u.seed)
	default:
		y = u.basis.places(b.From, dims, u.seed)
	}
	return y, err
}

func (u *umapRunner) choice() string { return umapStart.Choices[int(u.values.Get(umapStart))] }

// recall is the state with what a run knew that was left; nil: it was none of these points.
func (u *umapRunner) recall(b Beginning, s umap.State) *umap.State {
	var f umapFacts
	if m := b.Memory; m == nil || b.From == nil || json.Unmarshal(m.Facts, &f) != nil ||
		f.Points != len(u.basis.ids) || f.Epoch > math.MaxInt32 {
		return nil
	}
	s.Epoch, s.Warm, s.Dragged = f.Epoch, f.Warm, b.Memory.Orders["dragged"]
	return &s
}

// Memory is the epoch, and what a drag has left to do: all else are the positions.
func (u *umapRunner) Memory() (*Memory, error) {
	facts, err := json.Marshal(umapFacts{Epoch: u.l.Epoch(), Warm: u.l.Warm(), Points: len(u.basis.ids)})
	if err != nil {
		return nil, problem.Wrap(err, "", "report this", "where UMAP has come to cannot be kept: %v", err)
	}
	m := &Memory{Facts: facts, Points: map[string][]float32{}, Orders: map[string][]int32{}}
	if u.l.Warm() > 0 {
		m.Orders["dragged"] = slices.Clone(u.l.Dragged())
	}
	return m, nil
}

func (u *umapRunner) Step(ctx context.Context, units int) (step.Progress, error) {
	return u.l.Step(ctx, units)
}

func (u *umapRunner) Place(dst embedsom.Target) error {
	if u.at == nil {
		return u.l.Positions(context.Background(), dst)
	}
	if err := u.l.Positions(context.Background(), u.at); err != nil {
		return err
	}
	u.basis.scatter(dst.Host(), u.at.Host(), u.recipe.Dims)
	dst.Upload(0, dst.Len())
	return nil
}

func (u *umapRunner) Hold(points []int, places []float32) error {
	ids, at := u.basis.among(points, places, u.recipe.Dims)
	return u.l.Hold(context.Background(), ids, at)
}

func (u *umapRunner) Release(points []int) error {
	ids, _ := u.basis.among(points, nil, u.recipe.Dims)
	return u.l.Release(context.Background(), ids)
}

func (u *umapRunner) Grip(on bool) error {
	u.gripped = on
	return u.l.Change(u.options())
}

func (u *umapRunner) Set(v step.Values) error {
	u.values = v
	return u.l.Change(u.options())
}

func (u *umapRunner) Rebase(basis any) error {
	b := basis.(*umapBasis)
	if !slices.Equal(b.ids, u.basis.ids) {
		return problem.New("", "start it over", "UMAP of other points is another map")
	}
	if err := u.l.Swap(context.Background(), b.graph); err != nil {
		return err
	}
	u.basis = b
	return nil
}

func (u *umapRunner) Standing() (Standing, error) {
	s := Standing{Figure: math.NaN(), Points: len(u.basis.ids)}
	if near := u.basis.near; near != nil && !near.Exact {
		s.Warning = fmt.Sprintf("%.1f %% of the neighbours were found, in groups of near points", 100*near.Recall)
	}
	if used := u.basis.graph.Neighbours; used < u.basis.asked {
		s.Warning = fmt.Sprintf("neighbourhoods have %s in place of %d: there are no more",
			problem.Count(used, "point"), u.basis.asked)
		if n := len(u.basis.ids); n < 2 {
			s.Warning = "there are no two points, which alone can be neighbours"
		}
	}
	if u.values.Get(umapLeast) > u.values.Get(umapSpread) {
		s.Warning = "the least distance is more than the spread, and taken as that"
	}
	return s, nil
}

func (u *umapRunner) Guess() time.Duration {
	return time.Duration(float64(len(u.basis.ids)) / u.pace * float64(time.Second))
}

func (u *umapRunner) Beside() bool { return u.beside }

func (u *umapRunner) Close() {
	if u.l != nil {
		u.l.Close()
	}
	u.l = nil
	u.own.close()
}
