package shell

import (
	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// keyOf returns ImGui's name of a key. Letters and signs go by what the user's keyboard layout prints on
// them, so that Ctrl+Z is where the Z is; digits, function and keypad keys go by place.
func keyOf(k glfw.Key, scancode int) imgui.Key {
	if k >= glfw.KeyApostrophe && k <= glfw.KeyGraveAccent && (k < glfw.Key0 || k > glfw.Key9) {
		if name := glfw.GetKeyName(k, scancode); len(name) == 1 {
			switch c := name[0]; {
			case c >= 'a' && c <= 'z':
				return imgui.KeyA + imgui.Key(c-'a')
			case c >= 'A' && c <= 'Z':
				return imgui.KeyA + imgui.Key(c-'A')
			default:
				if v, ok := signs[c]; ok {
					return v
				}
			}
		}
	}
	switch {
	case k >= glfw.Key0 && k <= glfw.Key9:
		return imgui.Key0 + imgui.Key(k-glfw.Key0)
	case k >= glfw.KeyA && k <= glfw.KeyZ:
		return imgui.KeyA + imgui.Key(k-glfw.KeyA)
	case k >= glfw.KeyF1 && k <= glfw.KeyF24:
		return imgui.KeyF1 + imgui.Key(k-glfw.KeyF1)
	case k >= glfw.KeyKP0 && k <= glfw.KeyKP9:
		return imgui.KeyKeypad0 + imgui.Key(k-glfw.KeyKP0)
	}
	return keys[k]
}

var signs = map[byte]imgui.Key{
	'\'': imgui.KeyApostrophe, ',': imgui.KeyComma, '-': imgui.KeyMinus, '.': imgui.KeyPeriod,
	'/': imgui.KeySlash, ';': imgui.KeySemicolon, '=': imgui.KeyEqual, '[': imgui.KeyLeftBracket,
	'\\': imgui.KeyBackslash, ']': imgui.KeyRightBracket, '`': imgui.KeyGraveAccent,
}

var keys = map[glfw.Key]imgui.Key{
	glfw.KeyTab: imgui.KeyTab, glfw.KeyLeft: imgui.KeyLeftArrow, glfw.KeyRight: imgui.KeyRightArrow,
	glfw.KeyUp: imgui.KeyUpArrow, glfw.KeyDown: imgui.KeyDownArrow, glfw.KeyPageUp: imgui.KeyPageUp,
	glfw.KeyPageDown: imgui.KeyPageDown, glfw.KeyHome: imgui.KeyHome, glfw.KeyEnd: imgui.KeyEnd,
	glfw.KeyInsert: imgui.KeyInsert, glfw.KeyDelete: imgui.KeyDelete, glfw.KeyBackspace: imgui.KeyBackspace,
	glfw.KeySpace: imgui.KeySpace, glfw.KeyEnter: imgui.KeyEnter, glfw.KeyEscape: imgui.KeyEscape,
	glfw.KeyApostrophe: imgui.KeyApostrophe, glfw.KeyComma: imgui.KeyComma, glfw.KeyMinus: imgui.KeyMinus,
	glfw.KeyPeriod: imgui.KeyPeriod, glfw.KeySlash: imgui.KeySlash, glfw.KeySemicolon: imgui.KeySemicolon,
	glfw.KeyEqual: imgui.KeyEqual, glfw.KeyLeftBracket: imgui.KeyLeftBracket,
	glfw.KeyBackslash: imgui.KeyBackslash, glfw.KeyRightBracket: imgui.KeyRightBracket,
	glfw.KeyGraveAccent: imgui.KeyGraveAccent, glfw.KeyWorld1: imgui.KeyOem102, glfw.KeyWorld2: imgui.KeyOem102,
	glfw.KeyCapsLock: imgui.KeyCapsLock, glfw.KeyScrollLock: imgui.KeyScrollLock,
	glfw.KeyNumLock: imgui.KeyNumLock, glfw.KeyPrintScreen: imgui.KeyPrintScreen, glfw.KeyPause: imgui.KeyPause,
	glfw.KeyKPDecimal: imgui.KeyKeypadDecimal, glfw.KeyKPDivide: imgui.KeyKeypadDivide,
	glfw.KeyKPMultiply: imgui.KeyKeypadMultiply, glfw.KeyKPSubtract: imgui.KeyKeypadSubtract,
	glfw.KeyKPAdd: imgui.KeyKeypadAdd, glfw.KeyKPEnter: imgui.KeyKeypadEnter, glfw.KeyKPEqual: imgui.KeyKeypadEqual,
	glfw.KeyLeftShift: imgui.KeyLeftShift, glfw.KeyLeftControl: imgui.KeyLeftCtrl,
	glfw.KeyLeftAlt: imgui.KeyLeftAlt, glfw.KeyLeftSuper: imgui.KeyLeftSuper,
	glfw.KeyRightShift: imgui.KeyRightShift, glfw.KeyRightControl: imgui.KeyRightCtrl,
	glfw.KeyRightAlt: imgui.KeyRightAlt, glfw.KeyRightSuper: imgui.KeyRightSuper, glfw.KeyMenu: imgui.KeyMenu,
}
