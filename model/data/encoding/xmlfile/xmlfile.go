// Package xmlfile opens XML of unknown origin as a small tree: workspaces, matrices and gates of other programs. What
// it becomes is bounded, and nothing that it names is opened.
package xmlfile

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/base/problem"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Limits of a file. A workspace of a thousand samples has some 50 MB, and a node for each 50 bytes.
const (
	MaxBytes = 64 << 20 // in the file
	MaxDepth = 64       // elements within elements
	maxNodes = 4 << 20  // elements and attributes together
	maxTag   = 1 << 20  // bytes from a < to its >
	often    = 1 << 12  // tokens from one look at whether it is cancelled to the next: some milliseconds
)

// Element is an element with what it holds. Names have the address of their namespace in Space, or the prefix where
// the file does not say what that stands for.
type Element struct {
	Name     xml.Name
	Attrs    []xml.Attr
	Children []*Element
	Text     string // its own, without that of its children, and without blanks around it
}

// Attr returns the first attribute with this local name, of whatever namespace, and whether there is one.
func (e *Element) Attr(local string) (string, bool) {
	for _, a := range e.Attrs {
		if a.Name.Local == local && a.Name.Space != "xmlns" {
			return a.Value, true
		}
	}
	return "", false
}

// Child returns the first child with this local name, or nil.
func (e *Element) Child(local string) *Element {
	for c := range e.Named(local) {
		return c
	}
	return nil
}

// Named are the children with this local name.
func (e *Element) Named(local string) iter.Seq[*Element] {
	return func(yield func(*Element) bool) {
		for _, c := range e.Children {
			if c.Name.Local == local && !yield(c) {
				return
			}
		}
	}
}

// All are the elements with this local name in e and below, in the order of the file.
func (e *Element) All(local string) iter.Seq[*Element] {
	return func(yield func(*Element) bool) { e.walk(local, yield) }
}

func (e *Element) walk(local string, yield func(*Element) bool) bool {
	if e.Name.Local == local && !yield(e) {
		return false
	}
	for _, c := range e.Children {
		if !c.walk(local, yield) {
			return false
		}
	}
	return true
}

// Looks says whether text, the beginning of a file, is that of XML.
func Looks(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(text, []byte("<?xml")) || len(text) > 1 && text[0] == '<' && (text[1] == '!' ||
		text[1] == '_' || text[1] >= 'a' && text[1] <= 'z' || text[1] >= 'A' && text[1] <= 'Z') ||
		bytes.HasPrefix(text, []byte("\xff\xfe<\x00")) || bytes.HasPrefix(text, []byte("\xfe\xff\x00<"))
}

// Open reads the file at path. The error is ctx's, or a Problem that names the file.
func Open(ctx context.Context, path string) (*Element, error) {
	text, err := plain.ReadFile(path, MaxBytes)
	if err != nil {
		return nil, err
	}
	return Parse(ctx, text, path)
}

// Parse reads text, which is the file at path. The error is ctx's, or a Problem that names the file.
func Parse(ctx context.Context, text []byte, path string) (*Element, error) {
	if len(text) > MaxBytes {
		return nil, problem.New(path, "check that it is the right file", "is larger than %d MB", MaxBytes>>20)
	}
	root, err := parse(ctx, text)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, problem.New(path, "write it again with the program that made it", "is no XML that can be read: %s",
			err)
	}
	return root, nil
}

// parse reads a whole file. Its errors are words about it.
func parse(ctx context.Context, text []byte) (*Element, error) {
	var in io.Reader = bytes.NewReader(text)
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		in = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(in)
	}
	d := xml.NewDecoder(&tags{r: in})
	d.CharsetReader = charset
	top, nodes := &Element{}, 0
	var open []*Element
	var texts [][]byte // one for each element that is open
	for tokens := 0; ; tokens++ {
		if tokens%often == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		at := top
		if len(open) > 0 {
			at = open[len(open)-1]
		}
		switch t := token.(type) {
		case xml.StartElement:
			if nodes += 1 + len(t.Attr); nodes > maxNodes {
				return nil, fmt.Errorf("it has more than %d elements and attributes", maxNodes)
			}
			if len(open) == MaxDepth {
				return nil, fmt.Errorf("elements lie within each other more than %d deep", MaxDepth)
			}
			if at == top && len(top.Children) > 0 {
				return nil, errors.New("it has more than one outermost element")
			}
			e := &Element{Name: t.Name, Attrs: t.Attr}
			at.Children, open, texts = append(at.Children, e), append(open, e), append(texts, nil)
		case xml.EndElement:
			last := len(open) - 1
			at.Text = string(bytes.TrimSpace(texts[last]))
			open, texts = open[:last], texts[:last]
		case xml.CharData:
			if last := len(open) - 1; last >= 0 {
				texts[last] = append(texts[last], t...)
			}
		case xml.Directive:
			if bytes.HasPrefix(bytes.ToUpper(bytes.TrimSpace(t)), []byte("DOCTYPE")) {
				return nil, errors.New("it has a document type (DTD), which is not read")
			}
		}
	}
	if len(top.Children) == 0 {
		return nil, errors.New("it has no element")
	}
	return top.Children[0], nil
}

// charset reads the encodings that such files are in beside UTF-8. Text in UTF-16 is UTF-8 by the time that its own
// first line says otherwise.
func charset(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be":
		return in, nil
	case "iso-8859-1", "latin1":
		return charmap.ISO8859_1.NewDecoder().Reader(in), nil
	case "windows-1252", "cp1252":
		return charmap.Windows1252.NewDecoder().Reader(in), nil
	}
	return nil, fmt.Errorf("its encoding %.40q is not known: write it as UTF-8", label)
}

// tags fails where a tag is so long that its attributes would take more memory than the file's size lets expect: the
// decoder holds all of them before it hands the first one over.
type tags struct {
	r    io.Reader
	open bool
	size int
}

func (t *tags) Read(to []byte) (int, error) {
	n, err := t.r.Read(to)
	for _, c := range to[:n] {
		switch {
		case c == '<':
			t.open, t.size = true, 0
		case c == '>':
			t.open = false
		case t.open:
			if t.size++; t.size > maxTag {
				return 0, fmt.Errorf("a tag is longer than %d KB", maxTag>>10)
			}
		}
	}
	return n, err
}
