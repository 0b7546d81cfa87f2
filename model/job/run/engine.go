// Package run makes maps without a window: it reads the input, brings its columns into the space of the map,
// finds landmarks, and projects every point, in the order of the rows. Commands put their flags into Flags,
// of which jobs make a state.
package run

import (
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// CheckDevice says whether the engine has a card of that number, as a Usage error that lists the cards; for
// "auto", whether one of the engines has. Number 0 is whatever there is; to find nothing there is a matter of
// the engine.
func CheckDevice(name string, device int) error {
	if device == 0 {
		return nil
	}
	var why error
	for _, r := range engine.Registered() {
		if r.Card == nil || orAuto(name) != engine.Auto && r.Name != name {
			continue
		}
		if why = r.Card(device); why == nil {
			return nil
		}
	}
	switch {
	case why != nil:
		p := problem.As(why)
		return Usage{problem.Wrap(why, "", p.Remedy, "--device %d is not possible: %s", device, p.What)}
	case device < 0:
		return usage("count cards from 0, or leave it out", "--device %d is not possible", device)
	case orAuto(name) == engine.Auto:
		return usage("leave it out", "--device %d is not possible: no engine of this build has several cards", device)
	}
	return nil
}

// CheckDevices is CheckDevice for a card and others beside it, each once.
func CheckDevices(name string, device int, beside []int) error {
	all := append([]int{device}, beside...)
	for i, d := range all {
		if slices.Contains(all[:i], d) {
			return usage("name each card once", "--device names card %d twice", d)
		}
		if err := CheckDevice(name, d); err != nil {
			return err
		}
	}
	return nil
}

// CheckKernels says whether the engine knows the kernels of these names, as a Usage error that lists those
// it knows. Of a name with parameters, "gridinsert:32x8", only what stands before them is looked at.
func CheckKernels(name, knn, projection string) error {
	if knn == "" && projection == "" {
		return nil
	}
	flag, named := "--knn", knn
	if knn == "" {
		flag, named = "--projection", projection
	}
	var choosers []string
	for _, r := range engine.Registered() {
		if r.Kernels == nil {
			continue
		}
		choosers = append(choosers, r.Name)
		if r.Name != name {
			continue
		}
		knns, projections := r.Kernels()
		if err := known("--knn", knn, name, knns); err != nil {
			return err
		}
		return known("--projection", projection, name, projections)
	}
	if len(choosers) == 0 {
		return usage("leave it out", "%s %s: no engine of this build has kernels to choose among", flag, named)
	}
	return usage("add --engine "+strings.Join(choosers, " or --engine ")+", or leave it out",
		"%s %s names a kernel, and engine %s has none to choose among", flag, named, orAuto(name))
}

func orAuto(name string) string {
	if name == "" {
		return engine.Auto
	}
	return name
}

// known checks one name; "" is the fastest kernel.
func known(flag, name, engine string, names []string) error {
	base, _, _ := strings.Cut(name, ":")
	if name == "" || slices.ContainsFunc(names, func(n string) bool {
		n, _, _ = strings.Cut(n, ":")
		return n == base
	}) {
		return nil
	}
	return usage("it has "+strings.Join(names, ", "), "%s %s: engine %s has no such kernel", flag, name, engine)
}
