package main

// Published systems to compare with announce themselves; nothing else knows them.
import (
	_ "blossom/gpu/papers/cuslink"
	_ "blossom/gpu/papers/gpuembedsom"
	_ "blossom/gpu/papers/gputsne"
)
