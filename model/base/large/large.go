// Package large makes slices of many millions of numbers, which systems give their memory to in large pages where they
// can be asked to: in pages of 4 kB the first touch of 30 GB costs as much time as what is computed.
package large

// least is how many bytes are worth asking for.
const least = 32 << 20

// Make is make([]T, n), for numbers.
func Make[T ~int32 | ~int64 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64](n int) []T {
	s := make([]T, n)
	advise(s)
	return s
}
