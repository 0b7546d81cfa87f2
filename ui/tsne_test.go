package ui

import (
	"fmt"
	"image"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	scale "golang.org/x/image/draw"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live/member"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// formed runs the t-SNE in sight until so many units are done.
func formed(t testing.TB, a *App, d *uitest.Driver, units int64) {
	t.Helper()
	d.Wait("t-SNE forms", 3*time.Minute, func() bool {
		_, e := a.desk.RunningView()
		return e != nil && (e.Stands().Units >= units || e.Err() != nil)
	})
}

// The panel as a hand uses it: it forms by itself, is paused, goes on in single units, and becomes landmarks.
func TestTSNEByItsPanel(t *testing.T) {
	a, d := begin(t, 1280, 1000, 1, Options{Paths: []string{"demo:cytometry:1200"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		open(a)
		a.desk.Doc.Do("Fewer units", func(s *state.State) {
			parts.Runs.Put(s, parts.Runs.Of(*s).Edit(embedding.TSNE(2), func(c *parts.RunChoice) {
				c.Values["until"], c.Values["total"] = 60, 300
			}))
		})
		commandByID("tsne-view").Run(a)
	})
	formed(t, a, d, 30)
	d.Frames(2)
	d.Shoot("tsne-forming")
	if !a.active().View.State().Recipe.Equal(embedding.TSNE(2)) || a.desk.Stage.Count() != 2 {
		t.Fatal("it is not in a view of its own")
	}
	run := func() (r member.Running) {
		uitest.Do(func() {
			_, e := a.desk.RunningView()
			r = e.Stands()
		})
		return r
	}
	formed(t, a, d, 100)
	d.ClickOn("side bar/tsne/run")
	d.Wait("it is paused", time.Minute, func() bool {
		_, e := a.desk.RunningView()
		return !e.Stands().Active && !e.Busy()
	})
	at := run()
	if at.Active || at.Units < 100 || len(at.Curve) < 8 {
		t.Fatalf("it is not paused: %+v", at)
	}
	d.ClickOn("side bar/tsne/Step")
	d.Wait("a unit is done", time.Minute, func() bool {
		_, e := a.desk.RunningView()
		return e.Stands().Units == at.Units+1 && !e.Stands().Active
	})
	d.Shoot("tsne-paused")
	d.Keys("Y")
	d.Wait("it comes to rest", 3*time.Minute, func() bool {
		_, e := a.desk.RunningView()
		return e.Stands().Rest
	})
	rest(t, a, d)
	d.Shoot("tsne-rest")
	uitest.Do(a.toggleTheme)
	d.Frames(3)
	d.Shoot("tsne-dark")

	// A point in the hand: it stays there, the others answer, and all of it is one entry.
	entries := a.desk.Doc.History().Len()
	d.Keys("2")
	x, y := pointAt(a, 7)
	d.Move(x, y)
	d.Press(shell.Left)
	other := placeOf(a, 0)
	for i := range 12 {
		d.Move(x+float32(6*i), y-float32(3*i))
		d.Frames(2)
	}
	if px, py := pointAt(a, 7); math.Hypot(float64(px-x-66), float64(py-y+33)) > 3 {
		t.Errorf("the point is at %g, %g, the hand at %g, %g", px, py, x+66, y-33)
	}
	d.Shoot("tsne-drag")
	d.Release(shell.Left)
	d.Frames(3)
	if h := a.desk.Doc.History(); h.Len() != entries+1 || h.CanUndo() != "Move points" || run().Active {
		t.Errorf("%d entries of a drag, the last %q", h.Len()-entries, h.CanUndo())
	}
	if placeOf(a, 0) == other {
		t.Error("the others do not answer")
	}
	d.Keys("Ctrl+Z")
	rest(t, a, d)

	// None of points either.
	uitest.Do(a.desk.Stage.InvertSelection)
	d.Keys("Ctrl+Shift+A")
	d.Frames(2)
	uitest.Do(func() {
		if !a.desk.Stage.Selected().Empty() {
			t.Error("points stay selected")
		}
	})
	rest(t, a, d)

	// Landmarks of it.
	uitest.Do(func() { commandByID("tsne-landmarks").Run(a) })
	rest(t, a, d)
	if h := a.desk.Doc.History(); h.CanUndo() != "Landmarks from t-SNE" {
		t.Errorf("the last entry is %q", h.CanUndo())
	}
	d.Shoot("tsne-landmarks")
	uitest.Do(a.toggleTheme)
	for _, c := range []struct {
		name  string
		w, h  int
		scale float32
	}{{"small", 500, 400, 1}, {"200", 2560, 2000, 2}} {
		d.Resize(c.w, c.h)
		d.SetScale(c.scale)
		d.Frames(5)
		d.Shoot("tsne-" + c.name)
	}
}

// pointAt is where a point of the t-SNE is on the screen, placeOf where in it.
func pointAt(a *App, i int) (x, y float32) {
	uitest.Do(func() {
		v, e := a.desk.RunningView()
		p := e.Target().Host()[2*i:]
		sx, sy, _ := v.Eye.Screen(camera.Vec{X: float64(p[0]), Y: float64(p[1])})
		x, y = float32(sx), float32(sy)
	})
	return x, y
}

func placeOf(a *App, i int) (p [2]float32) {
	uitest.Do(func() {
		_, e := a.desk.RunningView()
		p = [2]float32(e.Target().Host()[2*i:])
	})
	return p
}

// Undone while it runs and done again, a run is where it was.
func TestTSNEDoneAgainIsWhereItWas(t *testing.T) {
	a, d := begin(t, 900, 600, 1, Options{Paths: []string{"demo:cytometry:800"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { a.desk.ShowBeside(embedding.TSNE(2)) })
	formed(t, a, d, 60)
	var at int64
	uitest.Do(func() {
		_, e := a.desk.RunningView()
		at = e.Stands().Units
		commandByID("undo").Run(a)
	})
	d.Frames(3)
	uitest.Do(func() { commandByID("redo").Run(a) })
	d.Frames(3)
	uitest.Do(func() {
		if _, e := a.desk.RunningView(); at >= 1000 || e.Stands().Units < at {
			t.Errorf("undone at unit %d, done again it is at %d", at, e.Stands().Units)
		}
	})
}

// TestTSNEPictures draws the pictures of docs/tsne.md: maps at four moments in 2D and 3D, a sheet for each theme, and
// one selection in the map and in t-SNE.
func TestTSNEPictures(t *testing.T) {
	if os.Getenv("BLOSSOM_PICTURES") == "" {
		t.Skip("BLOSSOM_PICTURES names no folder for the pictures")
	}
	moments := []int64{20, 200, 300, 1000}
	for _, data := range []string{"cytometry", "mammoth"} {
		sheets := [2][]*image.RGBA{}
		for dims := 2; dims <= 3; dims++ {
			t.Run(fmt.Sprintf("%s %dD", data, dims), func(t *testing.T) {
				a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:" + data + ":8000"}, Still: true})
				opened(t, a, d)
				if data == "cytometry" {
					uitest.Do(func() { a.desk.ColourBy("population") })
				}
				uitest.Do(func() {
					a.settings.Sidebar = false
					a.desk.ShowBeside(embedding.TSNE(dims))
				})
				for i, unit := range moments {
					d.Wait("it forms", 10*time.Minute, func() bool {
						_, e := a.desk.RunningView()
						return e != nil && (e.Stands().Units >= unit || e.Stands().Rest)
					})
					uitest.Do(func() {
						_, e := a.desk.RunningView()
						e.Pause()
					})
					rest(t, a, d)
					d.Sleep(20 * time.Second) // toasts go
					for theme := range sheets {
						d.Frames(8)
						sheets[theme] = append(sheets[theme], miniature(d.Screenshot(), running(a), 0.5))
						uitest.Do(a.toggleTheme)
					}
					if i+1 < len(moments) {
						uitest.Do(func() {
							_, e := a.desk.RunningView()
							if err := e.Start(); err != nil {
								t.Error(err)
							}
						})
					}
				}
				if data == "cytometry" {
					selectCompany(t, a)
					for range sheets {
						d.Frames(8)
						d.Shoot(fmt.Sprintf("tsne-selected-%dd%s", dims,
							map[string]string{"dark": "-dark"}[a.settings.Theme]))
						uitest.Do(a.toggleTheme)
					}
				}
			})
		}
		for theme, name := range []string{"", "-dark"} {
			sheet(t, "tsne-"+data+name, len(moments), sheets[theme])
		}
	}
}

// selectCompany selects the points that are near one of t-SNE.
func selectCompany(t *testing.T, a *App) {
	uitest.Do(func() {
		near, _, err := a.desk.Company(11)
		if err != nil {
			t.Error(err)
		}
		n := a.desk.Doc.Data.Points
		words := make([]uint64, (n+63)/64)
		for _, p := range near {
			row := a.desk.Table().Order[p]
			words[row/64] |= 1 << (row % 64)
		}
		a.desk.Stage.Scene.SetSelection("Select points", selection.FromBits(n, words))
	})
}

// running is where the view of what runs is on the screen.
func running(a *App) (r widget.Rect) {
	uitest.Do(func() {
		v, _ := a.desk.RunningView()
		r = v.Rect()
	})
	return r
}

// miniature is a part of a picture at a share of its size.
func miniature(img *image.RGBA, r widget.Rect, share float64) *image.RGBA {
	from := image.Rect(int(r.X0), int(r.Y0), int(r.X1), int(r.Y1))
	out := image.NewRGBA(image.Rect(0, 0, int(share*float64(from.Dx())), int(share*float64(from.Dy()))))
	scale.CatmullRom.Scale(out, out.Rect, img, from, scale.Src, nil)
	return out
}

// sheet writes pictures of one size beside and below each other.
func sheet(t *testing.T, name string, columns int, all []*image.RGBA) {
	const gap = 4
	w, h := all[0].Rect.Dx()+gap, all[0].Rect.Dy()+gap
	out := image.NewRGBA(image.Rect(0, 0, columns*w-gap, (len(all)+columns-1)/columns*h-gap))
	for i, img := range all {
		at := image.Pt(i%columns*w, i/columns*h)
		draw.Draw(out, img.Rect.Add(at), img, image.Point{}, draw.Src)
	}
	if err := uitest.WritePNG(filepath.Join(os.Getenv("BLOSSOM_PICTURES"), name+".png"), out); err != nil {
		t.Fatal(err)
	}
}
