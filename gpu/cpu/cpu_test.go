package cpu

import (
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/engine"
)

func TestConformance(t *testing.T) {
	for _, name := range Conforming() {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, func() (engine.Engine, error) { return NewVariant(name, engine.Options{}) })
		})
	}
}
