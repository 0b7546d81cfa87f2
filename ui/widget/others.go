package widget

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"blossom/assets"
	"blossom/render/text/fallback"

	"github.com/AllenDang/cimgui-go/imgui"
	"golang.org/x/image/font/sfnt"
)

// others are the characters that the program's own fonts lack. They are looked for in the fonts of the system when
// they are first drawn, in the background; the font that has one is then merged into ours.
type others struct {
	drawn  map[rune]string // the text drawn for each character that was looked for
	asked  map[rune]bool   // characters that are being looked for
	next   []rune          // and those to look for after these
	busy   bool            // a search runs
	merged map[*fallback.Font]bool
	turned map[string]string // lines with words that are read from the right, from left to right
}

// sought stands for a character while its font is looked for.
const sought = "·"

// ours is the font whose characters all of the program's text fonts have.
var ours = sync.OnceValue(func() *sfnt.Font {
	f, err := sfnt.Parse(assets.InterRegular)
	if err != nil {
		panic(err) // part of the program
	}
	return f
})

// pins keep the fonts that ImGui reads where they are, to the end of the program.
var pins runtime.Pinner

// shown returns what is drawn for s, from left to right: characters that no font has are written as their numbers
// ("U+4E2D").
func (u *UI) shown(f Face, s string) string {
	if faces[f].file == icons {
		return s
	}
	for i := 0; i < len(s); i++ {
		if s[i] > 0x7e {
			return u.spell(s)
		}
	}
	return s
}

func (u *UI) spell(s string) string {
	o := &u.looks.other
	s = o.turn(s)
	odd := func(r rune) bool { return r > 0x7e && o.drawn[r] != string(r) && !fallback.Has(ours(), r) }
	if strings.IndexFunc(s, odd) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !odd(r) {
			b.WriteRune(r)
			continue
		}
		text, known := o.drawn[r]
		if !known {
			text = sought
			if fallback.Silent(r) {
				text = ""
			} else if !o.asked[r] {
				if o.asked == nil {
					o.asked = map[rune]bool{}
				}
				o.asked[r] = true
				o.next = append(o.next, r)
			}
		}
		b.WriteString(text)
	}
	u.search()
	return b.String()
}

// search looks for the characters that were asked for.
func (u *UI) search() {
	o := &u.looks.other
	if o.busy || len(o.next) == 0 || u.env == nil {
		return
	}
	runes, post := o.next, u.env.Post
	o.next, o.busy = nil, true
	go func() {
		fonts := make([]*fallback.Font, len(runes))
		for i, r := range runes {
			fonts[i] = fallback.System.Find(r)
		}
		post(func() {
			o.busy = false
			for i, r := range runes {
				u.found(r, fonts[i])
			}
			u.search()
		})
	}()
}

// found takes over what was found for a character; between frames, as fonts change.
func (u *UI) found(r rune, f *fallback.Font) {
	o := &u.looks.other
	if o.drawn == nil {
		o.drawn, o.merged = map[rune]string{}, map[*fallback.Font]bool{}
	}
	delete(o.asked, r)
	o.drawn[r] = fallback.Escape(r)
	if f != nil && u.merge(f) {
		o.drawn[r] = string(r)
	}
}

// merge adds a font to those of text, after their own.
func (u *UI) merge(f *fallback.Font) bool {
	if ok, known := u.looks.other.merged[f]; known {
		return ok
	}
	data := unsafe.Pointer(&f.Data[0])
	pins.Pin(data)
	ok := true
	for i, to := range u.looks.fonts {
		if fontFile(i) == icons {
			continue
		}
		cfg := imgui.NewFontConfig()
		cfg.SetFontDataOwnedByAtlas(false)
		cfg.SetMergeMode(true)
		cfg.SetDstFont(to)
		cfg.SetFontNo(uint32(f.Index))
		added := imgui.CurrentIO().Fonts().AddFontFromMemoryTTFV(uintptr(data), int32(len(f.Data)), 0, cfg, nil)
		ok = ok && added != nil && added.CData != nil
		cfg.Destroy()
	}
	u.looks.other.merged[f] = ok
	return ok
}
