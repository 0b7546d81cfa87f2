package output_test

import (
	"testing"
	"time"

	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// A preview is drawn when the views are at rest, stays while nothing changes, and is made anew for another picture.
func TestAPreviewFollowsThePicture(t *testing.T) {
	a, d := enter(t, 700, 520, "demo:tesseract:3000")
	a.Rest(d)
	shown := func(p desk.Picture) (texture uint32) {
		d.Wait("the preview is drawn", 10*time.Second, func() bool {
			texture = a.out.Preview(p, 200, 150)
			return texture != 0
		})
		return texture
	}
	first := shown(desk.Picture{})
	uitest.Do(func() {
		if again := a.out.Preview(desk.Picture{}, 200, 150); again != first {
			t.Errorf("texture %d, then %d of the same picture", first, again)
		}
	})
	shown(desk.Picture{Title: true})
	uitest.Do(func() {
		if a.out.Preview(desk.Picture{Size: desk.OnPaper}, 200, 150) != 0 {
			t.Error("a picture of no size has a preview")
		}
	})
}
