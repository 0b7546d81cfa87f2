package heat

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"blossom/assets"
	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	register(view.Kind{ID: "populations", Title: "Heat map of populations", Icon: assets.IconTag, Order: 11,
		Help: "A row for each population, a column for each column of the map, coloured by the medians of its points"},
		func(v *view.View) subject { return newPopulations(v) })
}

// populations are the rows of a heat map of populations, those that have points.
type populations struct {
	v     *view.View
	value *work.Value[mediansKey, *medians]
}

// mediansKey is what medians depend on.
type mediansKey struct {
	labels, table revision.Revision
}

// After medians were made, they rest this long while gates are moved.
const (
	mediansShare = 2 // times what it took
	mediansPace  = 100 * time.Millisecond
)

// mostPopulations is how many rows there are at most: of more the first.
const mostPopulations = 2000

func newPopulations(v *view.View) *populations {
	return &populations{v: v, value: work.Keep[mediansKey, *medians](&v.Scene().Map.Values, work.Policy{
		Title: "Medians of populations", Quiet: true, Finish: true, Share: mediansShare, Least: mediansPace,
		Remedy: "show the heat map again"})}
}

func (p *populations) free() { p.value.Drop() }

func (p *populations) update() (numbers, key) {
	m := p.v.Scene().Map
	now, _ := m.Populations().Now()
	if now == nil || len(m.Table().Cols) == 0 {
		return nil, key{}
	}
	if p.value.Want(mediansKey{now.Derived.Rev, m.Table().Rev}) && p.value.Rested() {
		data, table, labels := m.Doc.Data, m.Table(), now
		p.value.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (*medians, error) {
			return mediansOf(ctx, data, table, labels)
		})
	}
	made, _ := p.value.Now()
	if made == nil || len(made.Places) == 0 {
		return nil, key{}
	}
	return made, key{made.rev, made.rev, made.rev}
}

func (p *populations) empty() string {
	switch now, fresh := p.v.Scene().Map.Populations().Now(); {
	case p.v.Scene().Map.Populations().Tree().Len() == 0:
		return "No populations yet. Select some points, then press Ctrl+G."
	case p.value.Err() != nil:
		return p.value.Err().Error()
	case len(p.v.MapColumns()) == 0:
		return "No column is in the map. Take some in, in the Data panel."
	case fresh && now != nil && p.value.Fresh():
		return "No population has points."
	}
	return "The medians are on their way."
}

func (p *populations) label() (title, note string) {
	title, note = "Populations", "medians"
	if made, fresh := p.value.Now(); made != nil {
		note = fmt.Sprintf("medians of %s x %d columns", widget.Grouped(len(made.Places)), len(made.names))
		if !fresh {
			note += " · of a moment ago"
		}
	}
	return title, note
}

// of is the population of a row.
func (p *populations) of(row int) (population.Population, int, bool) {
	made, _ := p.value.Now()
	if made == nil || row < 0 || row >= len(made.Places) {
		return population.Population{}, 0, false
	}
	return made.of.Tree.All()[made.Places[row]], made.Places[row], true
}

func (p *populations) marked(row int) bool {
	x, _, ok := p.of(row)
	return ok && x.ID == p.v.Scene().Gating.Chosen
}

// column is that of populations, which maps are coloured by.
func (p *populations) column() string { return p.v.Scene().Map.Populations().Column() }

func (p *populations) hovered() int {
	made, _ := p.value.Now()
	if lit := p.v.Scene().Lit(p.column()); made != nil && lit >= 0 {
		return slices.Index(made.Places, lit)
	}
	return -1
}

func (p *populations) hover(row int) {
	if _, place, ok := p.of(row); ok {
		p.v.Scene().Light(p.column(), place)
	}
}

// pick selects the points of the population of a press: Shift adds them, Alt takes them away.
func (p *populations) pick(rows []int, first bool) {
	if !first || len(rows) != 1 {
		return
	}
	s := p.v.Scene()
	now, _ := s.Map.Populations().Now()
	x, _, ok := p.of(rows[0])
	if place := -1; ok && now != nil {
		if place = now.Tree.Place(x.ID); place >= 0 {
			s.Gating.Chosen = x.ID
			s.SelectNamed(population.Brief(x.Name), now.Sets[place])
		}
	}
}

// medians are the medians of populations, in the columns of the map.
type medians struct {
	*population.Profile
	of    *live.Populated
	rev   revision.Revision
	names []string
	like  matrix.Matrix32
}

// mediansOf makes the medians of the populations that have points.
func mediansOf(ctx context.Context, data *dataset.Dataset, table *transform.Table,
	of *live.Populated) (*medians, error) {
	p, err := population.ProfileOf(ctx, data, table.Spec, table.Cols, of.Sets, mostPopulations)
	if err != nil {
		return nil, err
	}
	out := &medians{Profile: p, of: of, rev: revision.Next(), like: matrix.New(len(p.Places), len(table.Cols))}
	for _, c := range table.Cols {
		out.names = append(out.names, data.Columns[c].Short())
	}
	for i := range p.Places {
		for col := range table.Cols {
			if share := p.Share(i, col); share-share == 0 {
				out.like.Row(i)[col] = float32(share)
			}
		}
	}
	return out, nil
}

func (m *medians) vectors() matrix.Matrix32   { return m.like }
func (m *medians) columns() []string          { return m.names }
func (m *medians) value(row, col int) float64 { return m.Shown[row][col] }

// scale is from the 1st to the 99th percentile of all points: columns of mere noise are not stretched.
func (m *medians) scale(common bool) [][2]float64 {
	out := slices.Clone(m.Spans)
	for i, e := range out {
		if e[0] != e[0] || e[1] != e[1] {
			out[i] = [2]float64{math.Inf(1), math.Inf(-1)}
		}
	}
	if common {
		return inCommon(out)
	}
	return out
}

func (m *medians) ends(common bool) (low, high string) {
	if e := m.scale(true); common && len(e) > 0 && e[0][0] <= e[0][1] {
		return widget.FigureOf(e[0][0], 3), widget.FigureOf(e[0][1], 3)
	}
	return "1 % of all points", "99 %"
}

func (m *medians) title(row int) string { return m.of.Tree.All()[m.Places[row]].Name }

// tip says what a cell is.
func (m *medians) tip(row, col int) string {
	text := fmt.Sprintf("%s, %s points\nmedian of %s: ", m.title(row),
		widget.Grouped(m.of.Sets[m.Places[row]].Count()), m.names[col])
	raw, x := m.Raw[row][col], m.Shown[row][col]
	if raw != raw {
		return text + "none has a value"
	}
	if text += widget.FigureOf(raw, 4); x != raw {
		text += ", " + widget.FigureOf(x, 4) + " transformed"
	}
	return text
}
