package dock

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/live"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "frequencies", Title: "Frequencies",
		Also: "population samples files table counts percent compare statistics patients",
		Key:  "Alt+F", Icon: assets.IconTable, Order: 85, Height: 240,
		Help: "How many points each population has in each sample: in the files, or the labels of a column",
		New:  func(d *desk.Desk) Dock { return &frequencies{counting: newCounting(d)} }})
}

// frequencies is the table of populations by samples.
type frequencies struct {
	counting
	by    string        // the column whose labels are samples; "": those of the sheet, as a rule the files
	named live.Followed // keeps that name
	show  shares
	sort  int // the sample whose numbers rows are sorted by, from 1; 0: they stand in the order of the tree
	up    bool
	first int // the sample that stands first
	fits  int // how many there is room for

	rows  []int // places of the populations, in their order; the number of populations for those in none
	rowed rowedKey
}

// rowedKey is what the order of the rows depends on.
type rowedKey struct {
	of   *counted
	show shares
	sort int
	up   bool
}

// samples is the column whose labels are samples, nil where all points are one; and what it is called.
func (f *frequencies) samples() (c *dataset.Column, title string) {
	if f.by = f.named.Of(f.desk.Populations().Samples(), f.by); f.by != "" {
		if c, _, err := f.desk.Column(f.by); err == nil && c != nil && c.Categories != nil {
			return c, c.Short()
		}
	}
	if _, c = f.desk.Populations().Samples().Sheet().Of(f.desk.Doc.Data); c == nil {
		return nil, "all points"
	}
	if c == f.desk.Doc.Data.Origin() {
		return c, "file"
	}
	return c, c.Short()
}

// want has them counted.
func (f *frequencies) want() (now *counted, fresh bool) {
	c, _ := f.samples()
	return f.counting.want(c)
}

// Head says by what, and offers the ways.
func (f *frequencies) Head() widget.DockHead {
	f.menus()
	_, title := f.samples()
	out := widget.DockHead{Note: "by " + title}
	now, fresh := f.want()
	if now != nil {
		out.Note = fmt.Sprintf("%s by %s", problem.Count(now.of.Tree.Len(), "population"), title)
		if n := len(now.Samples); n > f.fits && f.fits > 0 {
			out.Note += fmt.Sprintf(", %d to %d of %s", f.first+1, min(f.first+f.fits, n), widget.Grouped(n))
			out.Actions = append(out.Actions, widget.DockAction{ID: "earlier", Icon: assets.IconChevronLeft,
				Tip: "The samples before", Disabled: f.first == 0},
				widget.DockAction{ID: "later", Icon: assets.IconChevronRight, Tip: "The samples after",
					Disabled: f.first+f.fits >= n})
		}
		if !fresh {
			out.Note += " · of a moment ago"
		}
	}
	out.Actions = append(out.Actions,
		widget.DockAction{ID: "by", Label: "By " + title, Icon: assets.IconList,
			Tip: "The column whose labels are the samples"},
		widget.DockAction{ID: "show", Label: shareWords[f.show], Icon: assets.IconPercent, Tip: "What the numbers are"},
		widget.DockAction{ID: "copy", Icon: assets.IconCopy, Label: "Copy", Disabled: now == nil,
			Tip: "Copy the table, for a spreadsheet"})
	return out
}

// Act does what a button of the header stands for.
func (f *frequencies) Act(id string, under widget.Rect) {
	switch id {
	case "earlier":
		f.first = max(0, f.first-f.fits)
	case "later":
		f.first += f.fits
	case "copy":
		if now, _ := f.value.Now(); now != nil {
			f.desk.Window.Copy(f.text(now))
			f.desk.Window.Say("the table of frequencies is on the clipboard")
		}
	default:
		f.desk.UI.OpenMenuUnder("frequencies "+id, under)
	}
}

// menus are those of the header.
func (f *frequencies) menus() {
	u, data := f.desk.UI, f.desk.Doc.Data
	u.ContextMenu("frequencies show", func() {
		for i, word := range shareWords {
			if u.MenuItem(word, widget.MenuOpts{Checked: f.show == shares(i)}) {
				f.show = shares(i)
			}
		}
	})
	u.ContextMenu("frequencies by", func() {
		now, _ := f.samples()
		choose := func(title, name string, checked bool) {
			if u.MenuItem(title, widget.MenuOpts{Checked: checked}) {
				f.by, f.first, f.sort = name, 0, 0
			}
		}
		if origin := data.Origin(); origin != nil {
			choose("File##file", origin.Name, now == origin)
		} else {
			choose("All points##all", "", now == nil)
		}
		for i, c := range labelColumns(f.desk) {
			if i < mostListed {
				choose(fmt.Sprintf("%s##by %s", c.title, c.name), c.name, f.by == c.name)
			}
		}
	})
}

// Widths of the table's columns, in points.
const (
	frequencyName = 190
	frequencyCell = 92
)

// Draw draws the table.
func (f *frequencies) Draw(r widget.Rect) {
	u, d := f.desk.UI, f.desk
	now, _ := f.want()
	if now == nil {
		text := "No populations yet. Select some points, then press Ctrl+G."
		if d.Populations().Tree().Len() > 0 {
			text = "The points of populations are being counted."
		}
		u.Vacant(r, text, "", false, nil)
		return
	}
	r = widget.Rect{X0: r.X0 + u.Pt(8), Y0: r.Y0 + u.Pt(2), X1: r.X1 - u.Pt(8), Y1: r.Y1 - u.Pt(4)}
	f.fits = max(1, int((r.W()-u.Pt(frequencyName))/u.Pt(frequencyCell)))
	f.first = min(max(f.first, 0), max(0, len(now.Samples)-f.fits))
	last := min(f.first+f.fits, len(now.Samples))
	cols := []widget.Column{{Title: "population", Width: frequencyName}}
	for _, s := range now.Samples[f.first:last] {
		cols = append(cols, widget.Column{Title: u.Fit(widget.Small, s, u.Pt(frequencyCell-14)), Width: frequencyCell,
			Right: true})
	}
	if wide := u.Pt(frequencyName) + u.Pt(frequencyCell)*float32(last-f.first); wide < r.W() {
		r.X1 = r.X0 + wide
	}
	f.order(now)
	chosen := d.Stage.Scene.Gating.Chosen
	tree := now.of.Tree
	hit := u.TableIn("frequencies", r, cols, len(f.rows), widget.TableOpts{Sort: f.column() + 1, Down: !f.up,
		Selected: func(row int) bool {
			return f.rows[row] < tree.Len() && tree.All()[f.rows[row]].ID == chosen
		}}, func(row, col int) string { return f.cell(now, f.rows[row], col) })
	if hit.Head >= 0 {
		f.sortBy(hit.Head)
	}
	if hit.Row >= 0 && hit.Row < len(f.rows) {
		id := population.ID(0)
		if at := f.rows[hit.Row]; at < tree.Len() {
			id = tree.All()[at].ID
		}
		d.Stage.Scene.Gating.Chosen = id
		naming.Select(d, id)
	}
}

// column is the column of the table that rows are sorted by, 0 where they stand in the order of the tree.
func (f *frequencies) column() int {
	if f.sort <= f.first || f.sort > f.first+f.fits {
		return 0
	}
	return f.sort - f.first
}

// sortBy sorts by a column of the table; once more the other way round.
func (f *frequencies) sortBy(column int) {
	sort := 0
	if column > 0 {
		sort = f.first + column
	}
	f.up = sort == f.sort && !f.up
	f.sort = sort
}

// order puts the rows into their order.
func (f *frequencies) order(now *counted) {
	key := rowedKey{now, f.show, f.sort, f.up}
	if key == f.rowed {
		return
	}
	f.rowed, f.rows = key, f.rows[:0]
	for i := range now.Points {
		f.rows = append(f.rows, i)
	}
	if f.sort < 1 || f.sort > len(now.Samples) {
		return
	}
	slices.SortStableFunc(f.rows, func(a, b int) int {
		by := cmp.Compare(f.number(now, b, f.sort-1), f.number(now, a, f.sort-1))
		if f.up {
			return -by
		}
		return by
	})
}

// number is the number of a population in a sample; NaN: a share of none, or it cannot be told there.
func (f *frequencies) number(now *counted, place, sample int) float64 {
	if !now.Known(place, sample) {
		return math.NaN()
	}
	n := float64(now.Points[place][sample])
	if f.show == ofCounts {
		return n
	}
	return 100 * n / float64(now.Of(now.of.Tree, place, sample, f.show == ofParent))
}

// name is what a row is called, indented as it lies in others where the rows stand in the order of the tree.
func (f *frequencies) name(now *counted, place int) string {
	tree := now.of.Tree
	if place == tree.Len() {
		return population.Unassigned
	}
	p, indent := tree.All()[place], 0
	for up, ok := tree.Find(p.Parent); ok && f.sort == 0; up, ok = tree.Find(up.Parent) {
		indent++
	}
	return strings.Repeat("   ", min(indent, 12)) + p.Name
}

// cell is a cell of the table in words.
func (f *frequencies) cell(now *counted, place, col int) string {
	if col == 0 {
		return f.name(now, place)
	}
	x := f.number(now, place, f.first+col-1)
	switch {
	case x != x:
		return "–"
	case f.show == ofCounts:
		return widget.Grouped(int(x))
	case x > 0 && x < 0.05:
		return "<0.1 %"
	}
	return fmt.Sprintf("%.1f %%", x)
}

// text is the whole table for a spreadsheet: tabs between cells, numbers in full, populations by their names.
func (f *frequencies) text(now *counted) string {
	var b strings.Builder
	clean := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
	b.WriteString("population\tpath")
	for _, s := range now.Samples {
		b.WriteString("\t" + clean.Replace(s))
	}
	for _, place := range f.rows {
		b.WriteString("\n" + clean.Replace(strings.TrimLeft(f.name(now, place), " ")) + "\t" +
			clean.Replace(now.of.Tree.Path(place)))
		for s := range now.Samples {
			b.WriteByte('\t')
			if x := f.number(now, place, s); x == x {
				b.WriteString(strconv.FormatFloat(x, 'g', 10, 64))
			}
		}
	}
	return b.String() + "\n"
}
