package site

import (
	"html/template"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var project = os.DirFS("../..")

// Every link, picture and anchor of the pages leads somewhere.
func TestNoLinkIsBroken(t *testing.T) {
	broken, err := Broken(project)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
}

// A link to a page, a heading or a picture that is not there is said, and no website is written then.
func TestBrokenLinksAreSaid(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "site")
	for name, text := range map[string]string{
		"README.md": "# blossom\n\n[a](docs/tsne.md#its-part), [b](docs/tsne.md#none), " +
			"[c](docs/none.md), ![d](docs/d.png)\n",
		"docs/tsne.md":          "# Maps\n\n## Its part\n\n[back](../README.md), [here](#its-part), [not](#that)\n",
		"docs/commands/info.md": "# info\n\n[up](../tsne.md), [far](https://go.dev/x)\n",
	} {
		at := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	broken, err := Broken(os.DirFS(from))
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(broken, "\n")
	for _, want := range []string{"tsne.html has no heading #none", "docs/none.md is not there",
		"docs/d.png is not there", "tsne.html has no heading #that"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said of:\n%s", want, said)
		}
	}
	if len(broken) != 4 {
		t.Errorf("%d faults, not 4:\n%s", len(broken), said)
	}
	if _, err := Write(os.DirFS(from), to); err == nil {
		t.Error("a website with broken links is written")
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("something was written")
	}
}

// The website has all that its pages ask for, and asks nothing of a network.
func TestTheWebsiteIsComplete(t *testing.T) {
	to := t.TempDir()
	n, err := Write(project, to)
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	err = filepath.WalkDir(to, func(at string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(at) != ".html" {
			return err
		}
		pages++
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		for _, link := range linksOf(template.HTML(text)) {
			file, _, _ := strings.Cut(link, "#")
			if strings.Contains(link, "://") || file == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(at), filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %s is not there", at, link)
			}
		}
		for _, asked := range []string{`src="http`, `<link rel="stylesheet" href="http`, "@import", "<title> - "} {
			if strings.Contains(string(text), asked) {
				t.Errorf("%s has %s", at, asked)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages != n || n < 20 {
		t.Errorf("%d pages are there, %d were said", pages, n)
	}
	index, err := os.ReadFile(filepath.Join(to, "index.js"))
	if err != nil || !strings.Contains(string(index), `"page":"umap.html#what-is-computed"`) {
		t.Errorf("%v: the search does not know what UMAP computes", err)
	}
}

// Figures and films have a part of the contents of their own: they are made in the window and by commands.
func TestFiguresAndFilmsArePictures(t *testing.T) {
	groups, err := contents(project)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		for _, s := range g.sources {
			if of := s == "docs/figures.md" || s == "docs/films.md"; of != (g.title == "Pictures") {
				t.Errorf("%s stands under %q", s, g.title)
			}
		}
	}
}
