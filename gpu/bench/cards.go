package bench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/demo"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// CardsRow is a row of the measure cards: a step on one card and on several.
type CardsRow struct {
	Bench   string  `json:"bench"` // "cards"
	Step    string  `json:"step"`
	Engine  string  `json:"engine"`
	Cards   int     `json:"cards"`
	N       int     `json:"n"`
	D       int     `json:"d"`
	G       int     `json:"g,omitempty"`
	One     float64 `json:"seconds_one"` // fastest of three
	Several float64 `json:"seconds"`
	Ratio   float64 `json:"ratio"`
	Sum     string  `json:"sha256"` // Sum is of what one card made
	Same    bool    `json:"same"`   // Same: several made these bytes
}

func init() {
	Register(Measure{Name: "cards", Title: "one card and several",
		Help: `Times what several cards of a machine share, on the first of --device and on all of them, beginning with
points that are on the cards: neighbours and positions of all points with 20 x 20 and 50 x 50 landmarks, an epoch of
som-batch and of lloyd with 20 x 20, the 15 nearest others of up to four million points, and 100 units of t-SNE in 2D
and in 3D, of points in groups of 1,000; the fastest of three. It says whether the results have the same bytes.`,
		Flags: []Flag{deviceFlag, engineFlag(" (default: the fastest that works here)"),
			pointsFlag(1, most, "size of the data (default: 2,000,000)")},
		Columns: []table.Column{
			table.Word("cards", func(r CardsRow) string { return r.Step }),
			table.Size("points", func(r CardsRow) int { return r.N }),
			table.Size("d", func(r CardsRow) int { return r.D }),
			table.Size("landmarks", func(r CardsRow) int { return r.G }),
			table.Value("ms, one", func(r CardsRow) float64 { return 1e3 * r.One }),
			table.Text("ms, all", func(r CardsRow) string { return fmt.Sprintf("%.2f on %d", 1e3*r.Several, r.Cards) }),
			table.Value("ratio", func(r CardsRow) float64 { return r.Ratio }),
			table.Word("sha256", func(r CardsRow) string { return r.Sum[:16] }),
			table.Word("several", func(r CardsRow) string {
				if r.Same {
					return "the same"
				}
				return "OTHERS"
			}),
		},
		Run: func(ctx context.Context, r *Run) error { return onCards(ctx, r, r.points(2_000_000)[0]) }})
}

// cardsStep is one that several cards share: work on points that an engine has.
type cardsStep struct {
	name string
	n, g int
	on   func(context.Context, engine.Resident, matrix.Matrix32) (cardsWork, error)
}

// cardsWork is what is timed, what came of it, and the end of it, if there is one.
type cardsWork struct {
	do   func() error
	made func() (any, error)
	end  func()
}

func onCards(ctx context.Context, r *Run, n int) error {
	if err := fits(600*int64(n), "%d points", n); err != nil {
		return err
	}
	ds, err := demo.Generate(ctx, "cytometry", n, 1)
	if err != nil {
		return err
	}
	data, err := transform.Build(ctx, ds, transform.Default(ds), nil, nil)
	if err != nil {
		return err
	}
	var steps []cardsStep
	for _, side := range []int{20, 50} {
		l, err := landmark.StartGrid(ctx, data.X, landmark.Shape{Cols: side, Rows: side, Layers: 1}, landmark.Rect, 1)
		if err != nil {
			return err
		}
		steps = append(steps, cardsStep{"embed", n, l.Len(), embedded(l)})
		if side == 20 {
			steps = append(steps, cardsStep{"som-batch", n, l.Len(), epochOf("som-batch", l)},
				cardsStep{"lloyd", n, l.Len(), epochOf("lloyd", l)})
		}
	}
	steps = append(steps, cardsStep{"neighbours", min(n, cardsNear), 0, atOnce(othersOf)})
	for dims := 2; dims <= 3 && n >= cardsMap; dims++ {
		steps = append(steps, cardsStep{"t-SNE " + inSpace(dims), min(n, cardsMapMost[dims]), 0, unitsIn(dims)})
	}
	for _, step := range steps {
		r.Say("cards " + step.name)
		row, err := step.compare(ctx, r, matrix.Matrix32{Rows: step.n, Cols: data.X.Cols,
			Data: data.X.Data[:step.n*data.X.Cols]})
		if err != nil {
			return err
		}
		r.Add(row)
		r.Tell()
	}
	return nil
}

// compare does a step on one card and on all.
func (s cardsStep) compare(ctx context.Context, r *Run, x matrix.Matrix32) (row CardsRow, err error) {
	o := r.Compute()
	_, beside := r.cards()
	row = CardsRow{Bench: "cards", Step: s.name, Cards: 1 + len(beside), N: x.Rows, D: x.Cols, G: s.g}
	var sums [2]string
	for i, took := range []*float64{&row.One, &row.Several} {
		if i > 0 {
			o.Beside = beside
		}
		engines, err := engine.Open(cmp.Or(r.Text("engine"), engine.Auto), o)
		if err != nil {
			return row, err
		}
		row.Engine = engine.FullName(engines.Engine().Name(), engines.Engine().Variant())
		*took, sums[i], err = s.time(ctx, engines.Engine(), x)
		engines.Close()
		if err != nil {
			return row, err
		}
	}
	row.Sum, row.Same, row.Ratio = sums[0], sums[0] == sums[1], row.One/row.Several
	return row, nil
}

// time does a step four times, of which the first brings the points to the device.
func (s cardsStep) time(ctx context.Context, e engine.Engine, x matrix.Matrix32) (seconds float64, sum string,
	err error) {
	res, err := e.Load(ctx, x)
	if err != nil {
		return 0, "", err
	}
	defer res.Free()
	work, err := s.on(ctx, res, x)
	if err != nil {
		return 0, "", err
	}
	if work.end != nil {
		defer work.end()
	}
	for i := range 4 {
		start := time.Now()
		if err := work.do(); err != nil {
			return 0, "", err
		}
		if took := time.Since(start).Seconds(); i == 1 || i > 1 && took < seconds {
			seconds = took
		}
	}
	made, err := work.made()
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	err = binary.Write(h, binary.LittleEndian, made)
	return seconds, fmt.Sprintf("%x", h.Sum(nil)), err
}

// atOnce is work that says what came of it when it is done.
func atOnce(work func(context.Context, engine.Resident, matrix.Matrix32) (any, error)) func(context.Context,
	engine.Resident, matrix.Matrix32) (cardsWork, error) {
	return func(ctx context.Context, res engine.Resident, x matrix.Matrix32) (cardsWork, error) {
		var last any
		return cardsWork{
			do:   func() (err error) { last, err = work(ctx, res, x); return err },
			made: func() (any, error) { return last, nil },
		}, nil
	}
}

// The nearest others are looked for of so many points at most.
const cardsNear = 4_000_000

// Maps of t-SNE are of so many points at least, and at most by dimensions.
const cardsMap = 1000

var cardsMapMost = map[int]int{2: 10_000_000, 3: 2_000_000}

// unitsIn is 100 units of a map that goes on forming.
func unitsIn(dims int) func(context.Context, engine.Resident, matrix.Matrix32) (cardsWork, error) {
	return func(ctx context.Context, res engine.Resident, x matrix.Matrix32) (work cardsWork, err error) {
		d := res.Caps().TSNE
		if d == nil {
			return work, problem.New("", "use --engine cpu or cuda", "this engine makes no maps by t-SNE")
		}
		p, err := groups(ctx, x.Rows)
		if err != nil {
			return work, err
		}
		o := tsne.DefaultsIn(dims)
		o.Until, o.Total = 50, 0
		l, err := tsne.Start(ctx, d, p, tsne.RandomStart(p.N, dims, 1), o)
		if err != nil {
			return work, err
		}
		units := func(n int) error {
			_, err := l.Step(ctx, n)
			if err == nil {
				_, err = l.Measure(ctx)
			}
			return err
		}
		if err := units(200); err != nil {
			l.Close()
			return work, err
		}
		return cardsWork{do: func() error { return units(100) }, end: l.Close, made: func() (any, error) {
			dst := embedsom.NewHostTarget(p.N, dims)
			return dst.Data, l.Positions(ctx, dst)
		}}, nil
	}
}

// embedded is neighbours and positions of all points, brought to memory that is there, as that of a map is.
func embedded(l *landmark.Set) func(context.Context, engine.Resident, matrix.Matrix32) (cardsWork, error) {
	return func(ctx context.Context, res engine.Resident, x matrix.Matrix32) (cardsWork, error) {
		dst, all := embedsom.NewHostTarget(x.Rows, l.Pos.Cols), matrix.Range{To: x.Rows}
		return cardsWork{
			do: func() error {
				set := *l
				set.CodeRev, set.PosRev = revision.Next(), revision.Next()
				return errors.Join(res.Neighbours(ctx, &set, embedsom.Defaults(), all),
					res.Project(ctx, &set, embedsom.Defaults(), dst, all))
			},
			made: func() (any, error) { return dst.Data, nil },
		}, nil
	}
}

// epochOf is an epoch of a training that goes on.
func epochOf(id string, l *landmark.Set) func(context.Context, engine.Resident, matrix.Matrix32) (cardsWork, error) {
	return func(ctx context.Context, res engine.Resident, x matrix.Matrix32) (cardsWork, error) {
		a, _ := train.ByID(id)
		t, err := a.New(train.Input{X: x, Codebook: l.Codebook, Pos: l.Pos, Seed: 1,
			Searcher: res.Caps().Searcher, Summer: res.Caps().Summer}, train.Suggest(id, x.Rows, l.Pos))
		if err != nil {
			return cardsWork{}, err
		}
		return cardsWork{
			do:   func() error { _, err := t.Step(ctx, x.Rows); return err },
			made: func() (any, error) { return t.Codebook().Data, nil },
		}, nil
	}
}

func othersOf(ctx context.Context, res engine.Resident, x matrix.Matrix32) (any, error) {
	if res.Caps().Neighbours == nil {
		return nil, problem.New("", "use --engine cpu or cuda", "this engine finds no nearest points")
	}
	near, err := nearOf(ctx, x, res.Caps(), knn.Query{K: 15})
	if err != nil {
		return nil, err
	}
	return near.Index, nil
}
