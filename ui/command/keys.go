package command

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/shell"
)

// keyCodes are the names of keys in the table, known before any command registers itself.
var keyCodes = letterKeys(map[string]imgui.Key{
	"Delete": imgui.KeyDelete, "Backspace": imgui.KeyBackspace, "Space": imgui.KeySpace, "Tab": imgui.KeyTab,
	"Left": imgui.KeyLeftArrow, "Right": imgui.KeyRightArrow, "Up": imgui.KeyUpArrow, "Down": imgui.KeyDownArrow,
	"Enter": imgui.KeyEnter, "F1": imgui.KeyF1, "F2": imgui.KeyF2, "F6": imgui.KeyF6, "F12": imgui.KeyF12,
	"PageUp": imgui.KeyPageUp, "PageDown": imgui.KeyPageDown,
	".": imgui.KeyPeriod, ",": imgui.KeyComma, "-": imgui.KeyMinus, "=": imgui.KeyEqual,
})

func letterKeys(codes map[string]imgui.Key) map[string]imgui.Key {
	for r := 'A'; r <= 'Z'; r++ {
		codes[string(r)] = imgui.KeyA + imgui.Key(r-'A')
	}
	for r := '0'; r <= '9'; r++ {
		codes[string(r)] = imgui.Key0 + imgui.Key(r-'0')
	}
	return codes
}

// parseKey reads a shortcut of the table. "?", "+" and brackets are characters, not keys: they are somewhere else
// on every keyboard.
func parseKey(s string) (mods shell.Mods, key imgui.Key, char rune) {
	for {
		switch {
		case strings.HasPrefix(s, "Ctrl+"):
			mods, s = mods|shell.Ctrl, s[len("Ctrl+"):]
		case strings.HasPrefix(s, "Shift+"):
			mods, s = mods|shell.Shift, s[len("Shift+"):]
		case strings.HasPrefix(s, "Alt+"):
			mods, s = mods|shell.Alt, s[len("Alt+"):]
		case s == "?", s == "+", s == "[", s == "]":
			return mods, imgui.KeyNone, rune(s[0])
		default:
			return mods, keyCodes[s], 0
		}
	}
}

// Known says whether a shortcut can be pressed.
func Known(key string) bool {
	_, code, char := parseKey(key)
	return code != imgui.KeyNone || char != 0
}

// answers says whether an event is one of the command's keys.
func (c *Command[Subject]) answers(e shell.Event) bool {
	for _, k := range c.Keys {
		mods, key, char := parseKey(k)
		switch e.Kind {
		case shell.KeyDown:
			if char == 0 && key == e.Key && mods == e.Mods && (!e.Repeat || c.Repeat) {
				return true
			}
		case shell.Char:
			if char != 0 && e.Rune == char {
				return true
			}
		}
	}
	return false
}
