package render_test

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/maps/embedsom"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/rendertest"
)

var _ embedsom.Target = (*render.PointBuffer)(nil)

// onCard stands for an engine: it writes positions into the OpenGL buffer, past Host.
func onCard(t testing.TB, b *render.PointBuffer, from int, pos []float32) {
	t.Helper()
	buffer, storage := b.GLBuffer()
	if buffer == 0 || storage == 0 {
		t.Fatalf("buffer %d, storage %d", buffer, storage)
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	gl.BufferSubData(gl.ARRAY_BUFFER, 4*from*b.Dims(), 4*len(pos), unsafe.Pointer(&pos[0]))
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	b.Wrote(from, from+len(pos)/b.Dims())
}

func random(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float32, n)
	for i := range out {
		out[i] = r.Float32()
	}
	return out
}

// arrive polls until Host is fresh.
func arrive(t testing.TB, b *render.PointBuffer) {
	t.Helper()
	for range 10_000 {
		if b.Ready() {
			return
		}
		b.Fetch()
		time.Sleep(100 * time.Microsecond)
	}
	t.Fatal("the positions never came")
}

func picture(r *render.Renderer, b *render.PointBuffer) image.Image {
	l := r.NewLayer()
	defer l.Free()
	cam := camera.NewFlat(200, 200)
	cam.Fit(camera.Bounds{Max: camera.Vec{X: 1, Y: 1}}, camera.Even(10))
	l.Begin(cam.Projection(), render.Style{Size: 3, Opacity: 0.8, Colouring: colouring(render.Light())})
	l.DrawRange(b, nil, nil, 0, b.Len())
	l.Resolve(render.Light().Background)
	return l.Read()
}

// Positions that an engine wrote on the card are drawn as if they had been uploaded, and come to Host on request.
func TestPositionsWrittenOnTheCard(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	for _, dims := range []int{2, 3} {
		const n = 5000
		pos := random(n*dims, 3)
		a, b := r.NewPointBuffer(n, dims), r.NewPointBuffer(n, dims)
		defer a.Free()
		defer b.Free()
		copy(a.Host(), pos)
		a.Upload(0, n)
		onCard(t, b, 0, pos)
		if dims == 2 && !slices.Equal(nrgba(picture(r, a)).Pix, nrgba(picture(r, b)).Pix) {
			t.Fatal("the picture of what is on the card is another")
		}
		if a.Changes() != 1 || b.Changes() != 1 {
			t.Fatalf("%d and %d changes", a.Changes(), b.Changes())
		}
		if b.Host()[0] != 0 || b.Ready() {
			t.Fatal("Host has been read without a need")
		}
		arrive(t, b)
		if !slices.Equal(b.Host(), pos) {
			t.Fatal("Fetch brought something else")
		}
		more := random(100*dims, 4)
		onCard(t, b, 700, more)
		b.Sync()
		copy(pos[700*dims:], more)
		if !slices.Equal(b.Host(), pos) || !b.Ready() {
			t.Fatal("Sync brought something else")
		}
	}
	if e := gl.GetError(); e != 0 {
		t.Fatalf("OpenGL error %#x", e)
	}
}

// Whatever the order in which host and card write, and drawing changes between them, Host ends as what was
// written last, and both ways of drawing show it.
func TestHostAndCardTakeTurns(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	const n = 300
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		b := r.NewPointBuffer(n, 2)
		want := make([]float32, 2*n)
		var did []string
		for range 12 {
			from := rng.IntN(n)
			to := from + rng.IntN(n-from) + 1
			pos := random(2*(to-from), rng.Uint64())
			switch rng.IntN(7) {
			case 0, 1:
				did = append(did, "card")
				if r.Path() == render.CPU {
					r.SetPath(render.OpenGL)
				}
				onCard(t, b, from, pos)
				copy(want[2*from:], pos)
			case 2:
				did = append(did, "host")
				copy(b.Host()[2*from:], pos)
				b.Upload(from, to)
				copy(want[2*from:], pos)
			case 3:
				did = append(did, "fetch")
				b.Fetch()
			case 4:
				did = append(did, "first")
				b.FetchFirst(to)
			case 5:
				did = append(did, "ready")
				gl.Finish()
				b.Ready()
			case 6:
				did = append(did, "path")
				r.SetPath(render.OpenGL + render.CPU - r.Path())
				if rng.IntN(3) == 0 {
					picture(r, b)
				}
			}
		}
		if rng.IntN(2) == 0 {
			b.Sync()
		} else {
			arrive(t, b)
		}
		if !slices.Equal(b.Host(), want) {
			t.Fatalf("round %d: Host is not what was written last, after %q", round, did)
		}
		r.SetPath(render.OpenGL)
		buffer, _ := b.GLBuffer()
		got := make([]float32, 2*n)
		gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
		gl.GetBufferSubData(gl.ARRAY_BUFFER, 0, 8*n, unsafe.Pointer(&got[0]))
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: the card does not hold what was written last, after %q", round, did)
		}
		b.Free()
	}
}

// A map that is fetched while it moves: what comes is of some moment, and the rest still counts as newer.
func TestFetchWhileItMoves(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	const n = 1000
	b := r.NewPointBuffer(n, 2)
	defer b.Free()
	first, second := random(2*n, 1), random(2*n, 2)
	onCard(t, b, 0, first)
	if b.Known(1) {
		t.Fatal("points are known that have never come")
	}
	b.FetchFirst(100)
	onCard(t, b, 0, second)
	gl.Finish()
	if b.Ready() {
		t.Fatal("Host counts as fresh")
	}
	if !slices.Equal(b.Host()[:200], first[:200]) || b.Host()[200] != 0 {
		t.Fatal("the first points did not come as they were")
	}
	if !b.Known(100) || b.Known(101) {
		t.Fatal("100 points are known")
	}
	b.Resize(n, 2)
	if !b.Ready() {
		t.Fatal("nothing is newer on the card after a resize")
	}
	_, before := b.GLBuffer()
	c := r.NewPointBuffer(n, 2)
	defer c.Free()
	if _, s := c.GLBuffer(); s == before {
		t.Fatal("two buffers have one storage")
	}
	b.Resize(2*n, 2)
	if _, s := b.GLBuffer(); s == before {
		t.Fatal("the storage did not change with the size")
	}
	// The CPU draws: there is no buffer, and what is on the card is fetched for it.
	onCard(t, b, 0, second)
	r.SetPath(render.CPU)
	defer r.SetPath(render.OpenGL)
	if buffer, _ := b.GLBuffer(); buffer != 0 {
		t.Fatal("the host draws, and there is a buffer")
	}
	picture(r, b)
	if !slices.Equal(b.Host()[:2*n], second) {
		t.Fatal("the CPU draws old positions")
	}
}
