package site

import (
	"bytes"
	stdhtml "html"
	"html/template"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// convert makes a page of the Markdown of a source. Links to other sources lead to their pages, and those to files of
// the project to copies of them.
func convert(source string, words []byte, sources map[string]bool) *page {
	p := &page{Source: source, Name: nameOf(source)}
	tree := markdown.Parser().Parse(text.NewReader(words))
	ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = p.link(string(n.Destination), sources)
		case *ast.Image:
			n.Destination = p.link(string(n.Destination), sources)
		case *ast.Heading:
			p.head(n, words)
		}
		return ast.WalkContinue, nil
	})
	p.search(tree, words)
	var html bytes.Buffer
	if err := markdown.Renderer().Render(&html, words, tree); err != nil {
		panic("site: " + err.Error()) // a buffer takes everything
	}
	p.Body = template.HTML(html.String())
	return p
}

// nameOf is the path of the page of a source: the README is where the website begins.
func nameOf(source string) string {
	if source == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(strings.TrimPrefix(source, "docs/"), ".md") + ".html"
}

// link is where a link of a page leads to in the website.
func (p *page) link(to string, sources map[string]bool) []byte {
	if strings.Contains(to, ":") || strings.HasPrefix(to, "#") {
		return []byte(to)
	}
	file, anchor, has := strings.Cut(to, "#")
	up := strings.Repeat("../", strings.Count(p.Name, "/"))
	at := path.Join(path.Dir(p.Source), file)
	if strings.HasPrefix(file, "ui/") { // the page of the README has its pictures by their path from the root
		at = file
	}
	if sources[at] {
		to = up + nameOf(at)
		if has {
			to += "#" + anchor
		}
		return []byte(to)
	}
	p.files = append(p.files, at)
	return []byte(up + at)
}

// head takes the title of the page from its first heading, and lists those of the second level.
func (p *page) head(n *ast.Heading, words []byte) {
	title := flat(n, words)
	switch {
	case n.Level == 1 && p.Title == "":
		p.Title = title
	case n.Level == 2:
		p.Heads = append(p.Heads, head{idOf(n), title})
	}
}

// search gathers the words of the page below each of its headings.
func (p *page) search(tree ast.Node, words []byte) {
	f := find{Page: p.Name, Head: p.Title}
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if h.Level > 1 {
				p.finds = append(p.finds, f)
				f = find{Page: p.Name + "#" + idOf(h), Head: p.Title + ": " + flat(h, words)}
			}
			continue
		}
		f.Text = strings.TrimSpace(f.Text + " " + flat(n, words))
	}
	p.finds = append(p.finds, f)
}

func idOf(h *ast.Heading) string {
	id, _ := h.AttributeString("id")
	text, _ := id.([]byte)
	return string(text)
}

// flat is the text of a node without its marks, on one line.
func flat(n ast.Node, words []byte) string {
	var out strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				out.Write(n.Segment.Value(words))
				if n.SoftLineBreak() {
					out.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				out.Write(n.Lines().Value(words))
			}
		default:
			if n.Type() == ast.TypeBlock {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(out.String()), " ")
}

var (
	aLink  = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor = regexp.MustCompile(` id="([^"]*)"`)
)

func linksOf(html template.HTML) []string { return every(aLink, html) }
func idsOf(html template.HTML) []string   { return every(anchor, html) }

// every is what the first group of an expression matches, each time.
func every(e *regexp.Regexp, html template.HTML) (found []string) {
	for _, m := range e.FindAllStringSubmatch(string(html), -1) {
		found = append(found, stdhtml.UnescapeString(m[1]))
	}
	return found
}
