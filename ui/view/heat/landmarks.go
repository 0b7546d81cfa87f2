package heat

import (
	"fmt"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	register(view.Kind{ID: "heat", Title: "Heat map of landmarks", Icon: assets.IconLayers, Order: 10,
		Help: "A row for each landmark, a column for each column of the map, rows in the order of their similarity"},
		func(v *view.View) subject { return &landmarks{v: v} })
}

// landmarks are the rows of a heat map of landmarks.
type landmarks struct {
	v      *view.View
	before []int // the selection at a press
}

func (l *landmarks) update() (numbers, key) {
	m := l.v.Scene().Map
	set, table := m.Landmarks(), m.Table()
	if len(table.Cols) != set.Codebook.Cols { // a changed transform is on its way
		return nil, key{}
	}
	return &codebook{set, table, shorts(l.v, table.Cols)}, key{set.CodeRev, set.NameRev, table.Rev}
}

// shorts are the names of columns of the table.
func shorts(v *view.View, columns []int) (names []string) {
	for _, c := range columns {
		names = append(names, v.Data().Columns[c].Short())
	}
	return names
}

func (l *landmarks) free() {}

func (l *landmarks) empty() string {
	switch {
	case len(l.v.MapColumns()) == 0:
		return "No column is in the map. Take some in, in the Data panel."
	case l.v.Scene().Map.Landmarks().Len() > 0:
		return "The landmarks are on their way into the changed space."
	}
	return "No landmarks yet. Make some in the Train panel."
}

func (l *landmarks) label() (title, note string) {
	return "Landmarks", fmt.Sprintf("%s x %d columns", widget.Grouped(l.v.Scene().Map.Landmarks().Len()),
		len(l.v.MapColumns()))
}

func (l *landmarks) marked(row int) bool {
	_, is := slices.BinarySearch(l.v.Scene().Hand.Landmarks.Selected, row)
	return is
}

func (l *landmarks) hovered() int { return l.v.Scene().Hand.Hover }

func (l *landmarks) hover(row int) {
	if hand := l.v.Scene().Hand; hand.Hover != row {
		hand.Hover = row
		l.v.Scene().UI.Again()
	}
}

// pick selects the landmarks: Shift adds them, Alt takes them away.
func (l *landmarks) pick(rows []int, first bool) {
	io, hand := imgui.CurrentIO(), l.v.Scene().Hand
	if first {
		l.before = slices.Clone(hand.Landmarks.Selected)
	}
	ids := slices.Clone(rows)
	switch {
	case io.KeyShift():
		ids = append(ids, l.before...)
	case io.KeyAlt():
		ids = slices.DeleteFunc(slices.Clone(l.before), func(id int) bool { return slices.Contains(rows, id) })
	case len(rows) == 1 && slices.Equal(l.before, ids):
		ids = nil // a click on what is selected alone lets it go
	}
	slices.Sort(ids)
	hand.Landmarks.Selected = slices.Compact(ids)
	l.v.Scene().UI.Again()
}

// codebook is the codebook vectors of landmarks.
type codebook struct {
	set   *landmark.Set
	table *transform.Table
	names []string // the columns'
}

func (c *codebook) vectors() matrix.Matrix32 { return c.set.Codebook }
func (c *codebook) columns() []string        { return c.names }

// value is what the transform gives of a landmark in a column, before scaling and weight; NaN: a weight of 0 keeps the
// column out of the landmarks.
func (c *codebook) value(id, col int) float64 {
	if k := c.table.Factor[col]; k != 0 {
		return float64(c.set.Codebook.Row(id)[col]) / k
	}
	return math.NaN()
}

// scale is from the lowest to the highest landmark of a column.
func (c *codebook) scale(common bool) [][2]float64 {
	out := make([][2]float64, c.set.Codebook.Cols)
	for col := range out {
		e := [2]float64{math.Inf(1), math.Inf(-1)}
		for id := range c.set.Codebook.Rows {
			if x := c.value(id, col); x-x == 0 {
				e = [2]float64{min(e[0], x), max(e[1], x)}
			}
		}
		out[col] = e
	}
	if common {
		return inCommon(out)
	}
	return out
}

func (c *codebook) ends(common bool) (low, high string) {
	if e := c.scale(true); common && len(e) > 0 && e[0][0] <= e[0][1] {
		return widget.FigureOf(e[0][0], 3), widget.FigureOf(e[0][1], 3)
	}
	return "lowest of its column", "highest"
}

// title is how a landmark is called.
func (c *codebook) title(id int) string {
	if c.set.Names != nil && c.set.Names[id] != "" {
		return c.set.Names[id]
	}
	return fmt.Sprintf("landmark %d", id+1)
}

// tip says what a cell is.
func (c *codebook) tip(id, col int) string {
	text, x := c.title(id)+"\n"+c.names[col]+": ", c.value(id, col)
	if x != x {
		return text + "left out of the map by its weight of 0"
	}
	text += widget.FigureOf(x, 4)
	if raw := c.table.Funcs[col].Inverse(x); raw != x {
		text += " transformed, " + widget.FigureOf(raw, 4) + " in the data"
	}
	return text
}
