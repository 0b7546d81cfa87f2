// Package revision numbers the states of everything the picture depends on.
//
// Each input of the picture (data, transform, codebook, positions, parameters, colour) carries the
// Revision of its last change; a result is stale when the revision it was made from is not the
// current one.
package revision

import "sync/atomic"

// Revision identifies one state of one thing. Zero means "never set". No two calls of Next return
// the same value, so revisions of different things never collide either.
type Revision uint64

var last atomic.Uint64

// Next returns a revision that has not been used before in this process. Safe for concurrent use.
func Next() Revision { return Revision(last.Add(1)) }
