package embedsom

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
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

// Target is where a device writes n positions of Dims coordinates: to memory of the host or, where OpenGL
// draws from it and the device can, to a buffer on the card. Whoever writes says so: after Host Upload, after
// the buffer Wrote.
type Target interface {
	Len() int
	Dims() int
	// Host returns n*Dims() floats, row-major x,y[,z]; invalid points hold NaN.
	Host() []float32
	// Upload tells that the positions of the points [from, to) in Host are new. It is called on the
	// goroutine that called Project.
	Upload(from, to int)

	// GLBuffer returns the OpenGL buffer of n*Dims() floats, or 0 where only Host can be written. storage
	// changes whenever the buffer has been given new memory: what was registered of the old is void then.
	GLBuffer() (buffer uint32, storage uint64)
	// Wrote tells that the positions of the points [from, to) have been written to that buffer: Host is
	// now older than it there.
	Wrote(from, to int)
	// Lend tells that the buffer has been registered with another library than OpenGL. Its owner calls
	// release, once, before the buffer's memory goes away or is given anew.
	Lend(release func())
	// Borrow tells that the other library has it mapped: OpenGL must not touch it meanwhile. The owner calls
	// back, once, before its next command of OpenGL that touches the buffer, and before GLBuffer gives out
	// its name. Calling what has nothing to give back any more does no harm.
	Borrow(back func())
}

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
