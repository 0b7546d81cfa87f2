package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"blossom/model/data/format"
	"blossom/model/document/opening"
)

// given are the files that pages of the manual name as data of their readers: by a command, as text, or as the session
// of a window that has the file open which stands there. Files stand behind those that they are made of.
var given = []struct {
	name    string
	command []string
	text    string
	session string
}{
	{name: "sample.fcs", command: []string{"demo", "cytometry:1500", "-o", "sample.fcs"}},
	{name: "data/sample.fcs", command: []string{"demo", "cytometry:1500", "-o", "data/sample.fcs"}},
	{name: "new.fcs", command: []string{"demo", "cytometry:300", "-o", "new.fcs"}},
	{name: "donor1.fcs", command: []string{"demo", "cytometry:400", "-o", "donor1.fcs"}},
	{name: "donor2.fcs", command: []string{"demo", "cytometry:300", "-o", "donor2.fcs"}},
	{name: "samples.csv", text: "file_name,condition,age\ndonor1.fcs,healthy,31\ndonor2.fcs,ill,47\n"},
	{name: "panel.csv", text: "fcs_colname,antigen,marker_class\n" +
		"BUV563-A,CD4,type\nBUV615-A,CD8,type\nBUV661-A,CD19,state\n"},
	{name: "points.npy", command: []string{"convert", "demo:tesseract:1000", "points.npy"}},
	{name: "hd.npy", command: []string{"convert", "demo:tesseract:50", "hd.npy"}},
	{name: "ld.npy", command: []string{"embed", "demo:tesseract:50", "--som", "4x4", "-o", "ld.npy"}},
	{name: "s.json", text: `{"format": "blossom shape", "version": 1, "kind": "disc",
		"frame": {"centre": [0, 0], "size": [8, 6]}}`},
	{name: "cells.csv", command: []string{"convert", "demo:cytometry:400", "cells.csv"}},
	{name: "cells.blossom", session: "cells.csv"},
	{name: "figure.png", command: []string{"render", "sample.fcs", "--size", "300x200", "-o", "figure.png"}},
	{name: "analysis.blossom", session: "sample.fcs"},
	{name: "recipe.blossom", session: "sample.fcs"},
}

// give makes the files that a page names, in the folder dir.
func give(t *testing.T, dir, page string) {
	t.Helper()
	for _, g := range given {
		if !regexp.MustCompile(`(?m)(^|[\s/])` + regexp.QuoteMeta(g.name) + `($|\s)`).MatchString(page) {
			continue
		}
		path := filepath.Join(dir, g.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		switch {
		case g.session != "":
			o, err := opening.Load(t.Context(), []string{filepath.Join(dir, g.session)}, format.Options{Seed: 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			saveWhole(t, o.Doc, path)
		case g.command != nil:
			ok(t, dir, g.command...)
		default:
			write(t, path, g.text)
		}
	}
}
