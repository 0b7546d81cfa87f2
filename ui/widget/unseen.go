package widget

import (
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Unseen is the controls of no window, for what is drawn into files: nothing can be drawn with them, and the frames
// that they ask for never come. A point is so many units.
func Unseen(scale float32) *UI {
	return &UI{Open: map[string]bool{}, theme: Light(), scale: scale, pixel: 1, env: nowhere{}, names: newNames(),
		kept: map[string]any{}}
}

// nowhere is the window of controls that have none.
type nowhere struct{}

func (nowhere) Scale() float32                { return 1 }
func (nowhere) FramebufferScale() float32     { return 1 }
func (nowhere) Size() imgui.Vec2              { return imgui.Vec2{} }
func (nowhere) Now() time.Time                { return time.Time{} }
func (nowhere) Within(time.Duration)          {}
func (nowhere) HoldKeys()                     {}
func (nowhere) Post(func())                   {}
func (nowhere) SetBackground(_, _, _ float32) {}
