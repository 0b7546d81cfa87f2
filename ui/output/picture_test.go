package output_test

import (
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// A picture of the map as on screen, without a legend, has the pixels of the canvas, in a window of any scale.
func TestPictureAsOnScreen(t *testing.T) {
	a, d := enter(t, 700, 520, "demo:tesseract:3000")
	for _, scale := range []float32{1, 2} {
		d.SetScale(scale)
		a.Rest(d)
		pictureAsOnScreen(t, a, d, scale)
	}
}

func pictureAsOnScreen(t *testing.T, a *room, d *uitest.Driver, scale float32) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map.png")
	var want *image.RGBA
	uitest.Do(func() {
		a.Desk().Stage.Scatter().View.Edit(func(v *parts.View) { v.Legend = false })
		want = a.Desk().Stage.Scatter().Image()
		a.out.Picture(path, desk.Picture{})
	})
	d.Wait("the picture is written", 20*time.Second, func() bool {
		_, err := os.Stat(path)
		return err == nil && a.Jobs.Idle()
	})
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(f)
	f.Close()
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != want.Bounds() {
		t.Fatalf("scale %g: %v, the canvas is %v", scale, got.Bounds(), want.Bounds())
	}
	drawn := image.NewRGBA(got.Bounds())
	draw.Draw(drawn, drawn.Rect, got, got.Bounds().Min, draw.Src)
	far := uitest.Apart(drawn, want, rounded)
	if far > 0 {
		t.Errorf("scale %g: %d pixels of %d differ from the canvas", scale, far, want.Rect.Dx()*want.Rect.Dy())
	}
}

// A picture of one view as on the screen has the room of its axes, too.
func TestAPictureHasRoomForAxes(t *testing.T) {
	a, d := enter(t, 1280, 800, "demo:cytometry:4000")
	uitest.Do(func() {
		a.Desk().Stage.SetEmbedding(a.Desk().Stage.Scatter().View, embedding.Columns("BUV563-A", "BUV615-A"))
	})
	a.Rest(d)
	uitest.Do(func() {
		v := a.Desk().Stage.Scatter()
		area := v.View.Area()
		w, h := a.out.PictureSize(desk.Picture{})
		if w != int(area.W()+0.5) || h != int(area.Y1-v.View.Header.Y1+0.5) {
			t.Errorf("the picture is %d×%d, the view without its header %g×%g", w, h,
				area.W(), area.Y1-v.View.Header.Y1)
		}
		v.View.Edit(func(p *parts.View) { p.Axes = false })
	})
	d.Frames(3)
	uitest.Do(func() {
		w, h := a.out.PictureSize(desk.Picture{})
		if vw, vh := a.Desk().Stage.Scatter().Eye.Cam.Viewport(); w != vw || h != vh {
			t.Errorf("without axes the picture is %d×%d, the view %d×%d", w, h, vw, vh)
		}
	})
}
