package run

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// Map is a finished map: the points, the landmarks, and where every point went.
type Map struct {
	Points    *Points
	File      *landmark.File       // the landmarks with what they need to be used again
	Embedding *embedsom.HostTarget // in the order of the points
	Engine    string               // name of the engine that computed it
	Variant   string               // name of the engine's variant; "" if it has one only
	Device    string
	Notes     []string // remarks for the user
}

// NewMap returns the map of points that an engine will make, with what there is to say of the points.
func NewMap(p *Points, e engine.Engine) *Map {
	return &Map{Points: p, Engine: e.Name(), Variant: e.Variant(), Device: e.Device(),
		Notes: p.Notes("place on the map")}
}

// Project projects every point with the landmarks of the map.
func (m *Map) Project(ctx context.Context, r engine.Resident, params embedsom.Params, report Report) (err error) {
	m.Projected(params)
	m.Embedding, err = Project(ctx, r, m.File.Set, params, m.Points.Data.Points, report)
	return err
}

// Projected notes what there is to say of points that are projected with such parameters.
func (m *Map) Projected(params embedsom.Params) {
	set := m.File.Set
	if k := params.K; k > set.Len() {
		m.note("--k %d is more than the %d landmarks: all of them are used", k, set.Len())
	}
	if note := ArrangedNote(set); note != "" {
		m.note("%s", note)
	}
}

// ProjectRange projects the points of a range of those of the map, and returns their coordinates as Coordinates does.
func (m *Map) ProjectRange(ctx context.Context, e engine.Engine, p *Points,
	params embedsom.Params) (*dataset.Dataset, error) {
	of := *m
	of.Points = p
	var err error
	if of.Embedding, err = m.PlaceRange(ctx, e, p, params); err != nil {
		return nil, err
	}
	return of.Coordinates(ctx)
}

// PlaceRange projects the points of a range of those of the map.
func (m *Map) PlaceRange(ctx context.Context, e engine.Engine, p *Points,
	params embedsom.Params) (*embedsom.HostTarget, error) {
	r, err := e.Load(ctx, p.Table.X)
	if err != nil {
		return nil, err
	}
	defer r.Free()
	return Project(ctx, r, m.File.Set, params, p.Table.X.Rows, nil)
}

// SoftwareGL says, without a context of OpenGL, that it would compute with the processor; nil: nobody knows.
var SoftwareGL func() bool

// OpenEngine opens the engine of a name, "auto" or "" for the best that works here. An unknown one, or an unknown
// variant, is a Usage error.
func OpenEngine(name string, o engine.Options) (engine.Chooser, error) {
	name, variant, err := engine.Pin(name, o.Variant)
	if err != nil {
		return engine.Chooser{}, Usage{err}
	}
	o.Variant = variant
	if orAuto(name) == engine.Auto && SoftwareGL != nil && SoftwareGL() {
		o.GL = nil // it would not be chosen
	}
	engines, err := engine.Open(name, o)
	if err != nil && !slices.Contains(engine.Names(), orAuto(name)) {
		err = Usage{err}
	}
	return engines, err
}

func (m *Map) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// chunk is the number of points between two looks at the context and at the progress bar.
const chunk = 1 << 16

// Project runs both stages over all points.
func Project(ctx context.Context, r engine.Resident, set *landmark.Set, params embedsom.Params, n int,
	report Report) (*embedsom.HostTarget, error) {
	dst := embedsom.NewHostTarget(n, set.Pos.Cols)
	chunk := max(chunk, r.Caps().Chunk)
	for from := 0; from < n; from += chunk {
		at := engine.Range{From: from, To: min(n, from+chunk)}
		if err := r.Neighbours(ctx, set, params, at); err != nil {
			return nil, err
		}
		if err := r.Project(ctx, set, params, dst, at); err != nil {
			return nil, err
		}
		if report != nil {
			report("projecting", int64(at.To), int64(n))
		}
	}
	return dst, ctx.Err()
}

// InRows are the positions in the order of the rows.
func (m *Map) InRows() []float32 {
	order := m.Points.Table.Order
	if order == nil {
		return m.Embedding.Data
	}
	out, dims := make([]float32, len(m.Embedding.Data)), m.Embedding.M
	for i, row := range order {
		copy(out[int(row)*dims:][:dims], m.Embedding.Data[i*dims:])
	}
	return out
}

// Coordinates returns the embedding as a table with the columns embedsom1, embedsom2 and so on.
func (m *Map) Coordinates(ctx context.Context) (*dataset.Dataset, error) {
	ds, err := export.Coordinates(ctx, export.EmbedSOM, m.Embedding.Data, m.Embedding.M,
		m.Points.Table.Order)
	if err == nil {
		ds.Metadata = map[string]string{export.EngineKey: engine.FullName(m.Engine, m.Variant)}
		if m.File.Set.ByHand {
			ds.Metadata[export.ArrangedKey] = "by hand"
		}
	}
	return ds, err
}

// short writes a bound of a parameter for people.
func short(x float64) string {
	if math.IsInf(x, 1) {
		return "any number"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
