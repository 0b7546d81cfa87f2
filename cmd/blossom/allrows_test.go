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
