package shell

import (
	"image"
	"unsafe"

	"github.com/AllenDang/cimgui-go/backend"
	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/giu"
)

// adapter lets giu's widgets live in our window. What giu's own master window would do with a backend
// (create it, run it, size it) is the shell's work here, so those methods do nothing.
type adapter struct{ c *Context }

var _ giu.GIUBackend = (*adapter)(nil)

func (a *adapter) SetAfterCreateContextHook(func())                          {}
func (a *adapter) SetBeforeDestroyContextHook(func())                        {}
func (a *adapter) SetBeforeRenderHook(func())                                {}
func (a *adapter) SetAfterRenderHook(func())                                 {}
func (a *adapter) SetBgColor(v imgui.Vec4)                                   { a.c.SetBackground(v.X, v.Y, v.Z) }
func (a *adapter) Run(func())                                                {}
func (a *adapter) Refresh()                                                  { a.c.Post(func() {}) }
func (a *adapter) SetWindowPos(int, int)                                     {}
func (a *adapter) SetWindowSize(int, int)                                    {}
func (a *adapter) SetWindowSizeLimits(int, int, int, int)                    {}
func (a *adapter) SetWindowTitle(s string)                                   { a.c.SetTitle(s) }
func (a *adapter) SetShouldClose(v bool)                                     { a.c.closing = v }
func (a *adapter) SetTargetFPS(uint)                                         {}
func (a *adapter) SetDropCallback(backend.DropCallback)                      {}
func (a *adapter) SetCloseCallback(backend.WindowCloseCallback)              {}
func (a *adapter) SetKeyCallback(backend.KeyCallback)                        {}
func (a *adapter) SetSizeChangeCallback(backend.SizeChangeCallback)          {}
func (a *adapter) SetWindowFlags(giu.MasterWindowFlags, int)                 {}
func (a *adapter) SetIcons(...image.Image)                                   {}
func (a *adapter) SetSwapInterval(giu.MasterWindowFlags) error               { return nil }
func (a *adapter) SetCursorPos(float64, float64)                             {}
func (a *adapter) SetInputMode(giu.MasterWindowFlags, giu.MasterWindowFlags) {}
func (a *adapter) CreateWindow(string, int, int)                             {}

func (a *adapter) GetWindowPos() (x, y int32) {
	g := a.c.Geometry()
	return int32(g.X), int32(g.Y)
}

func (a *adapter) DisplaySize() (width, height int32) {
	return int32(a.c.size.X), int32(a.c.size.Y)
}

func (a *adapter) ContentScale() (x, y float32) { return a.c.scale, a.c.scale }

func (a *adapter) CreateTexture(pixels unsafe.Pointer, w, h int) imgui.TextureRef {
	return TextureRef(glTexture(pixels, w, h))
}

func (a *adapter) CreateTextureRgba(img *image.RGBA, w, h int) imgui.TextureRef {
	return TextureRef(glTexture(unsafe.Pointer(&img.Pix[0]), w, h))
}

func (a *adapter) DeleteTexture(t imgui.TextureRef) { glDeleteTexture(uint32(t.TexID())) }

// TextureRef makes a GL texture's name usable with ImGui's images. Make it once per texture, not per
// frame: it is a small C object that is never freed.
func TextureRef(id uint32) imgui.TextureRef {
	return *imgui.NewTextureRefTextureID(imgui.TextureID(id))
}
