package embedding

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Parameters of t-SNE. A theta, rate or number of points of 0 is one that suits.
var (
	tsneUsual      = tsne.Defaults()
	tsnePerplexity = step.Param{ID: "perplexity", Title: "Perplexity", Min: 1, Max: 500, Log: true,
		Default: tsneUsual.Perplexity,
		Help: "How many neighbours a point stays near: more show the large shape, fewer the fine one. Neighbours are " +
			"looked for anew; where points are stays."}
	tsneLate = step.Param{ID: "exaggeration", Title: "Exagg. late", Min: 1, Max: 4, Default: 1,
		Help: "Late exaggeration: how many times as strong attraction is after the first units. More draws groups " +
			"closer together."}
	tsneRate = step.Param{ID: "rate", Title: "Learning rate", Min: 1, Max: 1e6, Default: 0, Log: true, Zero: "auto",
		Help: "How far points go in a unit. By itself it is the number of points over the exaggeration; more is " +
			"faster, and may not settle."}
	tsneAccuracy = step.Param{ID: "accuracy", Title: "Accuracy", Min: 0, Max: 2, Default: 1, Integer: true,
		Choices: []string{"fast", "normal", "fine"},
		Help: "How exactly repulsion is computed on the plane: to 2.5 %, 0.6 % or 0.03 %. Normal ends where all " +
			"pairs would."}
	tsneTheta = step.Param{ID: "theta", Rare: true, Title: "Theta", Min: 0.1, Max: 1, Default: 0, Zero: "auto",
		Help: "How coarsely far points are taken together where a tree is used: less is more exact, and slower."}
	tsneMethod = step.Param{ID: "method", Rare: true, Title: "Repulsion", Min: 0, Max: 3, Default: 0, Integer: true,
		Choices: []string{"auto", "exact", "tree", "field"},
		Help: "How all points push each other apart: all pairs, a tree of groups, or a field on a lattice. By " +
			"itself the fastest at this size is taken."}
	tsneEarly = step.Param{ID: "early", Rare: true, Title: "Exagg. early", Min: 1, Max: 30,
		Default: tsneUsual.Exaggeration,
		Help: "Early exaggeration: how many times as strong attraction is in the first units, so that neighbours " +
			"find together."}
	tsneUntil = step.Param{ID: "until", Rare: true, Title: "First units", Min: 0, Max: 2000,
		Default: float64(tsneUsual.Until), Integer: true,
		Help: "For how many units attraction is exaggerated at first."}
	tsneTotal = step.Param{ID: "total", Rare: true, Title: "Units", Min: 50, Max: 20_000, Log: true,
		Default: float64(tsneUsual.Total), Integer: true, Zero: "until rest",
		Help: "After how many units it ends, if it does not come to rest before."}
	tsnePoints = step.Param{ID: "points", Title: "Points", Min: 100, Max: 10e6, Default: 0, Log: true, Integer: true,
		Zero: "all", Help: "Of how many points the map is made: a sample, or all of them. The rest are not shown."}
)

// More points than tsneMost are laid out as a sample, unless all are asked for: of as many as the engine lays out while
// somebody waits, of tsneSample where nobody knows how fast that is.
const (
	tsneMost   = 100_000
	tsneSample = 20_000
)

// sizeTSNE is of how many points a map is made on the engine that holds them.
func sizeTSNE(in Inputs, r Recipe) step.Values {
	n := in.Table.X.Rows - in.Table.Invalid
	if n <= tsneMost || in.Caps.TSNE == nil {
		return nil
	}
	points := func(size int) step.Values { return step.Values{tsnePoints.ID: float64(size)} }
	size, ok := sizeOf(n, in.Caps.TSNE.Traits(r.Dims).Pace, tsneTotal.Default,
		func(size int) bool { return checkTSNE(in, r, points(size)) == nil })
	if !ok {
		return nil
	}
	return points(size)
}

func init() {
	Register(Kind{ID: "tsne", Title: "t-SNE", Way: Stepwise, Label: labelTSNE,
		Help: "Points that are near in the data come near on the map, as you watch",
		Run: Stages{
			Needs: engine.MapsByTSNE,
			Params: []step.Param{tsnePerplexity, tsneLate, tsneRate, tsneAccuracy, tsneMethod, tsneTheta, tsneEarly,
				tsneUntil, tsneTotal, tsnePoints},
			Measure: "KL divergence",
			MeasureHelp: "How much of what is near in the data is not near on the map. Lower is better; it is told " +
				"without exaggeration, and only compares maps of the same points and perplexity.",
			Early: "exaggerated", EarlyHelp: "on the shaded ground attraction was exaggerated",
			Origin: "principal components", Letter: "Y", Title: "Finding neighbours", Total: tsneTotal.ID,
			Eager: true,
			Suggest: func(in Inputs, _ Recipe) step.Values {
				if in.Table.X.Rows > tsneMost {
					return step.Values{tsnePoints.ID: tsneSample}
				}
				return nil
			},
			Size: sizeTSNE,
			Key: func(_ Inputs, _ Recipe, v step.Values) string {
				return fmt.Sprint(v.Get(tsnePerplexity), " ", v.Get(tsnePoints))
			},
			Check: checkTSNE, Basis: tsneBase, Start: startTSNE, Into: intoTSNE}})
}

// intoTSNE places new points.
func intoTSNE(ctx context.Context, in Inputs, r Recipe, _ step.Values, pos []float32, fresh matrix.Matrix32,
	progress func(done, total int64)) ([]float32, error) {
	f, err := tsne.Freeze(pos, r.Dims)
	if err != nil || fresh.Rows == 0 {
		return nil, err
	}
	near, err := in.among(ctx, knn.Query{K: tsne.PlaceNear, New: fresh, Progress: progress})
	if err != nil {
		return nil, err
	}
	return f.Place(ctx, near, 0, progress)
}

// TSNE is the recipe of t-SNE of the points.
func TSNE(dims int) Recipe { return Recipe{Kind: "tsne", Dims: dims} }

func labelTSNE(_ Inputs, r Recipe) (title, note string) {
	if r.Dims == 3 {
		return "t-SNE 3D", ""
	}
	return "t-SNE", ""
}

// tsneBasis is what a map is made from.
type tsneBasis struct {
	crowd
	p     *tsne.Sparse
	asked float64 // perplexity
}

// tsneBase finds the affinities of the valid points, or of the first of them, which are in a random order.
func tsneBase(ctx context.Context, in Inputs, _ Recipe, v step.Values, former any,
	progress func(done, total int64)) (any, error) {
	b := &tsneBasis{crowd: crowdOf(in, int(v.Get(tsnePoints))), asked: v.Get(tsnePerplexity)}
	_, k := tsne.Allowed(len(b.ids), b.asked)
	var known *crowd
	if was, ok := former.(*tsneBasis); ok {
		known = &was.crowd
	}
	if err := b.meet(ctx, in, k, known, progress, func(by tsne.Joiner) (err error) {
		b.p, err = tsne.SparseOf(ctx, b.near.Lists, b.asked, by)
		return err
	}); err != nil {
		return nil, err
	}
	return b, nil
}

// checkTSNE says what does not fit into memory, with what would.
func checkTSNE(in Inputs, r Recipe, v step.Values) error {
	n := in.Table.X.Rows - in.Table.Invalid
	if most := int(v.Get(tsnePoints)); most > 0 {
		n = min(n, most)
	}
	return tsne.Fits(n, in.Table.X.Cols, r.Dims, v.Get(tsnePerplexity), n < in.Table.X.Rows, in.Memory,
		func(n int) string { return fmt.Sprintf("take a sample of %d points", n) })
}

// tsneOptions are those of a run of n points.
func tsneOptions(r Recipe, v step.Values, seed uint64) tsne.Options {
	o := tsne.DefaultsIn(r.Dims)
	o.Perplexity, o.Exaggeration, o.Late = v.Get(tsnePerplexity), v.Get(tsneEarly), v.Get(tsneLate)
	o.Until, o.Total, o.Eta = int(v.Get(tsneUntil)), int(v.Get(tsneTotal)), v.Get(tsneRate)
	o.Method = tsne.Method(tsneMethod.Choices[int(v.Get(tsneMethod))])
	if t := v.Get(tsneTheta); t > 0 {
		o.Theta = t
	}
	o.Accuracy, _ = tsne.ParseAccuracy(tsneAccuracy.Choices[int(v.Get(tsneAccuracy))])
	o.Seed = seed
	return o
}

// tsneRunner is a map that forms.
type tsneRunner struct {
	own

	l       *tsne.Forming
	recipe  Recipe
	basis   *tsneBasis
	values  step.Values
	seed    uint64
	all     int  // points of the table
	kept    bool // it began from places at their own size, and skips exaggeration
	gripped bool
	beside  bool
	plain   bool
	at      *embedsom.HostTarget // positions of the points in the map, where it leaves points of the table out
}

// tsneFacts is what a run remembers that is no number for each point.
type tsneFacts struct {
	Units   int          `json:"units"`
	Plan    tsne.Plan    `json:"plan"`
	Last    tsne.Measure `json:"last"`
	Planned int          `json:"planned"`
	Stale   bool         `json:"stale,omitempty"`
	Forming bool         `json:"forming,omitempty"`
	Rests   int          `json:"rests,omitempty"`
	Held    []int32      `json:"held,omitempty"` // by their places among the points of the map
	Kept    bool         `json:"kept,omitempty"`
	Points  int          `json:"points"`
}

func startTSNE(ctx context.Context, in Inputs, r Recipe, b Beginning) (Runner, error) {
	basis := b.Basis.(*tsneBasis)
	out := &tsneRunner{recipe: r, basis: basis, values: b.Values, seed: b.Seed, all: in.Table.X.Rows}
	device, err := out.device(ctx, in)
	if err != nil {
		return nil, err
	}
	if err = out.begin(ctx, device, b); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// device is where the map is computed: with the engine of the window where that works on while frames are drawn, else
// with one of the run's own, beside the window.
func (t *tsneRunner) device(ctx context.Context, in Inputs) (tsne.Device, error) {
	if in.Caps.TSNE != nil && in.Caps.Async != nil {
		return in.Caps.TSNE, nil
	}
	t.beside = true
	caps, err := t.open(ctx, in, engine.MapsByTSNE)
	if err != nil {
		return nil, err
	}
	if caps.TSNE != nil {
		return caps.TSNE, nil
	}
	t.plain = true
	return tsne.Plain{}, nil
}

// begin makes the map, or takes one up.
func (t *tsneRunner) begin(ctx context.Context, device tsne.Device, b Beginning) (err error) {
	if len(t.basis.ids) < t.all {
		t.at = embedsom.NewHostTarget(len(t.basis.ids), t.recipe.Dims)
	}
	pins, _ := t.basis.among(b.Pinned, nil, t.recipe.Dims)
	if s := t.recall(b, pins); s != nil {
		if t.l, err = tsne.Continue(ctx, device, t.basis.p, s, t.options()); err == nil {
			return nil
		}
		t.l = nil // by another program's device, or damaged: from its places, then
	}
	y, err := t.start(ctx, b)
	if err != nil {
		return err
	}
	if t.l, err = tsne.Start(ctx, device, t.basis.p, y, t.options()); err != nil || len(pins) == 0 {
		return err
	}
	return t.l.Hold(ctx, pins, rowsOf(y, pins, t.recipe.Dims))
}

func (t *tsneRunner) options() tsne.Options {
	o := tsneOptions(t.recipe, t.values, t.seed)
	if t.kept {
		o.Until = 0
	}
	if t.gripped { // whoever drags at its end sees what comes of it
		o.Total = 0
	}
	return o
}

// start is where a map begins that is not continued.
func (t *tsneRunner) start(ctx context.Context, b Beginning) ([]float32, error) {
	dims := t.recipe.Dims
	if b.From == nil {
		return tsne.PCAStart(ctx, t.basis.x, dims, t.seed)
	}
	y := t.basis.places(b.From, dims, t.seed)
	if b.Fresh {
		return tsne.SmallStart(y, dims, t.seed), nil
	}
	t.kept = true
	return y, nil
}

// recall is the state that a run was left in, with these points held; nil: it is none of these points.
func (t *tsneRunner) recall(b Beginning, pins []int32) *tsne.State {
	m := b.Memory
	if m == nil || b.From == nil {
		return nil
	}
	var f tsneFacts
	dims := t.recipe.Dims
	v, gain := m.Points["v"], m.Points["gain"]
	if json.Unmarshal(m.Facts, &f) != nil || f.Points != len(t.basis.ids) || len(v) != t.all*dims ||
		len(gain) != t.all*dims || f.Units < 0 {
		return nil
	}
	s := &tsne.State{Dims: dims, Y: t.basis.gather(b.From.Pos, dims), V: t.basis.gather(v, dims),
		Gain: t.basis.gather(gain, dims), Held: pins, Slots: m.Orders["slots"], Curve: m.Orders["curve"],
		Units: f.Units, Plan: f.Plan, Last: f.Last, Planned: f.Planned, Stale: f.Stale, Forming: f.Forming,
		Rests: f.Rests}
	if !knn.Finite(s.Y) || !knn.Finite(s.V) || !knn.Finite(s.Gain) {
		return nil
	}
	for _, k := range pins { // one that was pinned since stands still
		clear(s.V[int(k)*dims : (int(k)+1)*dims])
	}
	t.kept = f.Kept
	return s
}

// Memory is y, which are the positions, v, gains, units and what is decided by then.
func (t *tsneRunner) Memory() (*Memory, error) {
	s := &tsne.State{}
	if err := t.l.Save(context.Background(), s); err != nil {
		return nil, err
	}
	facts, err := json.Marshal(tsneFacts{Units: s.Units, Plan: s.Plan, Last: s.Last, Planned: s.Planned, Stale: s.Stale,
		Forming: s.Forming, Rests: s.Rests, Held: s.Held, Kept: t.kept, Points: len(t.basis.ids)})
	if err != nil {
		return nil, problem.Wrap(err, "", "report this", "where t-SNE has come to cannot be kept: %v", err)
	}
	d := t.recipe.Dims
	v, gain := make([]float32, t.all*d), make([]float32, t.all*d)
	t.basis.scatter(v, s.V, d)
	t.basis.scatter(gain, s.Gain, d)
	m := &Memory{Facts: facts, Points: map[string][]float32{"v": v, "gain": gain}, Orders: map[string][]int32{}}
	if s.Slots != nil {
		m.Orders["slots"] = s.Slots
	}
	if s.Curve != nil {
		m.Orders["curve"] = s.Curve
	}
	return m, nil
}

func (t *tsneRunner) Step(ctx context.Context, units int) (step.Progress, error) {
	return t.l.Step(ctx, units)
}

func (t *tsneRunner) Place(dst embedsom.Target) error {
	if t.at == nil {
		return t.l.Positions(context.Background(), dst)
	}
	if err := t.l.Positions(context.Background(), t.at); err != nil {
		return err
	}
	t.basis.scatter(dst.Host(), t.at.Host(), t.recipe.Dims)
	dst.Upload(0, dst.Len())
	return nil
}

func (t *tsneRunner) Hold(points []int, places []float32) error {
	ids, at := t.basis.among(points, places, t.recipe.Dims)
	if len(ids) == 0 {
		return nil
	}
	return t.l.Hold(context.Background(), ids, at)
}

func (t *tsneRunner) Release(points []int) error {
	ids, _ := t.basis.among(points, nil, t.recipe.Dims)
	if len(ids) == 0 {
		return nil
	}
	return t.l.Release(context.Background(), ids)
}

func (t *tsneRunner) Grip(on bool) error {
	t.gripped = on
	return t.l.Change(t.options())
}

func (t *tsneRunner) Set(v step.Values) error {
	t.values = v
	return t.l.Change(t.options())
}

func (t *tsneRunner) Rebase(basis any) error {
	b := basis.(*tsneBasis)
	if !slices.Equal(b.ids, t.basis.ids) {
		return problem.New("", "start it over", "t-SNE of other points is another map")
	}
	if err := t.l.Swap(context.Background(), b.p); err != nil {
		return err
	}
	t.basis = b
	return nil
}

func (t *tsneRunner) Standing() (Standing, error) {
	var e tsne.Evaluation
	if err := t.l.Evaluate(context.Background(), &e); err != nil {
		return Standing{}, err
	}
	o := t.l.Options() // a divergence is never below 0, but by rounding
	s := Standing{Figure: max(0, e.KL), Early: int64(o.Until), Points: len(t.basis.ids)}
	if t.l.Units() < o.Until {
		s.Phase = fmt.Sprintf("exaggerated ×%g", o.Exaggeration)
	}
	if near := t.basis.near; near != nil && !near.Exact {
		s.Warning = fmt.Sprintf("%.1f %% of the neighbours were found, in groups of near points", 100*near.Recall)
	}
	if used := t.basis.p.Perplexity; used < t.basis.asked {
		s.Warning = fmt.Sprintf("%d points allow a perplexity of %.3g", len(t.basis.ids), used)
	}
	return s, nil
}

func (t *tsneRunner) Guess() time.Duration {
	n := float64(len(t.basis.ids))
	if t.plain {
		return time.Duration(n*n) + time.Duration(200*n)
	}
	return time.Duration(min(0.3*n*n, 400*n))
}

func (t *tsneRunner) Beside() bool { return t.beside }

func (t *tsneRunner) Close() {
	if t.l != nil {
		t.l.Close()
	}
	t.l = nil
	t.own.close()
}
