package shell

import (
	"image"

	"blossom/assets/icon"
)

// icons draws the window's icon: a blossom of five petals, in the sizes that window systems ask for.
func icons() []image.Image {
	var out []image.Image
	for _, n := range []int{16, 32, 48, 64, 128} {
		out = append(out, icon.Blossom(n))
	}
	return out
}
