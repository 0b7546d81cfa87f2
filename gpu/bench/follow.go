package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/opening"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/centres"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/quality"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Followed is a row of the measure follow: one way to a map of all points, with how well it keeps their neighbours.
type Followed struct {
	Bench   string `json:"bench"` // "follow"
	Input   string `json:"input"`
	Engine  string `json:"engine"`
	Device  string `json:"device,omitempty"`
	Variant string `json:"variant"` // the way
	N       int    `json:"n"`
	D       int    `json:"d"`
	Sample  int    `json:"sample,omitempty"` // points that were laid out by t-SNE
	G       int    `json:"g,omitempty"`      // landmarks
	// Seconds: of the sample's or all points' map, of landmarks, of placing all points, and of all of it.
	Map       float64 `json:"s_map"`
	Landmarks float64 `json:"s_landmarks"`
	Place     float64 `json:"s_place"`
	Seconds   float64 `json:"s"`
	// RNX is over Queries points among all, as blossom tsne --json has it.
	RNX             float64 `json:"r_nx"`
	RNXError        float64 `json:"r_nx_error"`
	K               int     `json:"r_nx_k"`
	Trustworthiness float64 `json:"trustworthiness"`
	Continuity      float64 `json:"continuity"`
	Queries         int     `json:"r_nx_points"`
}

func init() {
	fixed := func(digits int, v float64) string { return strconv.FormatFloat(v, 'f', digits, 64) }
	Register(Measure{Name: "follow", Title: "t-SNE of a sample that the other points follow",
		Help: `Compares ways to a map of many points of the cytometry demo: t-SNE of all of them (2,000,000
at most); t-SNE of a sample of 20,000, made landmarks that EmbedSOM places all points by, or in whose map all
others are placed one by one; and EmbedSOM with the map it begins with. Its points are 200,000, on a card one
million and ten; R_NX, trustworthiness and continuity are of 400 to 2,000 points among all.`,
		Flags: []Flag{deviceFlag, engineFlag(" (default: cpu)"),
			pointsFlag(followSample, most, "one number of points"), quickFlag("50,000 points")},
		Columns: []table.Column{
			table.Word("follow", func(r Followed) string { return r.Variant }),
			table.Size("points", func(r Followed) int { return r.N }),
			table.Value("map s", func(r Followed) float64 { return r.Map }),
			table.Value("landmarks s", func(r Followed) float64 { return r.Landmarks }),
			table.Value("place s", func(r Followed) float64 { return r.Place }),
			table.Value("s", func(r Followed) float64 { return r.Seconds }),
			table.Text("R_NX", func(r Followed) string { return fixed(3, r.RNX) }),
			table.Text("+-", func(r Followed) string { return fixed(3, r.RNXError) }),
			table.Text("trusted", func(r Followed) string { return fixed(4, r.Trustworthiness) }),
			table.Text("continuous", func(r Followed) string { return fixed(4, r.Continuity) }),
		},
		Run: func(ctx context.Context, r *Run) error {
			c, err := engine.Open(cmp.Or(r.Text("engine"), "cpu"), r.Compute())
			if err != nil {
				return err
			}
			defer c.Close()
			points := []int{200_000}
			if reg, _ := engine.Named(c.Engine().Name()); reg.Kind == engine.Card {
				points = []int{1_000_000, 10_000_000}
			}
			if r.Bool("quick") {
				points = []int{50_000}
			}
			for _, n := range r.points(points...) {
				if err := fits(600*int64(n), "%d points", n); err != nil {
					return err
				}
				f := &follower{Run: r, e: c.Engine(), sample: followSample, landmarks: []int{500, 1000, 2000, 4000}}
				if err := f.follow(ctx, n); err != nil {
					return err
				}
				r.Tell()
			}
			return nil
		}})
}

// How a sample is compared with all points.
const (
	followSample = 20_000    // points that are laid out for the others to follow
	followWhole  = 2_000_000 // points up to which all are laid out too
	followPlaced = 2_000_000 // points up to which they are placed one by one
	followTests  = 4e9       // comparisons that the quality of a map takes about
	followInput  = "demo:cytometry:%d"
)

// follower makes the rows of one number of points: t-SNE of all; t-SNE of a sample, made landmarks that EmbedSOM places
// all points by, or in whose map all others are placed one by one; and EmbedSOM with the map it begins with.
type follower struct {
	*Run
	e         engine.Engine
	sample    int   // points that are laid out
	landmarks []int // how many of them its map is turned into
	input     string
	x         matrix.Matrix32
	res       engine.Resident // x on the device
	space     *knn.Lists      // neighbours of the points that are asked for theirs
	some      []int32         // points of x whose neighbours are asked for
}

func (f *follower) follow(ctx context.Context, n int) error {
	f.input = fmt.Sprintf(followInput, n)
	f.say("reading")
	ds, err := readInput(ctx, f.input)
	if err != nil {
		return err
	}
	start, err := opening.Begin(ctx, ds, 1, nil)
	if err != nil {
		return err
	}
	f.x = start.Table.X // in an order by chance: the first points are a sample
	if f.res, err = f.e.Load(ctx, f.x); err != nil {
		return err
	}
	defer f.res.Free()
	if f.res.Caps().TSNE == nil {
		return problem.New("", "use another engine", "engine %s makes no maps by t-SNE", f.e.Name())
	}
	f.some = make([]int32, min(quality.Queries, max(100, int(followTests/float64(n)))))
	for i := range f.some {
		f.some[i] = int32(i + n - len(f.some)) // none of the sample, unless all are
	}
	if err := f.whole(ctx); err != nil {
		return err
	}
	if err := f.followed(ctx); err != nil {
		return err
	}
	r := Followed{Variant: "EmbedSOM, trained"}
	f.say(r.Variant)
	began := time.Now()
	in := trainingInput(start, f.res.Caps())
	code, err := trained(ctx, start, in)
	if err != nil {
		return err
	}
	set, err := landmark.New(code, in.Pos)
	if err != nil {
		return err
	}
	r.G, r.Landmarks = set.Len(), time.Since(began).Seconds()
	return f.embed(ctx, r, set)
}

func (f *follower) say(what string) { f.Say(f.input + ": " + what) }

// whole lays all points out, where they are not too many.
func (f *follower) whole(ctx context.Context) error {
	if f.x.Rows > followWhole {
		return nil
	}
	r, began := Followed{Variant: "t-SNE of all points"}, time.Now()
	f.say(r.Variant)
	y, err := f.map2(ctx, f.res, f.x)
	if err != nil {
		return err
	}
	r.Map = time.Since(began).Seconds()
	return f.row(ctx, r, y)
}

// followed lays a sample out, and lets all points follow it.
func (f *follower) followed(ctx context.Context) error {
	part := matrix.Matrix32{Rows: f.sample, Cols: f.x.Cols, Data: f.x.Data[:f.sample*f.x.Cols]}
	few, err := f.e.Load(ctx, part)
	if err != nil {
		return err
	}
	defer few.Free()
	f.say("t-SNE of a sample")
	began := time.Now()
	laid, err := f.map2(ctx, few, part)
	if err != nil {
		return err
	}
	sample := Followed{Sample: f.sample, Map: time.Since(began).Seconds()}
	for _, g := range f.landmarks {
		r := sample
		r.Variant = fmt.Sprintf("sample, %d landmarks", g)
		f.say(r.Variant)
		began := time.Now()
		set, err := centres.At(ctx, part, laid, 2, g, 1, nil)
		if err != nil {
			return err
		}
		r.G, r.Landmarks = set.Len(), time.Since(began).Seconds()
		if err := f.embed(ctx, r, set); err != nil {
			return err
		}
	}
	if f.x.Rows > followPlaced {
		return nil
	}
	r := sample
	r.Variant = "sample, others placed"
	f.say(r.Variant)
	began = time.Now()
	y, err := f.place(ctx, few, part, laid)
	if err != nil {
		return err
	}
	r.Place = time.Since(began).Seconds()
	return f.row(ctx, r, y)
}

// map2 lays points out by t-SNE as blossom tsne does, in 2D.
func (f *follower) map2(ctx context.Context, r engine.Resident, x matrix.Matrix32) ([]float32, error) {
	opt := tsne.Defaults()
	_, k := tsne.Allowed(x.Rows, opt.Perplexity)
	caps := r.Caps()
	var assign knn.Assign
	if caps.Searcher != nil {
		assign = caps.Searcher.Nearest
	}
	near, err := knn.Auto(ctx, x, caps.Neighbours, assign, knn.Plan{K: k, Seed: 1})
	if err != nil {
		return nil, err
	}
	p, err := tsne.SparseOf(ctx, near.Lists, opt.Perplexity, caps.Joiner)
	if err != nil {
		return nil, err
	}
	y, err := tsne.PCAStart(ctx, x, 2, 1)
	if err != nil {
		return nil, err
	}
	l, err := tsne.Start(ctx, caps.TSNE, p, y, opt)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	for p := (step.Progress{}); !p.Rest; {
		if p, err = l.Step(ctx, 50); err != nil {
			return nil, err
		}
	}
	dst := embedsom.NewHostTarget(x.Rows, 2)
	return dst.Data, l.Positions(ctx, dst)
}

// place puts all points that are not of the sample in its map.
func (f *follower) place(ctx context.Context, few engine.Resident, part matrix.Matrix32, laid []float32) ([]float32,
	error) {
	frozen, err := tsne.Freeze(laid, 2)
	if err != nil {
		return nil, err
	}
	rest := matrix.Matrix32{Rows: f.x.Rows - part.Rows, Cols: f.x.Cols, Data: f.x.Data[len(part.Data):]}
	y := slices.Clone(laid)
	if rest.Rows == 0 {
		return y, nil
	}
	near, err := nearOf(ctx, part, few.Caps(), knn.Query{K: tsne.PlaceNear, New: rest})
	if err != nil {
		return nil, err
	}
	placed, err := frozen.Place(ctx, near, 0, nil)
	return append(y, placed...), err
}

// embed places all points by landmarks.
func (f *follower) embed(ctx context.Context, r Followed, set *landmark.Set) error {
	began := time.Now()
	dst, params := embedsom.NewHostTarget(f.x.Rows, 2), embedsom.Defaults()
	whole := engine.Range{To: f.x.Rows}
	if err := f.res.Neighbours(ctx, set, params, whole); err != nil {
		return err
	}
	if err := f.res.Project(ctx, set, params, dst, whole); err != nil {
		return err
	}
	r.Place = time.Since(began).Seconds()
	return f.row(ctx, r, dst.Data)
}

// row measures positions, and keeps the row.
func (f *follower) row(ctx context.Context, r Followed, y []float32) error {
	r.Bench, r.Input, r.N, r.D = "follow", f.input, f.x.Rows, f.x.Cols
	r.Engine, r.Device = engine.FullName(f.e.Name(), f.e.Variant()), f.e.Device()
	r.Seconds = r.Map + r.Landmarks + r.Place
	f.say(r.Variant + ", its quality")
	q, err := quality.Among(ctx, f.x, y, 2, quality.Work{Sample: f.some, Find: f.find})
	if err != nil {
		return err
	}
	r.RNX, r.RNXError, r.K, r.Queries = q.RNX, q.Error, q.K, q.Queries
	r.Trustworthiness, r.Continuity = q.Trustworthiness, q.Continuity
	f.Add(r)
	return nil
}

// find looks for neighbours in the space once for all rows.
func (f *follower) find(ctx context.Context, x matrix.Matrix32, q knn.Query, out *knn.Lists) error {
	if x.Cols != f.x.Cols || x.Rows != f.x.Rows || &x.Data[0] != &f.x.Data[0] {
		return knn.Search(ctx, x, q, out)
	}
	if f.space == nil {
		near, err := nearOf(ctx, x, f.res.Caps(), q)
		if err != nil {
			return err
		}
		f.space = near
	}
	*out = *f.space
	return nil
}
