package bench

import (
	"fmt"
	"strings"
)

// Table lays rows out for people: a block per problem size, a line per variant and stage.
func Table(rows []Row) string {
	var b strings.Builder
	var last Shape
	for _, r := range rows {
		if s := (Shape{0, r.D, r.G, r.K}); s != last {
			if last.D != 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "d %d, g %d, k %d\n", r.D, r.G, r.K)
			fmt.Fprintf(&b, "  %-11s %-28s %9s %12s %17s %9s  %s\n", "stage", "variant", "n", "points/s", "ns (5 to 95 %)", "ratio", "compared with")
			last = s
		}
		name := r.Variant
		if name == "" {
			name = r.Engine
		}
		ratio := ""
		if r.Baseline != "" {
			ratio = fmt.Sprintf("%.2fx", r.Ratio)
		}
		note := r.Baseline
		if r.GFLOPS > 0 {
			if note != "" {
				note += "; "
			}
			note += fmt.Sprintf("%.1f GFLOP/s", r.GFLOPS)
			if r.Peak > 0 {
				note += fmt.Sprintf(" of %.0f", r.Peak)
			}
		}
		line := fmt.Sprintf("  %-11s %-28s %9d %12s %17s %9s  %s", r.Stage, name, r.N, rate(r.Rate),
			fmt.Sprintf("%.0f (%.0f-%.0f)", r.Median, r.P05, r.P95), ratio, note)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
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
