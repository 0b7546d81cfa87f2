// Package docs is the manual: the pages of this folder, as the window shows them.
package docs

import (
	"embed"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

//go:embed *.md
var files embed.FS

// order is that of the pages. Notes of those who work on blossom are none.
var order = []string{"readme", "tutorial-cytometry", "tutorial-cells", "tutorial-images", "tutorial-shapes", "tour",
	"coming", "faq", "keys", "formats", "samples", "populations", "clusters", "tsne", "umap", "shapes",
	"session", "figures", "films", "jobs", "large", "python", "maths", "engines", "measured"}

// Page is a page of the manual.
type Page struct {
	Name   string // name of its file without its ending: "tsne"
	Title  string
	Blocks []Block
}

// Block is a paragraph, or what stands for one.
type Block struct {
	Kind  Kind
	Level int    // level of a heading, from 1; depth of an item, from 0
	Text  string // its words, on one line but for code
	Head  string // the first cell of a row of a table, the number of an item
	Links []Link // to other pages
}

// Link leads from a block to another page.
type Link struct{ Title, Page string }

// Kind is what a block is.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	Item
	Code
	Row // a row of a table
)

// Pages returns the pages of the manual, in order. They are not to be changed.
var Pages = sync.OnceValue(func() (pages []Page) {
	reader := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	for _, name := range order {
		source, err := files.ReadFile(name + ".md")
		if err != nil {
			panic("docs: " + err.Error())
		}
		p := Page{Name: name}
		p.take(reader.Parse(text.NewReader(source)), source, 0)
		if len(p.Blocks) > 0 && p.Blocks[0].Kind == Heading {
			p.Title, p.Blocks = p.Blocks[0].Text, p.Blocks[1:]
		}
		pages = append(pages, p)
	}
	return pages
})

// take adds the blocks below a node.
func (p *Page) take(n ast.Node, source []byte, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			p.add(Block{Kind: Heading, Level: c.Level}, c, source)
		case *ast.Paragraph, *ast.TextBlock:
			p.add(Block{}, c, source)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			code := strings.TrimRight(string(c.Lines().Value(source)), "\n")
			p.Blocks = append(p.Blocks, Block{Kind: Code, Text: code})
		case *ast.ListItem:
			first := len(p.Blocks)
			p.take(c, source, depth+1)
			if first < len(p.Blocks) && p.Blocks[first].Kind == Paragraph {
				p.Blocks[first].Kind, p.Blocks[first].Level, p.Blocks[first].Head = Item, depth, numberOf(c)
			}
		case *east.Table:
			p.table(c, source)
		default:
			p.take(c, source, depth)
		}
	}
}

// numberOf is the number of an item, "" where it has none.
func numberOf(item *ast.ListItem) string {
	list, ok := item.Parent().(*ast.List)
	if !ok || !list.IsOrdered() {
		return ""
	}
	n := list.Start
	for x := item.PreviousSibling(); x != nil; x = x.PreviousSibling() {
		n++
	}
	return strconv.Itoa(n)
}

// table adds the rows of a table, each cell but the first with what its column is called.
func (p *Page) table(t *east.Table, source []byte) {
	var heads []string
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		b, cells := Block{Kind: Row}, []string(nil)
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, plain(c, source, &b.Links))
		}
		if heads == nil {
			heads = cells
			continue
		}
		var rest []string
		for i, cell := range cells {
			switch {
			case i == 0:
				b.Head = cell
			case cell != "" && i < len(heads) && heads[i] != "":
				rest = append(rest, heads[i]+": "+cell)
			case cell != "":
				rest = append(rest, cell)
			}
		}
		b.Text = strings.Join(rest, " · ")
		p.Blocks = append(p.Blocks, b)
	}
}

func (p *Page) add(b Block, n ast.Node, source []byte) {
	if b.Text = plain(n, source, &b.Links); b.Text != "" {
		p.Blocks = append(p.Blocks, b)
	}
}

// plain is the text of a node without its marks, and adds the pages that it leads to.
func plain(n ast.Node, source []byte, links *[]Link) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out.Write(c.Segment.Value(source))
			if c.SoftLineBreak() || c.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.Image, *ast.RawHTML: // pictures are in the folder
		case *ast.Link:
			title := plain(c, source, links)
			out.WriteString(title)
			if to := pageOf(string(c.Destination)); to != "" {
				*links = append(*links, Link{title, to})
			}
		case *ast.AutoLink:
			out.Write(c.URL(source))
		default:
			out.WriteString(plain(c, source, links))
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// pageOf is the page that a link leads to, "" for none.
func pageOf(link string) string {
	file, _, _ := strings.Cut(link, "#")
	name := strings.ToLower(strings.TrimSuffix(path.Base(file), ".md"))
	for _, n := range order {
		if n == name && strings.HasSuffix(strings.ToLower(file), ".md") {
			return n
		}
	}
	return ""
}

// Hit is a block that has all words of a search.
type Hit struct {
	Page, Block int    // indices; Block is -1 for the title of a page
	Heading     string // heading that it lies below
}

// Find returns the blocks that have all words of a text, headings first.
func Find(words string) (hits []Hit) {
	want := strings.Fields(strings.ToLower(words))
	if len(want) == 0 {
		return nil
	}
	has := func(text string) bool {
		text = strings.ToLower(text)
		for _, w := range want {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	}
	var rest []Hit
	for i, p := range Pages() {
		heading := p.Title
		if has(p.Title) {
			hits = append(hits, Hit{i, -1, p.Title})
		}
		for j, b := range p.Blocks {
			if b.Kind == Heading {
				if heading = b.Text; has(b.Text) {
					hits = append(hits, Hit{i, j, heading})
				}
			} else if has(b.Head + " " + b.Text) {
				rest = append(rest, Hit{i, j, heading})
			}
		}
	}
	return append(hits, rest...)
}
