package ui

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"blossom/model/dataset"
	"blossom/model/parts"
	"blossom/model/revision"
	"blossom/model/state"
	"blossom/model/transform"
	"blossom/ui/widget"
)

// rowsShown bounds the columns that the panel lists at once; the rest is found by searching.
const rowsShown = 14

// dataForm is what the Data panel keeps between frames.
type dataForm struct {
	search string
	menu   int // the column whose menu is open
	all    bool
	order  []int             // of the columns, markers first
	of     revision.Revision // the data it is of
}

func (a *App) dataNote() string { return grouped(a.m.Doc.Data.Points) + " points" }

func (a *App) dataPanel() {
	data, s := a.m.Doc.Data, a.m.Doc.State()
	f := &a.data
	if len(data.Columns) > 15 {
		a.ui.SearchField("##search", "Find a column", &f.search, false)
		a.ui.Space(4)
	}
	shown, left := 0, 0
	for _, i := range a.columnOrder() {
		c := &data.Columns[i]
		if !matches(c, f.search) {
			continue
		}
		if shown >= rowsShown && !f.all {
			left++
			continue
		}
		shown++
		a.columnRow(i, c, parts.Transform.Of(s).Columns[i])
		if shown >= 2000 {
			break
		}
	}
	if shown == 0 {
		a.ui.Note("No column has this in its name.")
	}
	if left > 0 && a.ui.Link(fmt.Sprintf("Show %s more…##more", grouped(left)),
		"List more columns; searching is quicker") {
		f.all = true
	}
	a.ui.ContextMenu("column", func() { a.columnMenu(f.menu) })

	if n := a.m.Table().Invalid; n > 0 {
		a.ui.Space(2)
		a.ui.Wrapped(widget.Small, a.ui.Theme().Muted, grouped(
			n)+" points have a missing or infinite value in a column of the map. They are not drawn, and exported "+
			"as NaN.")
	}
	for _, w := range data.Warnings {
		a.ui.Space(2)
		a.ui.Wrapped(widget.Small, a.ui.Theme().Warning, w)
	}
	if len(data.Metadata) > 0 {
		a.ui.Space(6)
		if a.ui.Link("Keywords of the file…##keywords", "What else the file says about itself") {
			a.keywords = !a.keywords
		}
		if a.keywords {
			a.keywordList(data)
		}
	}
}

// columnOrder lists markers first, then the rest as in the file: what makes the map is on top.
func (a *App) columnOrder() []int {
	f, data := &a.data, a.m.Doc.Data
	if f.order == nil || f.of != data.Rev {
		f.order, f.of, f.all = nil, data.Rev, false
		for _, markers := range []bool{true, false} {
			for i := range data.Columns {
				if (data.Columns[i].Role == dataset.Marker) == markers {
					f.order = append(f.order, i)
				}
			}
		}
	}
	return f.order
}

func matches(c *dataset.Column, search string) bool {
	search = strings.ToLower(strings.TrimSpace(search))
	return search == "" || strings.Contains(strings.ToLower(c.Name), search) ||
		strings.Contains(strings.ToLower(c.Label), search)
}

func (a *App) columnRow(i int, c *dataset.Column, t transform.Column) {
	in := t.Use == transform.InMap
	o := widget.CheckOpts{Note: a.roleWord(c.Role), Dim: t.Use == transform.Off, Tip: columnTip(c)}
	if c.Label != "" && c.Label != c.Name {
		o.Secondary = c.Name
	}
	name := c.Short() + "##" + strconv.Itoa(i)
	hit := a.ui.Check(name, &in, o)
	if hit.Right {
		a.data.menu = i
		a.ui.OpenMenu("column")
	}
	if hit.Toggled {
		use := transform.ColourOnly
		if in {
			use = transform.InMap
		}
		a.setUse(i, use)
	}
}

// roleWord names a role in the words of the field the data is from.
func (a *App) roleWord(r dataset.Role) string {
	if r == dataset.Marker {
		return a.m.Doc.Data.ColumnWord()
	}
	return r.String()
}

func columnTip(c *dataset.Column) string {
	s := c.Stats
	if s.Count == 0 {
		return c.Title() + ": no finite value"
	}
	text := fmt.Sprintf("%s: %s to %s, mean %s, deviation %s", c.Title(), formatNumber(s.Min), formatNumber(s.Max),
		formatNumber(s.Mean), formatNumber(s.SD))
	if s.Invalid > 0 {
		text += fmt.Sprintf(", %s missing", grouped(s.Invalid))
	}
	return text + ". Ticked columns make the map; right-click for more."
}

func (a *App) columnMenu(i int) {
	if i < 0 || i >= len(a.m.Doc.Data.Columns) {
		return
	}
	c, use := &a.m.Doc.Data.Columns[i], parts.Transform.Of(a.m.Doc.State()).Columns[i].Use
	a.ui.MenuTitle(c.Title())
	if a.ui.MenuItem("Colour by this", widget.MenuOpts{}) {
		a.colourBy(c.Name)
	}
	a.ui.MenuSeparator()
	for _, u := range []struct {
		use  transform.Use
		text string
	}{{transform.InMap, "In the map"}, {transform.ColourOnly, "Colour only"}, {transform.Off, "Left out"}} {
		if a.ui.MenuItem(u.text, widget.MenuOpts{Checked: use == u.use}) {
			a.setUse(i, u.use)
		}
	}
	a.ui.MenuSeparator()
	if a.ui.MenuItem("Transform…", widget.MenuOpts{}) {
		a.transform.which = i + 1
		a.showPanel("Transform")
	}
	if a.ui.MenuItem("Only this kind in the map", widget.MenuOpts{Tip: "Put all " + c.Role.String() +
		" columns in the map, and no others"}) {
		a.respec("Columns of the map", func(s *transform.Spec) {
			for j := range s.Columns {
				switch {
				case a.m.Doc.Data.Columns[j].Role == c.Role:
					s.Columns[j].Use = transform.InMap
				case s.Columns[j].Use == transform.InMap:
					s.Columns[j].Use = transform.ColourOnly
				}
			}
		})
	}
}

func (a *App) setUse(i int, use transform.Use) {
	if in := parts.Transform.Of(a.m.Doc.State()).MapColumns(); use != transform.InMap && len(in) == 1 && in[0] == i {
		a.note(note{text: "The map needs at least one column"})
		return
	}
	name := a.m.Doc.Data.Columns[i].Short()
	verb := map[transform.Use]string{transform.InMap: "Put %s in the map",
		transform.ColourOnly: "Take %s out of the map", transform.Off: "Leave %s out"}[use]
	a.respec(fmt.Sprintf(verb, name), func(s *transform.Spec) { s.Columns[i].Use = use })
}

// respec changes the transform as one entry of the history, unless the result makes no sense; then it
// says why.
func (a *App) respec(name string, change func(*transform.Spec)) {
	spec := parts.Transform.Of(a.m.Doc.State()).Clone()
	change(&spec)
	if err := spec.Validate(a.m.Doc.Data); err != nil {
		a.fail(err)
		return
	}
	a.m.Doc.Do(name, func(s *state.State) { parts.Transform.Put(s, spec) })
}

func (a *App) keywordList(data *dataset.Dataset) {
	keys := make([]string, 0, len(data.Metadata))
	for k := range data.Metadata {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys[:min(len(keys), 300)] {
		a.ui.LabelValue(k, data.Metadata[k], data.Metadata[k])
	}
}

// formatNumber writes a number for people: at most four digits that matter.
func formatNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case x == math.Trunc(x) && math.Abs(x) < 1e6:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
