package docs

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the page of the README anew")

// The first page of the manual is what the README says to users.
func TestTheFirstPageIsTheREADME(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, users, ok := strings.Cut(string(text), "\n## A quick tour\n")
	users, _, ends := strings.Cut(users, "\n## For those who work on it\n")
	if !ok || !ends {
		t.Fatal("the README has no quick tour, or no part for those who work on it")
	}
	want := "# First steps, files, commands\n" + strings.ReplaceAll(users, "](docs/", "](")
	if *update {
		if err := os.WriteFile("readme.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("readme.md"); err != nil || string(got) != want {
		t.Errorf("%v: the README says something else: go test ./docs -args -update", err)
	}
}

// Every page has a title and text, every link leads to a page, and no mark of Markdown is left in running text.
func TestPagesAreRead(t *testing.T) {
	names := map[string]bool{}
	for _, p := range Pages() {
		names[p.Name] = true
	}
	kinds := map[Kind]int{}
	for _, p := range Pages() {
		if p.Title == "" || len(p.Blocks) < 3 {
			t.Errorf("%s: %q, %d blocks", p.Name, p.Title, len(p.Blocks))
		}
		for _, b := range p.Blocks {
			kinds[b.Kind]++
			if b.Text == "" && b.Head == "" {
				t.Errorf("%s: an empty block", p.Name)
			}
			if b.Kind != Code && (strings.Contains(b.Text, "](") || strings.Contains(b.Text, "`") ||
				strings.Contains(b.Text, "**")) {
				t.Errorf("%s: marks are left in %q", p.Name, b.Text)
			}
			for _, l := range b.Links {
				if !names[l.Page] || l.Title == "" {
					t.Errorf("%s leads to %+v", p.Name, l)
				}
			}
		}
	}
	for k := Paragraph; k <= Row; k++ {
		if kinds[k] == 0 {
			t.Errorf("no block is of kind %d", k)
		}
	}
}

// A search finds what has all words, headings before running text.
func TestTheManualIsSearched(t *testing.T) {
	hits := Find("single LINKAGE")
	if len(hits) < 3 || Pages()[hits[0].Page].Blocks[max(hits[0].Block, 0)].Kind != Heading && hits[0].Block >= 0 {
		t.Fatalf("%+v", hits)
	}
	for _, h := range hits {
		p := Pages()[h.Page]
		text := p.Title
		if h.Block >= 0 {
			text = p.Blocks[h.Block].Head + " " + p.Blocks[h.Block].Text
		}
		if !strings.Contains(strings.ToLower(text), "linkage") {
			t.Errorf("%s has %q", p.Name, text)
		}
	}
	if Find(" ") != nil || Find("xyzzy") != nil {
		t.Error("it finds what is not there")
	}
}
