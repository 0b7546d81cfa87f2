// Package gputsne has published systems of t-SNE on graphics cards beside engine cuda's own methods, as yardsticks:
// sww, trees walked by simulated wide warps, and ptg, a quadtree made in layers. It registers them, and nothing else
// knows it.
package gputsne

import (
	"blossom/gpu/cuda"
	"blossom/gpu/cuda/driver"
	"blossom/model/maps/tsne"
)

func init() {
	cuda.RegisterTSNE(cuda.System{Methods: swwMethods, Least: 2, Most: 3, New: func() cuda.Repulsion { return &sww{} }})
	cuda.RegisterTSNE(cuda.System{Methods: []tsne.Method{"ptg"}, Least: 2, Most: 2,
		New: func() cuda.Repulsion { return &ptg{} }})
}

const threads = 256 // threads of a block

// blocksOf is how many blocks of so many a count makes.
func blocksOf(count, each int) int { return (count + each - 1) / each }

// row is so many blocks in a row.
func row(blocks int) driver.Dim { return driver.Dim{X: blocks} }
