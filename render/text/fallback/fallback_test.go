package fallback_test

import (
	"os"
	"path/filepath"
	"testing"

	"blossom/render/text/fallback"
	"blossom/render/text/fallback/fallbacktest"
)

// The best font that has a character is taken; what is no font, or one of boxes, is passed over.
func TestFontsOfOtherScriptsAreFound(t *testing.T) {
	dir := fallbacktest.With(t, "中文")
	font := func(runes string) []byte { return fallbacktest.Font(t, runes) }
	for name, data := range map[string][]byte{
		"broken.ttf": []byte("no font"), "empty.ttc": nil, "note.txt": []byte("中"), "LastResort.otf": font("か"),
		"deep/DejaVuSans.ttf": font("ⴰ中"), "deep/NotoSansCJK-Bold.ttc": font("中한"),
		"deep/NotoSansCJK-Regular.ttc": font("中한"),
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for r, want := range map[rune]string{
		'中': "NotoSansCJK-Regular.ttc", '한': "NotoSansCJK-Regular.ttc",
		'文': "some.ttf", 'ⴰ': "DejaVuSans.ttf", 'か': "",
	} {
		got := ""
		if f := fallback.System.Find(r); f != nil {
			got = filepath.Base(f.Path)
			if !fallback.Has(f.Face, r) {
				t.Errorf("%s has no %q", got, r)
			}
		}
		if got != want {
			t.Errorf("%q is drawn with %q, want %q", r, got, want)
		}
	}
	if fallback.In("", filepath.Join(dir, "none")).Find('中') != nil {
		t.Error("a font of no folder")
	}
}
