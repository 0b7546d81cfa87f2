// Package cuda is the engine for NVIDIA cards. It finds the driver at run time and carries its kernels
// with it (package kernels), so that the program needs no CUDA to build or to start.
//
// Points stay on the card. Stage A caches the neighbours of each point as numbers of landmarks and squared
// distances; stage B makes positions of them, straight into the buffer that OpenGL draws from where the two
// can share it. Work is queued and goes on after the calls return; see engine.Async.
//
// The result for a point depends on that point and the landmarks alone, and is the same in every run.
package cuda

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/kernels"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// Name is the registered name.
const Name = "cuda"

func init() {
	engine.Register(engine.Registration{
		Name:     Name,
		Title:    "CUDA",
		Needs:    "an NVIDIA card",
		Kind:     engine.Card,
		Limits:   limits,
		Priority: 30,
		Probe:    probe,
		New:      New,
		Start:    start,
		Variants: func() []string { return []string{tensor, tiles} },
		Kernels:  Kernels,
		Published: func() (knn, projection []string) {
			return neighbours.published.Names, positions.published.Names
		},
		Card: findCard,
	})
}

// start loads the driver and makes the contexts of the cards that are asked for, which stay: it takes a third of a
// second, in which a gigabyte is read.
func start(o engine.Options) {
	for _, device := range append([]int{o.Device}, o.Beside...) {
		_, _ = driver.Open(device)
	}
}

// findCard says why there is no card of that number.
func findCard(device int) error {
	cards, err := driver.Devices()
	if err == nil && device >= 0 && device < len(cards) {
		return nil
	}
	if err == nil {
		err = driver.NoDevice(device, cards)
	}
	return driver.Problem(err)
}

// Kernels of this engine, besides the published ones (published.go).
const (
	tensor   = "tensor"   // stage A on tensor cores, where there are any and they pay
	tiles    = "tiles"    // stage A on any card
	table    = "table"    // stage B with tables in global memory
	triangle = "triangle" // stage B with the table of landmarks in shared memory, where it fits
)

// Kernels returns the names that Options.Knn and Options.Projection can have, the engine's own first.
func Kernels() (knn, projection []string) {
	return neighbours.names(), positions.names()
}

func probe(o engine.Options) (ok bool, why, device string) {
	cards, err := driver.Devices()
	if err != nil {
		return false, err.Error(), ""
	}
	if o.Device < 0 || o.Device >= len(cards) {
		return false, driver.NoDevice(o.Device, cards).Error(), ""
	}
	if err := cards[o.Device].Supported(); err != nil {
		return false, err.Error(), ""
	}
	return true, "", cards[o.Device].String()
}

var limits = engine.Limits{Landmarks: maxG, Columns: maxD}

type card struct {
	o       engine.Options
	beside  []*card // for what several do together
	c       *driver.Context
	dev     driver.Device
	s       *driver.Stream
	inbox   inbox
	returns returns
	mu      sync.Mutex // guards all that follows: a job may open a map beside the window
	modules map[string]*driver.Module
	kernels map[string]*driver.Function
	fitting map[fit]int // answers of Occupancy so far
	args    driver.Args // arguments of the launch being prepared, so that a frame allocates nothing

	knn, projection string  // chosen, "" for the best
	nearAs, placeAs Planner // planners of published kernels, where such were chosen
}

// New opens the card o.Device.
func New(o engine.Options) (engine.Engine, error) {
	if o.Variant != "" {
		if o.Knn != "" {
			return nil, problem.New("", "leave one of them out", "variant %s and the kernel %s exclude each other",
				o.Variant, o.Knn)
		}
		o.Knn = o.Variant
	}
	e := &card{o: o, modules: map[string]*driver.Module{}, kernels: map[string]*driver.Function{},
		fitting: map[fit]int{}}
	if err := e.choose(); err != nil {
		return nil, err
	}
	c, err := driver.Open(o.Device)
	if err != nil {
		return nil, err
	}
	e.c, e.dev = c, c.Info()
	if o.Variant == tensor && !e.hasTensor() {
		return nil, errors.Join(problem.New("", "use the variant "+tiles, "%s has no tensor cores that the kernels use",
			e.dev.Name), c.Close())
	}
	leave, err := c.Enter()
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	defer leave()
	if e.s, err = c.NewStream(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	// A driver that is too old for the kernels is known at once.
	if _, err = e.kernel("tables", "prepare"); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	beside := o.Beside
	if o.Window { // the card that draws computes what is drawn; others are for runs beside it: engine.Chooser.Another
		beside = nil
	}
	for _, d := range beside {
		alone := o
		alone.Device, alone.Beside = d, nil
		other, err := New(alone)
		if err != nil {
			return nil, errors.Join(err, e.Close())
		}
		e.beside = append(e.beside, other.(*card))
	}
	return e, nil
}

// choose reads the names of kernels.
func (e *card) choose() (err error) {
	e.knn, e.projection = e.o.Knn, e.o.Projection
	if e.nearAs, err = neighbours.planner(e.knn); err != nil {
		return err
	}
	e.placeAs, err = positions.planner(e.projection)
	return err
}

func (e *card) Name() string { return Name }

// Variant is the kernels that were asked for; else whether neighbours are found with tensor cores, where they
// pay: that depends on the columns alone.
func (e *card) Variant() string {
	switch {
	case e.knn != "" && e.projection != "":
		return e.knn + "+" + e.projection
	case e.knn+e.projection != "":
		return e.knn + e.projection
	case e.hasTensor():
		return tensor
	}
	return tiles
}

// Device is the card; of several all of them.
func (e *card) Device() string {
	text := e.dev.String()
	for _, other := range e.beside {
		text += ", " + other.dev.String()
	}
	return text
}

// kernel returns a kernel of a module, which is loaded when it is first needed.
func (e *card) kernel(module, name string) (*driver.Function, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.kernels[name]; f != nil {
		return f, nil
	}
	m := e.modules[module]
	if m == nil {
		image := kernels.Image(module)
		if image == nil {
			return nil, fmt.Errorf("cuda: there are no kernels %s", module)
		}
		var err error
		if m, err = e.c.LoadModule(image); err != nil {
			return nil, err
		}
		e.modules[module] = m
	}
	f, err := m.Function(name)
	if err != nil {
		return nil, err
	}
	e.kernels[name] = f
	return f, nil
}

func (e *card) Close() error {
	leave, err := e.c.Enter()
	if err != nil {
		return errors.Join(err, e.c.Close())
	}
	var all []error
	for _, other := range e.beside {
		all = append(all, other.Close())
	}
	for _, m := range e.modules {
		all = append(all, m.Unload())
	}
	if e.s != nil {
		all = append(all, e.s.Destroy())
	}
	e.inbox.free(e.c)
	e.returns.free(e.c)
	leave()
	return errors.Join(append(all, e.c.Close())...)
}

// Load makes room for the points; each is sent when it is first needed.
func (e *card) Load(ctx context.Context, points matrix.Source) (engine.Resident, error) {
	x, err := engine.Points(ctx, points)
	if err != nil {
		return nil, err
	}
	leave, err := e.c.Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	r := &resident{e: e, x: x, n: int64(x.Rows), d: int64(x.Cols),
		checker: engine.Checker{Limits: limits}}
	r.shared.user = &sharer{e, e.s, &r.err}
	if err := r.reserve(); err != nil {
		r.Free()
		return nil, err
	}
	for _, other := range e.beside {
		b, err := other.Load(ctx, x)
		if err != nil {
			r.Free()
			return nil, err
		}
		r.beside = append(r.beside, b.(*resident))
	}
	if len(r.beside) > 0 {
		return spreadOver(r), nil
	}
	return r, nil
}

// A fit is a question to Occupancy. The driver takes its time to answer, so answers are kept.
type fit struct {
	f               *driver.Function
	threads, shared int
}

// fits returns how many blocks a multiprocessor holds, 0 if not one, and lets the kernel have that much
// shared memory.
func (e *card) fits(f *driver.Function, threads, shared int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := fit{f, threads, shared}
	n, known := e.fitting[key]
	if !known {
		a := f.Attributes()
		all := shared + a.SharedBytes // a kernel's own shared memory counts too
		if (a.MaxThreads == 0 || threads <= a.MaxThreads) && all <= e.dev.SharedBlock &&
			(all <= 48<<10 || f.MaxDynamicShared(max(shared, e.fitting[fit{f: f}])) == nil) {
			e.fitting[fit{f: f}] = max(shared, e.fitting[fit{f: f}]) // it is never taken away again
			n = f.Occupancy(threads, shared)
		}
		e.fitting[key] = n
	}
	return n
}

// blocks returns how many blocks fill the card: enough for every multiprocessor, no more than there is
// work for.
func (e *card) blocks(f *driver.Function, threads, shared int, work int64) int {
	n := max(1, e.fits(f, threads, shared)) * max(1, e.dev.SMs)
	return int(max(1, min(int64(n), work)))
}

// own reports whether kernels of this engine are used in both stages.
func (e *card) own() bool { return e.nearAs == nil && e.placeAs == nil }
