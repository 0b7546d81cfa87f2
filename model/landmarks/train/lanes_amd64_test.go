package train

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLanesOfEachInstructionSet(t *testing.T) {
	defer func(was instructions) { vectors = was }(vectors)
	for vectors > sse {
		vectors--
		rapid.Check(t, lanesAgree)
	}
}
