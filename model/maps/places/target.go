// Package places has what maps of points share that form on a device, whatever the algorithm: where their positions
// go, which places are possible, the points that are held, random numbers, and the points that a start is found from.
package places

// Target is where a device writes n positions of Dims coordinates: to memory of the host or, where OpenGL
// draws from it and the device can, to a buffer on the card. Whoever writes says so: after Host Upload, after
// the buffer Wrote.
type Target interface {
	Len() int
	Dims() int
	// Host returns n*Dims() floats, row-major x,y[,z]; invalid points hold NaN.
	Host() []float32
	// Upload tells that the positions of the points [from, to) in Host are new. It is called on the
	// goroutine that asked for the positions.
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
