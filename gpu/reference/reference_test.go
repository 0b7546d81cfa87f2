package reference

import (
	"testing"

	"blossom/gpu"
	"blossom/gpu/enginetest"
)

func TestConformance(t *testing.T) {
	enginetest.Run(t, func() (gpu.Engine, error) { return New(gpu.Options{}) })
}
