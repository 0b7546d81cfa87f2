package cpu

import (
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/engine"
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
			enginetest.Run(t, func() (engine.Engine, error) { return NewVariant(name, engine.Options{}) })
		})
	}
}
