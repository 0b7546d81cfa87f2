package dialog

import (
	"fmt"
	"testing"

	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// tall is a dialog with more than the window has room for.
type tall struct {
	u    *widget.UI
	rows int
}

func (t *tall) Face() (Face, bool) {
	return Face{Buttons: []Button{{Label: "Cancel"}, {Label: "Save##save", Kind: widget.Primary}}}, true
}

func (t *tall) Draw() func() {
	for i := range t.rows {
		t.u.Row(fmt.Sprintf("row %d##row%d", i, i), widget.RowOpts{})
	}
	return nil
}

var tallKind = Register(Kind[int]{ID: "tall", Title: "Tall",
	New: func(w Window, rows int) Dialog { return &tall{w.UI(), rows} }})

// A dialog that is higher than the window scrolls its body alone: its title, the cross and its buttons stay.
func TestBodyOfATallDialogScrolls(t *testing.T) {
	for _, scale := range []float32{1, 2} {
		s, d := begin(t, widget.Light(), scale)
		uitest.Do(func() { tallKind.Show(s.dialogs, 60) })
		d.Move(1, 1)
		d.Frames(5)
		d.Shoot(fmt.Sprintf("tall-%.0f", scale))
		all, save, cross, first := d.Rect("tall"), d.Rect("tall/save"), d.Rect("tall/close"), d.Rect("tall/row0")
		if all.Y0 < 0 || all.Y1 > 500*scale || save.Y1 > all.Y1 {
			t.Fatalf("at %v it lies at %v and its button at %v", scale, all, save)
		}
		body := d.Rect("tall/body")
		if body.Y1 > save.Y0 || body.Y0 < cross.Y1-4*scale {
			t.Fatalf("the body %v covers the button %v or the cross %v", body, save, cross)
		}
		c := body.Center()
		d.Wheel(c.X, c.Y, -3)
		d.Frames(3)
		if now := d.Rect("tall/row0"); now.Y0 >= first.Y0 {
			t.Errorf("the wheel leaves the body at %v", now)
		}
		if d.Rect("tall/save") != save || d.Rect("tall/close") != cross {
			t.Error("the wheel moves the buttons or the cross")
		}
		thumb := d.Rect("tall/scroll").Center()
		d.Drag(thumb.X, thumb.Y, thumb.X, body.Y1, 4)
		d.Frames(2)
		if last := d.Rect("tall/row59"); last.Y1 > body.Y1+1 {
			t.Errorf("the scroll bar brings the last row to %v of %v", last, body)
		}
		d.End()
	}
}

// A dialog that fits has nothing that scrolls.
func TestBodyThatFitsDoesNotScroll(t *testing.T) {
	s, d := begin(t, widget.Light(), 1)
	uitest.Do(func() { tallKind.Show(s.dialogs, 5) })
	d.Move(1, 1)
	d.Frames(5)
	first := d.Rect("tall/row0")
	d.Wheel(first.Center().X, first.Center().Y, -3)
	d.Frames(3)
	if now := d.Rect("tall/row0"); now != first {
		t.Errorf("the wheel moves the rows from %v to %v", first, now)
	}
}
