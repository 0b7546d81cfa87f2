package output_test

import (
	"fmt"
	"image"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/output"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

// exported draws the active view, or all, as a picture for a file.
func exported(t *testing.T, a *room, p desk.Picture) *image.RGBA {
	t.Helper()
	var img *image.RGBA
	var err error
	uitest.Do(func() {
		format, _ := figure.Of(".png")
		var job *output.Drawing
		if job, err = a.out.NewPicture(p, format); err != nil {
			return
		}
		defer job.Close()
		for done := 0.0; done < 1 && err == nil; {
			done, err = job.Step(math.MaxInt)
		}
		img = job.File.(*figure.PNG).Dst
	})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// onScreen is what the active view shows, as the window shows it.
func onScreen(a *room, d *uitest.Driver) *image.RGBA {
	shot := d.Screenshot()
	var r image.Rectangle
	uitest.Do(func() {
		v, k := a.Desk().Stage.Scatter(), d.Shell().Context().FramebufferScale()
		b := v.View.Room()
		r = image.Rect(int(b.X0*k+0.5), int(b.Y0*k+0.5), int(b.X1*k+0.5), int(b.Y1*k+0.5))
	})
	out := image.NewRGBA(image.Rectangle{Max: r.Size()})
	draw.Draw(out, out.Rect, shot, r.Min, draw.Src)
	return out
}

// unlike returns the share of pixels of a that differ by more than 24 of 255 from every pixel that b has within one
// pixel of their place, or the other way round. Letters and edges that are rasterised otherwise do not count; what is
// larger, elsewhere or missing does.
func unlike(a, b *image.RGBA) float64 {
	if a.Rect != b.Rect {
		return 1
	}
	n, w, h := 0, a.Rect.Dx(), a.Rect.Dy()
	far := func(a, b *image.RGBA, x, y int) bool {
		for c := range 3 {
			at := a.PixOffset(x, y) + c
			if d := int(a.Pix[at]) - int(b.Pix[at]); d >= -24 && d <= 24 {
				continue
			}
			lo, hi := 255, 0
			for ny := max(y-1, 0); ny <= min(y+1, h-1); ny++ {
				for nx := max(x-1, 0); nx <= min(x+1, w-1); nx++ {
					v := int(b.Pix[b.PixOffset(nx, ny)+c])
					lo, hi = min(lo, v), max(hi, v)
				}
			}
			if v := int(a.Pix[at]); v < lo-24 || v > hi+24 {
				return true
			}
		}
		return false
	}
	for y := range h {
		for x := range w {
			if far(a, b, x, y) || far(b, a, x, y) {
				n++
			}
		}
	}
	return float64(n) / float64(w*h)
}

// shrunk is a picture k times smaller, each pixel the mean of k x k.
func shrunk(m *image.RGBA, k int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, m.Rect.Dx()/k, m.Rect.Dy()/k))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			var sum [4]int
			for i := range k * k {
				at := m.PixOffset(x*k+i%k, y*k+i/k)
				for c := range sum {
					sum[c] += int(m.Pix[at+c])
				}
			}
			for c, s := range sum {
				out.Pix[out.PixOffset(x, y)+c] = uint8(s / (k * k))
			}
		}
	}
	return out
}

// alike compares the active view on the screen with its picture for a file, and with finer ones, shrunk. At the same
// size only the rasterising of letters may differ: a letter takes some 50 pixels, one of them alone would fail a view
// of 500 x 400 at the share that is allowed. Finer pictures differ in how discs of a pixel cover it.
func alike(t *testing.T, a *room, d *uitest.Driver, name string) {
	t.Helper()
	a.Rest(d)
	d.Move(3, 3) // the mouse marks nothing
	d.Frames(3)
	want := onScreen(a, d)
	check := func(kind string, got *image.RGBA, most float64) {
		t.Helper()
		share := unlike(want, got)
		t.Logf("%s, %s: %.4f %% differ", name, kind, 100*share)
		if share <= most {
			return
		}
		t.Errorf("%s, %s: %.3f %% of the pixels of the picture (%v) are not those of the window (%v)", name, kind,
			100*share, got.Rect.Size(), want.Rect.Size())
		if dir := os.Getenv("BLOSSOM_PICTURES"); dir != "" {
			for which, img := range map[string]image.Image{"window": want, "file": got} {
				if err := uitest.WritePNG(filepath.Join(dir, name+" "+kind+" "+which+".png"), img); err != nil {
					t.Error(err)
				}
			}
		}
	}
	check("same size", exported(t, a, desk.Picture{}), 0.0005)
	w, h := want.Rect.Dx(), want.Rect.Dy()
	for _, k := range []int{2, 4} {
		fine := exported(t, a, desk.Picture{Size: desk.OwnSize, Width: k * w, Height: k * h, Scale: float64(k)})
		check(fmt.Sprintf("%d times as fine", k), shrunk(fine, k), 0.008)
	}
}

// A picture for a file is what the screen shows: in both themes, with every tool, in two sizes of the window, on the
// map, between axes and in 3D; points that are selected, landmarks, edges, names, legends, ticks and axes.
func TestAPictureIsAsOnScreen(t *testing.T) {
	a, d := enter(t, 548, 545, "demo:cytometry:1200")
	rows := a.Desk().Doc.Data.Points
	for _, c := range []struct {
		theme string
		w, h  int
	}{{"light", 548, 545}, {"dark", 348, 465}} {
		d.Resize(c.w, c.h)
		if a.Options.Dark != (c.theme == "dark") {
			uitest.Do(func() { a.Theme(!a.Options.Dark) })
		}
		name := func(s string) string { return fmt.Sprintf("%s %d×%d, %s", c.theme, c.w, c.h, s) }
		show := func(r embedding.Recipe, column string, tool *view.Tool, some bool) {
			uitest.Do(func() {
				s := a.Desk().Stage
				s.SetEmbedding(a.Desk().Stage.Scatter().View, r)
				a.Desk().Stage.Scatter().View.ColourBy(column)
				a.Tool(tool.ID)
				s.Hand().Landmarks.Selected = nil
				a.Desk().Stage.Scatter().View.Edit(func(v *parts.View) { v.Names = tool.Large })
				if tool.Large {
					s.Hand().Landmarks.Selected = []int{3} // several have a frame to take hold of, in the window alone
				}
				set := selection.None(rows)
				if some {
					set = selection.FromBits(rows, []uint64{^uint64(0), 0, ^uint64(0)})
				}
				s.Scene.SetSelection("Select points", set)
			})
		}
		uitest.Do(func() {
			a.Desk().Doc.Do("Name", func(s *state.State) {
				l := parts.Landmarks.Of(*s)
				for i, n := range map[int]string{3: "T cells", 40: "Ägypten", 120: "monocytes"} {
					if made, err := l.Rename(i, n); err == nil {
						l = made
					}
				}
				if made, err := l.Pin([]int{40, 60}, true); err == nil {
					l = made
				}
				parts.Landmarks.Put(s, l)
			})
		})
		for _, tool := range view.Tools() {
			// selected points have a grip in their tool, in the window alone
			show(embedding.EmbedSOM(), "population", tool, tool.Options != nil && !tool.Points)
			alike(t, a, d, name(tool.ID))
		}
		navigate := view.Tools()[0]
		show(embedding.EmbedSOM(), "population", navigate, true)
		alike(t, a, d, name("selected"))
		show(embedding.EmbedSOM(), "BUV563-A", navigate, false)
		alike(t, a, d, name("numbers"))
		show(embedding.Columns("BUV563-A", "BUV615-A"), "BUV661-A", navigate, true)
		alike(t, a, d, name("axes"))
		show(embedding.PCA(3), "BUV661-A", navigate, false)
		alike(t, a, d, name("3D"))
	}
}

// All views in one picture are as they stand beside each other; what the mouse is on is marked on the screen alone.
func TestAPictureOfAllViewsIsAsTheyStand(t *testing.T) {
	a, d := enter(t, 1000, 560, "demo:cytometry:2000")
	uitest.Do(func() {
		a.Desk().Stage.Scatter().View.ColourBy("population")
		a.Desk().Stage.Split(a.Desk().Stage.Scatter().View)
		a.Desk().Stage.SetEmbedding(a.Desk().Stage.Scatter().View, embedding.PCA(2))
	})
	a.Rest(d)
	d.Move(3, 3)
	d.Frames(3)
	want, got := d.Screenshot(), exported(t, a, desk.Picture{All: true})
	for _, v := range a.Desk().Stage.Scatters() {
		all, b := a.Place(), v.View.Area()
		r := image.Rect(int(b.X0+0.5), int(v.View.Header.Y1+0.5), int(b.X1+0.5), int(b.Y1+0.5))
		part := func(img *image.RGBA, from image.Point) *image.RGBA {
			out := image.NewRGBA(image.Rectangle{Max: r.Size()})
			draw.Draw(out, out.Rect, img, from, draw.Src)
			return out
		}
		shift := image.Pt(int(all.X0+0.5), int(all.Y0+0.5))
		if share := unlike(part(want, r.Min), part(got, r.Min.Sub(shift))); share > 0.0005 {
			t.Errorf("view %d: %.3f %% of the pixels of the picture are not those of the window", v.View.ID, 100*share)
		}
	}
	for _, v := range a.Desk().Stage.Scatters() {
		if !v.LegendBox.Empty() {
			d.MoveTo(fmt.Sprintf("legend%d/label2", v.View.ID))
		}
	}
	d.Frames(3)
	if a.Desk().Stage.Scatter().Style().Colouring.Only == 0 {
		t.Fatal("the mouse is on no name")
	}
	if share := unlike(got, exported(t, a, desk.Picture{All: true})); share > 0 {
		t.Errorf("the mouse changes %.3f %% of the picture", 100*share)
	}
}
