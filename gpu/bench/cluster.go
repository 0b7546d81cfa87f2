package bench

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/work/engine"
)

// Clustered is a row of the measure cluster: one algorithm on points of one shape, on one engine.
type Clustered struct {
	table.Row
	Seconds float64            `json:"seconds"` // the least
	CPU     float64            `json:"cpu_seconds,omitempty"`
	Stages  map[string]float64 `json:"seconds_by_stage,omitempty"`
	Work    *linkage.Work      `json:"work,omitempty"`
	// Wrong is how far an algorithm that is not exact is off; for one that is, that it is not.
	Wrong *linkage.Wrong `json:"wrong,omitempty"`
	Proof bool           `json:"proven"`
	// Z is a hash of the linkage matrix: the same for every engine and card, if the algorithm is exact.
	Z string `json:"z,omitempty"`
}

func init() {
	columns := []table.Column{
		table.Word("cluster", func(r Clustered) string { return r.Variant }),
		table.Word("engine", func(r Clustered) string { return r.Engine }),
		table.Size("points", func(r Clustered) int { return r.N }),
		table.Size("columns", func(r Clustered) int { return r.D }),
		table.Failure(func(r Clustered) string { return r.Failed }),
		table.Value("s", func(r Clustered) float64 { return r.Seconds }),
		table.Value("CPU s", func(r Clustered) float64 { return r.CPU }),
	}
	for _, stage := range []string{"load", "points", "arrange", "tree", "pass", "linkage"} {
		columns = append(columns, table.Value(stage, func(r Clustered) float64 { return r.Stages[stage] }))
	}
	wrong := func(head string, cell func(w linkage.Wrong) string) {
		columns = append(columns, table.Text(head, func(r Clustered) string {
			if r.Wrong == nil {
				return ""
			}
			return cell(*r.Wrong)
		}))
	}
	columns = append(columns, table.Text("ratio", func(r Clustered) string { return r.Times() }))
	wrong("wrong heights", func(w linkage.Wrong) string { return fmt.Sprint(w.Heights) })
	wrong("wrong edges", func(w linkage.Wrong) string { return fmt.Sprint(w.Edges) })
	wrong("largest ratio", func(w linkage.Wrong) string { return fmt.Sprintf("%.4g", w.Ratio) })
	Register(Measure{Name: "cluster", Title: "single linkage", Inputs: true,
		Help: `Times every algorithm of single linkage on generated points, or with INPUT... on those of
files and demos, as the map takes them. Ratios compare with the published system; wrong heights are the
ranks at which its tree, weighed exactly, has another weight than the exact one. SciPy's linkage runs beside
them up to 20,000 points where a Python with SciPy is found (BLOSSOM_SCIPY names one).`,
		Flags: []Flag{deviceFlag, engineFlag(" (default: the fastest that works here)"),
			pointsFlag(2, 1<<27, "one size, of 39 columns"), quickFlag("without sizes above 10,000 points"),
			{Name: "algorithm", Default: []string(nil), Help: "algorithms: `a,b` (default: all)"},
			{Name: "shape", Default: []string(nil), Help: "one size: `points x columns`, 10000x39, or 60000x784b for " +
				"bytes"}},
		Columns: columns,
		Note: func([]any) string {
			return "ratio: to the published system; CPU s: of all cores; load to linkage: s of a stage"
		},
		Run: func(ctx context.Context, r *Run) error {
			shapes, err := clusterShapes(r)
			if err != nil {
				return err
			}
			return clusters(ctx, r, shapes)
		}})
}

// affordable is how many products an algorithm that looks at every pair may take, on processors: minutes. A card makes
// more of them, and prim is none of a device's.
func affordable(id string, e engine.Engine) float64 {
	r, _ := engine.Named(e.Name())
	switch {
	case id == linkage.Default:
		return math.Inf(1)
	case id == "prim":
		return 4e11
	case r.Kind == engine.Card:
		return 4e14
	}
	return 4e12
}

// clusters measures algorithms on shapes, and SciPy where a Python has it.
func clusters(ctx context.Context, r *Run, shapes []clusterShape) error {
	algorithms := r.List("algorithm")
	if len(algorithms) == 0 {
		algorithms = linkage.IDs()
	}
	for _, id := range algorithms {
		if _, err := linkage.Named(id); err != nil {
			return err
		}
	}
	o := r.Compute()
	_, o.Beside = r.cards()
	engines, err := engine.Open(cmp.Or(r.Text("engine"), engine.Auto), o)
	if err != nil {
		return err
	}
	defer engines.Close()
	if err := linking(ctx, &engines, r.Text("engine")); err != nil {
		return err
	}
	for _, shape := range shapes {
		x, err := shape.points(ctx)
		if err != nil {
			return err
		}
		shape.n, shape.d = x.Rows, x.Cols
		rows, err := clusterRows(ctx, r, engines.Engine(), shape, x, algorithms)
		for _, row := range rows {
			for _, base := range rows {
				published, _ := linkage.Named(base.Variant)
				if !published.Exact && base.Seconds > 0 && row.Seconds > 0 {
					row.Baseline, row.Ratio = base.Variant, base.Seconds/row.Seconds
				}
			}
			r.Add(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// linking moves on to an engine that looks at pairs of points.
func linking(ctx context.Context, engines *engine.Chooser, name string) error {
	for {
		e := engines.Engine()
		r, err := e.Load(ctx, matrix.New(1, 1))
		if err != nil {
			return err
		}
		offers := r.Caps().Linkage != nil
		r.Free()
		if offers {
			return nil
		}
		if name != "" && name != engine.Auto || !engines.Next() {
			return problem.New("", "use --engine auto", "engine %s does not look at pairs of points", e.Name())
		}
	}
}

// clusterRows are those of one shape; the first exact algorithm says what is right.
func clusterRows(ctx context.Context, r *Run, e engine.Engine, shape clusterShape, x matrix.Matrix32,
	algorithms []string) (rows []Clustered, err error) {
	c := clustering{e: e, shape: shape, x: x}
	for _, id := range algorithms {
		if float64(shape.n)*float64(shape.n)*float64(shape.d) > affordable(id, e) {
			continue
		}
		r.Say(fmt.Sprintf("%s, %v", id, shape))
		row := Clustered{Row: shape.row(e.Name(), id)}
		began := time.Now()
		for try := 0; try < 7 && (try == 0 || time.Since(began) < 3*time.Second); try++ {
			o := linkage.Options{Algorithm: id, Threads: r.Int(threadsFlag.Name), Seed: 1}
			if err := c.once(ctx, o, &row); err != nil {
				return rows, err
			}
		}
		row.Device = e.Device()
		row.times()
		rows = append(rows, row)
	}
	if shape.n > sciPyPoints {
		return rows, nil
	}
	r.Say(fmt.Sprintf("SciPy, %v", shape))
	return append(rows, clusterSciPy(ctx, shape, x)), nil
}

// clustering is points that algorithms take turns at.
type clustering struct {
	e     engine.Engine
	shape clusterShape
	x     matrix.Matrix32
	exact *linkage.Linkage // by the first algorithm that is exact
}

// once clusters the points once more, and puts what is least into the row.
func (c *clustering) once(ctx context.Context, o linkage.Options, row *Clustered) error {
	start, cpu := time.Now(), cpuSeconds()
	resident, err := c.e.Load(ctx, c.x) // each run sends anew what a device needs of the points
	if err != nil {
		return err
	}
	defer resident.Free()
	stages := map[string]float64{"load": time.Since(start).Seconds()}
	o.Device = resident.Caps().Linkage
	r, err := linkage.New(ctx, c.x, o)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Finish(ctx, nil); err != nil {
		return err
	}
	l, err := r.Linkage(ctx)
	if err != nil {
		return err
	}
	took, spent := time.Since(start).Seconds(), cpuSeconds()-cpu
	for _, s := range r.Stages() {
		stages[s.Name] += s.Seconds
	}
	if row.Repeats == 0 || took < row.Seconds {
		row.Seconds, row.Stages = took, stages
	}
	if row.Repeats == 0 || spent < row.CPU {
		row.CPU = spent
	}
	row.Repeats++
	work := r.Work()
	row.Work, row.Proof = &work, r.Proven()
	a, _ := linkage.Named(o.Algorithm)
	z := hashZ(l.Z)
	if row.Z != "" && a.Exact && z != row.Z {
		return fmt.Errorf("%s of %v is another one each time", a.ID, c.shape)
	}
	row.Z = z
	if a.Exact && c.exact == nil {
		c.exact = l
	}
	if c.exact != nil && row.Wrong == nil {
		wrong, err := r.Against(ctx, c.exact)
		if err != nil {
			return err
		}
		row.Wrong = &wrong
	}
	return nil
}

// times makes those of a point from the seconds.
func (c *Clustered) times() {
	c.Best, c.Clock = c.Seconds*1e9/float64(c.N), "wall"
	c.Median, c.Rate = c.Best, float64(c.N)/c.Seconds
}

// hashZ is short for a linkage matrix.
func hashZ(z linkage.Z) string {
	h, b := fnv.New64a(), make([]byte, 0, 1<<16)
	for i, v := range z {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		if len(b) == cap(b) || i == len(z)-1 {
			_, _ = h.Write(b)
			b = b[:0]
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

const sciPyPoints = 20_000 // at most, with its matrix of distances

// clusterSciPy measures SciPy's linkage on the same points; a row that says why not where no Python has it.
func clusterSciPy(ctx context.Context, s clusterShape, x matrix.Matrix32) Clustered {
	const script = "import sys,time,numpy as np\nfrom scipy.cluster.hierarchy import linkage\n" +
		"x=np.frombuffer(sys.stdin.buffer.read(),np.float32).reshape(-1,int(sys.argv[1])).astype(float)\n" +
		"t,c=[],[]\n" +
		"for i in range(3):\n a,b=time.perf_counter(),time.process_time()\n linkage(x,'single')\n" +
		" t.append(time.perf_counter()-a);c.append(time.process_time()-b)\n" +
		"print('[%r,%r]'%(min(t),min(c)))"
	row := Clustered{Row: s.row("", "SciPy")}
	var took [2]float64
	if err := python(ctx, "SciPy", script, []any{x.Data}, &took, strconv.Itoa(s.d)); err != nil {
		row.Failed = err.Error()
		return row
	}
	row.Seconds, row.CPU, row.Repeats, row.Proof = took[0], took[1], 3, true
	row.times()
	return row
}
