package site

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// group is a part of the table of contents: a title, and where its pages come from.
type group struct {
	title   string
	sources []string
}

// table is the table of contents. Pages of docs that it does not name are put into the last group.
var table = []group{
	{"Begin", []string{"README.md", "docs/install.md", "docs/windows.md", "docs/coming.md",
		"docs/faq.md"}},
	{"Tutorials", []string{"docs/tutorial-cytometry.md", "docs/tutorial-cells.md", "docs/tutorial-images.md",
		"docs/tutorial-shapes.md", "docs/tour.md"}},
	{"The window", []string{"docs/keys.md", "docs/populations.md", "docs/clusters.md", "docs/tsne.md", "docs/umap.md",
		"docs/shapes.md", "docs/density.md"}},
	{"Pictures", []string{"docs/figures.md", "docs/films.md"}},
	{"Files", []string{"docs/formats.md", "docs/samples.md", "docs/session.md", "docs/jobs.md", "docs/large.md",
		"docs/scale.md"}},
	{"Scripts", []string{"docs/python.md", "docs/commands/blossom.md"}}, // and the other commands
	{"How it works", []string{"docs/maths.md"}},
}

// repeated is the page of the window's manual that has the words of the README, which the website has whole.
const repeated = "docs/readme.md"

// contents returns the table for a project: without the pages that it does not have, with those of
// commands, and with those that the table does not know.
func contents(project fs.FS) (groups []group, err error) {
	known := []string{repeated}
	for _, g := range table {
		g.sources = slices.Clone(g.sources)
		if g.title == "Scripts" {
			pages, err := below(project, "docs/commands")
			if err != nil {
				return nil, err
			}
			for _, p := range pages {
				if !slices.Contains(g.sources, p) {
					g.sources = append(g.sources, p)
				}
			}
		}
		known = append(known, g.sources...)
		g.sources = slices.DeleteFunc(g.sources, func(s string) bool {
			_, err := fs.Stat(project, s)
			return errors.Is(err, fs.ErrNotExist)
		})
		groups = append(groups, g)
	}
	others, err := below(project, "docs")
	if err != nil {
		return nil, err
	}
	last := &groups[len(groups)-1]
	for _, s := range others {
		if !slices.Contains(known, s) {
			last.sources = append(last.sources, s)
		}
	}
	return groups, nil
}

// below lists the files of Markdown in a folder, by name.
func below(project fs.FS, folder string) (sources []string, err error) {
	entries, err := fs.ReadDir(project, folder)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".md") {
			sources = append(sources, folder+"/"+e.Name())
		}
	}
	return sources, err
}
