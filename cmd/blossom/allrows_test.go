package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A picture of the sample of a finished folder shows how densely all rows lie, in the place of points of one colour and
// behind others; behind points that have moved on it is what the saved landmarks placed, and it says so. Nothing of it
// is there where it is not wanted. A folder whose counts are damaged is told with a remedy.
func TestAPictureOfASampleShowsAllRows(t *testing.T) {
	needsGL(t)
	dir := partsInput(t, ".npy", 500)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/", "--shown", "100")
	text, err := os.ReadFile(filepath.Join(dir, "out", "sample.json"))
	if err != nil {
		t.Fatal(err)
	}
	var moved map[string]any
	if err := json.Unmarshal(text, &moved); err != nil {
		t.Fatal(err)
	}
	moved["state"].(map[string]any)["projection"].(map[string]any)["value"].(map[string]any)["K"] = 5
	if text, err = json.Marshal(moved); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "out", "moved.json"), string(text))
	const all, saved = "100 of 500 points; density is of all", "100 of 500 points; density is of the saved landmarks"
	for _, c := range []struct {
		args  []string
		note  string
		alone bool
	}{
		{[]string{"out/sample.json"}, all, true},
		{[]string{"out/sample.json", "--all-rows", "beneath"}, all, false},
		{[]string{"out/sample.json", "--all-rows", "none"}, "", false},
		{[]string{"out/moved.json"}, saved, false},
	} {
		ok(t, dir, append([]string{"render", "-o", "a.svg", "--no-recipe", "--session"}, c.args...)...)
		b, err := os.ReadFile(filepath.Join(dir, "a.svg"))
		if err != nil {
			t.Fatal(err)
		}
		_, svg, _ := strings.Cut(string(b), "</defs>")
		if noted := strings.Contains(svg, ">"+c.note+"</text>"); noted != (c.note != "") ||
			strings.Contains(svg, "density") != noted || strings.Contains(svg, "of all rows</text>") != c.alone {
			t.Errorf("%q: %q is not on it", c.args, c.note)
		}
	}
	for _, side := range []string{"256", "512", "1024", "2048", "4096"} {
		os.RemoveAll(filepath.Join(dir, "out", "pyramid", side))
	}
	blossom(t, dir, "render", "--session", "out/sample.json", "-o", "b.svg").refused(t, 1, "missing", "blossom finish")
}

// A picture of a folder of a map that was laid out is of that map, with the density of all rows, whether the folder is
// named, its session, or the map; of points that lie elsewhere it says that the density is of the saved map. On another
// map there is no density, which is said to who asks for it, and no other map is drawn than was asked for.
func TestAPictureOfALaidOutFolderShowsItsMap(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	laidTable(t, dir, 240)
	ok(t, dir, "tsne", "a.csv", "b.csv", "-o", "laid/", "--shown", "90", "--units=30", "--engine", "cpu")
	picture := func(args ...string) (svg, said string) {
		said = ok(t, dir, append([]string{"render", "-o", "a.svg", "--no-recipe"}, args...)...).stderr
		return text(t, filepath.Join(dir, "a.svg")), said
	}
	const note = ">90 of 240 points; density is of all</text>"
	first, said := picture("laid/")
	if !strings.Contains(first, note) || strings.Contains(said, "note") {
		t.Errorf("the folder: no %q, or it says %q", note, said)
	}
	for _, args := range [][]string{{"laid"}, {"--session", "laid/sample.json"},
		{"--session", "laid/sample.json", "--embedding", "tsne"}, {"--session", "laid/sample.json", "--view", "1"}} {
		if again, _ := picture(args...); !strings.Contains(again, note) {
			t.Errorf("%q: no %q", args, note)
		} else if args[len(args)-1] != "1" && again != first {
			t.Errorf("%q: another picture", args)
		}
	}
	if beneath, _ := picture("laid/", "--all-rows", "beneath"); !strings.Contains(beneath, note) || beneath == first {
		t.Error("--all-rows beneath changes nothing")
	}
	other, said := picture("--session", "laid/sample.json", "--embedding", "embedsom", "--all-rows", "beneath")
	if strings.Contains(other, "density is of") || !strings.Contains(said, "they lie on its map by t-SNE") {
		t.Errorf("another map, and it says %q", said)
	}
	ok(t, dir, "report", "laid/", "-o", "one.html")
	ok(t, dir, "report", "laid/sample.json", "-o", "two.html")
	if text(t, filepath.Join(dir, "one.html")) != text(t, filepath.Join(dir, "two.html")) {
		t.Error("the report of the folder is another one than that of its session")
	}
	if made := ok(t, dir, "job", "--from", "one.html").stdout; !strings.Contains(made, `"kind": "tsne"`) &&
		!strings.Contains(made, `"kind":"tsne"`) {
		t.Errorf("the report is of another map: %s", made)
	}
	blossom(t, dir, "render", "laid/", "--som", "4x4", "-o", "b.svg").refused(t, 2, "laid/sample.parquet", "--som")
}
