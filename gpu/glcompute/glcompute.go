// Package glcompute is the engine for any vendor's graphics card: compute shaders of OpenGL 4.3 core.
// The kernels are in shaders/*.comp: neighbours and far (stage A), pairs (the table of all pairs of
// landmarks), project (stage B). Points, their neighbours and the table stay on the card; in a
// window, positions are written straight into the buffer that is drawn. What float32 cannot do fairly is
// listed by the card and done by the float64 reference.
//
// The result for a point depends on that point and the landmarks alone, not on the range or the batch it
// was computed in.
package glcompute

import (
	"context"
	"fmt"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// Name is the registered name.
const Name = "gl"

func init() {
	engine.Register(engine.Registration{
		Name:     Name,
		Title:    "OpenGL",
		Needs:    "a graphics card with OpenGL 4.3",
		Kind:     engine.Card,
		Limits:   limits,
		Priority: 20,
		Probe: func(o engine.Options) (bool, string, string) {
			d, err := probe(o)
			if err != nil {
				return false, problem.As(err).Error(), ""
			}
			return true, "", d.String()
		},
		Prefer: func(o engine.Options) bool {
			d, err := probe(o)
			return err == nil && !d.software
		},
		New: New,
	})
}

// probe opens a context for a moment to see what it can do.
func probe(o engine.Options) (device, error) {
	t, d, err := open(o)
	if err == nil {
		t.close()
	}
	return d, err
}

func open(o engine.Options) (*thread, device, error) {
	if o.GL == nil {
		return nil, device{}, problem.New("", "use --engine cpu", "not here: there is no OpenGL")
	}
	t, err := openThread(o)
	if err != nil {
		p := problem.As(err)
		return nil, device{}, problem.Wrap(err, "", p.Remedy, "not here: %s", p.What)
	}
	var d device
	t.run(func() { d, err = openDevice() })
	if err != nil {
		t.close()
	}
	return t, d, err
}

// New opens a context and compiles nothing yet. There is one set of kernels: Options.Knn and
// Options.Projection must be empty.
func New(o engine.Options) (engine.Engine, error) {
	if o.Knn != "" || o.Projection != "" {
		return nil, problem.New("", "leave --knn and --projection out",
			"engine gl has no kernels to choose from (%s%s)", o.Knn, o.Projection)
	}
	t, d, err := open(o)
	if err != nil {
		return nil, err
	}
	return &computer{o: o, thread: t, device: d, programs: programs{device: d}}, nil
}

type computer struct {
	o        engine.Options
	thread   *thread
	device   device
	programs programs
	closed   bool
}

func (e *computer) Name() string    { return Name }
func (e *computer) Variant() string { return "" }
func (e *computer) Device() string  { return e.device.String() }

func (e *computer) Close() error {
	if e.closed {
		return nil
	}
	e.closed = true
	e.thread.run(e.programs.free)
	e.thread.close()
	return nil
}

func (e *computer) Load(ctx context.Context, points matrix.Source) (engine.Resident, error) {
	x, err := engine.Points(ctx, points)
	if err != nil {
		return nil, err
	}
	if room := e.device.block / 4 / pageUnit; padded(x.Cols) > room {
		return nil, problem.New("", "use the cpu engine",
			"points of %d columns are more than the %d that this card takes", x.Cols, room)
	}
	return newResident(e, x), nil
}

// The limits of the kernels. Beyond them the reference projects.
const (
	maxLandmarks = 1 << 16 // as many as 16-bit ids can tell apart
	maxKept      = 128     // landmarks kept per point by the search
)

var limits = engine.Limits{Landmarks: maxLandmarks}

func (r *resident) plan() string {
	if len(r.pages.slots) >= r.pages.count {
		return ""
	}
	return fmt.Sprintf("%d of %d parts of the points stay on the card, the others are sent and searched again "+
		"each time", len(r.pages.slots)-1, r.pages.count)
}
