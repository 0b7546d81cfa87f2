package dock

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/frequency"
	"blossom/model/clusters/population"
	"blossom/model/data/sheet"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/render/palette"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "boxes", Title: "Frequencies by group",
		Also: "boxes box plot compare groups statistics test p-value significance Mann-Whitney Kruskal-Wallis median " +
			"quartiles samples donors condition",
		Key: "Alt+Q", Icon: assets.IconChartColumn, Order: 86, Height: 280,
		Help: "Which populations differ between groups of samples: shares as boxes, a dot for each sample, and a test",
		New: func(d *desk.Desk) Dock {
			return &boxes{counting: newCounting(d), parent: true, made: work.Keep[comparedKey, *compared](&d.Values,
				work.Policy{Title: "Comparisons of groups", Quiet: true, Background: true, Finish: true,
					Remedy: "show the table again"})}
		}})
}

// boxes are the frequencies of populations by groups of samples.
type boxes struct {
	counting
	by     string        // the column of the sheet that has the groups, by its name; "": the first
	named  live.Followed // keeps that name
	of     population.ID // the population whose children are shown; 0, or one that is gone: all populations
	parent bool          // shares are of the population above, else of all points
	sorted bool          // by what the test says
	first  int           // the plot that stands first
	fits   int           // how many there is room for

	made *work.Value[comparedKey, *compared]
}

// comparedKey is what comparisons depend on.
type comparedKey struct {
	counts *counted
	sheet  revision.Revision
	column int
	of     population.ID
	parent bool
	sorted bool
}

// compared is comparisons with their plots.
type compared struct {
	counts *counted
	groups []string
	list   []frequency.Comparison
	plots  []widget.BoxPlot
}

// column is the place of the column of the sheet that has the groups, -1: there is none.
func (b *boxes) column() int {
	samples := b.desk.Populations().Samples()
	s := samples.Sheet()
	if b.by = b.named.Of(samples, b.by); s.At(b.by) >= 0 {
		at := s.At(b.by)
		return at
	}
	if len(s.Columns()) > 0 {
		return 0
	}
	return -1
}

// want has populations counted and compared; nil: they are not yet, or there is nothing to compare.
func (b *boxes) want() (now *compared, fresh bool) {
	_, of := b.desk.Populations().Samples().Sheet().Of(b.desk.Doc.Data)
	column := b.column()
	counts, fresh := b.counting.want(of)
	if counts == nil || column < 0 {
		return nil, fresh
	}
	key := comparedKey{counts, b.desk.Populations().Samples().Rev(), column, b.within(counts.of.Tree), b.parent,
		b.sorted}
	if b.made.Want(key) {
		s, n := b.desk.Populations().Samples().Sheet(), len(counts.Samples)
		places := b.places(counts.of.Tree, key.of)
		cost := work.Ops(len(places)+1) * work.Ops(n*min(n, 64)*min(n, 64)) // exact tests are of few samples
		b.made.Make(cost, func(context.Context, func(done, total int64)) (*compared, error) {
			return compareIn(counts, s, places, key), nil
		})
	}
	now, made := b.made.Now()
	return now, fresh && made
}

// within is the population of a tree whose children are shown, 0: all populations are.
func (b *boxes) within(t population.Tree) population.ID {
	if t.Place(b.of) < 0 {
		return 0
	}
	return b.of
}

// places are the populations that are shown, those in one; 0: all.
func (b *boxes) places(t population.Tree, of population.ID) (out []int) {
	for i, p := range t.All() {
		if of == 0 || p.Parent == of {
			out = append(out, i)
		}
	}
	return out
}

// compareIn compares populations by the groups of a column of a sheet.
func compareIn(c *counted, s sheet.Sheet, places []int, key comparedKey) *compared {
	groups, in := s.Groups(c.Samples, key.column)
	out := &compared{counts: c, groups: groups}
	out.list = frequency.Compare(c.of.Tree, c.Counts, places, in, len(groups), key.parent)
	if key.sorted {
		slices.SortStableFunc(out.list, func(x, y frequency.Comparison) int {
			if x.P != x.P || y.P != y.P {
				return cmp.Compare(boolean(x.P != x.P), boolean(y.P != y.P))
			}
			return cmp.Compare(x.P, y.P)
		})
	}
	tested := 0 // p-values are adjusted for these
	for _, x := range out.list {
		tested += boolean(x.P == x.P)
	}
	ink := palette.OfLabels("", max(1, len(groups)), "")
	for _, x := range out.list {
		p := widget.BoxPlot{Title: c.of.Tree.All()[x.Place].Name, Note: verdict(&x), Strong: x.Adjusted < 0.05,
			Tip: found(&x, groups, tested), Format: percent}
		for g, box := range x.Boxes {
			values := make([]float64, len(box.Shares))
			for i, s := range box.Shares {
				values[i] = s.Of
			}
			n := ink.LabelColour(g)
			p.Boxes = append(p.Boxes, widget.BoxOf{Name: groups[g], Low: box.Low, First: box.First, Median: box.Median,
				Third: box.Third, High: box.High, Values: values, Ink: widget.RGBA(n.R, n.G, n.B, 255),
				Names: func(i int) string { return c.Samples[box.Shares[i].Sample] }})
		}
		out.plots = append(out.plots, p)
	}
	return out
}

func boolean(x bool) int {
	if x {
		return 1
	}
	return 0
}

// percent is a share in words.
func percent(x float64) string {
	return widget.FigureOf(100*x, 3) + " %"
}

// signed is a difference of shares in words.
func signed(x float64) string {
	text := widget.FigureOf(100*math.Abs(x), 2) + " %"
	switch {
	case x > 0:
		return "+" + text
	case x < 0:
		return "−" + text
	}
	return text
}

// verdict says what the test says.
func verdict(x *frequency.Comparison) string {
	if x.P != x.P {
		there := 0
		for _, b := range x.Boxes {
			if len(b.Shares) > 0 {
				there++
			}
		}
		if there < 2 {
			return "one group alone"
		}
		return "too few samples"
	}
	said := "p " + probability(x.P) + ", adjusted " + probability(x.Adjusted)
	if x.Difference == x.Difference {
		return signed(x.Difference) + ", " + said
	}
	return said
}

// found says at length what was found of a population, one of so many that were tested.
func found(x *frequency.Comparison, groups []string, of int) string {
	var there []string
	for g, b := range x.Boxes {
		if n := len(b.Shares); n > 0 {
			there = append(there, fmt.Sprintf("%s (%d)", groups[g], n))
		}
	}
	test := "Kruskal and Wallis"
	if len(there) == 2 {
		test = "Mann and Whitney"
	}
	if x.P != x.P {
		return "A test needs " + strconv.Itoa(frequency.Least) + " samples in each of two groups"
	}
	said := fmt.Sprintf("%s: p %s by the test of %s, %s as adjusted for %s", strings.Join(there, ", "),
		probability(x.P), test, probability(x.Adjusted), problem.Count(of, "population"))
	if x.Difference == x.Difference {
		said += ". The median of the second group less that of the first: " + signed(x.Difference)
	}
	return said
}

// probability is a p-value in words.
func probability(p float64) string {
	if p < 1e-4 {
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'g', 2, 64)
}

// Head says by what, and offers the ways.
func (b *boxes) Head() widget.DockHead {
	b.menus()
	now, fresh := b.want()
	out := widget.DockHead{}
	by := "no column"
	if at := b.column(); at >= 0 {
		by = b.desk.Populations().Samples().Sheet().Columns()[at]
	}
	if now != nil {
		n := len(now.plots)
		out.Note = fmt.Sprintf("%s by %s", problem.Count(n, "population"), by)
		if n > b.fits && b.fits > 0 {
			out.Note += fmt.Sprintf(", %d to %d", b.first+1, min(b.first+b.fits, n))
			out.Actions = append(out.Actions, widget.DockAction{ID: "earlier", Icon: assets.IconChevronLeft,
				Tip: "The populations before", Disabled: b.first == 0},
				widget.DockAction{ID: "later", Icon: assets.IconChevronRight, Tip: "The populations after",
					Disabled: b.first+b.fits >= n})
		}
		if !fresh {
			out.Note += " · of a moment ago"
		}
	}
	share := shareWords[ofAll]
	if b.parent {
		share = shareWords[ofParent]
	}
	out.Actions = append(out.Actions,
		widget.DockAction{ID: "by", Label: "By " + by, Icon: assets.IconList, Disabled: b.column() < 0,
			Tip: "The column of the sheet of samples that has the groups"},
		widget.DockAction{ID: "of", Label: b.ofWhat(), Icon: assets.IconFunnel, Tip: "Which populations are compared"},
		widget.DockAction{ID: "share", Label: share, Icon: assets.IconPercent, Tip: "What the shares are of"},
		widget.DockAction{ID: "copy", Icon: assets.IconCopy, Label: "Copy", Disabled: now == nil,
			Tip: "Copy quartiles, differences and tests, for a spreadsheet"})
	return out
}

// ofWhat says which populations are compared.
func (b *boxes) ofWhat() string {
	if p, ok := b.desk.Populations().Tree().Find(b.of); ok {
		return "In " + population.Brief(p.Name)
	}
	return "All populations"
}

// Act does what a button of the header stands for.
func (b *boxes) Act(id string, under widget.Rect) {
	switch id {
	case "earlier":
		b.first = max(0, b.first-b.fits)
	case "later":
		b.first += b.fits
	case "copy":
		if now, _ := b.made.Now(); now != nil {
			b.desk.Window.Copy(now.text())
			b.desk.Window.Say("the comparisons are on the clipboard")
		}
	default:
		b.desk.UI.OpenMenuUnder("boxes "+id, under)
	}
}

// menus are those of the header.
func (b *boxes) menus() {
	u, d := b.desk.UI, b.desk
	u.ContextMenu("boxes by", func() {
		at := b.column()
		for i, name := range d.Populations().Samples().Sheet().Columns() {
			if i < mostListed && u.MenuItem(name+"##by "+name, widget.MenuOpts{Checked: i == at}) {
				b.by = name
			}
		}
	})
	u.ContextMenu("boxes of", func() {
		if u.MenuItem("All populations##all", widget.MenuOpts{Checked: b.within(d.Populations().Tree()) == 0}) {
			b.of, b.first = 0, 0
		}
		t, shown := d.Populations().Tree(), 0
		for _, p := range t.All() {
			if len(t.Within(p.ID)) > 1 && shown < mostListed {
				shown++
				if u.MenuItem("In "+population.Brief(p.Name)+"##in "+strconv.Itoa(int(p.ID)),
					widget.MenuOpts{Checked: b.of == p.ID}) {
					b.of, b.first = p.ID, 0
				}
			}
		}
		u.MenuSeparator()
		if u.MenuItem("The clearest first##sorted", widget.MenuOpts{Checked: b.sorted,
			Tip: "In the order of their p-values, else in that of the tree"}) {
			b.sorted, b.first = !b.sorted, 0
		}
	})
	u.ContextMenu("boxes share", func() {
		for i, word := range []string{shareWords[ofAll], shareWords[ofParent]} {
			if u.MenuItem(word, widget.MenuOpts{Checked: b.parent == (i == 1)}) {
				b.parent = i == 1
			}
		}
	})
}

// Draw draws the plots.
func (b *boxes) Draw(r widget.Rect) {
	u, d := b.desk.UI, b.desk
	now, _ := b.want()
	if now == nil {
		text, button := "The points of populations are being counted.", ""
		switch {
		case d.Populations().Tree().Len() == 0:
			text = "No populations yet. Select some points, then press Ctrl+G."
		case b.column() < 0:
			text = "No groups yet. Say in the Samples panel (Alt+S) which sample is of which group."
		}
		u.Vacant(r, text, button, false, nil)
		return
	}
	r = widget.Rect{X0: r.X0 + u.Pt(10), Y0: r.Y0 + u.Pt(6), X1: r.X1 - u.Pt(10), Y1: r.Y1 - u.Pt(6)}
	wide := u.Pt(float32(min(max(186, 60+44*len(now.groups)), 420)))
	gap := u.Pt(16)
	b.fits = max(1, int((r.W()+gap)/(wide+gap)))
	b.first = min(max(b.first, 0), max(0, len(now.plots)-b.fits))
	for i := b.first; i < min(b.first+b.fits, len(now.plots)); i++ {
		x := r.X0 + float32(i-b.first)*(wide+gap)
		u.Boxes("box"+strconv.Itoa(i), widget.Rect{X0: x, Y0: r.Y0, X1: min(x+wide, r.X1), Y1: r.Y1}, &now.plots[i])
	}
}

// text is the comparisons for a spreadsheet: a line for each population and group, numbers in full.
func (now *compared) text() string {
	var out strings.Builder
	clean := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
	out.WriteString("population\tgroup\tsamples\tlow\tfirst_quartile\tmedian\tthird_quartile\thigh\ttest\t" +
		"difference_of_medians\tp\tadjusted_p\n")
	number := func(x float64) string {
		if x != x {
			return ""
		}
		return strconv.FormatFloat(x, 'g', 10, 64)
	}
	for _, x := range now.list {
		there := 0
		for _, box := range x.Boxes {
			there += boolean(len(box.Shares) > 0)
		}
		test := "too few samples"
		switch {
		case x.P == x.P && there == 2:
			test = "Mann-Whitney"
		case x.P == x.P:
			test = "Kruskal-Wallis"
		}
		for g, box := range x.Boxes {
			cells := []string{clean.Replace(now.counts.of.Tree.All()[x.Place].Name), clean.Replace(now.groups[g]),
				strconv.Itoa(len(box.Shares)), number(box.Low), number(box.First), number(box.Median),
				number(box.Third), number(box.High), test, number(x.Difference), number(x.P), number(x.Adjusted)}
			out.WriteString(strings.Join(cells, "\t") + "\n")
		}
	}
	return out.String()
}
