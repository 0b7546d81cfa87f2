package view

import (
	"testing"

	"blossom/model/live"
	"blossom/render"
)

// The legend names each kind of line that is drawn, each with a look of its own.
func TestTheTreesLegendNamesItsLines(t *testing.T) {
	for _, theme := range []render.Theme{render.Light(), render.Dark()} {
		looks := treeLooks(theme, 3)
		some := treeKey(looks, []live.TreeLine{{Kind: live.TreeInside}, {Kind: live.TreeBridge}})
		all := treeKey(looks, []live.TreeLine{{Kind: live.TreeStray}, {Kind: live.TreeInside}})
		if len(some) != 2 || len(all) != 3 || all[2].Text != "to points in no cluster" {
			t.Errorf("it names %v, with points in no cluster %v", some, all)
		}
		for i, x := range all {
			for _, y := range all[:i] {
				if x.Text == y.Text || x.Colour == y.Colour {
					t.Errorf("%q looks like %q", x.Text, y.Text)
				}
			}
		}
	}
}
