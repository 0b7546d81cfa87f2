package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/maps/selection"
	"blossom/ui/widget"
)

func init() {
	shapes[ByEllipse] = enclosing{Option: widget.Option{Label: "Ellipse", Draw: widget.EllipseMark},
		region: func(_ *Hand, path []selection.Point) selection.Region { return selection.Ellipse(path[0], path[1]) },
		draw: func(_ *Hand, path []point, dl *imgui.DrawList, u *widget.UI) {
			u.SelectEllipse(dl, vec(path[0]), vec(path[1]))
		}}
}
