// Package assets holds the files that the program carries inside itself: fonts and icons.
// Each has its licence beside it in fonts/.
package assets

import _ "embed"

// Inter (SIL OFL 1.1), OpenType, cut down by fonts/build.py to the scripts and symbols that the
// interface shows. InterNumbers holds only the ten digits, all of one width; put it in front of
// InterRegular where numbers change in place.
var (
	//go:embed fonts/Inter-Regular.otf
	InterRegular []byte
	//go:embed fonts/Inter-Medium.otf
	InterMedium []byte
	//go:embed fonts/Inter-SemiBold.otf
	InterSemiBold []byte
	//go:embed fonts/InterNumbers-Regular.otf
	InterNumbers []byte
)

// LucideIcons is the Lucide icon font (ISC), TrueType, with the icons of icons.go.
//
//go:embed fonts/lucide.ttf
var LucideIcons []byte

//go:generate python3 fonts/build.py /usr/share/fonts/opentype/inter lucide-static/font
