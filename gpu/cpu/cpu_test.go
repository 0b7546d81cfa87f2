package cpu

import (
	"testing"

	"blossom/gpu"
	"blossom/gpu/enginetest"
)

// conforming are the variants that are engines; scalar is only a yardstick.
func conforming() []string {
	var names []string
	for _, v := range Variants() {
		if v != "scalar" {
			names = append(names, v)
		}
	}
	return names
}

func TestConformance(t *testing.T) {
	for _, name := range conforming() {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, func() (gpu.Engine, error) { return NewVariant(name, gpu.Options{}) })
		})
	}
}
