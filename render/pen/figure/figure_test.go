package figure

import (
	"slices"
	"testing"

	"blossom/model/job/export"
)

// The list of endings of pictures, which those ask who cannot know drawing, is of the formats that there are.
func TestEndingsOfPicturesAreListedOnce(t *testing.T) {
	var there []string
	for _, f := range Formats() {
		there = append(there, f.Ending)
		if f.Lines != export.OfLines("a"+f.Ending) {
			t.Errorf("%s is of lines: %v", f.Ending, f.Lines)
		}
	}
	if !slices.Equal(there, export.PictureEndings) {
		t.Errorf("formats are %q, and listed are %q", there, export.PictureEndings)
	}
}
