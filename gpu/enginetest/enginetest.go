// Package enginetest holds the suites that compute engines pass, one for each interface: of the projection
// exact answers, fresh random inputs against the float64 reference, edge cases, properties, awkward sizes and
// the contract of engine.Resident; of what else an engine offers in engine.Caps the same. An engine's own test
// calls Run, which runs those of all that is offered.
package enginetest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// Open returns a new engine; the suite closes it.
type Open func() (engine.Engine, error)

// seed draws the random inputs. It is fresh for each process; BLOSSOM_SEED repeats a run.
var seed = sync.OnceValue(func() uint64 {
	if s, err := strconv.ParseUint(os.Getenv("BLOSSOM_SEED"), 10, 64); err == nil {
		return s
	}
	return uint64(time.Now().UnixNano())
})

type suite struct {
	*testing.T
	engine engine.Engine
	rng    *rand.Rand
	few    pool
}

// Case is one projection: points and landmarks, positions and parameters.
type Case struct {
	Name             string
	X, Codebook, Pos matrix.Matrix32
	P                embedsom.Params
}

// Landmarks returns the landmarks of the case with fresh revisions.
func (c Case) Landmarks() *landmark.Set {
	return &landmark.Set{Codebook: c.Codebook, Pos: c.Pos, CodeRev: revision.Next(), PosRev: revision.Next()}
}

// embed loads the points and projects them all.
func (s *suite) embed(c Case) matrix.Matrix32 {
	s.Helper()
	y, err := s.tryEmbed(c)
	if err != nil {
		s.Fatalf("%s: %v", c.Name, err)
	}
	return y
}

func (s *suite) tryEmbed(c Case) (matrix.Matrix32, error) {
	return Embed(s.engine, c, engine.Range{From: 0, To: c.X.Rows})
}

// Embed runs both stages of an engine over one range of a case; other rows of the result are zero.
func Embed(e engine.Engine, c Case, r engine.Range) (matrix.Matrix32, error) {
	ctx := context.Background()
	res, err := e.Load(ctx, c.X)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	defer res.Free()
	dst := embedsom.NewHostTarget(c.X.Rows, c.Pos.Cols)
	l := c.Landmarks()
	if err := res.Neighbours(ctx, l, c.P, r); err != nil {
		return matrix.Matrix32{}, err
	}
	if err := res.Project(ctx, l, c.P, dst, r); err != nil {
		return matrix.Matrix32{}, err
	}
	return matrix.Matrix32{Rows: c.X.Rows, Cols: c.Pos.Cols, Data: dst.Data}, nil
}

// answer is what the reference and the direct float32 formula say about a case.
type answer struct {
	want   matrix.Matrix32
	direct matrix.Matrix32
}

// answers are kept for the process: all engines under test see the same cases.
var answers sync.Map // answers by the hashes of their questions: hash to *answer

// hash identifies the content of a case.
func (c Case) hash() [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintln(h, c.P, c.X.Rows, c.X.Cols, c.Codebook.Rows, c.Pos.Cols)
	for _, m := range []matrix.Matrix32{c.X, c.Codebook, c.Pos} {
		_ = binary.Write(h, binary.LittleEndian, m.Data) // a hash takes everything
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func (s *suite) answer(c Case) *answer {
	s.Helper()
	key := c.hash()
	if a, ok := answers.Load(key); ok {
		return a.(*answer)
	}
	y, err := embedsom.Embed(context.Background(), c.X, c.Codebook, c.Pos, c.P)
	if err != nil {
		s.Fatalf("%s: %v", c.Name, err)
	}
	a := &answer{y, embedsom.Direct32(c.X, c.Codebook, c.Pos, c.P)}
	answers.Store(key, a)
	return a
}

// reference is the float64 answer.
func (s *suite) reference(c Case) matrix.Matrix32 {
	s.Helper()
	return s.answer(c).want
}

// compare embeds a case and judges it by the tolerances of the suite against the reference.
func (s *suite) compare(c Case) {
	s.Helper()
	s.judge(c, s.embed(c), s.reference(c))
}

func (s *suite) judge(c Case, got, want matrix.Matrix32) {
	s.Helper()
	direct := s.answer(c).direct
	m, d := Measure(got, want, Extent(c.Pos)), Measure(direct, want, Extent(c.Pos))
	why := m.Fails(nil)
	if m.Strange == 0 && d.Strange == 0 && m.worse(d) {
		m, d = surely(s, c, got, want, direct)
	}
	s.few.add(m, d)
	if why == "" {
		why = m.Fails(&d)
	}
	if why != "" {
		s.Errorf("%s (n %d, d %d, g %d, k %d, %dD): %s\n engine %v\n direct %v", c.Name,
			c.X.Rows, c.X.Cols, c.Codebook.Rows, c.P.K, c.Pos.Cols, why, m, d)
	}
}
