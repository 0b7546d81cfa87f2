package cpu

import (
	"os"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/work/engine"
)

// Every variant passes the suite. That in plain Go, the slowest, does so where there is no other: in CI without cgo.
func TestConformance(t *testing.T) {
	all := Conforming()
	for _, name := range all {
		if name == plainGo.name && len(all) > 1 && os.Getenv("BLOSSOM_LONG") == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, func() (engine.Engine, error) { return NewVariant(name, engine.Options{}) })
		})
	}
}
