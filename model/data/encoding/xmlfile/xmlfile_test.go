package xmlfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
)

// Elements, attributes and texts are found by their local names, whatever the prefix of their namespace.
func TestATreeHasNamesAttributesAndText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.xml")
	text := `<?xml version="1.0" encoding="UTF-8"?>
<g:set xmlns:g="http://example.org/gates"><!-- a comment -->
  <g:gate g:id="one" min="3">a &amp; <b/>tail</g:gate><g:gate g:id="two"/>
</g:set>`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if root.Name.Local != "set" || root.Name.Space != "http://example.org/gates" || len(root.Children) != 2 {
		t.Fatalf("%+v", root)
	}
	first := root.Child("gate")
	if id, ok := first.Attr("id"); !ok || id != "one" || first.Text != "a & tail" || len(first.Children) != 1 {
		t.Errorf("%+v", first)
	}
	if _, ok := first.Attr("max"); ok {
		t.Error("there is an attribute that there is not")
	}
	n := 0
	for range root.All("gate") {
		n++
	}
	if n != 2 {
		t.Errorf("%d gates", n)
	}
	if _, ok := root.Attr("g"); ok {
		t.Error("a namespace is no attribute")
	}
}

// Other encodings that programs write are read.
func TestEncodings(t *testing.T) {
	wide := []byte{0xff, 0xfe}
	for _, c := range "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a n=\"µ\"/>" {
		wide = append(wide, byte(c), byte(c>>8))
	}
	for name, text := range map[string][]byte{
		"utf-8 with a mark": []byte("\xef\xbb\xbf<a n=\"µ\"/>"),
		"latin 1":           []byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a n=\"\xb5\"/>"),
		"utf-16":            wide,
	} {
		if !Looks(text) {
			t.Errorf("%s does not look like XML", name)
		}
		root, err := Parse(t.Context(), text, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, _ := root.Attr("n"); got != "µ" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Tables do not look like XML.
func TestATableIsNoXML(t *testing.T) {
	for _, text := range []string{"", "<", "<\t>\rFL1-H\tFL2-H", "a,b\n1,2", "< 3"} {
		if Looks([]byte(text)) {
			t.Errorf("%q looks like XML", text)
		}
	}
}

// Files that would take memory or time, or name other files, are refused in one line.
func TestHostileXMLIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"document type": `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
		"deep":          strings.Repeat("<a>", MaxDepth+1) + strings.Repeat("</a>", MaxDepth+1),
		"long tag":      "<a " + strings.Repeat(`a="" `, maxTag/4) + "/>",
		"entity":        "<a>&b;</a>",
		"two":           "<a/><b/>",
		"cut":           "<a><b>",
		"crossed":       "<a><b></a></b>",
		"encoding":      `<?xml version="1.0" encoding="EBCDIC"?><a/>`,
		"nothing":       " ",
	} {
		_, err := Parse(t.Context(), []byte(text), "x.xml")
		if err == nil || !strings.HasPrefix(err.Error(), "x.xml: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	deep := strings.Repeat("<a>", MaxDepth) + strings.Repeat("</a>", MaxDepth)
	if _, err := Parse(t.Context(), []byte(deep), "x"); err != nil {
		t.Error(err)
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there was opened")
	}
}

// small are the kinds of documents that there are, in few bytes.
var small = fuzzing.Texts(
	`<a b="c"><d>e</d><!-- f --><![CDATA[g]]></a>`,
	"<?xml version=\"1.0\" encoding=\"windows-1252\"?><a>\x80</a>",
	"<?xml version='1.0' encoding='UTF-8'?><n:a xmlns:n='u' n:b='&lt;&#65;'>&amp;<n:c/></n:a>",
	"\xff\xfe<\x00a\x00/\x00>\x00",
)

// parsed parses any bytes and says what became of them.
func parsed(t testing.TB, text []byte) string {
	root, err := Parse(t.Context(), text, "x")
	if (root == nil) != (err != nil) {
		t.Fatalf("%v, %v", root, err)
	}
	if err != nil {
		if p := problem.As(err); p.What == "" || p.Remedy == "" {
			t.Fatalf("%v is no problem in words", err)
		}
		return err.Error()
	}
	depth(t, root, 1)
	return ""
}

// Documents that are damaged are parsed or refused.
func FuzzParse(f *testing.F) { fuzzing.Target(f, small, 2000, parsed) }

// depth fails where the tree is deeper than it may be.
func depth(t testing.TB, e *Element, at int) {
	if e == nil {
		return
	}
	if at > MaxDepth {
		t.Fatal("too deep")
	}
	for _, c := range e.Children {
		depth(t, c, at+1)
	}
}
