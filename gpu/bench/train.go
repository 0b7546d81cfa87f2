package bench

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/document/opening"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

func init() {
	Register(Measure{Name: "train", Title: "one epoch of each training", Inputs: true,
		Help: `Times one epoch of every training on the simulated blood sample, with 20 x 20 landmarks.
With INPUT... it trains the map that each input begins with, as the window does, and tells its quantization and
topographic error beside those of a batch SOM of 130 epochs at the same last sigma, which takes a while:
--repeats 1 leaves that out. Inputs are data files and demos: demo:cytometry:100000. --engine says which engine.`,
		Flags: []Flag{deviceFlag, engineFlag(" (default: the fastest that works here)"),
			pointsFlag(1, most, "size of the data, without INPUT (default: 65536)"),
			{Name: "repeats", Default: 0, Help: "1 trains no batch SOM beside INPUT"}},
		Columns: append([]table.Column{
			table.Word("train", func(r table.Row) string { return r.Variant }),
			table.Size("points", func(r table.Row) int { return r.N }),
			table.Size("d", func(r table.Row) int { return r.D }),
			table.Size("landmarks", func(r table.Row) int { return r.G }),
			table.Text("points/s", func(r table.Row) string { return fmt.Sprintf("%.0f", r.Rate) }),
			table.Value("ns/point", func(r table.Row) float64 { return r.Median }),
			table.Value("p05", func(r table.Row) float64 { return r.P05 }),
			table.Value("p95", func(r table.Row) float64 { return r.P95 }),
		}, qualityColumns...),
		Run: func(ctx context.Context, r *Run) error {
			if len(r.Inputs) == 0 {
				return epochs(ctx, r, r.points(1 << 16)[0], 20)
			}
			for _, input := range r.Inputs {
				ds, err := readInput(ctx, input)
				if err != nil {
					return err
				}
				if err := qualityOf(ctx, r, input, ds); err != nil {
					return err
				}
			}
			return nil
		}})
}

// epochs times one epoch of every training on the simulated blood sample with a grid of side x side.
func epochs(ctx context.Context, r *Run, n, side int) error {
	if err := fits(400*int64(n), "%d points", n); err != nil {
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
	x := data.X
	start, err := landmark.StartGrid(ctx, x, landmark.Shape{Cols: side, Rows: side, Layers: 1}, landmark.Rect, 1)
	if err != nil {
		return err
	}
	for _, a := range train.All() {
		r.Say("train " + a.ID)
		seconds, err := sample(func() error { // as many points as there are
			t, err := a.New(train.Input{X: x, Codebook: start.Codebook, Pos: start.Pos, Seed: 1},
				train.Suggest(a.ID, x.Rows, start.Pos))
			if err == nil {
				_, err = t.Step(ctx, x.Rows)
			}
			return err
		})
		if err != nil {
			return err
		}
		r.Add(rowOf("train", a.ID, "epoch", n, x.Cols, start.Len(), seconds))
	}
	return nil
}

// Quality is how near to the points the training is that a map begins with, beside a batch SOM that has converged
// at the same last sigma from the same start.
type Quality struct {
	Bench   string  `json:"bench"` // "train"
	Stage   string  `json:"stage"` // "quality"
	Input   string  `json:"input"`
	Engine  string  `json:"engine"`
	Variant string  `json:"variant"` // the training
	N       int     `json:"n"`
	D       int     `json:"d"`
	G       int     `json:"g"`
	Seconds float64 `json:"seconds"` // time of the whole training

	Quantization float64 `json:"quantization"` // mean distance of a point to its landmark
	Topographic  float64 `json:"topographic"`  // share of points whose two nearest landmarks are no neighbours
	// The figures of the batch SOM are 0 where it was not trained, because there are more points than convergedPoints.
	Batch            float64 `json:"batch,omitempty"`
	BatchTopographic float64 `json:"batch_topographic,omitempty"`
	Ratio            float64 `json:"ratio,omitempty"` // ratio of Quantization to Batch
}

const (
	convergedPoints = 1 << 20 // up to which a batch SOM is trained beside: it takes 130 epochs
	qualityPoints   = 20_000  // both errors are measured on
)

var qualityColumns = []table.Column{
	table.Word("input", func(q Quality) string { return q.Input }),
	table.Word("training", func(q Quality) string { return q.Variant }),
	table.Word("engine", func(q Quality) string { return q.Engine }),
	table.Size("points", func(q Quality) int { return q.N }),
	table.Size("d", func(q Quality) int { return q.D }),
	table.Size("landmarks", func(q Quality) int { return q.G }),
	table.Text("s", func(q Quality) string { return fmt.Sprintf("%.2f", q.Seconds) }),
	table.Value("quantization", func(q Quality) float64 { return q.Quantization }),
	table.Value("batch SOM", func(q Quality) float64 { return q.Batch }),
	table.Value("ratio", func(q Quality) float64 { return q.Ratio }),
	table.Value("topographic", func(q Quality) float64 { return q.Topographic }),
	table.Value("batch SOM", func(q Quality) float64 { return q.BatchTopographic }),
}

// qualityOf trains the map that an input begins with as the window does, and measures it.
func qualityOf(ctx context.Context, r *Run, input string, ds *dataset.Dataset) error {
	start, err := opening.Begin(ctx, ds, 1, nil)
	if err != nil {
		return err
	}
	engines, err := engine.Open(cmp.Or(r.Text("engine"), engine.Auto), r.Compute())
	if err != nil {
		return err
	}
	defer engines.Close()
	resident, err := engines.Engine().Load(ctx, start.Table.X)
	if err != nil {
		return err
	}
	defer resident.Free()
	in := trainingInput(start, resident.Caps())
	q := Quality{Bench: "train", Stage: "quality", Input: input,
		Engine:  engine.FullName(engines.Engine().Name(), engines.Engine().Variant()),
		Variant: start.Algorithm, N: in.X.Rows, D: in.X.Cols, G: in.Pos.Rows}
	r.Say("train " + input)
	began := time.Now()
	code, err := trained(ctx, start, in)
	if err != nil {
		return err
	}
	q.Seconds = time.Since(began).Seconds()
	m, err := train.Measure(ctx, in.X, code, in.Pos, qualityPoints, 1)
	if err != nil {
		return err
	}
	q.Quantization, q.Topographic = m.Quantization, m.Topographic
	if in.X.Rows <= convergedPoints && r.Int("repeats") != 1 {
		r.Say("a batch SOM of " + input)
		if code, err = train.Converged(ctx, in, start.Values, nil); err != nil {
			return err
		}
		if m, err = train.Measure(ctx, in.X, code, in.Pos, qualityPoints, 1); err != nil {
			return err
		}
		q.Batch, q.BatchTopographic = m.Quantization, m.Topographic
		if m.Quantization > 0 {
			q.Ratio = q.Quantization / m.Quantization
		}
	}
	r.Add(q)
	return nil
}
