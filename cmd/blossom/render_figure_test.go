package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A picture is written in the format that its name ends in, with its size on paper, the same bytes each time.
func TestAPictureIsAFigureOfItsSize(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	for name, want := range map[string]string{"f.svg": `width="85mm" height="60mm" viewBox="0 0 1004 709"`,
		"f.pdf": "/MediaBox [0 0 240.94 170.08]", "f.png": "\x89PNG"} {
		var first []byte
		for range 2 {
			ok(t, dir, "render", "demo:cytometry:500", "--at", "FSC-A,SSC-A", "--colour", "CD4", "--width", "85mm",
				"--height", "6cm", "--font", "7pt", "--title", "größer Δ", "-o", name)
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Contains(b, []byte(want)) {
				t.Fatalf("%s has no %q: %v", name, want, err)
			}
			if first != nil && !bytes.Equal(first, b) {
				t.Errorf("%s: other bytes the second time", name)
			}
			first = b
		}
	}
	b, _ := os.ReadFile(filepath.Join(dir, "f.svg"))
	for x := xml.NewDecoder(bytes.NewReader(b)); ; {
		if _, err := x.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Contains(b, []byte(">größer Δ</text>")) {
		t.Error("the title is no text")
	}
	ok(t, dir, "render", "demo:cytometry:300", "--at", "FSC-A,SSC-A", "--points", "vectors", "-o", "v.svg")
	v, _ := os.ReadFile(filepath.Join(dir, "v.svg"))
	if n := bytes.Count(v, []byte("<circle")); n < 250 || n > 300 || bytes.Contains(v, []byte("<image")) {
		t.Errorf("%d circles of 300 points", n)
	}
}

// A wall is a page of maps, each coloured by a column, with letters; one range is that of all.
func TestAWallIsAPageOfMaps(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	page := func(flags ...string) string {
		args := append([]string{"render", "demo:cytometry:500", "--at", "FSC-A,SSC-A", "--wall", "CD3,CD19,population",
			"--width", "174mm", "--height", "70mm", "-o", "w.svg"}, flags...)
		ok(t, dir, args...)
		b, err := os.ReadFile(filepath.Join(dir, "w.svg"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	own := page("--letters", "--across", "3", "--title", "Figure 1")
	for _, want := range []string{">c</text>", ">Figure 1</text>", ">CD19</text>", ">population</text>", `id="panel-3"`,
		`id="points-3"`} {
		if !strings.Contains(own, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(own, "<image"); n != 3 {
		t.Errorf("%d pictures of points", n)
	}
	if one := page("--one-range"); one == own || strings.Contains(one, ">c</text>") ||
		strings.Count(one, "<linearGradient") != 2 {
		t.Error("one range is no other page than one each")
	}
	for flags, says := range map[string]string{"--wall CD3,nobody": "nobody", "--letters": "add --wall",
		"--wall CD3 --colour-and CD4": "leave one of them out", "--wall CD3 --across -1": "not possible"} {
		args := append([]string{"render", "demo:cytometry:200", "--at", "FSC-A,SSC-A", "-o", "x.svg"},
			strings.Fields(flags)...)
		if r := blossom(t, dir, args...); r.code == 0 || !strings.Contains(r.stderr, says) {
			t.Errorf("%s: %d, %s", flags, r.code, r.stderr)
		}
	}
}

// Sizes that cannot be are refused in a line that says what can, and nothing is written.
func TestAFigureThatCannotBeIsRefused(t *testing.T) {
	dir := t.TempDir()
	for _, x := range []struct {
		flags string
		says  string
	}{
		{"--size 100000x100000 -o p.png", "about 16,000 x 16,000 pixels"},
		{"--width 2000mm --height 2000mm -o p.pdf", "use at most 208 dpi"},
		{"--width 85 -o p.svg", "with its unit"}, {"--width 85mm --font big -o p.svg", "write points: 7pt"},
		{"--width 1mm -o p.svg", "use 5 to 5000 mm"}, {"--width 85mm --size 100x100 -o p.svg", "leave one of them out"},
		{"--font 9pt -o p.svg", "add --width 85mm"}, {"--points dots -o p.svg", "use pixels or vectors"},
		{"--points vectors -o p.png", "write an SVG or a PDF"},
		{"-o p.tiff", "use a name that ends in .png, .svg or .pdf"},
		{"--width 85mm --dpi 0 -o p.svg", "use 20 to 2400 dpi"},
	} {
		args := append([]string{"render", "demo:cytometry:200", "--at", "FSC-A,SSC-A"}, strings.Fields(x.flags)...)
		if r := blossom(t, dir, args...); r.code != 2 || !strings.Contains(r.stderr, x.says) {
			t.Errorf("%s: %d, %s", x.flags, r.code, r.stderr)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}

// A figure that cannot be written leaves what was there, and no half file; more points than shapes may be are refused.
func TestAFigureThatFailsLeavesNothing(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	if r := blossom(t, dir, "render", "demo:cytometry:51000", "--at", "FSC-A,SSC-A", "--points", "vectors", "-o",
		"p.pdf"); r.code != 1 || !strings.Contains(r.stderr, "at most 50,000") {
		t.Errorf("%d, %s", r.code, r.stderr)
	}
	for _, ending := range []string{".svg", ".pdf"} {
		if r := blossom(t, dir, "render", "demo:cytometry:200", "--at", "FSC-A,SSC-A", "-o",
			filepath.Join("nowhere", "p"+ending)); r.code != 1 || !strings.Contains(r.stderr, "nowhere") {
			t.Errorf("%d, %s", r.code, r.stderr)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}
