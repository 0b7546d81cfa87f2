package fallback

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// mostFiles is how many font files are looked at: some systems have those of a whole typesetter.
const mostFiles = 4000

// preferred are the beginnings of the names of fonts that suit the program's own, best first. Those without serifs and
// with many scripts come first; fonts of other names follow them.
var preferred = []string{
	"notosans-regular", "notosanscjk-regular", "notosanscjk", "notosanscjksc", "notosanscjkjp",
	"notosanscjkkr", "notosanssc", "notosansjp", "notosanskr", "notosanstc", "sourcehansans", "pingfang",
	"hiragino", "ヒラギノ", "applesdgothicneo", "msyh", "yugoth", "meiryo", "malgun", "segoeui",
	"droidsansfallbackfull", "droidsansfallback", "wqy", "unbatang", "nanumgothic", "ipagp", "takao",
	"notosans", "arialunicode", "arial unicode", "dejavusans", "freesans", "seguisym",
}

// blank are fonts that have a box for every character, which tells nobody anything.
var blank = []string{"lastresort", "adobeblank", "notosansblank"}

// systemRoots are the folders in which the system keeps fonts.
func systemRoots() []string {
	home, _ := os.UserHomeDir()
	switch runtime.GOOS {
	case "windows":
		return []string{filepath.Join(os.Getenv("WINDIR"), "Fonts"),
			filepath.Join(os.Getenv("LOCALAPPDATA"), "Microsoft", "Windows", "Fonts")}
	case "darwin":
		return []string{"/System/Library/Fonts", "/Library/Fonts", filepath.Join(home, "Library", "Fonts"),
			"/System/Library/AssetsV2/com_apple_MobileAsset_Font7"}
	}
	data := os.Getenv("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(home, ".local", "share")
	}
	roots := []string{filepath.Join(data, "fonts"), filepath.Join(home, ".fonts"), "/usr/local/share/fonts",
		"/usr/share/fonts"}
	for _, d := range filepath.SplitList(os.Getenv("XDG_DATA_DIRS")) {
		roots = append(roots, filepath.Join(d, "fonts"))
	}
	return roots
}

// list returns the font files of some folders and those below, best first.
func list(roots []string) []*file {
	var files []*file
	seen := map[string]bool{}
	for _, root := range roots {
		if !filepath.IsAbs(root) { // a variable that is not set
			continue
		}
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // a folder that cannot be read has no fonts for us
			}
			if len(files) >= mostFiles {
				return filepath.SkipAll
			}
			if !d.IsDir() && isFont(path) && !seen[path] {
				seen[path] = true
				files = append(files, &file{path: path, rank: rank(path)})
			}
			return nil
		})
	}
	slices.SortStableFunc(files, func(a, b *file) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return strings.Compare(a.path, b.path)
	})
	return files
}

func isFont(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	starts := func(s string) bool { return strings.HasPrefix(name, s) }
	if slices.ContainsFunc(blank, starts) {
		return false
	}
	switch filepath.Ext(name) {
	case ".ttf", ".otf", ".ttc", ".otc":
		return true
	}
	return false
}

// rank is smaller for better fonts: first by name, among equals upright and regular ones first.
func rank(path string) int {
	name := strings.ReplaceAll(strings.ToLower(filepath.Base(path)), "-vf", "-regular")
	r := len(preferred)
	for i, p := range preferred {
		if strings.HasPrefix(name, p) {
			r = i
			break
		}
	}
	r *= 4
	for _, w := range []string{"bold", "italic", "oblique", "light", "thin", "black", "heavy", "mono", "serif"} {
		if strings.Contains(name, w) {
			r += 2
			break
		}
	}
	if !strings.Contains(name, "regular") {
		r++
	}
	return r
}

// file is a font file that may serve.
type file struct {
	path   string
	rank   int
	probed bool
	faces  []*sfnt.Font // all faces of a collection, none if it cannot be read; they read the file when they must
}

// with returns the first font of the file that can draw a character.
func (f *file) with(r rune) (int, *sfnt.Font) {
	if !f.probed {
		f.probed = true
		if c, err := sfnt.ParseCollectionReaderAt(reader(f.path)); err == nil {
			for i := range c.NumFonts() {
				if s, err := c.Font(i); err == nil {
					f.faces = append(f.faces, s)
				} else {
					break // so that places in the list are those in the file
				}
			}
		}
	}
	for i, s := range f.faces {
		if draws(s, r) {
			return i, s
		}
	}
	return 0, nil
}

// draws reports whether a font has an outline for a character, not just a picture of fixed size.
func draws(s *sfnt.Font, r rune) bool {
	if !Has(s, r) {
		return false
	}
	var b sfnt.Buffer
	i, _ := s.GlyphIndex(&b, r)
	if _, err := s.LoadGlyph(&b, i, fixed.I(16), nil); err != nil {
		return false
	}
	_, err := s.GlyphAdvance(&b, i, fixed.I(16), font.HintingNone)
	return err == nil
}

// reader reads a file by its path, without keeping it open: hundreds of fonts may be looked at.
type reader string

// ReadAt opens the file, reads from it and closes it.
func (r reader) ReadAt(p []byte, off int64) (int, error) {
	f, err := os.Open(string(r))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, off)
}
