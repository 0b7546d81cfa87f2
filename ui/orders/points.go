package orders

import (
	"path/filepath"
	"slices"

	"blossom/model/data/exhibit"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// pointCommands select points, and hold the card of one.
var pointCommands = []*order{
	{ID: "invert", Menu: "Edit", Title: "Invert selected points", Also: "complement exclude",
		Help: "Select what is not selected",
		Keys: []string{"Ctrl+I"}, Run: func(d *desk.Desk) { d.Stage.InvertSelection() }},
	{ID: "no-points", Menu: "Edit", Title: "Select no points", Also: "deselect clear",
		Help:    "Let go of all selected points",
		Enabled: func(d *desk.Desk) bool { return !d.Stage.Selected().Empty() },
		Run:     func(d *desk.Desk) { d.Stage.SelectNone() }},
	{ID: "grow", Menu: "Edit", Title: "Grow to neighbours",
		Also: "expand selection similar near dilate fill knn space landmarks add",
		Help: "Take the points near the selected ones in the space of the map, too: first those of landmarks most of " +
			"whose points are selected, then those of the landmarks near these, further each time",
		Enabled: func(d *desk.Desk) bool { return !d.Stage.Selected().Empty() },
		Run:     func(d *desk.Desk) { picking(d).Grow() }},
	{ID: "shrink", Menu: "Edit", Title: "Shrink from neighbours", Also: "selection erode contract less near space",
		Help:    "Let go of selected points near others in the space of the map, further each time",
		Enabled: func(d *desk.Desk) bool { return !d.Stage.Selected().Empty() },
		Run:     func(d *desk.Desk) { picking(d).Shrink() }},
	{ID: "live-region", Title: "Selection follows the map",
		Also: "live region dynamic these points fixed freeze follow update again",
		Help: "This region, live: whatever lies within the outline is selected when the map moves; once more: these " +
			"points, wherever they go",
		Enabled: func(d *desk.Desk) bool { return d.Stage.Hand().Tool.Points },
		Checked: func(d *desk.Desk) bool { return picking(d).Keeps() == view.ThisRegion },
		Run: func(d *desk.Desk) {
			if picking(d).Keeps() == view.ThisRegion {
				picking(d).KeepAs(view.ThesePoints)
			} else {
				picking(d).KeepAs(view.ThisRegion)
			}
		}},
	{ID: "in-front", Title: "Select in front only",
		Also:    "3d depth through hidden occluded visible surface points select",
		Help:    "In 3D a stroke takes the points that no others hide, not all that lie under it",
		Checked: func(d *desk.Desk) bool { return d.Stage.Scene.Gating.Deep == view.InFront },
		Run: func(d *desk.Desk) {
			d.Stage.Scene.Gating.Deep = view.InFront - d.Stage.Scene.Gating.Deep
			d.UI.Refresh()
		}},
	{ID: "points-of-landmarks", Title: "Select points of landmarks",
		Also:    "cells nearest neuron node cluster select by landmark",
		Help:    "Select the points whose nearest landmark, in the space of the map, is one of those that are selected",
		Enabled: hasSelection, Run: func(d *desk.Desk) { picking(d).PointsOfLandmarks() }},
	{ID: "landmarks-of-points", Title: "Select landmarks of points",
		Also:    "neuron node nearest select by points",
		Help:    "Select the landmarks most of whose points are selected",
		Enabled: func(d *desk.Desk) bool { return !d.Stage.Selected().Empty() },
		Run:     func(d *desk.Desk) { picking(d).LandmarksOfPoints() }},
	{ID: "images", Menu: "View", Title: "Images of points...",
		Also: "picture thumbnail photo folder show card cell image",
		Help: "Cards of points show the images of a folder: those that are called as the points, or numbered as the " +
			"rows. " +
			"A column of paths of images is shown of itself",
		Run: askImages},
	{ID: "no-images", Menu: "View", Title: "No images of points", Also: "picture thumbnail folder hide card",
		Help:    "Cards of points show no images of a folder any more",
		Enabled: func(d *desk.Desk) bool { return parts.Images.Of(d.Doc.State()) != "" },
		Run: func(d *desk.Desk) {
			d.Doc.Do("No images of points", func(s *state.State) { parts.Images.Put(s, "") })
		}},
	{ID: "hold", Menu: "Edit", Title: "Hold the card",
		Help:    "Keep the card of the point under the mouse, with all columns",
		Keys:    []string{"I"},
		Enabled: func(d *desk.Desk) bool { return d.Stage.Hover().On },
		Run:     func(d *desk.Desk) { d.Stage.Hover().Held = !d.Stage.Hover().Held }},
}

// picking is what is done with the selected points of a desk.
func picking(d *desk.Desk) view.Picking { return view.Picking{Stage: d.Stage} }

// cornering says whether a polygon is being clicked together around points.
func cornering(d *desk.Desk) bool { return d.Stage.Hand().Cornering() }

// pinPoints pins the selected points in the active view, or lets them go where all of them are pinned.
func pinPoints(d *desk.Desk) {
	e := d.Stage.Scatter().Field()
	points := d.Stage.AllSelected()
	pinned := e.Pinned()
	on := slices.ContainsFunc(points, func(p int) bool {
		_, is := slices.BinarySearch(pinned, p)
		return !is
	})
	if err := e.Pin(points, on); err != nil {
		d.Window.Fail(err)
		return
	}
	if on {
		d.Window.Say(widget.Grouped(len(points)) + " points stay where they are")
	} else {
		d.Window.Say(widget.Grouped(len(points)) + " points are let go")
	}
}

// askImages asks for an image of the folder whose images cards show.
func askImages(d *desk.Desk) {
	d.Window.Ask(desk.FileQuestion{Title: "Images of points: choose one of the folder", Kind: "Images",
		Kinds: exhibit.Endings, Answer: func(path string) {
			folder := filepath.Dir(path)
			d.Doc.Do("Images of points", func(s *state.State) { parts.Images.Put(s, folder) })
			d.Window.Say("cards of points show the images of " + filepath.Base(folder))
		}})
}
