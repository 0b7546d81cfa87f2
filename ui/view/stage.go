package view

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/model/live"
	"blossom/model/maps/selection"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/ui/widget"
)

// Stage is the views in the middle of the window: which there are, where they stand, what they share. What
// there is to see is kept in the document (parts.Views); the stage follows it.
type Stage struct {
	Scene Scene
	hand  Hand
	hover Hover

	// Chose is told of what the user chose a view to show.
	Chose func(embedding.Recipe)
	// AskColumns asks for the columns that a view is to show as its axes.
	AskColumns func(*View)

	split    Split
	views    map[ID]*View
	shown    []*View    // views in sight, in reading order
	scatters []*Scatter // views in sight that show points
	gone     []*View    // closed in this frame, which may show them yet
	arranged Arrangement
	area     Box
	rev      revision.Revision // revision of parts.Views that split was made from
	synced   bool

	selection revision.Revision // the selection that States holds
	table     revision.Revision
	gripped   []int32           // selected points, as selectedPoints has them
	gripOf    revision.Revision // this selection
	gripTable revision.Revision // the table whose points gripped indexes
	gripKnown bool
	held      ID // the view whose header is dragged
}

// NewStage returns the stage of a document.
func NewStage(m *live.Map, u *widget.UI, r *render.Renderer, said func(string), fail func(error)) *Stage {
	s := &Stage{views: map[ID]*View{}, split: One()}
	s.Scene.Map, s.Scene.UI, s.Scene.Renderer, s.Scene.Fail, s.Scene.Scale, s.Scene.Ratio = m, u, r, fail, 1, 1
	s.Scene.States = r.NewStateBuffer(m.Table().X.Rows)
	s.hover.shown = keepExhibits(&m.Values, u.Refresh)
	s.hand = Hand{Landmarks: Landmarks{Doc: m.Doc, Said: said}, Host: Host{Said: said}, Hover: -1, HoverEdge: noEdge,
		Edge: noEdge, Tool: tools[0], Shape: ByLasso, Brush: usualBrush, UI: u}
	s.hand.Landmarks.Edited = s.hand.look
	s.hand.Draw.Train = true // the values of the map that a shape replaces would be those of another shape
	s.hover.Leave()
	s.Scene.Hand, s.Scene.Hover = &s.hand, &s.hover
	s.hand.Host.Steered = s.steer
	s.hand.Host.Enclosed = s.enclosed
	s.Scene.gripPoints, s.Scene.linked = s.selectedPoints, s.linked
	s.hand.Host.Job = func(title string, compute func(context.Context) (func(), error)) {
		m.Values.Jobs.Start(title, func(ctx context.Context, _ *work.Job) (func(), error) { return compute(ctx) })
	}
	s.hand.Host.Lead = func() (*landmark.Lead, error) { return m.Lead(s.selectedPoints()) }
	s.hand.Host.Take = s.take
	s.hand.Landmarks.Graph = func() graph.Graph {
		g, _, _ := m.Graph()
		return g
	}
	return s
}

// Free gives back what the views hold of OpenGL.
func (s *Stage) Free() {
	for _, v := range s.views {
		v.Free()
	}
	s.bury()
	s.Scene.States.Free()
	s.hover.shown.free()
	s.views, s.shown = nil, nil
}

// list is the views as the document has them.
func (s *Stage) list() parts.ViewList { return parts.Views.Of(s.Scene.Map.Doc.State()) }

// put changes the views of the document.
func (s *Stage) put(change func(*parts.ViewList)) {
	s.Scene.Map.Doc.Look(func(now *state.State) { parts.Views.Edit(now, change) })
}

// sync follows the document: views come and go with it.
func (s *Stage) sync() {
	rev := parts.Views.Rev(s.Scene.Map.Doc.State())
	if s.synced && rev == s.rev {
		return
	}
	s.rev, s.synced = rev, true
	l := s.list()
	split, ok := splitOf(l)
	if !ok { // another window's, or damaged: its views are laid out anew
		split = s.relay(l)
		s.rev = parts.Views.Rev(s.Scene.Map.Doc.State())
	}
	s.split = split
	for id, v := range s.views {
		if !split.Has(id) {
			delete(s.views, id)
			s.gone = append(s.gone, v)
		}
	}
	if len(s.gone) > 0 { // a copy: somebody may be going over the views
		s.shown = slices.DeleteFunc(slices.Clone(s.shown), func(v *View) bool { return slices.Contains(s.gone, v) })
	}
	for _, id := range split.Views() {
		if s.views[id] == nil {
			s.views[id] = New(id, &s.Scene)
		}
	}
}

// bury frees the views that have been closed. Nothing that is still to be shown may have pictures of them.
func (s *Stage) bury() {
	for _, v := range s.gone {
		v.Free()
	}
	clear(s.gone)
	s.gone = s.gone[:0]
}

// relay lays views out whose layout is not one of theirs: they get IDs of their own, and keep their looks.
func (s *Stage) relay(l parts.ViewList) Split {
	split, ids := One(), One().Views()
	for len(ids) < len(l.Views) {
		var id ID
		split, id = split.Divide(ids[len(ids)-1], s.area, SizesAt(s.Scene.Scale))
		ids = append(ids, id)
	}
	raw, err := json.Marshal(split.Code())
	if err != nil {
		s.Scene.Fail(err)
	}
	s.put(func(now *parts.ViewList) {
		now.Layout, now.Views = raw, slices.Clone(l.Views)
		for i, v := range l.Views {
			now.Views[i].ID = ids[i].Key()
			if v.ID == l.Active {
				now.Active = ids[i].Key()
			}
		}
	})
	s.Scene.Map.Doc.Always(func(now *state.State) {
		old := parts.Looks.Of(*now)
		looks := parts.LookTable{}
		for i, v := range l.Views {
			looks[ids[i].Key()] = old.Get(v.ID)
		}
		parts.Looks.Put(now, looks)
	})
	return split
}

// splitOf reads the layout of the views; ok is false where it is not one of these views.
func splitOf(l parts.ViewList) (Split, bool) {
	split := One()
	if len(l.Layout) > 0 {
		var c Code
		if json.Unmarshal(l.Layout, &c) != nil {
			return split, false
		}
		var err error
		if split, err = c.Split(); err != nil {
			return split, false
		}
	}
	if split.Count() != len(l.Views) {
		return split, false
	}
	for _, v := range l.Views {
		if id := ParseID(v.ID); !split.Has(id) || id.Key() != v.ID {
			return split, false
		}
	}
	return split, true
}

// lay puts a changed layout into the document.
func (s *Stage) lay(split Split, change func(*parts.ViewList)) {
	raw, err := json.Marshal(split.Code())
	if err != nil {
		s.Scene.Fail(err)
		return
	}
	s.put(func(l *parts.ViewList) {
		l.Layout = raw
		if change != nil {
			change(l)
		}
	})
	s.sync()
}

// Active is the view that keys and panels belong to.
func (s *Stage) Active() *View {
	s.sync()
	if v := s.views[ParseID(s.list().Active)]; v != nil {
		return v
	}
	return s.views[s.split.Views()[0]]
}

// Activate makes a view the active one.
func (s *Stage) Activate(v *View) {
	if key := v.ID.Key(); s.list().Active != key {
		s.put(func(l *parts.ViewList) { l.Active = key })
	}
}

// Views returns the views in sight.
func (s *Stage) Views() []*View { return s.shown }

// Scatters returns the views in sight that show points.
func (s *Stage) Scatters() []*Scatter { return s.scatters }

// Scatter is the view of points that panels and commands speak of: the active one, else the first in sight, else what
// the active view was before it showed something else.
func (s *Stage) Scatter() *Scatter {
	v := s.Active()
	if v.Scatter() == nil && len(s.scatters) > 0 {
		return s.scatters[0]
	}
	return v.scatter
}

// Count is the number of views, also of those out of sight.
func (s *Stage) Count() int { return s.split.Count() }

// Hand is what the mouse is doing.
func (s *Stage) Hand() *Hand { return &s.hand }

// Hover is the point under the mouse.
func (s *Stage) Hover() *Hover { return &s.hover }

// Split puts another view of the same kind beside a view, and makes it the active one.
func (s *Stage) Split(v *View) {
	split, id := s.split.Divide(v.ID, s.area, SizesAt(s.Scene.Scale))
	if id == 0 {
		return
	}
	shown := v.State()
	shown.ID, shown.Camera = id.Key(), v.scatter.Eye.Kept() // nothing: both fit by themselves, in half of the room
	if shown.Linked = false; v.Scatter() == nil || v.scatter.IsMap() && s.Count() == 1 {
		// Another look at the same data says more than the same picture twice.
		shown.Kind, shown.Settings = ScatterKind, nil
		if v.Scatter() != nil {
			shown.Recipe, shown.Camera = embedding.PCA(2), parts.Camera{}
		}
	}
	look := v.Look()
	s.lay(split, func(l *parts.ViewList) {
		l.Views = append(slices.Clone(l.Views), shown)
		l.Active = shown.ID
	})
	s.Scene.Map.Doc.Always(func(at *state.State) { parts.Looks.Put(at, parts.Looks.Of(*at).With(shown.ID, look)) })
}

// Close takes a view away.
func (s *Stage) Close(v *View) {
	split, ok := s.split.Close(v.ID)
	if !ok {
		return
	}
	if s.hover.At == v.scatter {
		s.hover.Leave()
	}
	if s.hand.At == Ground(v.scatter) {
		s.hand.Cancel()
		s.hand.At = nil
	}
	s.lay(split, func(l *parts.ViewList) {
		l.Views = slices.DeleteFunc(slices.Clone(l.Views), func(x parts.View) bool { return x.ID == v.ID.Key() })
		if l.Active == v.ID.Key() {
			l.Active = split.Views()[0].Key()
		}
	})
	s.Scene.Map.Doc.Always(func(now *state.State) { // nobody asks for it again: later views have other IDs
		looks := maps.Clone(parts.Looks.Of(*now))
		delete(looks, v.ID.Key())
		parts.Looks.Put(now, looks)
	})
}

// Maximise shows a view alone, or all again.
func (s *Stage) Maximise(v *View) {
	if s.split.Maximised() != 0 {
		s.lay(s.split.Restore(), nil)
		return
	}
	s.Activate(v)
	s.lay(s.split.Maximise(v.ID), nil)
}

// Maximised says whether one view is shown alone.
func (s *Stage) Maximised() bool { return s.split.Maximised() != 0 }

// Next makes the next view the active one.
func (s *Stage) Next() {
	ids := s.split.Views()
	at := slices.Index(ids, s.Active().ID)
	v := s.views[ids[(at+1)%len(ids)]]
	s.Activate(v)
	if s.Maximised() {
		s.lay(s.split.Restore().Maximise(v.ID), nil)
	}
}

// Choose shows another embedding in a view, as the user wants it.
func (s *Stage) Choose(v *View, r embedding.Recipe) {
	s.SetEmbedding(v, r)
	if s.Chose != nil {
		s.Chose(r)
	}
}

// SetEmbedding shows another embedding in a view.
func (s *Stage) SetEmbedding(v *View, r embedding.Recipe) {
	v.Edit(func(p *parts.View) {
		p.Kind = ScatterKind
		if !p.Recipe.Equal(r) {
			p.Recipe, p.Camera = r, parts.Camera{}
		}
	})
	v.fill()
}

// Arrange finds the places of all views in an area of the window, and that of a bar of options over them, if there is
// one: below the headers at the top. When it comes or goes, views, headers and maps stay where they are.
func (s *Stage) Arrange(area widget.Rect, barred bool) (bar widget.Rect) {
	still := barred == s.Scene.options.Empty()
	s.bury()
	s.sync()
	s.area = Box(area)
	s.split.Arrange(s.area, s.Active().ID, SizesAt(s.Scene.Scale), &s.arranged)
	header := s.Scene.UI.Pt(widget.HeaderHeight)
	if barred {
		bar = area
		bar.Y0 = min(area.Y0+header, area.Y1)
		bar.Y1 = min(bar.Y0+s.Scene.UI.Pt(widget.OptionsHeight), area.Y1)
	}
	s.Scene.options = bar
	Footing{s}.stand(s.arranged.Places, header, bar, still)
	return bar
}

// Under returns the view whose points are under a place of the window, or nil.
func (s *Stage) Under(p imgui.Vec2) *Scatter {
	for _, v := range s.scatters {
		if v.Eye.Contains(float64(p.X), float64(p.Y)) {
			return v
		}
	}
	return nil
}

// Recipes are the embeddings in sight.
func (s *Stage) Recipes(out []embedding.Recipe) []embedding.Recipe {
	for _, v := range s.scatters {
		out = append(out, v.View.State().Recipe)
	}
	if len(s.scatters) == 0 {
		out = append(out, s.Scatter().View.State().Recipe)
	}
	return out
}

// Update brings all views in sight up to the document.
func (s *Stage) Update(now time.Time) {
	s.selectStates()
	for _, v := range s.shown {
		v.content.Update(now)
	}
	if len(s.scatters) == 0 { // out of sight, but spoken of
		s.Scatter().Update(now)
	}
}

// selectStates puts the selection of the document where drawing reads it.
func (s *Stage) selectStates() {
	now := s.Scene.Map.Doc.State()
	rev, table := parts.Selection.Rev(now), s.Scene.Map.Table()
	if rev == s.selection && table.Rev == s.table {
		return
	}
	s.selection, s.table = rev, table.Rev
	set := parts.Selection.Of(now)
	s.Scene.Dim = !set.Empty()
	if n := table.X.Rows; s.Scene.States.Len() != n {
		s.Scene.States.Resize(n)
	}
	set.FillStates(table.Order, s.Scene.States.Host(), render.Selected)
	s.Scene.States.Upload(0, s.Scene.States.Len())
}

// Draw brings all pictures up to date.
func (s *Stage) Draw(busy bool) {
	for _, v := range s.shown {
		v.content.Draw(busy)
	}
}

// Moving says whether something in sight is still on its way.
func (s *Stage) Moving() bool {
	return slices.ContainsFunc(s.shown, func(v *View) bool { return v.content.Stir().Moving })
}

// Unfinished says whether a picture in sight is still being drawn, Flying whether a camera is moving.
func (s *Stage) Unfinished() bool {
	return slices.ContainsFunc(s.shown, func(v *View) bool { return v.content.Stir().Unfinished })
}

func (s *Stage) Flying() bool {
	return slices.ContainsFunc(s.shown, func(v *View) bool { return v.content.Stir().Flying })
}

// Present draws everything of the views inside of the window's canvas.
func (s *Stage) Present(dl *imgui.DrawList) {
	ground := uint32(Ink(s.Scene.Theme.Background))
	for _, p := range s.arranged.Places {
		dl.AddRectFilled(imgui.Vec2{X: p.Box.X0, Y: p.Box.Y0}, imgui.Vec2{X: p.Box.X1, Y: p.Box.Y1}, ground)
	}
	s.Scene.legends, s.Scene.spare = s.Scene.legends[:0], s.Scene.spare[:0]
	for _, v := range s.shown {
		dl.PushClipRectV(imgui.Vec2{X: v.room.X0, Y: v.room.Y0}, imgui.Vec2{X: v.room.X1, Y: v.room.Y1}, true)
		v.content.Present(dl)
		if v.Scatter() == nil && imgui.IsMouseClickedBool(imgui.MouseButtonLeft) && imgui.IsWindowHovered() &&
			v.Room().Has(imgui.MousePos()) {
			s.Activate(v)
		}
		dl.PopClipRect()
	}
}

// Keep puts all cameras into the document, for sessions.
func (s *Stage) Keep() {
	for _, v := range s.shown {
		v.content.Keep()
	}
	s.rev = parts.Views.Rev(s.Scene.Map.Doc.State())
}

// steer moves the camera under the hand, and those that are linked with it.
func (s *Stage) steer(move func(Steered)) {
	at, _ := s.hand.At.(*Scatter)
	if at == nil {
		return
	}
	s.SteerView(at, move)
}

// Steered is the eye of a view that moves.
type Steered interface {
	Pan(dsx, dsy float64)
	ZoomAt(sx, sy, factor float64)
	Rotate(dsx, dsy float64)
	Glide(dx, dy float64)
	GlideZoom(factor float64)
}

// Glide pans the active view smoothly by shares of its size, GlideZoom zooms it at its middle; a linked one takes the
// others along.
func (s *Stage) Glide(dx, dy float64) {
	if v := s.Active().Scatter(); v != nil {
		s.SteerView(v, func(v Steered) { v.Glide(dx, dy) })
		return
	}
	s.Active().content.Glide(dx, dy)
}

func (s *Stage) GlideZoom(factor float64) {
	if v := s.Active().Scatter(); v != nil {
		s.SteerView(v, func(v Steered) { v.GlideZoom(factor) })
		return
	}
	s.Active().content.GlideZoom(factor)
}

// SteerView moves the camera of a view; a linked one takes the others along.
func (s *Stage) SteerView(at *Scatter, move func(Steered)) {
	linked := at.View.State().Linked
	b := at.Eye.Box
	for _, v := range s.scatters {
		if v == at || !linked || v.Eye.Solid() != at.Eye.Solid() || !v.View.State().Linked {
			continue
		}
		move(follower{v.Eye, float64(v.Eye.Box.X0 - b.X0), float64(v.Eye.Box.Y0 - b.Y0),
			float64(v.Eye.Box.W() / max(b.W(), 1)), float64(v.Eye.Box.H() / max(b.H(), 1)), b})
	}
	move(at.Eye)
}

// follower is a linked view in the coordinates of the one that it follows.
type follower struct {
	*Eye
	dx, dy, fx, fy float64
	of             Box
}

func (f follower) ZoomAt(sx, sy, factor float64) {
	b := f.Box
	f.Eye.ZoomAt(float64(b.X0)+(sx-float64(f.of.X0))*f.fx, float64(b.Y0)+(sy-float64(f.of.Y0))*f.fy, factor)
}

func (f follower) Pan(dsx, dsy float64) { f.Eye.Pan(dsx*f.fx, dsy*f.fy) }

// Pick takes what lies in a region, of the screen or of columns, into the selection of the document.
func (s *Stage) Pick(r selection.Picker, m Mode) {
	set, err := r.Pick(context.Background())
	if err != nil {
		s.Scene.Fail(err)
		return
	}
	old := parts.Selection.Of(s.Scene.Map.Doc.State())
	name := "Select points"
	switch m {
	case Add:
		set, name = selection.Union(old, set), "Add to the selection"
	case Subtract:
		set, name = selection.Subtract(old, set), "Take from the selection"
	case Intersect:
		set, name = selection.Intersect(old, set), "Keep of the selection"
	default:
		if set.Empty() {
			name = "Select nothing"
		}
		set = selection.Replace(old, set)
	}
	s.Scene.SetSelection(name, set)
}

// Selected is the selection of the document.
func (s *Stage) Selected() *selection.Set { return parts.Selection.Of(s.Scene.Map.Doc.State()) }

// SelectAll selects what the tool is about: all points, or all landmarks.
func (s *Stage) SelectAll() {
	if s.hand.Tool.Points {
		s.Scene.SetSelection("Select all points", selection.All(s.Scene.Map.Doc.Data.Points))
		return
	}
	s.hand.Landmarks.SelectAll()
}

// InvertSelection selects what is not selected. SelectNone lets go of all.
func (s *Stage) InvertSelection() {
	s.Scene.SetSelection("Invert the selection", selection.Invert(s.Selected(), s.Scene.Map.Doc.Data.Points))
}

func (s *Stage) SelectNone() {
	s.Scene.SetSelection("Select nothing", selection.None(s.Scene.Map.Doc.Data.Points))
}
