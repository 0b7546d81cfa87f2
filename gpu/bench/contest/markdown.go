package contest

import (
	"fmt"
	"strings"
)

// Markdown lays rows out as a table for a README: a line per size and variant, with the points per second
// of the stages, the time of stage total for all points and of one dragged landmark, and how many times
// faster it is than what it is compared with. Compact is for many sizes.
func Markdown(rows []Row) string {
	type key struct {
		shape  Shape
		data   string
		engine string
		name   string
	}
	var order []key
	stages := map[key]map[string]Row{}
	shares := false
	for _, r := range rows {
		k := key{shapeOf(r), r.Data, r.Engine, r.Variant}
		if stages[k] == nil {
			stages[k] = map[string]Row{}
			order = append(order, k)
		}
		stages[k][r.Stage] = r
		shares = shares || r.Share > 0
	}
	var b strings.Builder
	heads := []string{"d, g, k", "variant", "points", "neighbours", "positions", "both", "time of both",
		"one dragged", "ratio"}
	if shares {
		heads = append(heads, "of the roof")
	}
	cells(&b, append(heads, "largest error"))
	cells(&b, strings.Fields(strings.Repeat("--- ", len(heads)+1)))
	var last Shape
	for _, k := range order {
		s := stages[k]
		size := ""
		if k.shape != last {
			size, last = fmt.Sprintf("%d, %d, %d%s", k.shape.D, k.shape.G, k.shape.K, of(k.data)), k.shape
		}
		row := []string{size, title(Row{Engine: k.engine, Variant: k.name})}
		if f := s[near].Failed; f != "" {
			cells(&b, append(row, fmt.Sprint(s[near].N), "failed: "+strings.ReplaceAll(f, "\n", " ")))
			continue
		}
		t := s[total]
		row = append(row, fmt.Sprint(t.N), rateOf(s, near), rateOf(s, project), rateOf(s, total),
			length(t.Median*float64(t.N)),
			timeOf(s, one), ratioOf(t))
		if shares {
			share := ""
			if t.Share > 0 {
				share = fmt.Sprintf("%.1f %%", 100*t.Share)
			}
			row = append(row, share)
		}
		largest := ""
		if t.MaxErr > 0 {
			largest = fmt.Sprintf("%.1e", t.MaxErr)
		}
		cells(&b, append(row, largest))
	}
	return b.String()
}

func cells(b *strings.Builder, list []string) {
	b.WriteString("| " + strings.Join(list, " | ") + " |\n")
}

// rateOf, timeOf and ratioOf are empty for what was not measured.
func rateOf(s map[string]Row, stage string) string {
	if s[stage].Rate == 0 {
		return ""
	}
	return rate(s[stage].Rate)
}

func timeOf(s map[string]Row, stage string) string {
	if s[stage].Median == 0 {
		return ""
	}
	return length(s[stage].Median * float64(s[stage].N))
}

func ratioOf(r Row) string {
	if r.Baseline == "" {
		return ""
	}
	return number(r.Ratio) + " x"
}
