package output_test

import (
	"path/filepath"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/render"
	"blossom/ui/desk"
	"blossom/ui/output/plate"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// trains starts the training of the map over.
func trains(t *testing.T, a *room) {
	t.Helper()
	var err error
	uitest.Do(func() { err = a.Desk().Training().Again() })
	if err != nil {
		t.Fatal(err)
	}
}

// Pictures that are asked for while the map trains are of one state of it: the training rests until the last of them is
// drawn, each is written, and then it goes on.
func TestATrainingRestsUntilPicturesAreDrawn(t *testing.T) {
	a, d := enter(t, 900, 600, "demo:tesseract:1000")
	stand.FourViews(a.Desk(), d)
	a.Rest(d)
	trains(t, a)
	d.Frames(2)
	page, single := filepath.Join(t.TempDir(), "page.png"), filepath.Join(t.TempDir(), "single.png")
	uitest.Do(func() {
		a.out.Picture(page, desk.Picture{All: true})
		a.out.CopyPicture()
		a.out.Picture(single, desk.Picture{})
	})
	frames, ran, moved := 0, 0, 0
	var from uint64
	d.Wait("the pictures are drawn", 20*time.Second, func() bool {
		if !a.out.Drawing() {
			return frames > 0
		}
		l := parts.Landmarks.Rev(a.Desk().Doc.State())
		if frames++; frames == 1 {
			from = uint64(l)
		}
		if a.Desk().Training().Active() {
			ran++
		}
		if uint64(l) != from {
			moved++
		}
		return false
	})
	if frames < 3 || ran > 0 || moved > 0 {
		t.Errorf("in %d frames of drawing the training ran in %d, and landmarks had moved in %d", frames, ran, moved)
	}
	uitest.Do(func() {
		if !a.Desk().Training().Active() {
			t.Error("the training does not go on after the pictures")
		}
	})
	d.Wait("each of them is there", 20*time.Second, func() bool {
		return there(page) && there(single) && d.Shell().Copied() != nil && a.Jobs.Idle()
	})
}

// A training that rests for an export goes on where that is given up.
func TestATrainingGoesOnAfterAnExportIsGivenUp(t *testing.T) {
	a, d := enter(t, 600, 400, "demo:tesseract:1000")
	trains(t, a)
	d.Frames(2)
	uitest.Do(func() {
		a.out.Picture(filepath.Join(t.TempDir(), "picture.png"), desk.Picture{})
		if a.Desk().Training().Active() {
			t.Error("the training does not rest")
		}
		a.out.GiveUp()
		if !a.Desk().Training().Active() || a.out.Waiting() || a.out.Drawing() {
			t.Error("the training does not go on")
		}
	})
}

// A picture that cannot be drawn is no job: callers ask whether there is one.
func TestAPictureThatCannotBeginIsNone(t *testing.T) {
	a, _ := enter(t, 600, 400, "demo:tesseract:300")
	uitest.Do(func() {
		v := a.Desk().Stage.Active()
		r := v.Room()
		for _, page := range []bool{false, true} {
			p := job.NewPicture()
			p.Size, p.Zoom, p.Background = [2]int{1 << 15, 1 << 15}, 1, "white"
			p.Window = &job.Window{Page: page, Scale: 1, Ratio: 1, Views: []job.Standing{{View: v.ID.Key(),
				Room: [4]float32{r.X0, r.Y0, r.X1, r.Y1}, Camera: v.Standing().Camera}}}
			made, err := plate.Plate{Stage: a.Desk().Stage, Renderer: renderer(a)}.Begin(p, nil)
			if made != nil || err == nil {
				t.Errorf("page %v: a job %v, %v", page, made, err)
			}
		}
	})
}

func renderer(a *room) *render.Renderer { return a.Desk().Stage.Scene.Renderer }
