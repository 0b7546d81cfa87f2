package assets

import (
	"testing"

	"golang.org/x/image/font/sfnt"
)

// Every character that the interface relies on is in the embedded fonts.
func TestFontsCoverTheirCharacters(t *testing.T) {
	text := "Aaźß γδβσα Жя → ≤ ≥ − × ∞ √ ² ₂ · – — … ⌘ ⇧ “” %"
	icons := IconMove + IconCircleDot + IconPencil + IconLasso + IconTag + IconChevronDown + IconX + IconFlower
	for name, c := range map[string]struct {
		font []byte
		text string
	}{
		"Regular": {InterRegular, text}, "Medium": {InterMedium, text}, "SemiBold": {InterSemiBold, text},
		"Numbers": {InterNumbers, "0123456789"}, "Icons": {LucideIcons, icons},
	} {
		f, err := sfnt.Parse(c.font)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, r := range c.text {
			if i, err := f.GlyphIndex(nil, r); err != nil || (i == 0 && r != ' ') {
				t.Errorf("%s: no glyph for %q", name, r)
			}
		}
	}
}

// All digits of InterNumbers are of one width; those of Inter are not, or the second font is needless.
func TestNumbersAreTabular(t *testing.T) {
	widths := func(b []byte) map[int]bool {
		f, err := sfnt.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for r := '0'; r <= '9'; r++ {
			i, _ := f.GlyphIndex(nil, r)
			a, err := f.GlyphAdvance(nil, i, 1000<<6, 0)
			if err != nil {
				t.Fatal(err)
			}
			seen[int(a)] = true
		}
		return seen
	}
	if n := len(widths(InterNumbers)); n != 1 {
		t.Errorf("InterNumbers has digits of %d widths, want 1", n)
	}
	if n := len(widths(InterRegular)); n < 2 {
		t.Errorf("InterRegular has digits of %d widths: InterNumbers would not be needed", n)
	}
}
