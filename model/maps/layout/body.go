package layout

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/landmarks/graph"
)

// body is what all layouts share: landmarks that are moved in float64, what holds some of them, the size of the map,
// and when it rests.
//
// An algorithm has lengths of its own (of springs, of a kernel). unit is how many of the map's units one of its is; it
// is chosen so that the landmarks as they lie are as large as the algorithm wants them, and it follows what the
// algorithm does from there: the map is as large at the end as at the start, it has the same centre, and it does not
// turn. Where landmarks are fixed or edges locked, the map cannot be scaled as a whole: there what the free ones do to
// its size is taken out of their movement, and the unit follows all the same.
type body struct {
	maths  maths
	manner manner

	n, dims int
	code    matrix.Matrix32
	graph   graph.Graph
	seed    uint64
	values  step.Values

	x      []float64       // n x dims on the map
	from   []float64       // before the step
	step   []float64       // written by maths.move, in units of the map
	v      []float64       // velocity in units of the algorithm, for algorithms that have one
	gain   []float64       // gains of v, for algorithms that have them
	out    matrix.Matrix32 // x as it is handed out; what is fixed keeps its bits
	free   []bool          // may be moved
	fixed  int             // landmarks that are not free
	locks  []lock
	unit   float64 // the map's units in one of the algorithm's
	radius float64 // the mean distance from the centre that the map keeps

	done  int64
	stage Stage   // set by maths.move
	heat  float64 // 1 at first; manner says how it falls
	calm  calm
	stale changed
	since int // steps since what is made from the codebook was made
}

// calm tells whether the landmarks have come to rest.
type calm struct {
	still  int       // steps in a row without movement
	anchor []float64 // x when they began
	moving float64   // how far the last step went, in parts of the map's size
	rest   bool
}

// maths is what an algorithm is beside its body.
type maths interface {
	// prepare makes what depends on codebook, graph and values anew, as far as those changed.
	prepare(b *body, what changed)
	// scale returns how many of the map's units one of the algorithm's should be for the landmarks as they lie. The map
	// has at least two places. 0 or less: it does not matter.
	scale(b *body) float64
	// move writes to b.step how far each free landmark goes, in the map's units.
	move(b *body)
	// mayRest says whether it may come to rest now, if nothing moves.
	mayRest(b *body) bool
}

// manner is how an algorithm goes about it.
type manner struct {
	once   bool        // it is done in one step, however far that goes
	window int         // steps without movement until it rests
	cool   cool        // how the heat falls
	follow bool        // the map keeps its size where pins hold it, as well as it can; the unit follows
	span   *step.Param // over how many steps heat falls; nil: it does not
}

// cool is how heat falls.
type cool int

const (
	geometric cool = iota // to e^-5 over the span, and on
	linear                // to 0 over the span, and then the layout rests
)

// changed says what is new.
type changed uint8

const (
	newCodebook changed = 1 << iota
	newGraph
	newValues
	newEverything = newCodebook | newGraph | newValues
)

// How far things go.
const (
	// mostStep bounds the movement of a landmark in a step, as a part of the map's diameter.
	mostStep = 0.02
	// mostScale bounds how much the map is scaled in a step to keep its size; one that was a spot grows faster.
	mostScale, mostGrowth = 1.04, 1.1
	// netRest is how far landmarks may have come, in multiples of Rest, over all steps of a window of rest.
	netRest = 5.0
	// warmed is the heat after somebody moved something.
	warmed = 0.3
	// renewal: what is made from the codebook is made anew after n/renewal steps at the soonest, so that training
	// beside a layout leaves it time.
	renewal = 64
)

// newBody starts a layout.
func newBody(in Input, v step.Values, m maths, how manner) (*body, error) {
	if err := check(in); err != nil {
		return nil, err
	}
	b := &body{maths: m, manner: how, n: in.Pos.Rows, dims: in.Pos.Cols, seed: in.Seed, values: v, heat: 1}
	size := b.n * b.dims
	for _, p := range []*[]float64{&b.x, &b.from, &b.step, &b.v, &b.gain, &b.calm.anchor} {
		*p = make([]float64, size)
	}
	for i := range b.gain {
		b.gain[i] = 1
	}
	b.out = in.Pos.Clone()
	for i, p := range in.Pos.Data {
		b.x[i] = float64(p)
	}
	b.code, b.graph = in.Codebook.Clone(), in.Graph
	b.free = freeOf(in)
	b.count()
	b.locks = b.lock(in.Graph, nil)
	b.measureMap(newEverything)
	return b, nil
}

// measureMap takes stock of landmarks that have been put somewhere: where several are on a spot they part, the size of
// the map is what it is, and the unit fits that.
func (b *body) measureMap(what changed) {
	b.stale = 0
	b.calm.rest = b.n == b.fixed || b.n < 2
	if b.calm.rest {
		return
	}
	_, r := b.extent(b.x)
	spot := b.onASpot(r)
	b.radius = r
	if spot {
		b.radius = math.Pow(float64(b.n), 1/float64(b.dims)) / 2
	}
	b.partCoincident(spot)
	b.maths.prepare(b, what)
	b.since = 0
	b.fitUnit()
	copy(b.calm.anchor, b.x)
	b.calm.still = 0
}

// fitUnit chooses the unit.
func (b *body) fitUnit() {
	_, r := b.extent(b.x)
	b.unit = b.maths.scale(b)
	if !(b.unit > 0) || math.IsInf(b.unit, 0) {
		b.unit = max(r, math.SmallestNonzeroFloat32)
	}
	if r > 0 && r < b.radius/2 { // parted just now
		b.unit *= b.radius / r
	}
}

func check(in Input) error {
	n := in.Pos.Rows
	const remedy = "choose another layout, or start over from a map that is whole"
	if in.Codebook.Rows != n || in.Graph.N != 0 && in.Graph.N != n || in.Pinned != nil && len(in.Pinned) != n ||
		in.Active != nil && len(in.Active) != n {
		return problem.New("", remedy, "the parts of the map are of different numbers of landmarks: %d positions, "+
			"%d rows of the codebook, a graph of %d", n, in.Codebook.Rows, in.Graph.N)
	}
	if n > 0 && in.Pos.Cols != 2 && in.Pos.Cols != 3 {
		return problem.New("", remedy, "landmarks of %d coordinates cannot be laid out, only of 2 or 3", in.Pos.Cols)
	}
	for _, e := range in.Graph.Edges {
		if e.A < 0 || e.B < 0 || int(e.A) >= n || int(e.B) >= n || e.A == e.B {
			return problem.New("", remedy, "an edge joins landmarks %d and %d of %d", e.A+1, e.B+1, n)
		}
	}
	for i, v := range in.Pos.Data {
		if !finite(v) {
			return problem.New("", remedy, "landmark %d has no position", i/in.Pos.Cols+1)
		}
	}
	for i, v := range in.Codebook.Data {
		if !finite(v) {
			return problem.New("", remedy, "the codebook of landmark %d is not a number", i/in.Codebook.Cols+1)
		}
	}
	return nil
}

func finite(v float32) bool { return v-v == 0 }

func freeOf(in Input) []bool {
	free := make([]bool, in.Pos.Rows)
	for i := range free {
		free[i] = (in.Pinned == nil || !in.Pinned[i]) && (in.Active == nil || in.Active[i])
	}
	return free
}

func (b *body) count() {
	b.fixed = 0
	for _, f := range b.free {
		if !f {
			b.fixed++
		}
	}
}

// loose says that nothing holds the map: it may be moved, turned and scaled as a whole.
func (b *body) loose() bool { return b.fixed == 0 && len(b.locks) == 0 }

// Pos implements Layouter.
func (b *body) Pos() matrix.Matrix32 { return b.out }

// Moving implements Layouter.
func (b *body) Moving() float64 { return b.calm.moving }

// Stage implements Layouter.
func (b *body) Stage() Stage {
	if b.calm.rest {
		return Stage{}
	}
	return b.stage
}

// Step implements step.Stepper. A step that has begun is done whole.
func (b *body) Step(ctx context.Context, units int) (step.Progress, error) {
	for range units {
		if err := ctx.Err(); err != nil {
			return b.progress(), err
		}
		if b.calm.rest {
			break
		}
		b.advance()
	}
	return b.progress(), nil
}

func (b *body) progress() step.Progress {
	p := step.Progress{Done: b.done, Rest: b.calm.rest}
	if b.manner.cool == linear && b.manner.span != nil {
		p.Total = b.done + int64(math.Ceil(b.heat*b.values.Get(*b.manner.span)))
	}
	return p
}

// advance does one step.
func (b *body) advance() {
	b.renew()
	copy(b.from, b.x)
	clear(b.step)
	b.maths.move(b)
	b.swell()
	b.apply()
	switch {
	case b.manner.once:
		b.constrain()
	case b.loose():
		b.keepFrame()
	default:
		b.keepSize()
		b.constrain()
	}
	b.done++
	b.since++
	b.cool()
	b.finish()
}

// renew makes anew what something stale was made into.
func (b *body) renew() {
	if b.stale == 0 || b.stale == newCodebook && b.since < b.n/renewal {
		return
	}
	if b.stale&newCodebook != 0 {
		b.since = 0
	}
	b.maths.prepare(b, b.stale)
	if b.stale&newCodebook != 0 && !b.manner.follow && !b.manner.once {
		b.fitUnit() // it is that of the data, whose scale may have changed
	}
	b.stale = 0
}

// apply moves what is free, no landmark too far at once, and nothing to where no place is.
func (b *body) apply() {
	most := mostStep * b.diameter()
	if b.manner.once {
		most = math.Inf(1)
	}
	for i := range b.n {
		at := b.step[i*b.dims : (i+1)*b.dims]
		length := 0.0
		for _, s := range at {
			length += s * s
		}
		length = math.Sqrt(length)
		if !b.free[i] || math.IsNaN(length) || math.IsInf(length, 0) {
			b.stop(i)
			continue
		}
		f := 1.0
		if length > most {
			f = most / length
		}
		for c, s := range at {
			b.x[i*b.dims+c] += f * s
		}
	}
}

// stop takes a landmark's movement away.
func (b *body) stop(i int) {
	for c := i * b.dims; c < (i+1)*b.dims; c++ {
		b.v[c], b.gain[c] = 0, 1
	}
}

func (b *body) cool() {
	if b.manner.span == nil {
		return
	}
	steps := max(1, b.values.Get(*b.manner.span))
	if b.manner.cool == linear {
		b.heat = max(0, b.heat-1/steps)
		if b.heat < 0.5/steps { // rounding
			b.heat = 0
		}
	} else {
		b.heat *= math.Exp(-5 / steps)
	}
}

// finish hands out what has become of the landmarks, and sees whether they rest: they have moved less than Rest in
// each step of a window, and not far in all of it, as landmarks that drift do.
func (b *body) finish() {
	for i, f := range b.free {
		if !f {
			continue
		}
		for c := i * b.dims; c < (i+1)*b.dims; c++ {
			b.out.Data[c] = float32(b.x[c])
		}
	}
	size := b.diameter()
	b.calm.moving = b.between(b.x, b.from) / size
	switch {
	case !(b.calm.moving < Rest) || !b.maths.mayRest(b):
		b.calm.still = 0
	case b.calm.still == 0:
		copy(b.calm.anchor, b.from)
		b.calm.still = 1
	default:
		b.calm.still++
	}
	if b.calm.still >= b.manner.window {
		b.calm.rest = b.between(b.x, b.calm.anchor) < netRest*Rest*size
		b.calm.still = 0
	}
	if b.manner.cool == linear && b.manner.span != nil && b.heat == 0 || b.manner.once {
		b.calm.rest = true
	}
	if b.calm.rest {
		clear(b.v)
	}
}

// between is the root of the mean square of how far the landmarks of x lie from where they are in y.
func (b *body) between(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += (x[i] - y[i]) * (x[i] - y[i])
	}
	return math.Sqrt(sum / float64(b.n))
}

// SetValues implements Layouter.
func (b *body) SetValues(v step.Values) {
	b.values = v
	b.stale |= newValues
	b.wake()
}

// wake lets it go on, with some of its heat.
func (b *body) wake() {
	if b.fixed == b.n || b.n < 2 {
		b.calm.rest = true
		return
	}
	b.calm.rest, b.calm.still = false, 0
	b.heat = max(b.heat, warmed)
}

// SetLandmarks implements Layouter. What is as it was changes nothing, to the bit. Sizes that differ and numbers that
// are none are not taken over.
func (b *body) SetLandmarks(in Input) {
	if in.Pos.Rows != b.n || in.Pos.Cols != b.dims {
		return
	}
	in.Codebook = b.usable(in.Codebook)
	if in.Graph.N != b.n || check(Input{Codebook: matrix.New(b.n, 0), Pos: matrix.New(b.n, b.dims),
		Graph: in.Graph}) != nil {
		in.Graph = b.graph
	}
	if in.Pinned != nil && len(in.Pinned) != b.n {
		in.Pinned = nil
	}
	if in.Active != nil && len(in.Active) != b.n {
		in.Active = nil
	}
	b.seed = in.Seed
	woken := false
	if !slices.Equal(in.Codebook.Data, b.code.Data) || in.Codebook.Cols != b.code.Cols {
		b.code = in.Codebook.Clone()
		b.stale |= newCodebook
		woken = true
	}
	moved := b.takePlaces(in.Pos)
	if free := freeOf(in); !slices.Equal(free, b.free) {
		for i, f := range free {
			if f != b.free[i] {
				b.stop(i)
			}
		}
		if b.fixed == b.n { // it had nothing to do until now
			moved = true
		}
		b.free = free
		b.count()
		woken = true
	}
	if !slices.Equal(in.Graph.Edges, b.graph.Edges) {
		b.graph = in.Graph
		b.stale |= newGraph
		woken = true
	}
	b.locks = b.lock(b.graph, b.locks)
	switch {
	case b.unit == 0 && b.fixed < b.n && b.n > 1: // everything was pinned
		b.measureMap(newEverything)
		b.wake()
	case moved || woken:
		if moved {
			b.partCoincident(false)
		}
		b.wake()
	}
}

// usable is a codebook that can be worked with: the present one where the new one cannot.
func (b *body) usable(code matrix.Matrix32) matrix.Matrix32 {
	if code.Rows != b.n {
		return b.code
	}
	for _, v := range code.Data {
		if !finite(v) {
			return b.code
		}
	}
	return code
}

// takePlaces takes over positions that somebody changed, and says whether there are any. The size that the map keeps
// changes with them.
func (b *body) takePlaces(pos matrix.Matrix32) (moved bool) {
	_, before := b.extent(b.x)
	for i := range b.n {
		from, to := b.out.Row(i), pos.Row(i)
		if slices.Equal(from, to) || slices.ContainsFunc(to, func(v float32) bool { return !finite(v) }) {
			continue
		}
		moved = true
		copy(from, to)
		for c, p := range to {
			b.x[i*b.dims+c] = float64(p)
		}
		b.stop(i)
	}
	if moved {
		if _, after := b.extent(b.x); before > 0 && after > 0 {
			b.radius *= after / before
		}
	}
	return moved
}
