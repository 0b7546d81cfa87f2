package film

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/job/export"
	"blossom/render/scene/film/filmtest"
)

// frames are pictures that differ in a part only, or not at all.
func frames(n, w, h int, transparent bool) (out []*image.RGBA) {
	rng := rand.New(rand.NewPCG(7, 7))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		if img.Pix[i] = uint8(i / 4 % 200); i%4 == 3 {
			img.Pix[i] = 255
		}
	}
	for k := range n {
		next := image.NewRGBA(img.Rect)
		copy(next.Pix, img.Pix)
		if k%4 != 3 {
			at := image.Pt(rng.IntN(w), rng.IntN(h))
			for y := at.Y; y < min(h, at.Y+5); y++ {
				for x := at.X; x < min(w, at.X+9); x++ {
					c := color.RGBA{uint8(rng.IntN(256)), uint8(10 * k), 30, 255}
					if transparent && x%2 == 0 {
						c = color.RGBA{}
					}
					next.SetRGBA(x, y, c)
				}
			}
		}
		out, img = append(out, next), next
	}
	return out
}

func written(t *testing.T, name string, all []*image.RGBA, o Options) ([]byte, error) {
	t.Helper()
	f, err := ForPath(name)
	if err != nil {
		t.Fatal(err)
	}
	o.Path = filepath.Join(t.TempDir(), name)
	o.Width, o.Height, o.Frames = all[0].Rect.Dx(), all[0].Rect.Dy(), len(all)
	var b bytes.Buffer
	w, err := f.New(t.Context(), &b, o)
	if err != nil {
		return nil, err
	}
	for _, img := range all {
		if err == nil {
			err = w.Frame(img)
		}
	}
	if err == nil {
		err = w.End()
	}
	w.Close()
	w.Close()
	if left, _ := os.ReadDir(filepath.Dir(o.Path)); len(left) > 0 {
		t.Errorf("%s leaves %v", name, left)
	}
	return b.Bytes(), err
}

// A name that no film can have is refused with those that one can have.
func TestANameThatIsNoFilmsIsRefused(t *testing.T) {
	const unsaid = "its name does not say which kind of film it is"
	for name, want := range map[string]string{"/dev/full": unsaid, "x.": unsaid,
		"x.gif": "films are not written as gif"} {
		_, err := ForPath(name)
		if p := problem.As(err); p.What != want || !strings.Contains(p.Remedy, ".avi") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnimatedPNGsHoldTheFramesExactly(t *testing.T) {
	for _, transparent := range []bool{false, true} {
		all := frames(23, 61, 40, transparent)
		file, err := written(t, "a.png", all, Options{Rate: 12, Transparent: transparent,
			Text: [][2]string{{"Recipe", "abc"}, {"Comment", "naïve"}}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := filmtest.APNG(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Frames) != len(all) || got.Rate != 12 || got.Loops != 0 || got.Text["Recipe"] != "abc" {
			t.Fatalf("%d frames, %g a second, %d loops, %v", len(got.Frames), got.Rate, got.Loops, got.Text)
		}
		for k := range all {
			if !bytes.Equal(got.Frames[k].Pix, all[k].Pix) {
				t.Errorf("transparent %v: frame %d is another", transparent, k+1)
			}
		}
		first, err := pngOf(file)
		if err != nil || !bytes.Equal(first.Pix, all[0].Pix) {
			t.Errorf("a reader without animation sees another first frame (%v)", err)
		}
	}
}

func TestAVIsHoldTheFramesNearly(t *testing.T) {
	all := frames(17, 64, 48, false)
	file, err := written(t, "a.avi", all, Options{Rate: 30, Text: [][2]string{{"Software", "x"}, {"Recipe", "rec"}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := filmtest.AVI(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Frames) != 17 || got.Rate != 30 || got.Text["ISFT"] != "x" || got.Text["IKEY"] != "rec" {
		t.Fatalf("%d frames, %g a second, %v", len(got.Frames), got.Rate, got.Text)
	}
	for k := range all {
		if d := apart(got.Frames[k], all[k]); d > 12 {
			t.Errorf("frame %d is %g levels from what it was", k+1, d)
		}
	}
}

// apart is the mean distance of two pictures, in levels of 255.
func apart(a, b *image.RGBA) float64 {
	sum := 0
	for i := range a.Pix {
		d := int(a.Pix[i]) - int(b.Pix[i])
		sum += max(d, -d)
	}
	return float64(sum) / float64(len(a.Pix))
}

func TestAVIsThatWouldBeTooLargeAreRefused(t *testing.T) {
	was := mostAVI
	t.Cleanup(func() { mostAVI = was })
	mostAVI = 10_000
	_, err := written(t, "a.avi", frames(40, 64, 48, false), Options{Rate: 25})
	if err == nil || !strings.Contains(err.Error(), "larger than an AVI can be") ||
		!strings.Contains(err.Error(), ".png") {
		t.Fatal(err)
	}
}

func TestFilmsByFFmpeg(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip(err)
	}
	all := frames(12, 64, 48, false)
	recipe := "the recipe; of = # " + strings.Repeat("a long one, ", 40_000) + `\end`
	for _, name := range []string{"a.mp4", "a.webm"} {
		file, err := written(t, name, all, Options{Rate: 20, Text: [][2]string{{"Comment", "c"}, {"Recipe", recipe}}})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(file, []byte(recipe)) {
			t.Errorf("%s carries no recipe", name)
		}
		at := bytes.Index(file, []byte("moov"))
		if name == "a.mp4" && (at < 0 || at > bytes.Index(file, []byte("mdat"))) {
			t.Errorf("%s cannot be played before all of it is there", name)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		raw, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba",
			"-").Output()
		if err != nil || len(raw) != 12*64*48*4 {
			t.Fatalf("%s: %d bytes, %v", name, len(raw), err)
		}
		for k := range all {
			got := &image.RGBA{Pix: raw[k*64*48*4:][:64*48*4], Stride: 64 * 4, Rect: all[k].Rect}
			if d := apart(got, all[k]); d > 12 {
				t.Errorf("%s: frame %d is %g levels from what it was", name, k+1, d)
			}
		}
	}
}

func TestFFmpegThatIsMissingOrFailsIsToldOf(t *testing.T) {
	was := program
	t.Cleanup(func() { program = was })
	program = filepath.Join(t.TempDir(), "none")
	f, _ := ForPath("x.mp4")
	err := f.Check(Options{Path: "x.mp4", Width: 2, Height: 2})
	if err == nil || !strings.Contains(err.Error(), "install ffmpeg, or write .avi or .png") {
		t.Errorf("missing: %v", err)
	}
	if _, err := written(t, "x.webm", frames(2, 8, 8, false), Options{Rate: 5}); err == nil {
		t.Error("a film without the program")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	program = filepath.Join(t.TempDir(), "failing")
	script := "#!/bin/sh\necho Unknown encoder libx264 >&2\nexit 1\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = written(t, "x.mp4", frames(300, 64, 64, false), Options{Rate: 5})
	if err == nil || !strings.Contains(err.Error(), "ffmpeg has failed: Unknown encoder libx264") {
		t.Errorf("failing: %v", err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncat >/dev/null\nexit 0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err = written(t, "x.mp4", frames(3, 64, 64, false), Options{Rate: 5}); err == nil ||
		!strings.Contains(err.Error(), "ffmpeg has failed: it has written nothing") {
		t.Errorf("idle: %v", err)
	}
}

func TestACancelledFilmLeavesNothing(t *testing.T) {
	for _, f := range Formats() {
		if f.Missing != nil && f.Missing() != nil {
			continue
		}
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		all := frames(3, 64, 48, false)
		w, err := f.New(ctx, io.Discard, Options{Path: filepath.Join(dir, "x"+f.Extension), Width: 64, Height: 48,
			Frames: 3, Rate: 25})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Frame(all[0]); err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := w.Frame(all[1]); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", f.Extension, err)
		}
		w.Close()
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s leaves %v", f.Extension, left)
		}
	}
}

func TestWhatFormatsCannotHoldIsRefused(t *testing.T) {
	for _, c := range []struct {
		path, want string
		o          Options
	}{{"a.avi", "no transparency", Options{Transparent: true}},
		{"a.mp4", "no transparency", Options{Transparent: true}},
		{"a.mp4", "even numbers", Options{Width: 3, Height: 2}}, {"a.gif", "not written as gif", Options{}},
		{"a", ".avi", Options{}}} {
		f, err := ForPath(c.path)
		c.o.Path = c.path
		if err == nil {
			err = f.Check(c.o)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), c.path) {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
}

// full is a disk on which so many bytes have room.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestAFullDiskIsAnError(t *testing.T) {
	all := frames(6, 64, 48, false)
	for _, f := range Formats() {
		if f.Missing != nil && f.Missing() != nil {
			continue
		}
		w, err := f.New(t.Context(), &full{500}, Options{Path: filepath.Join(t.TempDir(), "x"), Width: 64, Height: 48,
			Frames: 6, Rate: 25})
		for _, img := range all {
			if err == nil {
				err = w.Frame(img)
			}
		}
		if err == nil {
			err = w.End()
		}
		w.Close()
		if !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: %v", f.Extension, err)
		}
	}
}

// pngOf is what a reader sees that knows no animation.
func pngOf(file []byte) (*image.RGBA, error) {
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
	return out, nil
}

// The list of endings of films, which those ask who cannot know drawing, is of the formats that there are.
func TestEndingsOfFilmsAreListedOnce(t *testing.T) {
	if !slices.Equal(Extensions(), export.FilmEndings) {
		t.Errorf("formats are %q, and listed are %q", Extensions(), export.FilmEndings)
	}
}
