package main

import (
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// blocks are the fenced blocks of the manual: who runs them, if not this test at any time, a language, and the lines.
var blocks = regexp.MustCompile("(?s)\n(<!-- (?:not run: [^\n]+|" + seldom + ") -->\n+)?```(sh|python)\n(.*?)\n```")

// seldom marks blocks that take long.
const seldom = "run by make test-long"

// forShell finds blocks of commands that do not say that they are for a shell.
var forShell = regexp.MustCompile("\n```(?:bash|console|text)?\nblossom [^\n]*")

// ownTests are pages whose blocks of Python are run by their own tests.
var ownTests = []string{"python.md"}

// Every command of the manual that stands in a block of sh works, in the order of its page, with the data that it
// names; pictures that a page makes for itself are those that it shows.
func TestTheManualsCommands(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range pages {
		name := filepath.Base(page)
		found := blocks.FindAllStringSubmatch(text(t, page), -1)
		if b := forShell.FindString(text(t, page)); b != "" {
			t.Errorf("%s: a block of commands is none of sh, so that nobody runs it:%s", name, b)
		}
		if len(found) == 0 {
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			give(t, dir, text(t, page))
			for _, b := range found {
				if runsHere(name, b[1], b[2]) {
					runBlock(t, dir, b[2], b[3])
				}
			}
			comparePictures(t, dir)
		})
	}
	if ran < 5 {
		t.Errorf("only %d pages have commands", ran)
	}
}

// runsHere says whether a block of a page is run, by the comment before it and its language.
func runsHere(page, comment, language string) bool {
	if strings.Contains(comment, seldom) {
		return os.Getenv("BLOSSOM_LONG") != ""
	}
	return comment == "" && !(language == "python" && slices.Contains(ownTests, page))
}

// runBlock runs the lines of a block in the folder dir, and ends the test where one of them fails.
func runBlock(t *testing.T, dir, language, lines string) {
	t.Helper()
	interpreter, args := "sh", []string{"-e", "-c", lines}
	if language == "python" {
		interpreter, args = "python3", []string{"-c", lines}
	}
	if _, err := exec.LookPath(interpreter); err != nil {
		t.Skipf("%s is not here: %v", interpreter, err)
	}
	c := exec.Command(interpreter, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s\n%s", err, lines, out)
	}
}

// comparePictures compares the pictures of tutorials that were made in the folder dir with those in the manual, which
// another driver may have drawn: by their size, and by how bright they are on the whole.
func comparePictures(t *testing.T, dir string) {
	t.Helper()
	made, err := filepath.Glob(filepath.Join(dir, "tutorial-*.png"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range made {
		kept := filepath.Join("..", "..", "docs", "pictures", filepath.Base(m))
		if *update {
			if err := os.WriteFile(kept, []byte(text(t, m)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := brightness(t, m), brightness(t, kept); a.size != b.size || max(a.mean-b.mean, b.mean-a.mean) > 0.02 {
			t.Errorf("%s shows another picture than its command makes: %+v, not %+v:"+
				" go test ./cmd/blossom -run Manuals -args -update", kept, b, a)
		}
	}
}

// look is what is compared of a picture.
type look struct {
	size image.Point
	mean float64 // brightness from 0 to 1
}

func brightness(t *testing.T, path string) look {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, _, err := image.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	sum, r := 0.0, p.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			red, green, blue, _ := p.At(x, y).RGBA()
			sum += float64(red+green+blue) / 3 / 65535
		}
	}
	return look{r.Size(), sum / float64(r.Dx()*r.Dy())}
}
