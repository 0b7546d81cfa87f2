package main

import (
	"slices"

	"blossom/gpu"
	"blossom/model/problem"
)

// The names of the engines are a contract: one that this build does not have says so, instead of
// being unknown. An engine of its own that registers itself under the name takes the place of this.
func init() {
	for _, missing := range []struct {
		name string
		why  func() string
	}{
		{"cuda", func() string {
			why := "this build has no CUDA engine yet"
			d := probeCUDA()
			if d.Available {
				return why + ", though there is a card for it (" + d.String() + ")"
			}
			return why + "; and " + d.Why
		}},
	} {
		if slices.ContainsFunc(gpu.Registered(), func(r gpu.Registration) bool { return r.Name == missing.name }) {
			continue
		}
		gpu.Register(gpu.Registration{
			Name:     missing.name,
			Priority: -100, // asked last: what works comes first
			Probe:    func(gpu.Options) (bool, string, string) { return false, missing.why(), "" },
			New: func(gpu.Options) (gpu.Engine, error) {
				return nil, problem.New("", "use --engine auto, or see 'blossom doctor'", "%s", missing.why())
			},
		})
	}
}
