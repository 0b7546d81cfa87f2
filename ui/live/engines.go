package live

import (
	"strings"

	"blossom/gpu"
	"blossom/model/problem"
)

// Engines is the engine in use and those to fall back on.
type Engines struct {
	options gpu.Options
	current gpu.Engine
	tried   map[string]bool
}

// OpenEngines opens the named engine, or the best that works here for "auto".
func OpenEngines(name string, o gpu.Options) (Engines, error) {
	e := Engines{options: o, tried: map[string]bool{}}
	if name != "" && name != "auto" {
		return e, e.Choose(name)
	}
	if !e.Next() {
		return e, problem.New("", "run 'blossom doctor' to see why each engine is missing", "no compute engine works here")
	}
	return e, nil
}

// Engine returns the engine in use, or nil.
func (e *Engines) Engine() gpu.Engine { return e.current }

// Choose opens the named engine in place of the present one, which stays if the new one fails.
func (e *Engines) Choose(name string) error {
	var names []string
	for _, r := range gpu.Registered() {
		names = append(names, r.Name)
		if r.Name != name {
			continue
		}
		if ok, why, _ := r.Probe(e.options); !ok {
			return problem.New("", "use --engine auto, or see 'blossom doctor'", "engine %s does not work here: %s", name, why)
		}
		n, err := r.New(e.options)
		if err != nil {
			return problem.Wrap(err, "", "use --engine auto, or see 'blossom doctor'", "engine %s does not start: %v", name, err)
		}
		e.Close()
		e.current = n
		return nil
	}
	return problem.New("", "engines here are auto, "+strings.Join(names, ", "), "there is no engine %q", name)
}

// Next moves to the best engine that works and has not been tried since the program started.
func (e *Engines) Next() bool {
	if e.current != nil {
		e.tried[e.current.Name()] = true
	}
	for _, r := range gpu.Registered() {
		if e.tried[r.Name] {
			continue
		}
		e.tried[r.Name] = true
		if ok, _, _ := r.Probe(e.options); !ok {
			continue
		}
		if n, err := r.New(e.options); err == nil {
			e.Close()
			e.current = n
			return true
		}
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
