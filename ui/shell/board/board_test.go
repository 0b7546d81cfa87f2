//go:build !windows && !darwin

package board

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// needsClip skips where there is no display or no other program to ask.
func needsClip(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("xclip"); err != nil || os.Getenv("DISPLAY") == "" {
		t.Skip("xclip and a display are needed")
	}
}

// asked is what another program gets from the clipboard.
func asked(t *testing.T, target string) []byte {
	t.Helper()
	out, err := exec.Command("xclip", "-selection", "clipboard", "-o", "-t", target).Output()
	if err != nil {
		t.Fatalf("xclip -t %s: %v", target, err)
	}
	return out
}

// Another program gets the very bytes, also those of more than a request to the server may be, as often as it asks, and
// is told of which types they are.
func TestAnotherProgramGetsThePicture(t *testing.T) {
	needsClip(t)
	var b Board
	defer b.Close()
	for _, side := range []int{3, 40, 900} {
		img := image.NewNRGBA(image.Rect(0, 0, side, side))
		for i := range img.Pix {
			img.Pix[i] = byte(rand.Uint32())
		}
		var file bytes.Buffer
		if err := png.Encode(&file, img); err != nil {
			t.Fatal(err)
		}
		if err := b.Picture(file.Bytes()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := asked(t, "image/png"); !bytes.Equal(got, file.Bytes()) {
				t.Fatalf("%d x %d: %d bytes come of %d", side, side, len(got), file.Len())
			}
		}
		if types := string(asked(t, "TARGETS")); types != "TARGETS\nTIMESTAMP\nimage/png\n" {
			t.Errorf("it has %q", types)
		}
	}
}

// A text of many megabytes comes whole, and what another program copies takes its place.
func TestALongTextAndWhatComesAfterIt(t *testing.T) {
	needsClip(t)
	var b Board
	defer b.Close()
	text := strings.Repeat("a\tµ\t1.25\n", 700_000)
	if !b.Text(text) {
		t.Fatal("it is not there")
	}
	if got := asked(t, "UTF8_STRING"); string(got) != text {
		t.Fatalf("%d bytes come of %d", len(got), len(text))
	}
	c := exec.Command("xclip", "-selection", "clipboard")
	c.Stdin = strings.NewReader("another")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if got := asked(t, "UTF8_STRING"); string(got) != "another" {
		t.Errorf("%d bytes of ours are still there", len(got))
	}
	if !b.Text("ours again") || string(asked(t, "UTF8_STRING")) != "ours again" {
		t.Error("it cannot be taken again")
	}
}

// Without a display a picture is refused in one line.
func TestThereIsNoDisplay(t *testing.T) {
	t.Setenv("DISPLAY", "")
	var b Board
	if err := b.Picture([]byte{1}); err == nil || !strings.Contains(err.Error(), "there is no X display") {
		t.Errorf("%v", err)
	}
	t.Setenv("DISPLAY", ":4077")
	if err := b.Picture([]byte{1}); err == nil || !strings.Contains(err.Error(), "could not be copied") {
		t.Errorf("%v", err)
	}
	b.Close()
}
