package contest

import (
	"fmt"
	"strings"

	"blossom/gpu/bench/table"
	"blossom/model/work/engine"
)

// Columns are those of the table of a size: a line for each variant and stage.
var Columns = []table.Column{
	table.Word("stage", func(r Row) string { return r.Stage }),
	table.Word("variant", title),
	table.Size("n", func(r Row) int { return r.N }),
	table.Failure(func(r Row) string { return r.Failed }),
	table.Text("points/s", func(r Row) string { return table.Rate(r.Rate) }),
	table.Text("all n", func(r Row) string { return table.Length(r.Median * float64(r.N)) }),
	table.Text("ns (5 to 95 %)", func(r Row) string {
		return fmt.Sprintf("%s (%s-%s)", table.Number(r.Median), table.Number(r.P05), table.Number(r.P95))
	}),
	table.Text("ratio", func(r Row) string { return r.Times() }),
	table.Text("of roof", func(r Row) string { return percent(r.Share) }),
	table.Remark("compared with", func(r Row) string { return r.Baseline }),
	table.Remark("GFLOP/s", func(r Row) string {
		text := fmt.Sprintf("%.1f", r.GFLOPS)
		switch {
		case r.GFLOPS == 0:
			return ""
		case r.Peak > 0:
			text += fmt.Sprintf(" of %.0f", r.Peak)
		}
		return text
	}),
	table.Text("error max", func(r Row) string { return small(r.MaxErr) }),
	table.Text("error rms", func(r Row) string { return small(r.RMSErr) }),
}

func percent(share float64) string {
	if share == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

func small(err float64) string {
	if err == 0 {
		return ""
	}
	return fmt.Sprintf("%.1e", err)
}

// Head names the size that a row is of.
func Head(r Row) string {
	text := fmt.Sprintf("d %d, g %d, k %d", r.D, r.G, r.K)
	return text + of(r.Data)
}

// Sizes parts rows into those of each problem size.
func Sizes(rows []Row) (list [][]Row) {
	for i, r := range rows {
		if i == 0 || shapeOf(r) != shapeOf(rows[i-1]) {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], r)
	}
	return list
}

// shapeOf is a row's problem size but for the points, of which some variants take a share only.
func shapeOf(r Row) Shape { return Shape{0, r.D, r.G, r.K} }

func of(data string) string {
	if data == "" || data == Uniform {
		return ""
	}
	return ", " + data + " data"
}

// title names a variant, with its engine where that is not the processor's own.
func title(r Row) string {
	reg, known := engine.Named(r.Engine)
	switch {
	case r.Variant == "":
		return r.Engine
	case r.Engine == "" || known && reg.Kind == engine.Processor:
		return r.Variant
	}
	return r.Engine + ": " + r.Variant
}

// Readme lays rows out for a README: of up to manySizes sizes a line for each variant, of more a line for each size.
func Readme(rows []Row) table.Table {
	if len(Sizes(rows)) > manySizes {
		return Compact(rows)
	}
	return Wide(rows)
}

const manySizes = 8

// variant is the stages of one contender at a size.
type variant struct {
	size   string // "" below another one of the same size
	row    Row    // the row of stage total, if there is one
	stages map[string]Row
}

// Wide has a line for each size and variant, with the points per second of the stages, the time of stage total for all
// points and of one dragged landmark, and how many times faster it is than what it is compared with.
func Wide(rows []Row) table.Table {
	var lines []any
	for _, size := range Sizes(rows) {
		index := map[[2]string]*variant{}
		for _, r := range size {
			key := [2]string{r.Engine, r.Variant}
			v := index[key]
			if v == nil {
				v = &variant{row: r, stages: map[string]Row{}}
				if len(index) == 0 {
					v.size = fmt.Sprintf("%d, %d, %d%s", r.D, r.G, r.K, of(r.Data))
				}
				index[key], lines = v, append(lines, v)
			}
			v.stages[r.Stage] = r
			if r.Stage == total {
				v.row = r
			}
		}
	}
	rate := func(stage string) func(*variant) string {
		return func(v *variant) string {
			if v.stages[stage].Rate == 0 {
				return ""
			}
			return table.Rate(v.stages[stage].Rate)
		}
	}
	length := func(stage string) func(*variant) string {
		return func(v *variant) string {
			if r := v.stages[stage]; r.Median != 0 {
				return table.Length(r.Median * float64(r.N))
			}
			return ""
		}
	}
	return table.Of([]table.Column{
		table.Word("d, g, k", func(v *variant) string { return v.size }),
		table.Word("variant", func(v *variant) string { return title(v.row) }),
		table.Size("points", func(v *variant) int { return v.row.N }),
		table.Failure(func(v *variant) string { return v.row.Failed }),
		table.Text("neighbours", rate(near)), table.Text("positions", rate(project)), table.Text("both", rate(total)),
		table.Text("time of both", length(total)), table.Text("one dragged", length(one)),
		table.Text("ratio", func(v *variant) string { return spaced(v.row) }),
		table.Text("of the roof", func(v *variant) string { return percent(v.row.Share) }),
		table.Text("largest error", func(v *variant) string { return small(v.row.MaxErr) }),
	}, lines)
}

// spaced is the ratio as READMEs have it.
func spaced(r Row) string {
	if r.Baseline == "" {
		return ""
	}
	return table.Number(r.Ratio) + " x"
}

// MeansTable lays the geometric means out, over so many of the sizes that were asked for; of 0: nobody knows how many
// those were.
func MeansTable(means []Mean, sizes, of int) (head string, t table.Table) {
	head = fmt.Sprintf("geometric mean over %d sizes, stage total", sizes)
	if of > sizes {
		head = fmt.Sprintf("geometric mean over %d of %d sizes, stage total", sizes, of)
	}
	var rows []any
	for _, m := range means {
		rows = append(rows, m)
	}
	times := func(of func(Mean) float64) func(Mean) string {
		return func(m Mean) string { return table.Number(of(m)) + "x" }
	}
	return head, table.Of([]table.Column{
		table.Word("variant", func(m Mean) string {
			return title(Row{Row: table.Row{Engine: m.Engine, Variant: m.Variant}})
		}),
		table.Size("sizes", func(m Mean) int { return m.Shapes }),
		table.Text("ratio", times(func(m Mean) float64 { return m.Ratio })),
		table.Text("least", times(func(m Mean) float64 { return m.Least })),
		table.Text("most", times(func(m Mean) float64 { return m.Most })),
		table.Remark("compared with", func(m Mean) string { return m.Baseline }),
		table.Text("of roof", func(m Mean) string { return percent(m.Share) }),
	}, rows)
}

// Compact has a line for each size: milliseconds of stage total for all points, and how many times faster than the
// baseline. Where published kernels were measured the columns are the papers' best, with the kernels it is made of,
// and each engine as it chooses its own kernels; else every variant. An empty cell was not measured.
func Compact(rows []Row) table.Table {
	var sizes []any
	for _, size := range Sizes(rows) {
		sizes = append(sizes, size)
	}
	columns := []table.Column{table.Word("d, g, k", func(size []Row) string {
		return fmt.Sprintf("%d, %d, %d%s", size[0].D, size[0].G, size[0].K, of(size[0].Data))
	})}
	for _, c := range compactColumns(rows) {
		columns = append(columns, table.Text(c.name+", ms", func(size []Row) string {
			ms, _ := c.cells(size)
			return ms
		}), table.Text("ratio", func(size []Row) string {
			_, ratio := c.cells(size)
			return ratio
		}))
	}
	return table.Of(columns, sizes)
}

// column is a variant of an engine, or with an empty engine the papers' best.
type column struct{ engine, variant, name string }

const papersBest = "papers' best"

func isPapers(r Row) bool { return strings.HasPrefix(r.Variant, Papers) }

// chosen says whether the engine chose its kernels by itself: it is then named by what it runs on.
func chosen(r Row) bool { return r.Variant == r.Device }

func compactColumns(rows []Row) (list []column) {
	papers := false
	for _, r := range rows {
		papers = papers || isPapers(r)
	}
	known := map[[2]string]bool{}
	for _, r := range rows {
		c := column{r.Engine, r.Variant, title(r)}
		switch {
		case r.Failed == "" && r.Stage != total || papers && !isPapers(r) && !chosen(r):
			continue // a variant that failed there has a row of another stage
		case isPapers(r):
			c = column{name: papersBest}
		case papers:
			c.name = r.Engine
		}
		key := [2]string{c.engine, c.variant}
		switch {
		case known[key]:
		case c.engine == "": // the papers first
			list = append([]column{c}, list...)
		default:
			list = append(list, c)
		}
		known[key] = true
	}
	return list
}

// cells are a column's time and ratio at a size.
func (c column) cells(size []Row) (ms, ratio string) {
	n := 0 // slow variants take a share of the points
	for _, r := range size {
		n = max(n, r.N)
	}
	for _, r := range size {
		switch {
		case c.engine == "" && !isPapers(r) || c.engine != "" && (r.Engine != c.engine || r.Variant != c.variant):
			continue
		case r.Failed != "":
			return "failed", ""
		case r.Stage == total:
			ms = table.Number(r.Median * float64(n) / 1e6)
			if c.engine == "" {
				ms += " (" + strings.TrimPrefix(r.Variant, Papers) + ")"
			}
			return ms, spaced(r)
		}
	}
	return "", ""
}
