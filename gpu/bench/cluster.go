package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// Clustered is a row of the bench of single linkage: one algorithm on points of one shape, on one engine.
type Clustered struct {
	contest.Row
	Seconds float64            `json:"seconds"` // the least
	CPU     float64            `json:"cpu_seconds,omitempty"`
	Stages  map[string]float64 `json:"seconds_by_stage,omitempty"`
	Work    *linkage.Work      `json:"work,omitempty"`
	// Of an algorithm that is not exact; of one that is, that it is.
	Wrong *linkage.Wrong `json:"wrong,omitempty"`
	Proof bool           `json:"proven"`
	// Z is a hash of the linkage matrix: the same for every engine and card, if the algorithm is exact.
	Z string `json:"z,omitempty"`
}

// ClusterShape is points that are clustered: 24 Gaussians as cytometry has them, 30 of different widths where there
// are up to 6,000 points (those that the published system gets wrong), or bytes.
type ClusterShape struct {
	N, D  int
	Bytes bool
	Input string // a file or demo that they are read from instead, as the map takes them; N and D come from there
}

func (s ClusterShape) String() string {
	if s.Input != "" {
		return s.Input
	}
	if s.Bytes {
		return fmt.Sprintf("%dx%db", s.N, s.D)
	}
	return fmt.Sprintf("%dx%d", s.N, s.D)
}

// ParseClusterShape reads "10000x39", with a b behind it for bytes.
func ParseClusterShape(text string) (s ClusterShape, err error) {
	rest, isBytes := strings.CutSuffix(text, "b")
	n, d, found := strings.Cut(rest, "x")
	s.Bytes = isBytes
	var e1, e2 error
	s.N, e1 = strconv.Atoi(n)
	s.D, e2 = strconv.Atoi(d)
	if !found || e1 != nil || e2 != nil || s.N < 2 || s.N > 1<<27 || s.D < 1 || s.D > 1<<14 {
		return s, problem.New("", "write points x columns: --shape 10000x39, or 60000x784b for bytes",
			"--shape %s is no size", text)
	}
	return s, nil
}

// ClusterShapes are the sizes of the table.
func ClusterShapes(quick bool) []ClusterShape {
	all := []ClusterShape{{N: 3000, D: 8}, {N: 3000, D: 32}, {N: 10_000, D: 39}, {N: 100_000, D: 39}}
	if quick {
		return all[:3]
	}
	return append(all, ClusterShape{N: 1_000_000, D: 39}, ClusterShape{N: 60_000, D: 784, Bytes: true},
		ClusterShape{N: 1_000_000, D: 128, Bytes: true})
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

// Clusters measures algorithms ("": all) on shapes, and SciPy where a Python has it.
func Clusters(ctx context.Context, shapes []ClusterShape, algorithms []string, o engine.Options, name string,
	say func(string)) (rows []Clustered, err error) {
	if len(algorithms) == 0 {
		algorithms = linkage.IDs()
	}
	for _, id := range algorithms {
		if _, err := linkage.Named(id); err != nil {
			return nil, err
		}
	}
	engines, err := engine.Open(name, o)
	if err != nil {
		return nil, err
	}
	defer engines.Close()
	for engines.Engine() != nil {
		e := engines.Engine()
		r, err := e.Load(ctx, matrix.New(1, 1))
		if err != nil {
			return nil, err
		}
		offers := r.Caps().Linkage != nil
		r.Free()
		if offers {
			break
		}
		if name != "" && name != engine.Auto || !engines.Next() {
			return nil, problem.New("", "use --engine auto", "engine %s does not look at pairs of points", e.Name())
		}
	}
	for _, shape := range shapes {
		x, err := shape.points(ctx)
		if err != nil {
			return rows, err
		}
		shape.N, shape.D = x.Rows, x.Cols
		got, err := clusterShape(ctx, engines.Engine(), shape, x, algorithms, o.Threads, say)
		if err != nil {
			return rows, err
		}
		if shape.N <= 20_000 {
			say(fmt.Sprintf("SciPy, %v", shape))
			got = append(got, clusterSciPy(ctx, shape, x))
		}
		base := 0.0
		for _, r := range got {
			if r.Variant == "cuslink" {
				base = r.Seconds
			}
		}
		for i := range got {
			if r := &got[i]; base > 0 && r.Seconds > 0 {
				r.Baseline, r.Ratio = "cuslink", base/r.Seconds
			}
		}
		rows = append(rows, got...)
	}
	return rows, nil
}

func clusterShape(ctx context.Context, e engine.Engine, shape ClusterShape, x matrix.Matrix32, algorithms []string,
	threads int, say func(string)) (rows []Clustered, err error) {
	o := linkage.Options{Threads: threads, Seed: 1}
	var exact *linkage.Linkage
	for _, id := range algorithms {
		a, _ := linkage.Named(id)
		if float64(shape.N)*float64(shape.N)*float64(shape.D) > affordable(id, e) {
			continue
		}
		say(fmt.Sprintf("%s, %v", id, shape))
		row := Clustered{Row: clusterRow(e.Name(), id, shape)}
		o.Algorithm = id
		began, spent := time.Now(), 0.0
		for try := 0; try < 7 && (try == 0 || time.Since(began) < 3*time.Second); try++ {
			start, cpu := time.Now(), cpuSeconds()
			resident, err := e.Load(ctx, x) // what a device needs of the points is sent anew each time
			if err != nil {
				return rows, err
			}
			loaded := time.Since(start).Seconds()
			o.Device = resident.Caps().Linkage
			r, err := linkage.New(ctx, x, o)
			if err != nil {
				resident.Free()
				return rows, err
			}
			if err := r.Finish(ctx, nil); err != nil {
				r.Close()
				resident.Free()
				return rows, err
			}
			l, err := r.Linkage(ctx)
			if err != nil {
				r.Close()
				resident.Free()
				return rows, err
			}
			took := time.Since(start).Seconds()
			spent = cpuSeconds() - cpu
			row.Repeats++
			if try == 0 || took < row.Seconds {
				row.Seconds = took
				row.Stages = map[string]float64{"load": loaded}
				for _, s := range r.Stages() {
					row.Stages[s.Name] += s.Seconds
				}
			}
			if try == 0 || spent < row.CPU {
				row.CPU = spent
			}
			work := r.Work()
			row.Work, row.Proof = &work, r.Proven()
			z := hashZ(l.Z)
			if try > 0 && a.Exact && z != row.Z {
				r.Close()
				resident.Free()
				return rows, fmt.Errorf("%s of %v is another one each time", id, shape)
			}
			row.Z = z
			if a.Exact && exact == nil {
				exact = l
			}
			if exact != nil && try == 0 {
				wrong, err := r.Against(ctx, exact)
				if err != nil {
					r.Close()
					resident.Free()
					return rows, err
				}
				row.Wrong = &wrong
			}
			r.Close()
			resident.Free()
		}
		row.Device, row.Best, row.Clock = e.Device(), row.Seconds*1e9/float64(shape.N), "wall"
		row.Median, row.Rate = row.Best, float64(shape.N)/row.Seconds
		rows = append(rows, row)
	}
	return rows, nil
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

func clusterRow(engine, variant string, shape ClusterShape) contest.Row {
	data := contest.Clustered
	switch {
	case shape.Input != "":
		data = shape.Input
	case shape.Bytes:
		data = "bytes"
	}
	return contest.Row{Bench: "cluster", Engine: engine, Variant: variant, N: shape.N, D: shape.D, Stage: "total",
		Data: data}
}

// points are those of the shape: of an input, the rows that are finite.
func (s ClusterShape) points(ctx context.Context) (matrix.Matrix32, error) {
	if s.Input == "" {
		return clusterPoints(s), nil
	}
	from := run.Defaults()
	ds, err := from.Read(ctx, s.Input, nil)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	start, err := run.Begin(ctx, ds, 1, nil)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	x := matrix.Matrix32{Cols: start.Table.X.Cols}
	for i := range start.Table.X.Rows {
		row := start.Table.X.Row(i)
		if !slices.ContainsFunc(row, func(v float32) bool { return v-v != 0 }) {
			x.Data = append(x.Data, row...)
			x.Rows++
		}
	}
	if x.Rows < 2 {
		return x, problem.New(s.Input, "take another file", "it has no two rows without missing values")
	}
	return x, nil
}

// clusterPoints draws the points of a shape, always the same.
func clusterPoints(s ClusterShape) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(uint64(s.N), uint64(s.D)))
	x := matrix.New(s.N, s.D)
	clusters, apart := 24, 1.0
	if s.N <= 6000 {
		clusters, apart = 30, 4
	}
	at, wide := make([]float64, clusters*s.D), make([]float64, clusters*s.D)
	for k := range clusters {
		width := math.Pow(apart, r.Float64())
		for c := range s.D {
			at[k*s.D+c] = 6 * r.Float64()
			wide[k*s.D+c] = width * (0.3 + 0.3*r.Float64())
			if apart > 1 {
				at[k*s.D+c], wide[k*s.D+c] = 4*r.NormFloat64(), width
			}
		}
	}
	for i := range s.N {
		k, row := r.IntN(clusters), x.Row(i)
		for c := range row {
			v := at[k*s.D+c] + wide[k*s.D+c]*r.NormFloat64()
			if s.Bytes {
				v = math.Round(max(0, min(255, 40*v)))
			}
			row[c] = float32(v)
		}
	}
	return x
}

// clusterSciPy measures SciPy's linkage on the same points, in a process of its own; a row that says why not where no
// Python has it.
func clusterSciPy(ctx context.Context, s ClusterShape, x matrix.Matrix32) Clustered {
	row := Clustered{Row: clusterRow("", "SciPy", s)}
	const script = "import sys,time,numpy as np\nfrom scipy.cluster.hierarchy import linkage\n" +
		"x=np.fromfile(sys.argv[1],np.float32).reshape(-1,int(sys.argv[2])).astype(float)\n" +
		"t,c=[],[]\n" +
		"for i in range(3):\n a,b=time.perf_counter(),time.process_time()\n linkage(x,'single')\n" +
		" t.append(time.perf_counter()-a);c.append(time.process_time()-b)\n" +
		"print('[%r,%r]'%(min(t),min(c)))"
	f, err := os.CreateTemp("", "blossom-bench-*")
	if err != nil {
		row.Failed = err.Error()
		return row
	}
	defer os.Remove(f.Name())
	err = binary.Write(f, binary.LittleEndian, x.Data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		row.Failed = err.Error()
		return row
	}
	for _, python := range []string{os.Getenv("BLOSSOM_SCIPY"), "python3", "/usr/bin/python3"} {
		if python == "" {
			continue
		}
		cmd := exec.CommandContext(ctx, python, "-c", script, f.Name(), strconv.Itoa(s.D))
		out, err := cmd.Output()
		var took [2]float64
		if err == nil {
			err = json.Unmarshal(bytes.TrimSpace(out), &took)
		}
		if err == nil {
			row.Seconds, row.CPU, row.Repeats, row.Clock = took[0], took[1], 3, "wall"
			row.Best = row.Seconds * 1e9 / float64(s.N)
			row.Median, row.Rate, row.Proof = row.Best, float64(s.N)/row.Seconds, true
			return row
		}
	}
	row.Failed = "no Python with SciPy is here: BLOSSOM_SCIPY may name one"
	return row
}
