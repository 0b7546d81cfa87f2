package gputest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/render"
	"blossom/render/camera"
)

// soakTime is how long each engine is worked on; 0 where SOAK does not say so: then it is for some frames.
func soakTime(t testing.TB) time.Duration {
	text := os.Getenv("SOAK")
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		t.Fatalf("SOAK=%s is no duration: write 10m", text)
	}
	return d
}

// givenPoints is how many points to test with: as the environment says, or so many for software and for a
// card.
func givenPoints(t testing.TB, r *render.Renderer, software, card int) int {
	text := os.Getenv("SOAK_POINTS")
	switch {
	case text == "" && r.Info().Software:
		return software
	case text == "":
		return card
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 100 {
		t.Fatalf("SOAK_POINTS=%s: write a number from 100 on", text)
	}
	return n
}

// A soak of a given time is made of many pieces, after each of which the map comes to rest, is compared with float64,
// and memory is read. One without is made of few, each of some frames, and is the same every time.
const (
	checks, leastFrames = 30, 2
	fewChecks, frames   = 9, 8
)

// Memory that may be taken between the first and the last third of a soak: the card's own hardly at all,
// the process' by as much as allocators and a driver's caches keep.
const (
	cardSlack    = 8 << 20
	processSlack = 64 << 20
)

// A map is worked on at random for a long time: nothing fails, positions are right whenever it comes to
// rest, and memory stays flat.
func TestSoak(t *testing.T) {
	screen(t)
	all := engines(t)
	for _, name := range all {
		t.Run(name, func(t *testing.T) { soak(t, name, append([]string{"cpu"}, all...)) })
	}
}

// soak works on a map on one engine, which now and then moves to one of the others for a while.
func soak(t *testing.T, engine string, others []string) {
	r := screen(t)
	g := newRig(t, r, engine, fmt.Sprintf("demo:cytometry:%d", givenPoints(t, r, 1000, 200_000)), 2)
	memory := newMeter(t)
	whole, begin := soakTime(t), time.Now()
	pieces, least, seed := fewChecks, frames, uint64(1)
	if whole > 0 {
		pieces, least, seed = checks, leastFrames, uint64(begin.UnixNano())
	}
	if s, err := strconv.ParseUint(os.Getenv("BLOSSOM_SEED"), 10, 64); err == nil {
		seed = s
	}
	t.Logf("BLOSSOM_SEED=%d", seed)
	u := &user{rig: g, engine: engine, others: others, rng: rand.New(rand.NewPCG(seed, 9)), layer: r.NewLayer(),
		start: g.Doc.State()}
	defer u.layer.Free()

	var readings []taken
	for i := range pieces {
		until := begin.Add(whole * time.Duration(i+1) / checks)
		for n := 0; n < least || whole > 0 && time.Now().Before(until); n++ { // a slow engine has its say too
			u.act()
			g.frame()
			u.frames++
			if n == 0 || u.rng.IntN(4) == 0 {
				u.draw()
			}
			for len(g.posts) > 0 {
				f := g.posts[0]
				g.posts = g.posts[1:]
				f()
			}
		}
		u.rest()
		u.compare()
		u.home()
		readings = append(readings, memory.read(t))
		if t.Failed() {
			t.Fatalf("after %s, %d frames, %d actions", time.Since(begin).Round(time.Second), u.frames, u.actions)
		}
	}
	process, card, first, last := growth(readings)
	var series, heaps, cards []string
	for _, r := range readings {
		series = append(series, fmt.Sprintf("%.0f", float64(r.process)/1e6))
		heaps = append(heaps, fmt.Sprintf("%.1f", float64(r.heap)/1e6))
		cards = append(cards, fmt.Sprintf("%.1f", float64(r.card)/1e6))
	}
	t.Logf("process, MB: %s", strings.Join(series, " "))
	t.Logf("of it Go's heap, MB: %s", strings.Join(heaps, " "))
	t.Logf("card, MB: %s", strings.Join(cards, " "))
	t.Logf("%s: %d frames, %d actions, %d drawings; process %s, grown by %s; card %s, grown by %s", engine, u.frames,
		u.actions, u.drawn,
		mb(readings[len(readings)-1].process), mb(process), mb(last), mb(card))
	if card > cardSlack {
		t.Errorf("the card's memory grew from %s to %s", mb(first), mb(last))
	}
	if process > processSlack {
		t.Errorf("the process' memory grew by %s", mb(process))
	}
	if u.frames == 0 || u.actions == 0 || u.drawn == 0 {
		t.Errorf("%d frames, %d actions, %d drawings: that was no soak", u.frames, u.actions, u.drawn)
	}
}

// user works on a map at random.
type user struct {
	*rig
	engine string
	others []string
	rng    *rand.Rand
	layer  *render.Layer
	start  state.State

	held                   int // the landmark in hand, while dragging > 0
	dragging               int // frames to go
	frames, actions, drawn int
	away                   int // frames until the map comes back to its engine
}

// act does what a user may do in a frame, most often nothing.
func (u *user) act() {
	u.t.Helper()
	if u.dragging > 0 {
		u.move()
		return
	}
	if u.away > 0 {
		if u.away--; u.away == 0 {
			u.must(u.SetEngine(u.engine))
		}
	}
	if u.rng.IntN(3) > 0 {
		return
	}
	u.actions++
	s := u.Doc.State()
	switch u.rng.IntN(12) {
	case 0, 1, 2, 3:
		u.held, u.dragging = u.rng.IntN(parts.Landmarks.Of(s).Len()), 2+u.rng.IntN(20)
		u.Hold(true)
	case 4: // another number of landmarks
		l, err := landmark.StartRandom(context.Background(), u.Table().X, 3+u.rng.IntN(600), 2, u.rng.Uint64())
		u.must(err)
		u.Doc.Do("landmarks", func(s *state.State) { parts.Replace(s, l) })
	case 5:
		if parts.Landmarks.Of(s).Len() > 10 {
			l, _, err := parts.Landmarks.Of(s).Remove([]int{u.rng.IntN(5), 5 + u.rng.IntN(5)})
			u.must(err)
			u.Doc.Do("remove", func(s *state.State) { parts.Landmarks.Put(s, l) })
		}
	case 6:
		l, _, err := parts.Landmarks.Of(s).Duplicate(u.rng.IntN(parts.Landmarks.Of(s).Len()), []float32{0.1, 0.1})
		u.must(err)
		u.Doc.Do("duplicate", func(s *state.State) { parts.Landmarks.Put(s, l) })
	case 7:
		k := 3 + u.rng.IntN(40)
		u.Doc.Do("k", func(s *state.State) { parts.Projection.Edit(s, func(p *embedsom.Params) { p.K = k }) })
	case 8:
		b, a := float32(math.Exp(u.rng.NormFloat64())), u.rng.Float32()
		u.Doc.Do("boost", func(s *state.State) {
			parts.Projection.Edit(s,
				func(p *embedsom.Params) { p.Boost, p.Adjust = b, a })
		})
	case 9, 10:
		if u.Training().Active() {
			u.Training().Pause()
		} else {
			all := train.All()
			algorithm := all[u.rng.IntN(len(all))].ID
			u.Doc.Do("train", func(s *state.State) {
				parts.Training.Put(s,
					parts.TrainingChoice{Algorithm: algorithm})
			})
			u.must(u.Training().Again())
		}
	case 11:
		switch u.rng.IntN(3) {
		case 0:
			if u.away == 0 { // and back some frames later, in the middle of whatever goes on
				u.must(u.SetEngine(u.others[u.rng.IntN(len(u.others))]))
				u.away = 1 + u.rng.IntN(30)
			}
		case 1: // the buffer gets new memory
			u.must(u.EmbedSOM().Refill())
			u.points.Resize(u.points.Len(), 2)
		case 2:
			u.Doc.Undo()
		}
	}
}

// move drags the landmark in hand a little.
func (u *user) move() {
	l := parts.Landmarks.Of(u.Doc.State())
	if u.held < l.Len() {
		moved, err := l.Move([]int{u.held}, []float32{float32(u.rng.NormFloat64()) / 2,
			float32(u.rng.NormFloat64()) / 2})
		u.must(err)
		u.Doc.Extend("drag", func(s *state.State) { parts.Landmarks.Put(s, moved) })
	}
	if u.dragging--; u.dragging == 0 {
		u.Hold(false)
	}
}

// draw draws as the canvas does: into a layer, the points that keep up.
func (u *user) draw() {
	cam := camera.NewFlat(320+u.rng.IntN(3)*100, 240)
	l := parts.Landmarks.Of(u.Doc.State())
	if box, ok := camera.BoundsOf(l.Pos.Data, 2); ok {
		cam.Fit(box, camera.Even(10))
	}
	u.layer.Begin(cam.Projection(), render.Style{Size: 2, Opacity: 0.7})
	u.layer.DrawRange(u.points, nil, nil, 0, u.Shown())
	u.layer.Resolve(render.Light().Background)
	u.drawn++
}

// rest ends what is under way on the engine under test.
func (u *user) rest() {
	u.t.Helper()
	u.dragging = 0
	u.Hold(false)
	u.Training().Pause()
	if u.away > 0 {
		u.away = 0
		u.must(u.SetEngine(u.engine))
	}
	u.settle()
	u.on(u.engine)
}

// home puts the map back to where it began, with an empty history and anew on its engine, whose buffers
// have the size of the largest state they have seen: so memory can be compared.
func (u *user) home() {
	u.t.Helper()
	u.must(u.SetEngine("cpu"))
	s := u.Doc.State()
	parts.Landmarks.Take(&s, u.start)
	parts.Projection.Take(&s, u.start)
	parts.Training.Take(&s, u.start)
	*u.Doc = *state.New(u.Doc.Data, u.Doc.Title, u.Doc.Seed, s) // in its place: all members of the map know it
	u.must(u.SetEngine(u.engine))
	u.settle()
}

// compare judges some of the positions on screen by the float64 reference.
func (u *user) compare() {
	u.t.Helper()
	const some = 300
	s, x, drawn := u.Doc.State(), u.Table().X, u.rig.drawn()
	points, got := matrix.New(some, x.Cols), matrix.New(some, 2)
	for i := range some {
		row := u.rng.IntN(x.Rows)
		copy(points.Row(i), x.Row(row))
		copy(got.Row(i), drawn.Row(row))
	}
	want, err := embedsom.Embed(context.Background(), points, parts.Landmarks.Of(s).Codebook,
		parts.Landmarks.Of(s).Pos, parts.Projection.Of(s))
	u.must(err)
	direct := enginetest.Measure(embedsom.Direct32(points, parts.Landmarks.Of(s).Codebook, parts.Landmarks.Of(s).Pos,
		parts.Projection.Of(s)), want,
		enginetest.Extent(parts.Landmarks.Of(s).Pos))
	e := enginetest.Measure(got, want, enginetest.Extent(parts.Landmarks.Of(s).Pos))
	// Landmarks that a random user has piled up leave float32 little to go by: the direct formula says how
	// much. A position of another state of the map is far beyond it.
	if e.Strange > 0 || e.Points < some || e.Median > max(1e-5, 2*direct.Median) || e.P99 > max(1e-3, 2*direct.P99) {
		u.t.Errorf("%d landmarks, k %d, boost %g:\n on screen %v\n direct float32 %v", parts.Landmarks.Of(s).Len(),
			parts.Projection.Of(s).K, parts.Projection.Of(s).Boost, e, direct)
	}
}

func (u *user) must(err error) {
	u.t.Helper()
	if err != nil {
		u.t.Fatal(err)
	}
}
