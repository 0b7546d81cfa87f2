package gputest

import (
	"context"
	"image"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/matrix"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/egl"
)

// screen gives the test an OpenGL context, as a window would have it, and a renderer that draws with it.
func screen(t testing.TB) *render.Renderer {
	t.Helper()
	c, err := egl.New(egl.Options{})
	if err != nil {
		if os.Getenv("CI") != "" || os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
			t.Fatal(err)
		}
		t.Skip("no OpenGL for this test: ", err)
	}
	t.Cleanup(func() {
		c.Close()
		runtime.UnlockOSThread()
	})
	r, err := render.New(render.Options{Path: render.OpenGL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	t.Logf("OpenGL %s, %s", r.Info().Version, r.Info().Renderer)
	return r
}

// options of engines that share the context of the window.
func options() engine.Options {
	return engine.Options{Knn: os.Getenv("BLOSSOM_KNN"), Projection: os.Getenv("BLOSSOM_PROJECTION"), Window: true,
		GL: func() (func(), error) { return func() {}, nil }}
}

// engines are those under test that work here. It needs the context of screen.
func engines(t testing.TB) []string {
	t.Helper()
	var chosen []string
	if s := os.Getenv("BLOSSOM_ENGINES"); s != "" {
		chosen = strings.Split(s, ",")
	}
	required := func(name string) bool {
		return slices.Contains(chosen, name) || name == "gl" && os.Getenv("BLOSSOM_REQUIRE_GL") != "" ||
			name == "cuda" && os.Getenv("BLOSSOM_REQUIRE_CUDA") != ""
	}
	var list []string
	for _, r := range engine.Registered() {
		if chosen == nil && (r.Name == "cpu" || r.Name == "reference") || chosen != nil &&
			!slices.Contains(chosen, r.Name) {
			continue
		}
		ok, why, device := r.Probe(options())
		switch {
		case ok:
			t.Logf("engine %s: %s", r.Name, device)
			list = append(list, r.Name)
		case required(r.Name):
			t.Fatalf("engine %s does not work here: %s", r.Name, why)
		default:
			t.Logf("engine %s does not work here: %s", r.Name, why)
		}
	}
	for _, name := range chosen {
		if !slices.Contains(list, name) {
			t.Fatalf("there is no engine %q", name)
		}
	}
	if len(list) == 0 {
		t.Skip("no engine of a graphics card works here")
	}
	return list
}

// rig is a map on an engine, drawn off the screen.
type rig struct {
	*live.Map
	t       testing.TB
	r       *render.Renderer
	points  *render.PointBuffer
	engines engine.Chooser
	notices []string
	posts   []func()
}

func newRig(t testing.TB, r *render.Renderer, name, path string, dims int) *rig {
	t.Helper()
	o, err := opening.Load(context.Background(), []string{path}, format.Options{Seed: 7}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if dims == 3 {
		l, err := landmark.StartGrid(context.Background(), o.Table.X, landmark.ShapeFor(216, 3), landmark.Rect, 1)
		if err != nil {
			t.Fatal(err)
		}
		o.Doc.Do("3D", func(s *state.State) {
			l.Space = parts.Transform.Rev(*s)
			parts.Landmarks.Put(s, l)
		})
	}
	g := &rig{t: t, r: r, points: r.NewPointBuffer(o.Table.X.Rows, dims)}
	if g.engines, err = engine.Open(name, options()); err != nil {
		t.Fatal(err)
	}
	jobs := &work.Jobs{Post: func(f func()) { g.posts = append(g.posts, f) }, Failed: func(err error) { t.Error(err) }}
	if g.Map, err = live.NewMap(o, &g.engines,
		live.Buffers{Make: func(int, int) embedsom.Target { return g.points }}, jobs); err != nil {
		t.Fatal(err)
	}
	g.Notice = func(s string) { g.notices = append(g.notices, s) }
	t.Cleanup(func() { g.Close(); g.engines.Close(); g.points.Free() })
	return g
}

// frame is one frame of the window without its drawing.
func (g *rig) frame() {
	g.t.Helper()
	if _, err := g.Frame(16*time.Millisecond, 12*time.Millisecond); err != nil {
		g.t.Fatal(err)
	}
}

// settle runs frames until nothing is left to do.
func (g *rig) settle() {
	g.t.Helper()
	for i := 0; g.Busy(); i++ {
		if i > 1_000_000 {
			g.t.Fatal("the map never came to rest")
		}
		g.frame()
	}
	gl.Finish()
	if e := gl.GetError(); e != 0 {
		g.t.Fatalf("OpenGL error %#x", e)
	}
}

// on fails the test if another engine has taken over.
func (g *rig) on(name string) {
	g.t.Helper()
	if g.Engine().Name() != name {
		g.t.Fatalf("the map is on engine %s, should be on %s; notices: %q", g.Engine().Name(), name, g.notices)
	}
}

// drawn returns the positions in the buffer that is drawn, read from OpenGL itself.
func (g *rig) drawn() matrix.Matrix32 {
	out := matrix.New(g.points.Len(), g.points.Dims())
	buffer, _ := g.points.GLBuffer()
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	gl.GetBufferSubData(gl.ARRAY_BUFFER, 0, 4*len(out.Data), unsafe.Pointer(&out.Data[0]))
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	return out
}

// picture draws all points in one camera for all engines.
func (g *rig) picture() *image.RGBA {
	g.t.Helper()
	l := parts.Landmarks.Of(g.Doc.State())
	box, _ := camera.BoundsOf(l.Pos.Data, l.Pos.Cols)
	m, err := g.r.Picture(render.PictureOptions{Width: 640, Height: 480, Points: g.points, Box: &box,
		Theme: render.Light(),
		Style: render.Style{Size: 3, Opacity: 0.5}, Landmarks: l.Pos,
		Edges: render.PlainEdges(l.Edges, render.Light())})
	if err != nil {
		g.t.Fatal(err)
	}
	return m
}
