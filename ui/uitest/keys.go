package uitest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"
)

// parseChord returns the keys of a shortcut, modifiers first.
func parseChord(chord string) ([]imgui.Key, error) {
	if chord == "" {
		return nil, fmt.Errorf("an empty shortcut")
	}
	var out []imgui.Key
	for _, s := range strings.Split(chord, "+") {
		k, ok := parseKey(s)
		if !ok {
			return nil, fmt.Errorf("unknown key %q in %q", s, chord)
		}
		out = append(out, k)
	}
	return out, nil
}

func parseKey(s string) (imgui.Key, bool) {
	if k, ok := named[strings.ToLower(s)]; ok {
		return k, true
	}
	if len(s) == 1 {
		switch c := s[0]; {
		case c >= 'A' && c <= 'Z':
			return imgui.KeyA + imgui.Key(c-'A'), true
		case c >= 'a' && c <= 'z':
			return imgui.KeyA + imgui.Key(c-'a'), true
		case c >= '0' && c <= '9':
			return imgui.Key0 + imgui.Key(c-'0'), true
		}
	}
	if strings.HasPrefix(s, "F") {
		if n, err := strconv.Atoi(s[1:]); err == nil && n >= 1 && n <= 24 {
			return imgui.KeyF1 + imgui.Key(n-1), true
		}
	}
	return 0, false
}

var named = map[string]imgui.Key{
	"ctrl": imgui.KeyLeftCtrl, "rightctrl": imgui.KeyRightCtrl, "shift": imgui.KeyLeftShift,
	"rightshift": imgui.KeyRightShift, "alt": imgui.KeyLeftAlt, "rightalt": imgui.KeyRightAlt,
	"super": imgui.KeyLeftSuper, "space": imgui.KeySpace, "enter": imgui.KeyEnter, "esc": imgui.KeyEscape,
	"escape": imgui.KeyEscape, "tab": imgui.KeyTab, "delete": imgui.KeyDelete, "backspace": imgui.KeyBackspace,
	"left": imgui.KeyLeftArrow, "right": imgui.KeyRightArrow, "up": imgui.KeyUpArrow, "down": imgui.KeyDownArrow,
	"home": imgui.KeyHome, "end": imgui.KeyEnd, "pageup": imgui.KeyPageUp, "pagedown": imgui.KeyPageDown,
	".": imgui.KeyPeriod, ",": imgui.KeyComma, "/": imgui.KeySlash, "-": imgui.KeyMinus, "=": imgui.KeyEqual,
	";": imgui.KeySemicolon, "[": imgui.KeyLeftBracket, "]": imgui.KeyRightBracket,
	"numenter": imgui.KeyKeypadEnter, "numplus": imgui.KeyKeypadAdd, "numminus": imgui.KeyKeypadSubtract,
}
