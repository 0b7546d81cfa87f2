package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/ui/widget"
)

func init() {
	shapes[ByQuadrants] = enclosing{Option: widget.Option{Label: "Quadrants", Icon: assets.IconPlus,
		Tip: "A click in a view of two columns parts its points into four populations, whose centre is moved later"},
		region: func(*Hand, []selection.Point) selection.Region { return selection.Lasso(nil) },
		draw:   func(*Hand, []point, *imgui.DrawList, *widget.UI) {},
		press:  func(*Hand) gesture { return nil },
		click:  quarter}
}

// quarter makes four populations around the place of a click, in the view of two columns that it is in.
func quarter(g *Hand) bool {
	v, ok := g.At.(*Scatter)
	if !ok {
		return false
	}
	s := v.View.scene
	axes, ok := gated{v}.axes()
	if !ok {
		s.Fail(problem.New("", "show two columns as axes first: Columns… in the menu of the view's name",
			"quadrants are of a view with two columns as its axes"))
		return true
	}
	at := v.Eye.World(g.press.at.x, g.press.at.y)
	doc := s.Map.Doc
	tree, first := parts.Populations.Of(doc.State()), population.ID(0)
	signs := [4][2]string{{"-", "+"}, {"+", "+"}, {"+", "-"}, {"-", "-"}}
	x, y := v.View.columnTitle(axes[0].Column), v.View.columnTitle(axes[1].Column)
	for i, gate := range population.Quarters(axes[0].Axis, axes[1].Axis, [2]float64{at.X, at.Y}) {
		t, id, err := tree.Add(population.Population{Parent: v.among.id, Name: x + signs[i][0] + " " + y + signs[i][1],
			Rule: gate})
		if err != nil {
			s.Fail(err)
			return true
		}
		if tree = t; first == 0 {
			first = id
		}
	}
	doc.Do("Quadrants of "+x+" and "+y, func(now *state.State) { parts.Populations.Put(now, tree) })
	s.Gating.Chosen = first
	g.Shape = ByLasso // the next click is about something else
	return true
}
