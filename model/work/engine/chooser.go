package engine

import (
	"strings"

	"blossom/model/base/problem"
)

// Auto is the name that stands for the best engine that works here.
const Auto = "auto"

// Chooser is the engine in use and those to fall back on.
type Chooser struct {
	options Options
	pinned  string // the engine that variants and kernels of the options are of
	current Engine
	failed  map[string]bool // since the program started: not gone back to unless the user asks for it
}

// Choice is an engine that the user can choose.
type Choice struct {
	Name, Title, Note string // as in its Registration
	Device            string // the device's name, for people
	Why               string // it does not work here, "" if it does
	Current           bool
}

// Open opens the named engine, or the best that works here for "auto".
func Open(name string, o Options) (Chooser, error) {
	e := Chooser{options: o, pinned: name, failed: map[string]bool{}}
	return e, e.Choose(name)
}

// Engine returns the engine in use, or nil.
func (e *Chooser) Engine() Engine { return e.current }

// Use puts n, which wraps the engine in use or is one of the caller's, in its place; neither is closed.
func (e *Chooser) Use(n Engine) { e.current = n }

// Choices lists all engines, the best first. It probes each, which may take some milliseconds.
func (e *Chooser) Choices() []Choice {
	var list []Choice
	for _, r := range Registered() {
		ok, why, device := r.Probe(e.options)
		if ok {
			why = ""
		}
		list = append(list, Choice{r.Name, r.Title, r.Note, device, why,
			e.current != nil && e.current.Name() == r.Name})
	}
	return list
}

// Choose opens the named engine, or the best for "auto", in place of the present one, which stays if the
// new one fails.
func (e *Chooser) Choose(name string) error {
	if name == "" || name == Auto {
		clear(e.failed)
		if !e.best() {
			return ErrNoEngine()
		}
		return nil
	}
	r, ok := Named(name)
	if !ok {
		return problem.New("", "engines here are "+strings.Join(Names(), ", "), "there is no engine %q", name)
	}
	if ok, why, _ := r.Probe(e.options); !ok {
		return problem.New("", "use --engine auto, or see 'blossom doctor'", "engine %s does not work here: %s", name,
			why)
	}
	n, err := r.New(e.optionsFor(r))
	if err != nil {
		return problem.Wrap(err, "", "use --engine auto, or see 'blossom doctor'", "engine %s does not start: %v",
			name, err)
	}
	delete(e.failed, name)
	e.Close()
	e.current = n
	return nil
}

// optionsFor leaves out what was chosen for another engine.
func (e *Chooser) optionsFor(r Registration) Options {
	o := e.options
	if r.Name != e.pinned {
		o.Variant, o.Knn, o.Projection = "", "", ""
	}
	return o
}

// ErrNoEngine says that no engine works on this machine.
func ErrNoEngine() error {
	return problem.New("", "run 'blossom doctor' to see why each engine is missing", "no compute engine works here")
}

// Next gives the present engine up as failed and moves to the best other one that works.
func (e *Chooser) Next() bool {
	if e.current != nil {
		e.failed[e.current.Name()] = true
	}
	return e.best()
}

// best opens the best engine that works and has not failed.
func (e *Chooser) best() bool {
	for _, r := range Registered() {
		if e.failed[r.Name] || r.Prefer != nil && !r.Prefer(e.options) {
			continue
		}
		if e.current != nil && e.current.Name() == r.Name {
			return true
		}
		if ok, _, _ := r.Probe(e.options); !ok {
			continue
		}
		n, err := r.New(e.optionsFor(r))
		if err != nil {
			e.failed[r.Name] = true
			continue
		}
		e.Close()
		e.current = n
		return true
	}
	return false
}

// Close closes the engine in use.
func (e *Chooser) Close() {
	if e.current != nil {
		_ = e.current.Close() // nothing to do about it: the engine is being left either way
		e.current = nil
	}
}

// apartFor are the options of an engine beside the one in use, which has no window.
func (e *Chooser) apartFor(r Registration) Options {
	o := e.optionsFor(r)
	if o.Window && len(o.Beside) > 0 {
		o.Device, o.Beside = o.Beside[0], o.Beside[1:]
	}
	o.GL, o.Window = nil, false
	return o
}

// Elsewhere is the engine in use as another program is to open it, whose OpenGL is its own: its name and its options,
// with the cards that do not draw where there are such. Without an engine it is Auto.
func (e *Chooser) Elsewhere() (name string, o Options) {
	if e.current == nil {
		return Auto, e.apartFor(Registration{})
	}
	r, _ := Named(e.current.Name())
	return e.current.Name(), e.apartFor(r)
}

// Another opens an engine of the caller's own, for work beside the one in use, on another goroutine: the same where
// that works without a window, else the best one of the processor. Beside a window it has the cards that do not draw,
// where there are such. The caller closes it.
func (e *Chooser) Another() (Engine, error) {
	var failed error
	open := func(r Registration) Engine {
		o := e.apartFor(r)
		if ok, _, _ := r.Probe(o); !ok {
			return nil
		}
		n, err := r.New(o)
		if failed = err; err != nil {
			return nil
		}
		return n
	}
	if e.current != nil {
		if r, ok := Named(e.current.Name()); ok && !e.failed[r.Name] {
			if n := open(r); n != nil {
				return n, nil
			}
		}
	}
	for _, r := range Registered() {
		if r.Kind == Processor {
			if n := open(r); n != nil {
				return n, nil
			}
		}
	}
	if failed == nil {
		failed = ErrNoEngine()
	}
	return nil, failed
}
