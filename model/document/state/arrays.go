package state

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// Arrays keeps the larger arrays of parts beside their JSON, under the names of their content: what many entries of a
// history share is there once.
type Arrays interface {
	// Put keeps an array and returns its name, which is a function of its shape and of its bits alone.
	Put(m matrix.Matrix32) (name string)
	// Get returns an array. The error is a problem.Problem without a file, whose What is about "an array".
	Get(name string) (matrix.Matrix32, error)
}

// NameOf returns the name of an array by its content.
func NameOf(m matrix.Matrix32) string {
	h := sha256.New()
	var b [4096]byte
	binary.LittleEndian.PutUint64(b[:], uint64(m.Rows))
	binary.LittleEndian.PutUint64(b[8:], uint64(m.Cols))
	_, _ = h.Write(b[:16])
	for v := m.Data; len(v) > 0; {
		n := min(len(v), len(b)/4)
		for i, x := range v[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
		}
		_, _ = h.Write(b[:4*n])
		v = v[n:]
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Array keeps an array beside the JSON that is being encoded, and returns the name to find it by.
func (c Context) Array(m matrix.Matrix32) string {
	if c.Arrays == nil {
		return NameOf(m)
	}
	return c.Arrays.Put(m)
}

// Stored returns the array of a name.
func (c Context) Stored(name string) (matrix.Matrix32, error) {
	if c.Arrays == nil {
		return matrix.Matrix32{}, problem.New(c.File, remedy, "it was kept without its arrays")
	}
	return c.Arrays.Get(name)
}

// Revisions leads from the revisions in a file to those that the same things have now.
type Revisions map[uint64]revision.Revision

// Of returns the revision now of a thing that had revision was: things that were the same are the same again.
func (r Revisions) Of(was uint64) revision.Revision {
	if was == 0 {
		return 0
	}
	now, ok := r[was]
	if !ok {
		now = revision.Next()
		r[was] = now
	}
	return now
}

// InMemory is Arrays in memory.
type InMemory map[string]matrix.Matrix32

// Put keeps an array.
func (a InMemory) Put(m matrix.Matrix32) string {
	name := NameOf(m)
	a[name] = m
	return name
}

// Get returns an array.
func (a InMemory) Get(name string) (matrix.Matrix32, error) {
	if m, ok := a[name]; ok {
		return m, nil
	}
	return matrix.Matrix32{}, problem.New("", remedy, "its array %.12s is missing", name)
}
