package palette

import (
	"embed"
	"encoding/hex"
	"image/color"
	"strings"
)

//go:embed tables/*.txt
var files embed.FS

// table reads one of the embedded tables; they are part of the program, so a bad one is a bug.
func table(name, title string) *Palette {
	text, err := files.ReadFile("tables/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	rgb, err := hex.DecodeString(strings.Join(strings.Fields(string(text)), ""))
	if err != nil {
		panic(err)
	}
	p := &Palette{Name: name, Title: title, Kind: Sequential}
	for i := 0; i+2 < len(rgb); i += 3 {
		p.Colours = append(p.Colours, color.NRGBA{rgb[i], rgb[i+1], rgb[i+2], 255})
	}
	return p
}

// okabeIto returns the palette of Okabe and Ito, "Color Universal Design" (2008), yellow last and
// without black: neither can be told from one of the two backgrounds, and yellow at least can be seen.
func okabeIto() []color.NRGBA {
	return []color.NRGBA{
		{0x00, 0x72, 0xB2, 255}, // blue
		{0xE6, 0x9F, 0x00, 255}, // orange
		{0x00, 0x9E, 0x73, 255}, // bluish green
		{0xCC, 0x79, 0xA7, 255}, // reddish purple
		{0x56, 0xB4, 0xE9, 255}, // sky blue
		{0xD5, 0x5E, 0x00, 255}, // vermilion
		{0xF0, 0xE4, 0x42, 255}, // yellow
	}
}
