package main

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// needsGL skips the test where pictures cannot be drawn, unless the environment insists on it.
func needsGL(t *testing.T) {
	t.Helper()
	var h health
	parse(t, ok(t, t.TempDir(), "doctor", "--json").stdout, &h)
	if h.GL.Offscreen.Available {
		return
	}
	if os.Getenv("CI") != "" || os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
		t.Fatal(h.GL.Offscreen.Why)
	}
	t.Skip(h.GL.Offscreen.Why)
}

func decode(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return img
}

// colours counts the pixels of each strong colour that the picture holds.
func colours(img image.Image) map[[3]uint8]int {
	count := map[[3]uint8]int{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			c := [3]uint8{uint8(r >> 13), uint8(g >> 13), uint8(bl >> 13)}
			if max(c[0], c[1], c[2])-min(c[0], c[1], c[2]) >= 3 {
				count[c]++
			}
		}
	}
	return count
}

// dark counts the dark pixels of a picture.
func dark(img image.Image) (n int) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, bl, _ := img.At(x, y).RGBA(); r+g+bl < 3*0x6000 {
				n++
			}
		}
	}
	return n
}

// A picture without a display: the size that was asked for, many colours, the same bytes each time.
func TestRender(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		c := command(t, dir, append([]string{"render"}, args...)...)
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, "DISPLAY=") && !strings.HasPrefix(v, "WAYLAND_DISPLAY=") {
				c.Env = append(c.Env, v)
			}
		}
		r := finish(t, c)
		if r.code != 0 {
			t.Fatalf("render %q: %s", args, r.stderr)
		}
		for line := range strings.Lines(r.stderr) {
			if !strings.HasPrefix(line, "blossom: ") {
				t.Errorf("render %q: not a line of the program: %q", args, line)
			}
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	small := []string{"demo:cytometry:3000", "--som", "8x8", "--epochs", "4", "--size", "500x400"}
	run(append(small, "-o", "a.png")...)
	run(append(small, "-o", "b.png")...)
	a := decode(t, at("a.png"))
	if b := a.Bounds(); b.Dx() != 500 || b.Dy() != 400 {
		t.Errorf("%v", b)
	}
	if n := len(colours(a)); n < 10 {
		t.Errorf("%d strong colours for 31 populations", n)
	}
	if text(t, at("a.png")) != text(t, at("b.png")) {
		t.Error("two runs differ")
	}
	if !bytes.Contains([]byte(text(t, at("a.png"))), []byte("blossom")) {
		t.Error("the picture does not say what made it")
	}

	run(append(small, "-o", "clear.png", "--background", "transparent", "--no-legend", "--colour", "CD4",
		"--show-landmarks")...)
	clear := decode(t, at("clear.png"))
	if _, _, _, alpha := clear.At(0, 0).RGBA(); alpha != 0 {
		t.Errorf("the corner is not transparent: %d", alpha)
	}
	if n := len(colours(clear)); n < 3 {
		t.Errorf("%d strong colours", n)
	}
	run(append(small, "-o", "white.png", "--background", "white", "--no-legend")...)
	if r, g, b, _ := decode(t, at("white.png")).At(0, 0).RGBA(); r&g&b != 0xffff {
		t.Errorf("the corner of a white picture is %d, %d, %d", r, g, b)
	}

	// Contours lie over the points, or stand in their place; a map in 3D has none, which is said.
	run(append(small, "-o", "over.png", "--contours", "over", "--no-legend")...)
	run(append(small, "-o", "alone.png", "--contours", "alone", "--no-legend")...)
	run(append(small, "-o", "points.png", "--contours", "none", "--no-legend")...)
	run(append(small, "-o", "as.png", "--no-legend")...)
	over, alone := decode(t, at("over.png")), decode(t, at("alone.png"))
	if text(t, at("over.png")) == text(t, at("as.png")) || text(t, at("points.png")) != text(t, at("as.png")) ||
		len(colours(over)) < 10 || len(colours(alone)) > 0 || dark(alone) < 500 {
		t.Errorf("%d strong colours below contours, %d in their place, %d dark pixels", len(colours(over)),
			len(colours(alone)), dark(alone))
	}
	blossom(t, dir, "render", "demo:cytometry:100", "-o", "e.png", "--contours", "filled").refused(t, exitUsage,
		"filled", "over or alone")

	// A table that embed wrote can be drawn, by itself and as the coordinates of its input.
	ok(t, dir, "embed", "demo:cytometry:3000", "--som", "8x8", "--epochs", "4", "-o", "map.csv")
	run("map.csv", "-o", "plain.png", "--size", "300x300")
	if n := len(colours(decode(t, at("plain.png")))); n < 6 {
		t.Errorf("%d strong colours for the density of a table of coordinates", n)
	}
	run("map.csv", "-o", "flat.png", "--size", "300x300", "--colour", "none")
	if a, b := text(t, at("plain.png")), text(t, at("flat.png")); a == b {
		t.Error("--colour none changes nothing")
	}
	run("demo:cytometry:3000", "--coordinates", "map.csv", "-o", "c.png", "--size", "500x400")
	if n := len(colours(decode(t, at("c.png")))); n < 10 {
		t.Errorf("%d strong colours with --coordinates", n)
	}
	blossom(t, dir, "render", "demo:cytometry:2000", "--coordinates", "map.csv", "-o", "d.png").refused(t, exitFailed,
		"map.csv", "3000 rows")

	if said := ok(t, dir, "render", "demo:mammoth:2000", "--som", "3x3x3", "--epochs", "2", "--colour", "none",
		"--size", "300x200", "-o", "three.png", "--contours", "over").stderr; !strings.Contains(said, "drawn without") {
		t.Errorf("contours in 3D: %s", said)
	}
	run("demo:mammoth:1", "--size", "100x100", "-o", "one.png")
	if len(colours(decode(t, at("three.png")))) == 0 {
		t.Error("nothing is drawn in three dimensions")
	}
}

// `make run` draws a picture where no window can open: without a display, and with one that is dead.
func TestOpenWithoutDisplay(t *testing.T) {
	needsGL(t)
	script, err := filepath.Abs("../../.ci/open")
	if err != nil {
		t.Fatal(err)
	}
	for name, display := range map[string]string{"none": "", "dead": ":98765"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Symlink(binary(t), filepath.Join(dir, "blossom")); err != nil {
				t.Fatal(err)
			}
			c := exec.Command("bash", script, "blossom", "mammoth:2000")
			c.Dir = dir
			c.Env = append(os.Environ(), "DISPLAY="+display, "WAYLAND_DISPLAY=")
			r := finish(t, c)
			if r.code != 0 || !strings.Contains(r.stdout, "no window can open") ||
				strings.Contains(r.stdout, ":98765") != (name == "dead") {
				t.Fatalf("exit code %d: %s%s", r.code, r.stdout, r.stderr)
			}
			decode(t, filepath.Join(dir, "build", "mammoth-2000.png"))
		})
	}
}

// Without OpenGL or without a display the error says what to install or to do instead.
func TestMissingGL(t *testing.T) {
	dir := t.TempDir()
	c := command(t, dir, "render", "demo:tesseract:100", "--som", "3x3", "-o", "out.png")
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "__EGL_VENDOR_LIBRARY_FILENAMES=/dev/null"}
	if r := finish(t, c); r.code != 0 { // a system without vendor-neutral EGL does not heed the variable
		r.refused(t, exitFailed, "install")
		if left := names(t, dir); len(left) > 0 {
			t.Errorf("it left %q", left)
		}
	}
	c = command(t, dir, "demo:tesseract:100")
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	if r := finish(t, c); buildTags != "" {
		r.refused(t, exitFailed, "without its window")
	} else {
		r.refused(t, exitFailed, "DISPLAY", "xvfb-run")
	}
}
