package cuda_test

// The tests of maps, of linkage and of parameters look at the published systems too.
import (
	_ "blossom/gpu/papers/cuslink"
	_ "blossom/gpu/papers/gputsne"
)
