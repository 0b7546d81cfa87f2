package widget_test

import (
	"testing"

	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// The bar of a table that scrolls lies beside its last column, and not over it.
func TestTableLeavesItsBarRoom(t *testing.T) {
	rows := 3
	draw := func(u *widget.UI, c *shell.Context) {
		u.Area("box", widget.R(0, 0, 400, 200), widget.AreaOpts{}, func() {
			u.TableWith("table", []widget.Column{{Title: "Name", Width: 0.5}, {Title: "Size", Width: 0.5, Right: true}},
				rows, widget.TableOpts{Sort: 1}, func(row, col int) string { return "364 kB" })
		})
	}
	d := uitest.Open(t, &page{t: t, theme: widget.Light(), draw: draw}, 400, 200, 1)
	d.Frames(3)
	few, head := d.Rect("box/table/0"), d.Rect("box/table/head1")
	rows = 100
	d.Frames(3)
	many := d.Rect("box/table/0")
	if few.W()-many.W() < 8 || few.W()-many.W() > 20 || d.Rect("box/table/head1").X1 >= head.X1 {
		t.Errorf("rows are %v, and with a bar %v", few, many)
	}
}
