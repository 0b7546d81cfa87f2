package contest

import (
	"fmt"
	"strings"

	"blossom/model/work/engine"
)

// Table lays rows out for people: a block per problem size, a line per variant and stage.
func Table(rows []Row) string {
	var blocks []string
	for _, size := range Sizes(rows) {
		blocks = append(blocks, block(size))
	}
	return strings.Join(blocks, "\n")
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

func block(rows []Row) string {
	var b strings.Builder
	wide, shares := 24, false
	for _, r := range rows {
		wide = max(wide, len(title(r)))
		shares = shares || r.Share > 0
	}
	r := rows[0]
	fmt.Fprintf(&b, "d %d, g %d, k %d%s\n", r.D, r.G, r.K, of(r.Data))
	roof := ""
	if shares {
		roof = fmt.Sprintf(" %7s", "of roof")
	}
	fmt.Fprintf(&b, "  %-11s %-*s %9s %10s %10s %22s %7s%s  %s\n", "stage", wide, "variant", "n", "points/s", "all n",
		"ns (5 to 95 %)", "ratio", roof, "compared with")
	for _, r := range rows {
		b.WriteString(strings.TrimRight(line(r, wide, shares), " ") + "\n")
	}
	return b.String()
}

func of(data string) string {
	if data == "" || data == Uniform {
		return ""
	}
	return ", " + data + " data"
}

// onProcessor says whether an engine is the processor's own: its variants need no engine beside them.
func onProcessor(name string) bool {
	r, ok := engine.Named(name)
	return ok && r.Kind == engine.Processor
}

func title(r Row) string {
	switch {
	case r.Variant == "":
		return r.Engine
	case r.Engine == "" || onProcessor(r.Engine):
		return r.Variant
	}
	return r.Engine + ": " + r.Variant
}

func line(r Row, wide int, shares bool) string {
	if r.Failed != "" {
		return fmt.Sprintf("  %-11s %-*s %9d failed: %s", r.Stage, wide, title(r), r.N,
			strings.ReplaceAll(r.Failed, "\n", " "))
	}
	ratio, roof := "", ""
	if r.Baseline != "" {
		ratio = number(r.Ratio) + "x"
	}
	if shares {
		roof = fmt.Sprintf(" %7s", "")
		if r.Share > 0 {
			roof = fmt.Sprintf(" %6.1f%%", 100*r.Share)
		}
	}
	notes := []string{}
	if r.Baseline != "" {
		notes = append(notes, r.Baseline)
	}
	if r.GFLOPS > 0 {
		n := fmt.Sprintf("%.1f GFLOP/s", r.GFLOPS)
		if r.Peak > 0 {
			n += fmt.Sprintf(" of %.0f", r.Peak)
		}
		notes = append(notes, n)
	}
	if r.MaxErr > 0 {
		notes = append(notes, fmt.Sprintf("error max %.1e rms %.1e", r.MaxErr, r.RMSErr))
	}
	return fmt.Sprintf("  %-11s %-*s %9d %10s %10s %22s %7s%s  %s", r.Stage, wide, title(r), r.N, rate(r.Rate),
		length(r.Median*float64(r.N)),
		fmt.Sprintf("%s (%s-%s)", number(r.Median), number(r.P05), number(r.P95)), ratio, roof,
		strings.Join(notes, "; "))
}

// MeansTable lays the geometric means out for people, over so many of the sizes that were asked for; of
// 0: nobody knows how many those were.
func MeansTable(means []Mean, sizes, of int) string {
	if len(means) == 0 {
		return ""
	}
	over := fmt.Sprintf("%d sizes", sizes)
	if of > sizes {
		over = fmt.Sprintf("%d of %d sizes", sizes, of)
	}
	var b strings.Builder
	wide := 24
	for _, m := range means {
		wide = max(wide, len(title(Row{Engine: m.Engine, Variant: m.Variant})))
	}
	fmt.Fprintf(&b, "geometric mean over %s, stage total\n  %-*s %6s %8s %8s %8s  %s\n", over, wide, "variant",
		"sizes", "ratio", "least", "most", "compared with")
	for _, m := range means {
		note := m.Baseline
		if m.Share > 0 {
			note += fmt.Sprintf("; %.1f%% of the roof", 100*m.Share)
		}
		fmt.Fprintf(&b, "  %-*s %6d %8s %8s %8s  %s\n", wide, title(Row{Engine: m.Engine, Variant: m.Variant}),
			m.Shapes,
			number(m.Ratio)+"x", number(m.Least)+"x", number(m.Most)+"x", note)
	}
	return b.String()
}

// number has three digits that matter, and more only where they stand before the point.
func number(v float64) string {
	switch {
	case v >= 100 || v == 0:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.4f", v)
}

// length of time, from ns.
func length(ns float64) string {
	switch {
	case ns >= 1e9:
		return number(ns/1e9) + " s"
	case ns >= 1e6:
		return number(ns/1e6) + " ms"
	}
	return number(ns/1e3) + " us"
}

func rate(v float64) string {
	switch {
	case v >= 1e9:
		return fmt.Sprintf("%.2f G", v/1e9)
	case v >= 1e6:
		return fmt.Sprintf("%.2f M", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.1f k", v/1e3)
	}
	return fmt.Sprintf("%.0f", v)
}
