package job

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/space/knn"
	"blossom/model/work/embedding"
)

// Placed wants places for new points in a map of the points of the job by an embedding that runs. The map stays as it
// is, and each point is placed for itself.
type Placed struct {
	Of           embedding.Recipe `json:"of"`                   // its dimensions are those of Map
	Map          string           `json:"map"`                  // positions of the points of the job
	MapSHA256    string           `json:"map_sha256,omitempty"` // hexadecimal, of Map, where it is known
	Points       []File           `json:"points"`               // the new ones, by the columns of the others
	Compensation string           `json:"compensation,omitempty"`
	Output       string           `json:"output,omitempty"`
	Beside

	Made *PointsMap `json:"-"`
	from *Job       // the job that names Points, where somebody has read their data
}

func init() { Register(Kind{ID: "placed", New: func() Want { return &Placed{} }}) }

// Place wants the points of another job placed in a map of those of j.
func (j *Job) Place(p *Placed, others *Job) {
	p.Points, p.from = others.Data, others
	j.Want(p)
}

// What returns the ID of the kind.
func (p *Placed) What() string { return "placed" }

// Paths are the files that it names.
func (p *Placed) Paths() (written, read []*string) {
	read = append(compensationFile(&p.Compensation), &p.Map)
	for i := range p.Points {
		read = append(read, &p.Points[i].Path)
	}
	return []*string{&p.Output}, read
}

// Check says what is wrong with the wish.
func (p *Placed) Check() error {
	if err := runs(p.Of); err != nil {
		return err
	}
	switch k := embedding.ByID(p.Of.Kind); {
	case k.Run.Into == nil:
		return problem.New("", "make a map of all points together", "%s places no new points", k.Title)
	case p.Map == "" || len(p.Points) == 0:
		return problem.New("", "give both", "there is no map, or there are no points to place in it")
	}
	for i := range p.Points {
		if err := p.Points[i].check(); err != nil {
			return err
		}
	}
	return p.Beside.checkOutput(p.Output)
}

// Make places the points.
func (p *Placed) Make(ctx context.Context, w *Work) error {
	if err := w.Space(ctx); err != nil {
		return err
	}
	m := w.mapper(0)
	m.valid()
	if err := p.sameMap(ctx, w); err != nil {
		return err
	}
	y, err := m.positions(ctx, p.Map, 0, false)
	if err != nil {
		return err
	}
	if len(m.rows) == 0 {
		return problem.New(w.table.Path, "take a map with points", "it has no points to place others among")
	}
	r := embedding.Recipe{Kind: p.Of.Kind, Dims: len(y) / len(m.rows)}
	fresh, err := p.fresh(ctx, m, r.Dims)
	if err != nil {
		return err
	}
	if n := remote(m.x, fresh.x); n > 0 {
		fresh.out.Notes = append(fresh.out.Notes, fmt.Sprintf("%s: too far from all points of the map to tell which "+
			"of them are near; places there say nothing", problem.Count(n, "new point")))
	}
	held, err := w.Engines.Engine().Load(ctx, m.x)
	if err != nil {
		return err
	}
	defer held.Free()
	table := *w.Points.Table
	table.X, table.Invalid = m.x, 0
	in := embedding.Inputs{Data: w.table, Table: &table, Caps: held.Caps(), Engine: w.Engines.Another}
	places, err := embedding.ByID(r.Kind).Run.Into(ctx, in, r, parts.Runs.Of(w.Parts).Get(p.Of).Values, y, fresh.x,
		w.Options.Report.Stage("placing"))
	if err != nil {
		return named(err, p.Map)
	}
	if len(places) != fresh.x.Rows*r.Dims || !knn.Finite(places) {
		return fmt.Errorf("%s gave no place to a point", embedding.ByID(r.Kind).Title)
	}
	fresh.out.Pos, fresh.out.Placed = fresh.scatter(places, r.Dims), true
	fresh.lap("placing")
	return fresh.end(ctx, nil, p.Output, p.Beside, func(ctx context.Context) (*dataset.Dataset, error) {
		return fresh.coordinates(ctx, r.Kind)
	})
}

// sameMap refuses a map that has changed since it was noted.
func (p *Placed) sameMap(ctx context.Context, w *Work) error {
	if p.MapSHA256 == "" {
		return nil
	}
	is := *p
	if err := is.Note(ctx, w.Options.Report); err != nil || is.MapSHA256 == strings.ToLower(p.MapSHA256) {
		return err
	}
	return problem.New(p.Map, "give the map that it was, or plan anew", "has changed since")
}

// Note notes what the map has in it, so that another is refused. The error is ctx's, or a Problem.
func (p *Placed) Note(ctx context.Context, report run.Report) error {
	print, err := fingerprint.Whole(ctx, p.Map, report.Stage("hashing"))
	p.MapSHA256 = print.Whole
	return err
}

// fresh reads the new points into the space of those of the map: the same columns, by name, with the same transforms
// and scales.
func (p *Placed) fresh(ctx context.Context, m *mapper, dims int) (*mapper, error) {
	from := p.from
	if from == nil {
		from = &Job{Data: p.Points, Match: m.w.Match}
	}
	if err := from.read(ctx, &m.w.Options); err != nil {
		return nil, err
	}
	points, notes, err := m.w.Points.Like(ctx, from.table, p.Compensation, m.w.Options.Report)
	if err != nil {
		return nil, err
	}
	fresh := m.w.mapperOf(points, dims)
	fresh.valid()
	fresh.out.Notes, fresh.out.Method = append(fresh.out.Notes, notes...), "frozen"
	p.Made = fresh.out
	return fresh, nil
}

// remote counts the rows of fresh that are a million times as far from the box around x as that is wide: float32 holds
// no difference between their distances to the points in it.
func remote(x, fresh matrix.Matrix32) (n int) {
	low, high := slices.Clone(x.Row(0)), slices.Clone(x.Row(0))
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	wide := 0.0
	for j := range low {
		wide = math.Hypot(wide, float64(high[j])-float64(low[j]))
	}
	for i := range fresh.Rows {
		away := 0.0
		for j, v := range fresh.Row(i) {
			away = math.Hypot(away, max(0, float64(low[j])-float64(v), float64(v)-float64(high[j])))
		}
		if away > 1e6*wide {
			n++
		}
	}
	return n
}
