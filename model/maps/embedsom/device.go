package embedsom

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/places"
)

// Device is what the projection asks of a device that holds n x d points, and keeps their neighbours.
type Device interface {
	// Neighbours finds, for the points in r, the find nearest landmarks of l.Codebook for p
	// and caches them. Tables that depend on the landmarks alone are kept by their revisions, so
	// calling this for many small ranges is cheap. A change of p.K or of the number of landmarks
	// invalidates the cache of all points.
	Neighbours(ctx context.Context, l *landmark.Set, p Params, r matrix.Range) error
	// Project writes the positions of the points in r to dst, from the cached neighbours
	// and l.Pos, and tells dst so. The cached neighbours may be older than l.Codebook (that is staleness,
	// which the caller tracks); it is an error if they were never found for this g and k.
	Project(ctx context.Context, l *landmark.Set, p Params, dst Target, r matrix.Range) error
}

// Target is where the positions of an embedding are written.
type Target = places.Target

// HostTarget is a Target in plain memory.
type HostTarget struct {
	Data []float32
	N, M int
}

// NewHostTarget returns a Target for n points of dims coordinates.
func NewHostTarget(n, dims int) *HostTarget {
	return &HostTarget{Data: make([]float32, n*dims), N: n, M: dims}
}

func (t *HostTarget) Len() int        { return t.N }
func (t *HostTarget) Dims() int       { return t.M }
func (t *HostTarget) Host() []float32 { return t.Data }

// Upload has nothing to do: the memory is all there is.
func (t *HostTarget) Upload(from, to int) {}

// GLBuffer says that OpenGL has no part in it, and so the others are never called.
func (t *HostTarget) GLBuffer() (uint32, uint64) { return 0, 0 }
func (t *HostTarget) Wrote(from, to int)         {}
func (t *HostTarget) Lend(release func())        {}
func (t *HostTarget) Borrow(back func())         {}
