package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"strconv"

	"blossom/gpu"
	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/transform"
	"blossom/ui/live"
)

// Map is a finished map: the points, the landmarks, and where every point went.
type Map struct {
	Points    *Points
	File      *landmark.File // the landmarks with what they need to be used again
	Embedding *embedsom.HostTarget
	Engine    string // that computed it
	Device    string
	Notes     []string // what the user should know
}

// Train reads the input and returns landmarks for it, without projecting.
func (s *Settings) Train(ctx context.Context, path string, report Report) (*Map, error) {
	return s.run(ctx, path, false, report)
}

// Embed reads the input, gets the landmarks as the settings say, and projects every point, in the
// order of the rows.
func (s *Settings) Embed(ctx context.Context, path string, report Report) (*Map, error) {
	return s.run(ctx, path, true, report)
}

func (s *Settings) run(ctx context.Context, path string, project bool, report Report) (*Map, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	// Whatever is small and can be wrong comes before the work: the engine, then the landmarks.
	engines, err := live.OpenEngines(s.Engine, gpu.Options{Threads: s.Threads})
	if err != nil {
		return nil, Usage{err}
	}
	defer engines.Close()
	engine := engines.Engine()
	m := &Map{Engine: engine.Name(), Device: engine.Device()}

	var hd *dataset.Dataset
	var set *landmark.Set
	switch {
	case s.LandmarksHD != "":
		if hd, set, err = s.readMatrices(ctx); err != nil {
			return nil, err
		}
	case s.Landmarks != "":
		if m.File, err = s.readTrained(); err != nil {
			return nil, err
		}
		set = m.File.Set
	}

	ds, err := s.Read(ctx, path, report)
	if err != nil {
		return nil, err
	}
	m.Notes = append(m.Notes, ds.Warnings...)
	if ds.Total > ds.Points {
		m.Notes = append(m.Notes, "a sample of "+strconv.Itoa(ds.Points)+" of "+strconv.Itoa(ds.Total)+" points")
	}
	if m.Points, err = s.choose(ctx, ds, hd, m.File, report); err != nil {
		return nil, err
	}
	if n := m.Points.Table.Invalid; n > 0 {
		m.Notes = append(m.Notes, strconv.Itoa(n)+" of "+strconv.Itoa(ds.Points)+" points have a missing or infinite value and no place on the map")
	}

	resident, err := engine.Load(ctx, m.Points.Table.X)
	if err != nil {
		return nil, err
	}
	defer resident.Free()

	if set == nil {
		t, err := s.train(ctx, m.Points, resident, report)
		if err != nil {
			return nil, err
		}
		set, m.File = t.set, s.fileOf(m.Points, t)
	} else if m.File == nil {
		m.File = s.fileOf(m.Points, &trained{set: set, method: "given"})
	}
	if k := s.Params.K; k > set.Len() {
		m.Notes = append(m.Notes, "--k "+strconv.Itoa(k)+" is more than the "+strconv.Itoa(set.Len())+" landmarks: all of them are used")
	}
	if !project {
		return m, nil
	}
	m.Embedding, err = s.project(ctx, resident, set, ds.Points, report)
	return m, err
}

// choose picks the columns for the source of landmarks at hand and makes the points.
func (s *Settings) choose(ctx context.Context, ds, hd *dataset.Dataset, f *landmark.File, report Report) (*Points, error) {
	var cols []int
	var spec transform.Spec
	var err error
	switch {
	case hd != nil:
		cols, spec, err = s.givenColumns(ds, hd)
	case f != nil:
		cols, spec, err = s.trainedColumns(ds, f)
	default:
		cols, spec, err = s.ownColumns(ds)
	}
	if err != nil {
		return nil, err
	}
	return points(ctx, ds, cols, spec, report)
}

// chunk is the number of points between two looks at the context and at the progress bar.
const chunk = 1 << 16

// project runs both stages over all points.
func (s *Settings) project(ctx context.Context, r gpu.Resident, set *landmark.Set, n int, report Report) (*embedsom.HostTarget, error) {
	dst := embedsom.NewHostTarget(n, set.Pos.Cols)
	for from := 0; from < n; from += chunk {
		at := gpu.Range{From: from, To: min(n, from+chunk)}
		if err := r.Neighbours(ctx, set, s.Params, at); err != nil {
			return nil, err
		}
		if err := r.Project(ctx, set, s.Params, dst, at); err != nil {
			return nil, err
		}
		if report != nil {
			report("projecting", int64(at.To), int64(n))
		}
	}
	return dst, ctx.Err()
}

// CoordinateName is the name of a column of coordinates, counted from 0: "embedsom1".
func CoordinateName(i int) string { return "embedsom" + strconv.Itoa(i+1) }

// Coordinates returns the embedding as a table with the columns embedsom1, embedsom2 and so on.
func (m *Map) Coordinates(ctx context.Context) (*dataset.Dataset, error) {
	e := m.Embedding
	cols := make([]dataset.Column, e.M)
	for j := range cols {
		v := make([]float32, e.N)
		for i := range v {
			v[i] = e.Data[i*e.M+j]
		}
		cols[j] = dataset.Column{Name: CoordinateName(j), Values: v}
	}
	return dataset.FromColumns(ctx, "embedding", cols)
}

// reason is the cause of a failed file operation without the path, which the message has already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// short writes a bound of a parameter for people.
func short(x float64) string {
	if math.IsInf(x, 1) {
		return "any number"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
