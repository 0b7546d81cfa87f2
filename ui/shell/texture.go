package shell

import "github.com/AllenDang/cimgui-go/imgui"

// TextureRef makes a GL texture's name usable with ImGui's images. Make it once per texture, not per
// frame: it is a small C object that is never freed.
func TextureRef(id uint32) imgui.TextureRef {
	return *imgui.NewTextureRefTextureID(imgui.TextureID(id))
}
