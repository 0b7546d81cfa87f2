package gputest

// The engines under test, and those they are compared with.
import (
	_ "blossom/gpu/cpu"
	_ "blossom/gpu/cuda"
	_ "blossom/gpu/glcompute"
	_ "blossom/gpu/reference"
)
