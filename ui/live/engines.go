package live

import (
	"strings"

	"blossom/gpu"
	"blossom/model/problem"
)

// Auto is the name that stands for the best engine that works here.
const Auto = "auto"

// Engines is the engine in use and those to fall back on.
type Engines struct {
	options gpu.Options
	current gpu.Engine
	failed  map[string]bool // since the program started: not gone back to unless the user asks for it
}

// Choice is an engine that the user can choose.
type Choice struct {
	Name    string
	Device  string // what it runs on
	Why     string // it does not work here, "" if it does
	Current bool
}

// OpenEngines opens the named engine, or the best that works here for "auto".
func OpenEngines(name string, o gpu.Options) (Engines, error) {
	e := Engines{options: o, failed: map[string]bool{}}
	return e, e.Choose(name)
}

// Engine returns the engine in use, or nil.
func (e *Engines) Engine() gpu.Engine { return e.current }

// Choices lists all engines, the best first. It probes each, which may take some milliseconds.
func (e *Engines) Choices() []Choice {
	var list []Choice
	for _, r := range gpu.Registered() {
		ok, why, device := r.Probe(e.options)
		if ok {
			why = ""
		}
		list = append(list, Choice{r.Name, device, why, e.current != nil && e.current.Name() == r.Name})
	}
	return list
}

// Choose opens the named engine, or the best for "auto", in place of the present one, which stays if the
// new one fails.
func (e *Engines) Choose(name string) error {
	if name == "" || name == Auto {
		clear(e.failed)
		if !e.best() {
			return noEngine()
		}
		return nil
	}
	var names []string
	for _, r := range gpu.Registered() {
		names = append(names, r.Name)
		if r.Name != name {
			continue
		}
		if ok, why, _ := r.Probe(e.options); !ok {
			return problem.New("", "use --engine auto, or see 'blossom doctor'", "engine %s does not work here: %s",
				name, why)
		}
		n, err := r.New(e.options)
		if err != nil {
			return problem.Wrap(err, "", "use --engine auto, or see 'blossom doctor'", "engine %s does not start: %v",
				name, err)
		}
		delete(e.failed, name)
		e.Close()
		e.current = n
		return nil
	}
	return problem.New("", "engines here are auto, "+strings.Join(names, ", "), "there is no engine %q", name)
}

func noEngine() error {
	return problem.New("", "run 'blossom doctor' to see why each engine is missing", "no compute engine works here")
}

// Next gives the present engine up as failed and moves to the best other one that works.
func (e *Engines) Next() bool {
	if e.current != nil {
		e.failed[e.current.Name()] = true
	}
	return e.best()
}

// best opens the best engine that works and has not failed.
func (e *Engines) best() bool {
	for _, r := range gpu.Registered() {
		if e.failed[r.Name] || r.Prefer != nil && !r.Prefer(e.options) {
			continue
		}
		if e.current != nil && e.current.Name() == r.Name {
			return true
		}
		if ok, _, _ := r.Probe(e.options); !ok {
			continue
		}
		n, err := r.New(e.options)
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
func (e *Engines) Close() {
	if e.current != nil {
		_ = e.current.Close() // nothing to do about it: the engine is being left either way
		e.current = nil
	}
}
