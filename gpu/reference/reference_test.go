package reference

import (
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/work/engine"
)

func TestConformance(t *testing.T) {
	enginetest.Run(t, func() (engine.Engine, error) { return New(engine.Options{}) })
}
