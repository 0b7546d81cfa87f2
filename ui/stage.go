package ui

import (
	"os"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/live"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/ui/dialog"
	"blossom/ui/orders"
	"blossom/ui/view"
)

// newStage makes the views of a map.
func (a *App) newStage(m *live.Map) *view.Stage {
	s := view.NewStage(m, a.ui, a.renderer, a.say, a.fail)
	s.AskColumns, s.Chose = func(v *view.View) { dialog.Axes.Show(a.dialogs, v) }, a.chose
	h := s.Hand()
	h.Host.Menu, h.Tool = a.menu.open, a.tools.now
	h.Host.Name = func() { commandByID("new-population").Run(a) }
	m.Chosen = func() []int { return h.Landmarks.Selected }
	h.Host.Finished, h.Host.Colour = a.formerTool, func() string { return s.Active().Look().Column }
	return s
}

// chose opens the panel of what runs when the user has chosen the first such embedding of a document: it is steered
// there.
func (a *App) chose(r embedding.Recipe) {
	if k := embedding.ByID(r.Kind); k == nil || k.Way != embedding.Stepwise || a.desk.Steered {
		return
	}
	a.desk.Steered = true
	if a.rooms.regions.narrow { // panels would lie over it
		a.ui.Open[r.Kind] = true
		return
	}
	a.rooms.side.Reveal(r.Kind)
}

// arrange finds the places of the views in the canvas.
func (a *App) arrange() {
	s, g := a.desk.Stage, &a.rooms.regions
	s.Scene.Scale, s.Scene.Ratio = a.ctx.Scale(), float64(a.ctx.FramebufferScale())
	s.Scene.Theme, s.Scene.Dark = a.renderTheme(), a.settings.Theme == "dark"
	s.Hand().Reach = 8 * float64(a.ctx.Scale())
	g.options = s.Arrange(g.canvas, a.tools.now.Options != nil || a.desk.Compare.On())
}

// stageChrome draws what stands around and over the views: headers, the tool's options, the hover card.
func (a *App) stageChrome() {
	a.desk.Stage.Headers()
	a.desk.Stage.Legends()
	again := window{a}.Command("embed-again")
	view.Remaking{Can: again.Can, Tip: again.Tip, Run: again.Run}.Draw(a.desk.Stage)
	thing := a.desk.Doc.Data.PointWord()
	a.desk.Stage.Qualities(thing+"s", a.ctx.Now())
	if a.desk.Compare.On() {
		orders.CompareBar(a.desk, a.rooms.regions.options)
	} else if a.tools.now.Options != nil {
		a.tools.now.Options(a.desk.Stage, a.rooms.regions.options, thing)
	}
	now, over := a.ctx.Now(), (*view.Scatter)(nil)
	if mouse := imgui.MousePos(); !a.modal() && a.ui.OnCanvas(a.rooms.regions.canvas, mouse) {
		over = a.desk.Stage.Under(mouse)
	}
	a.pace.wakeIn = a.desk.Stage.Hover().Update(over, imgui.MousePos(), now)
	for _, v := range a.desk.Stage.Scatters() {
		if a.desk.Stage.Hand().Count(v, thing+"s", now) && a.pace.wakeIn == 0 {
			a.pace.wakeIn = 100 * time.Millisecond
		}
	}
	a.desk.Stage.Hover().Card(imgui.ForegroundDrawListViewportPtr(), strings.ToUpper(thing[:1])+thing[1:])
}

// zoom zooms the active view smoothly at its middle.
func (a *App) zoom(factor float64) {
	a.desk.Stage.GlideZoom(factor)
}

// shaderDir is the folder that a debug run reads shaders from, or "".
func shaderDir() string { return os.Getenv(render.ShaderDirVariable) }
