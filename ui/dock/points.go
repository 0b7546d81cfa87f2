package dock

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "points", Title: "Points",
		Also: "table rows cells values spreadsheet search sort list jump",
		Key:  "Alt+A", Icon: assets.IconList, Order: 90, Height: 260,
		Help: "A row for each selected point, or each of the chosen population, with its values: sort, search, jump " +
			"to it",
		New: func(d *desk.Desk) Dock {
			return &points{desk: d, value: work.Keep[listedKey, []int32](&d.Values, work.Policy{
				Title: "Table of points", Quiet: true, Background: true, Remedy: "show the table again"})}
		}})
}

// points is the table of points with their values.
type points struct {
	desk  *desk.Desk
	value *work.Value[listedKey, []int32] // rows, in the order in which they are listed
	sort  string                          // the column that they are sorted by; "": they stand in the order of the data
	down  bool
	seek  string
	first int // the column that stands first
	fits  int // how many there is room for
	at    int // the row of the data that was clicked, from 1; 0: none
}

// listedKey is what the list of rows depends on.
type listedKey struct {
	of         *selection.Set
	data, rev  revision.Revision // the data, and the column that they are sorted by
	sort, seek string
	down       bool
}

// set is the points that are listed, and what they are called; nil: all.
func (p *points) set() (set *selection.Set, name string) {
	d := p.desk
	if set = d.Stage.Selected(); !set.Empty() {
		return set, "selected"
	}
	if now, _ := d.Populations().Now(); now != nil {
		if at := now.Tree.Place(d.Stage.Scene.Gating.Chosen); at >= 0 {
			return now.Sets[at], "of " + population.Brief(now.Tree.All()[at].Name)
		}
	}
	return nil, "in all"
}

// columns are those that are shown, by their numbers: of labels, of the map, then the others.
func (p *points) columns() (list []int) {
	data, spec := p.desk.Doc.Data, p.desk.Spec()
	for _, wanted := range []func(i int) bool{
		func(i int) bool { return data.Columns[i].Categories != nil },
		func(i int) bool { return data.Columns[i].Categories == nil && spec.Columns[i].Use == transform.InMap },
		func(i int) bool { return data.Columns[i].Categories == nil && spec.Columns[i].Use != transform.InMap },
	} {
		for i := range data.Columns {
			if wanted(i) {
				list = append(list, i)
			}
		}
	}
	return list
}

// want has the rows listed.
func (p *points) want() (rows []int32, fresh bool) {
	d := p.desk
	set, _ := p.set()
	key := listedKey{of: set, data: d.Doc.Data.Rev, sort: p.sort, seek: p.seek, down: p.down}
	var by *dataset.Column
	if p.sort != "" {
		c, _, err := d.Column(p.sort)
		if err == nil && c == nil {
			rows, _ = p.value.Now()
			return rows, false
		}
		if by = c; err == nil {
			key.rev = c.Rev
		}
	}
	if p.value.Want(key) {
		n := d.Doc.Data.Points
		if set != nil {
			n = set.Count()
		}
		data := d.Doc.Data
		p.value.Make(work.Ops(60*n), func(ctx context.Context, _ func(done, total int64)) ([]int32, error) {
			return listed(ctx, data, set, by, key)
		})
	}
	return p.value.Now()
}

// listed are the rows of a set (nil: of all) that have a text in their labels or are of its number, in the order of a
// column (nil: of the data). A missing value stands last.
func listed(ctx context.Context, data *dataset.Dataset, set *selection.Set, by *dataset.Column,
	key listedKey) ([]int32, error) {
	if set == nil {
		set = selection.All(data.Points)
	}
	rows := make([]int32, 0, set.Count())
	matches := matcher(data, key.seek)
	set.Each(0, data.Points, func(row int) {
		if matches == nil || matches(row) {
			rows = append(rows, int32(row))
		}
	})
	if by == nil || ctx.Err() != nil {
		return rows, ctx.Err()
	}
	word := func(row int32) string {
		if x := by.At(int(row)); x == x && int(x) < len(by.Categories) {
			return by.Categories[int(x)]
		}
		return ""
	}
	slices.SortStableFunc(rows, func(a, b int32) int {
		x, y := by.At(int(a)), by.At(int(b))
		switch {
		case x != x || y != y: // missing values stand last, whatever the direction
			return cmp.Compare(missing(x), missing(y))
		case by.Categories != nil:
			return turned(strings.Compare(word(a), word(b)), key.down)
		}
		return turned(cmp.Compare(x, y), key.down)
	})
	return rows, ctx.Err()
}

func missing(x float64) int {
	if x != x {
		return 1
	}
	return 0
}

func turned(order int, down bool) int {
	if down {
		return -order
	}
	return order
}

// matcher says which rows a search finds; nil: all.
func matcher(data *dataset.Dataset, seek string) func(row int) bool {
	if seek = strings.ToLower(strings.TrimSpace(seek)); seek == "" {
		return nil
	}
	number, err := strconv.Atoi(strings.ReplaceAll(seek, ",", ""))
	if err != nil {
		number = 0
	}
	type labels struct {
		of    *dataset.Column
		found []bool
	}
	var words []labels
	for i := range data.Columns {
		if c := &data.Columns[i]; c.Categories != nil {
			l := labels{c, make([]bool, len(c.Categories))}
			for k, name := range c.Categories {
				l.found[k] = strings.Contains(strings.ToLower(name), seek)
			}
			words = append(words, l)
		}
	}
	return func(row int) bool {
		if row+1 == number {
			return true
		}
		return slices.ContainsFunc(words, func(l labels) bool {
			x := l.of.Values[row]
			return x == x && int(x) < len(l.found) && l.found[int(x)]
		})
	}
}

// Head says which points are listed.
func (p *points) Head() widget.DockHead {
	rows, fresh := p.want()
	_, name := p.set()
	out := widget.DockHead{Note: fmt.Sprintf("%s %s", widget.Grouped(len(rows)), name)}
	if p.seek != "" {
		out.Note += ", found"
	}
	if !fresh {
		out.Note += " · on their way"
	}
	if n := len(p.desk.Doc.Data.Columns); n > p.fits && p.fits > 0 {
		out.Note += fmt.Sprintf(" · columns %d to %d of %s", p.first+1, min(p.first+p.fits, n), widget.Grouped(n))
		out.Actions = []widget.DockAction{
			{ID: "earlier", Icon: assets.IconChevronLeft, Tip: "The columns before", Disabled: p.first == 0},
			{ID: "later", Icon: assets.IconChevronRight, Tip: "The columns after", Disabled: p.first+p.fits >= n}}
	}
	return out
}

// Act does what a button of the header stands for.
func (p *points) Act(id string, _ widget.Rect) {
	switch id {
	case "earlier":
		p.first = max(0, p.first-p.fits)
	case "later":
		p.first += p.fits
	}
}

// Widths of the table's columns, in points.
const (
	pointNumber = 80
	pointCell   = 96
	seekHigh    = 34
)

// Draw draws the table.
func (p *points) Draw(r widget.Rect) {
	u, d := p.desk.UI, p.desk
	r = widget.Rect{X0: r.X0 + u.Pt(8), Y0: r.Y0 + u.Pt(2), X1: r.X1 - u.Pt(8), Y1: r.Y1 - u.Pt(4)}
	u.In(widget.Rect{X0: r.X0, Y0: r.Y0, X1: min(r.X1, r.X0+u.Pt(280)), Y1: r.Y0 + u.Pt(seekHigh)}, "seek", func() {
		u.SearchField("seek", "Find a label, or the number of a row", &p.seek, false)
	})
	r.Y0 += u.Pt(seekHigh)
	rows, _ := p.want()
	list := p.columns()
	p.fits = max(1, int((r.W()-u.Pt(pointNumber))/u.Pt(pointCell)))
	p.first = min(max(p.first, 0), max(0, len(list)-p.fits))
	list = list[p.first:min(p.first+p.fits, len(list))]
	cols, sorted := []widget.Column{{Title: "row", Width: pointNumber, Right: true}}, 0
	var values []*dataset.Column
	for k, i := range list {
		c := &d.Doc.Data.Columns[i]
		own, _, _ := d.Column(c.Name) // compensated where the map is; nil while that is on its way
		values = append(values, own)
		cols = append(cols, widget.Column{Title: u.Fit(widget.Small, c.Short(), u.Pt(pointCell-24)), Width: pointCell,
			Right: c.Categories == nil})
		if c.Name == p.sort {
			sorted = k + 1
		}
	}
	if wide := u.Pt(pointNumber) + u.Pt(pointCell)*float32(len(list)); wide < r.W() {
		r.X1 = r.X0 + wide
	}
	hit := u.TableIn("points", r, cols, len(rows), widget.TableOpts{Sort: sorted + 1, Down: p.down && sorted > 0,
		Selected: func(i int) bool { return int(rows[i]) == p.at-1 }}, func(i, col int) string {
		if col == 0 {
			return widget.Grouped(int(rows[i]) + 1)
		}
		return cellOf(values[col-1], int(rows[i]))
	})
	if hit.Head >= 0 {
		p.sortBy(hit.Head, list)
	}
	if hit.Row >= 0 && hit.Row < len(rows) {
		p.at = int(rows[hit.Row]) + 1
		p.jump(int(rows[hit.Row]))
	}
}

// sortBy sorts by a column of the table; once more the other way round.
func (p *points) sortBy(head int, list []int) {
	name := ""
	if head > 0 && head <= len(list) {
		name = p.desk.Doc.Data.Columns[list[head-1]].Name
	}
	p.down = name == p.sort && !p.down
	p.sort = name
}

// cellOf is a value in words.
func cellOf(c *dataset.Column, row int) string {
	if c == nil || row >= len(c.Values) {
		return ""
	}
	x := c.At(row)
	switch {
	case x != x:
		return "–"
	case c.Categories != nil && int(x) < len(c.Categories):
		return c.Categories[int(x)]
	}
	return widget.FigureOf(x, 5)
}

// jump shows a point in the views: its card is held, and the active view goes there if it is out of sight.
func (p *points) jump(row int) {
	stage, order := p.desk.Stage, p.desk.Table().Order
	at := row
	if order != nil {
		at = slices.Index(order, int32(row))
	}
	v := stage.Scatter()
	if v == nil || at < 0 || !stage.Hover().Hold(v, at, row) {
		p.desk.Window.Say(fmt.Sprintf("row %s has no place in the active view", widget.Grouped(row+1)))
	}
}
