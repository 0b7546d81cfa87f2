// Package native is the kernels of package cpu in C: what its cgo files call is linked from here. They are a
// package of their own so that they are compiled once, and not again with the tests of package cpu. Go does not
// see that cgo files of package cpu include headers from here: after a change of a struct or constant that they
// use, touch one of those.
package native
