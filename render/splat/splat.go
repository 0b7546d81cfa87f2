// Package splat draws points as smooth discs on the CPU, for machines whose OpenGL is software: there
// it is many times faster than the general rasteriser. It follows the same rules as the shaders of
// package render (camera, colours, disc shape, opacity), so the pictures agree within rounding.
//
// Points are blended from front to back: a pixel that is covered needs no more work. On a flat map an
// earlier point lies over a later one, which in a random order looks the same as the other way round, and a
// point is drawn at once. In perspective a nearer point lies over a farther one: points are collected, and
// Resolve sorts and draws them; see cloud.go.
package splat

import (
	"image/color"
	"runtime"

	"blossom/render/camera"
	"blossom/render/palette"
)

// States of a point, bits of one byte.
const (
	Hidden   uint8 = 1 << iota // not drawn
	Selected                   // keeps its colour where Style.DimUnselected is set
)

// MaxSize is the largest diameter of a disc, in pixels.
const MaxSize = 64

// Points is what is drawn. Pos is n x Dims row-major (2 or 3); Values holds n numbers or labels,
// States n bytes; either may be nil, then no point has one. Points with a NaN coordinate are not drawn.
type Points struct {
	Pos    []float32
	Dims   int
	Values []float32
	States []uint8
}

// Style is how points look.
type Style struct {
	Size          float32 // diameter in pixels; below 1 the disc keeps 1 pixel and loses opacity
	Opacity       float32 // 0 to 1
	Table         *palette.Table
	Lookup        palette.Lookup
	DimUnselected bool        // points that are not Selected get the colour of missing values
	Ground        color.NRGBA // colour that far points fade into; only where the projection is in perspective
}

// Canvas is a picture under construction. Its methods are for one goroutine; the work inside is
// spread over all cores. Nothing is allocated once sizes have settled.
type Canvas struct {
	w, h int
	// h rows of w pixels; see under.
	sum     []uint64
	through []uint16

	pool    *pool
	scratch [chunksPerRound]scratch
	chunks  []chunk
	kernels kernels
	cloud   cloud
	paints  [palette.TableLen]paint

	// The job of the current phase, read by the workers.
	points   Points
	proj     camera.Projection
	style    Style
	from, to int
	base     int // first chunk of this round
	used     int // chunks of this round
	bands    int
	dst      []uint8
	ground   color.NRGBA

	clearPhase, binPhase, drawPhase, cloudPhase, resolvePhase func(int)
}

const (
	bandRows       = 32 // rows that one worker draws at a time: they stay in its cache
	chunkPoints    = 4096
	chunksPerRound = 64
)

// New returns a canvas that works on so many threads; 0 means all cores. Close it after use.
func New(threads int) *Canvas {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	c := &Canvas{pool: newPool(threads), chunks: make([]chunk, chunksPerRound)}
	c.cloud.sorters = make(chan *sorter, threads)
	for range threads {
		c.cloud.sorters <- new(sorter)
	}
	// Method values are made once: making one is an allocation.
	c.clearPhase, c.binPhase, c.drawPhase = c.clearBand, c.binChunk, c.drawBand
	c.cloudPhase, c.resolvePhase = c.drawCloud, c.resolveBand
	return c
}

// Close ends the workers.
func (c *Canvas) Close() { c.pool.close() }

// Size returns the size in pixels.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// Begin clears the canvas to nothing and sets its size, 1 to MaxSide pixels a side.
func (c *Canvas) Begin(w, h int) {
	w, h = min(max(w, 1), MaxSide), min(max(h, 1), MaxSide)
	c.w, c.h = w, h
	c.bands = (h + bandRows - 1) / bandRows
	if cap(c.sum) < w*h {
		c.sum, c.through = make([]uint64, w*h), make([]uint16, w*h)
	}
	c.sum, c.through = c.sum[:w*h], c.through[:w*h]
	c.pool.run(c.bands, c.clearPhase)
	c.cloud.chunks, c.cloud.drawn = 0, true
}

func (c *Canvas) rows(band int) (from, to int) {
	return band * bandRows, min((band+1)*bandRows, c.h)
}

func (c *Canvas) clearBand(band int) {
	from, to := c.rows(band)
	clear(c.sum[from*c.w : to*c.w])
	through := c.through[from*c.w : to*c.w]
	for i := range through {
		through[i] = clearPixel
	}
}

// Draw adds the points [from, to) underneath what is there, or in perspective where their depth says. The
// projection must be of the canvas's size. All points of a picture in perspective have the last style's
// sizes and colours.
func (c *Canvas) Draw(p Points, proj camera.Projection, s Style, from, to int) {
	if from >= to || c.w == 0 {
		return
	}
	c.points, c.proj, c.style = p, proj, s
	for i, x := range s.Table {
		c.paints[i] = makePaint(x)
	}
	perspective := proj.Reference > 0
	c.kernels.prepare(s.Size, s.Opacity, c.w, perspective)
	for from < to {
		c.from, c.to = from, min(to, from+chunksPerRound*chunkPoints)
		c.used = (c.to - c.from + chunkPoints - 1) / chunkPoints
		if perspective {
			c.prepareCloud()
			c.collect()
		} else {
			c.base = 0
			c.pool.run(c.used, c.binPhase)
			c.pool.run(c.bands, c.drawPhase)
		}
		from = c.to
	}
	c.points, c.style.Table = Points{}, nil // keep nothing of the caller's alive
}

// Resolve lays the points on the ground colour and writes w*h RGBA pixels of 8 bits, premultiplied,
// the top row first.
func (c *Canvas) Resolve(dst []uint8, ground color.NRGBA) {
	c.drawCollected()
	c.dst, c.ground = dst[:4*c.w*c.h], ground
	c.pool.run(c.bands, c.resolvePhase)
	c.dst = nil
}
