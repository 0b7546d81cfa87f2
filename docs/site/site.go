// Package site makes a website of the manual: a page of HTML for each of Markdown, with its pictures, a style and a
// search that works where the pages lie in a folder, without a server and without a network.
package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed page.html style.css search.js
var own embed.FS

var layout = template.Must(template.ParseFS(own, "page.html"))

// page is one page of the website.
type page struct {
	Source string // path of its Markdown from the root of the project, with slashes
	Name   string // path of its HTML in the website: "tsne.html"
	Title  string
	Body   template.HTML
	Heads  []head // headings below the title
	files  []string
	finds  []find
}

// head is a heading that the table of contents of a page lists.
type head struct{ ID, Text string }

// find is what the search finds: a heading and the words below it.
type find struct {
	Page string `json:"page"`  // path of the page, with the anchor of the heading
	Head string `json:"title"` // title of the page and heading
	Text string `json:"text"`
}

// shown is what page.html is filled with.
type shown struct {
	*page
	Groups         []listed
	Root           string // way from the page to the root of the website: "" or "../"
	Previous, Next *page
}

// listed is a group of pages in the list at the side.
type listed struct {
	Title string
	Pages []*page
}

// Write makes the website of a project, whose root is that of its files, writes it to the folder to, which it creates,
// and returns how many pages it has. A link to a file that is not there, or to a heading that is not, is an error that
// names both, and nothing is written then.
func Write(project fs.FS, to string) (int, error) {
	groups, all, err := read(project)
	if err != nil {
		return 0, err
	}
	if broken := check(project, all); len(broken) > 0 {
		return 0, fmt.Errorf("%s", strings.Join(broken, "\n"))
	}
	files := map[string][]byte{}
	var finds []find
	for i, p := range all {
		s := shown{page: p, Groups: groups, Root: strings.Repeat("../", strings.Count(p.Name, "/"))}
		if i > 0 {
			s.Previous = all[i-1]
		}
		if i+1 < len(all) {
			s.Next = all[i+1]
		}
		var html bytes.Buffer
		if err := layout.Execute(&html, s); err != nil {
			return 0, err
		}
		files[p.Name] = html.Bytes()
		finds = append(finds, p.finds...)
		for _, f := range p.files {
			if files[f], err = fs.ReadFile(project, f); err != nil {
				return 0, err
			}
		}
	}
	index, err := json.Marshal(finds)
	if err != nil {
		return 0, err
	}
	files["index.js"] = append([]byte("const pages = "), append(index, ";\n"...)...)
	for _, f := range []string{"style.css", "search.js"} {
		if files[f], err = own.ReadFile(f); err != nil {
			return 0, err
		}
	}
	for name, data := range files {
		at := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(at, data, 0o644); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

// read reads all pages, in their groups and in one row.
func read(project fs.FS) (groups []listed, all []*page, err error) {
	sources := map[string]bool{}
	table, err := contents(project)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range table {
		for _, s := range g.sources {
			sources[s] = true
		}
	}
	for _, g := range table {
		l := listed{Title: g.title}
		for _, s := range g.sources {
			text, err := fs.ReadFile(project, s)
			if err != nil {
				return nil, nil, err
			}
			p := convert(s, text, sources)
			l.Pages, all = append(l.Pages, p), append(all, p)
		}
		groups = append(groups, l)
	}
	return groups, all, nil
}

// Broken returns what links of the Markdown of a project lead nowhere, as sentences.
func Broken(project fs.FS) ([]string, error) {
	_, all, err := read(project)
	if err != nil {
		return nil, err
	}
	return check(project, all), nil
}

// check follows every link and picture of the pages.
func check(project fs.FS, all []*page) (broken []string) {
	anchors := map[string][]string{}
	for _, p := range all {
		anchors[p.Name] = idsOf(p.Body)
	}
	for _, p := range all {
		for _, to := range linksOf(p.Body) {
			if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(to, "#")
			at := p.Name
			if file != "" {
				at = path.Join(path.Dir(p.Name), file)
			}
			ids, isPage := anchors[at]
			switch {
			case isPage && anchor != "" && !slices.Contains(ids, anchor):
				broken = append(broken, fmt.Sprintf("%s: %s has no heading #%s", p.Source, at, anchor))
			case !isPage && !slices.Contains(p.files, at):
				broken = append(broken, fmt.Sprintf("%s: %s leads nowhere", p.Source, to))
			}
		}
		for _, f := range p.files {
			if _, err := fs.Stat(project, f); err != nil {
				broken = append(broken, fmt.Sprintf("%s: %s is not there", p.Source, f))
			}
		}
	}
	return broken
}
