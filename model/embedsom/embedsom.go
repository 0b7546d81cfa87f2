// Package embedsom defines the EmbedSOM projection: its parameters, its exact meaning as a float64
// reference, and the buffer of positions that engines write and drawing reads.
//
// Source of the formulas: Kratochvíl, Koladiya, Vondrášek, "Generalized EmbedSOM on
// quadtree-structured self-organizing maps", F1000Research 8:2120 (2019).
package embedsom

// Params are the parameters of the projection. Boost > 0; Adjust >= 0.
type Params struct {
	K             int
	Boost, Adjust float32
}

// Defaults are the values that users of BlosSOM know.
func Defaults() Params { return Params{K: 10, Boost: 2, Adjust: 0.2} }

// Neighbours returns the number k of landmarks that take part for g landmarks (K raised to 3 where
// g allows, and no more than g), and the number of neighbours to find: one more where there is one,
// for the cut-off.
func (p Params) Neighbours(g int) (k, find int) {
	k = min(max(p.K, 3), g)
	return k, min(k+1, g)
}

// Target is a buffer of n positions that an engine writes. Host returns n*Dims() floats, row-major
// x,y[,z]; invalid points hold NaN. A Target may also offer a device buffer through a further
// interface that an engine knows.
type Target interface {
	Len() int
	Dims() int
	Host() []float32
}

// DeviceTarget is a Target whose positions can also be written on the graphics card.
type DeviceTarget interface {
	Target
	// GLBuffer returns the OpenGL buffer of n*Dims() floats, or 0 where the host draws. storage changes
	// whenever the buffer has been given new memory: what was registered of the old is void then.
	GLBuffer() (buffer uint32, storage uint64)
	// Wrote tells that the positions of the points [from, to) have been written to that buffer: Host is
	// now older than it there.
	Wrote(from, to int)
}

// Lender is a DeviceTarget whose buffer can be registered with another library than OpenGL, and mapped by
// it: OpenGL must not touch it meanwhile. Calling what has nothing to give back any more does no harm.
type Lender interface {
	DeviceTarget
	// Lend tells of a registration. The buffer's owner calls release, once, before the buffer's memory
	// goes away or is given anew.
	Lend(release func())
	// Borrow tells of a mapping. The owner calls back, once, before its next command of OpenGL that
	// touches the buffer, and before GLBuffer gives out its name.
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
