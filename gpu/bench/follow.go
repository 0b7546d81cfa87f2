package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/quality"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Followed is a row of the bench of samples: one way to a map of all points, with how well it keeps their neighbours.
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
	// Of Queries points among all, as blossom tsne --json has them.
	RNX             float64 `json:"r_nx"`
	RNXError        float64 `json:"r_nx_error"`
	K               int     `json:"r_nx_k"`
	Trustworthiness float64 `json:"trustworthiness"`
	Continuity      float64 `json:"continuity"`
	Queries         int     `json:"r_nx_points"`
}

// FollowOptions are what the bench of samples measures, and with what.
type FollowOptions struct {
	Engine    string
	Compute   engine.Options
	Points    []int
	Sample    int   // points that are laid out for the others to follow
	Landmarks []int // how many of them its map is turned into
	Say       func(string)
	Told      func([]Followed) // after each number of points; may be nil
}

// How a sample is compared with all points.
const (
	followWhole  = 2_000_000 // points up to which all are laid out too
	followPlaced = 2_000_000 // points up to which they are placed one by one
	followTests  = 4e9       // comparisons that the quality of a map takes about
	followInput  = "demo:cytometry:%d"
)

// Follow compares maps of the cytometry demo: t-SNE of all points; t-SNE of a sample, made landmarks that EmbedSOM
// places all points by, or in whose map all others are placed one by one; and EmbedSOM with the map it begins with.
func Follow(ctx context.Context, o FollowOptions) (rows []Followed, err error) {
	c, err := engine.Open(o.Engine, o.Compute)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for _, n := range o.Points {
		if n < o.Sample {
			return rows, problem.New("", fmt.Sprintf("measure %d or more with --points", o.Sample),
				"a sample of %d points needs as many to follow", o.Sample)
		}
		some, err := followed(ctx, c.Engine(), n, o)
		if rows = append(rows, some...); err != nil {
			return rows, err
		}
		if o.Told != nil {
			o.Told(some)
		}
	}
	return rows, nil
}

// follower makes the rows of one number of points.
type follower struct {
	o     FollowOptions
	e     engine.Engine
	x     matrix.Matrix32
	res   engine.Resident // of x
	space *knn.Lists      // neighbours of the points that are asked for theirs
	some  []int32         // those points
	input string
	rows  []Followed
}

func followed(ctx context.Context, e engine.Engine, n int, o FollowOptions) ([]Followed, error) {
	f := &follower{o: o, e: e, input: fmt.Sprintf(followInput, n)}
	s := run.Defaults()
	f.say("reading")
	ds, err := s.Read(ctx, f.input, nil)
	if err != nil {
		return nil, err
	}
	start, err := run.Begin(ctx, ds, 1, nil)
	if err != nil {
		return nil, err
	}
	f.x = start.Table.X // in an order by chance: the first points are a sample
	if f.res, err = e.Load(ctx, f.x); err != nil {
		return nil, err
	}
	defer f.res.Free()
	if f.res.Caps().TSNE == nil {
		return nil, problem.New("", "use another engine", "engine %s makes no maps by t-SNE", e.Name())
	}
	f.some = make([]int32, min(quality.Queries, max(100, int(followTests/float64(n)))))
	for i := range f.some {
		f.some[i] = int32(i + n - len(f.some)) // none of the sample, unless all are
	}
	if err := f.all(ctx, start); err != nil {
		return f.rows, err
	}
	return f.rows, nil
}

func (f *follower) say(what string) { f.o.Say(f.input + ": " + what) }

// all makes all rows.
func (f *follower) all(ctx context.Context, start *run.Start) error {
	if f.x.Rows <= followWhole {
		f.say("t-SNE of all points")
		r, began := Followed{Variant: "t-SNE of all points"}, time.Now()
		y, err := f.map2(ctx, f.res, f.x)
		if err != nil {
			return err
		}
		r.Map = time.Since(began).Seconds()
		if err := f.row(ctx, r, y); err != nil {
			return err
		}
	}
	part := matrix.Matrix32{Rows: f.o.Sample, Cols: f.x.Cols, Data: f.x.Data[:f.o.Sample*f.x.Cols]}
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
	sample := Followed{Sample: f.o.Sample, Map: time.Since(began).Seconds()}
	for _, g := range f.o.Landmarks {
		r := sample
		r.Variant = fmt.Sprintf("sample, %d landmarks", g)
		f.say(r.Variant)
		began := time.Now()
		set, err := live.LandmarksAt(ctx, part, laid, 2, g, 1, nil)
		if err != nil {
			return err
		}
		r.G, r.Landmarks = set.Len(), time.Since(began).Seconds()
		if err := f.embed(ctx, r, set); err != nil {
			return err
		}
	}
	if f.x.Rows <= followPlaced {
		r := sample
		r.Variant = "sample, others placed"
		f.say(r.Variant)
		began := time.Now()
		y, err := f.place(ctx, few, part, laid)
		if err != nil {
			return err
		}
		r.Place = time.Since(began).Seconds()
		if err := f.row(ctx, r, y); err != nil {
			return err
		}
	}
	r := Followed{Variant: "EmbedSOM, trained"}
	f.say(r.Variant)
	began = time.Now()
	set, err := f.trained(ctx, start)
	if err != nil {
		return err
	}
	r.G, r.Landmarks = set.Len(), time.Since(began).Seconds()
	return f.embed(ctx, r, set)
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
	p, err := tsne.SparseOf(ctx, near.Lists, opt.Perplexity)
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
	q := knn.Query{K: tsne.PlaceNear, New: rest}
	near := knn.NewLists(part, q)
	if found := few.Caps().Neighbours; found != nil {
		err = found.Others(ctx, q, near)
	} else {
		err = knn.Search(ctx, part, q, near)
	}
	if err != nil {
		return nil, err
	}
	placed, err := frozen.Place(ctx, near, 0, nil)
	return append(y, placed...), err
}

// trained is the map that EmbedSOM begins with, trained as the window does.
func (f *follower) trained(ctx context.Context, start *run.Start) (*landmark.Set, error) {
	l, caps := *start.Landmarks, f.res.Caps()
	a, _ := train.ByID(start.Algorithm)
	t, err := a.New(train.Input{X: f.x, Codebook: l.Codebook, Pos: l.Pos, Edges: l.Edges, Seed: 1,
		Searcher: caps.Searcher, Summer: caps.Summer}, start.Values)
	for p := (step.Progress{}); err == nil && !p.Rest; {
		p, err = t.Step(ctx, 1<<15)
	}
	if err != nil {
		return nil, err
	}
	return landmark.New(t.Codebook(), l.Pos)
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
	f.rows = append(f.rows, r)
	return nil
}

// find looks for neighbours in the space once for all rows.
func (f *follower) find(ctx context.Context, x matrix.Matrix32, q knn.Query, out *knn.Lists) error {
	if x.Cols != f.x.Cols || x.Rows != f.x.Rows || &x.Data[0] != &f.x.Data[0] {
		return knn.Search(ctx, x, q, out)
	}
	if f.space == nil {
		near := knn.NewLists(x, q)
		var err error
		if found := f.res.Caps().Neighbours; found != nil {
			err = found.Others(ctx, q, near)
		} else {
			err = knn.Search(ctx, x, q, near)
		}
		if err != nil {
			return err
		}
		f.space = near
	}
	*out = *f.space
	return nil
}
